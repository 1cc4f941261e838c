// Lists of finished games: their indexes and statements, in the SQL of both databases.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace tictactoe::records {

/// Games that one index has: public ones, or private ones of a seat's reader; of everybody, or of
/// a person in a seat.
struct GameIndex {
  std::string name;
  std::string columns;
  std::string where;  ///< the games that are in it
  std::string asked;  ///< the games that a list takes from it; parameters 3 and 4 are the reader
                      ///< and the person's name
};

/// With these a page of a list costs the same however many games of others lie between.
/// `of_person`: those that a list of one person's games uses. `parameter` is what begins a
/// parameter's number.
inline std::vector<GameIndex> game_indexes(bool of_person, const std::string& parameter) {
  std::vector<GameIndex> indexes;
  for (const std::string reader : {"", "x", "o"}) {
    for (const std::string person : {"x", "o"}) {
      GameIndex index;
      if (reader.empty()) {
        index = {"public_games", "", "NOT is_private", "NOT is_private"};
      } else {
        const std::string column = reader + "_reader";
        index = {"games_for_" + reader, column + ", ", column + " IS NOT NULL",
                 column + " = " + parameter + "3"};
      }
      if (of_person) {
        const std::string column = person + "_name";
        index.name += "_of_" + person;
        index.columns += column + ", ";
        if (reader.empty()) index.where += " AND " + column + " IS NOT NULL";
        index.asked += " AND " + column + " = " + parameter + "4";
      }
      index.columns += "id";
      indexes.push_back(index);
      if (!of_person) break;
    }
  }
  return indexes;
}

inline std::vector<std::string> create_game_indexes() {
  std::vector<std::string> statements;
  for (const bool of_person : {false, true}) {
    for (const GameIndex& index : game_indexes(of_person, "")) {
      statements.push_back("CREATE INDEX " + index.name + " ON games(" + index.columns +
                           ") WHERE " + index.where);
    }
  }
  return statements;
}

/// Parameter 1 of a list of games before one; 0: of all.
inline std::uint64_t id_below(std::uint64_t before) {
  constexpr std::uint64_t top = std::numeric_limits<std::int64_t>::max();
  return before == 0 || before > top ? top : before;
}

/// Selects `columns` of the latest games, at most as many as parameter 2 says, with ids below
/// parameter 1. `hints`: names the indexes; without them SQLite would look at the private games of
/// all.
inline std::string list_games_sql(const std::string& columns, bool of_person,
                                  const std::string& parameter, bool hints) {
  const std::string limit = " ORDER BY id DESC LIMIT " + parameter + "2";
  std::string ids;
  for (const GameIndex& index : game_indexes(of_person, parameter)) {
    ids += (ids.empty() ? "SELECT id FROM (" : " UNION SELECT id FROM (");
    ids += "SELECT id FROM games" + (hints ? " INDEXED BY " + index.name : "") + " WHERE " +
           index.asked + " AND id < " + parameter + "1" + limit + ") AS " + index.name;
  }
  return "SELECT " + columns + " FROM games WHERE id IN (" + ids + ")" + limit;
}

}  // namespace tictactoe::records
