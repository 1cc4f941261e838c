// Lists of finished games: their indexes and statements.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "server/records/database.hpp"

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
/// `of_person`: those that a list of one person's games uses.
inline std::vector<GameIndex> game_indexes(bool of_person) {
  std::vector<GameIndex> indexes;
  for (const std::string reader : {"", "x", "o"}) {
    for (const std::string person : {"x", "o"}) {
      GameIndex index;
      if (reader.empty()) {
        index = {"public_games", "", "readers_x IS NULL", "readers_x IS NULL"};
      } else {
        const std::string column = "readers_" + reader;
        index = {"games_for_" + reader, column + ", ", column + " IS NOT NULL", column + " = ?3"};
      }
      if (of_person) {
        index.name += "_of_" + person;
        index.columns += person + "_name, ";
        index.where += " AND " + person + "_kind = 'person'";
        index.asked += " AND " + person + "_kind = 'person' AND " + person + "_name = ?4";
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
    for (const GameIndex& index : game_indexes(of_person)) {
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
/// parameter 1. Names the indexes in SQLite, which would otherwise look at the private games of
/// all.
inline std::string list_games_sql(const std::string& columns, bool of_person, Database::Kind kind) {
  const std::string limit = " ORDER BY id DESC LIMIT ?2";
  std::string ids;
  for (const GameIndex& index : game_indexes(of_person)) {
    ids += (ids.empty() ? "SELECT id FROM (" : " UNION SELECT id FROM (");
    ids += "SELECT id FROM games" +
           (kind == Database::Kind::sqlite ? " INDEXED BY " + index.name : "") + " WHERE " +
           index.asked + " AND id < ?1" + limit + ") AS " + index.name;
  }
  return "SELECT " + columns + " FROM games WHERE id IN (" + ids + ")" + limit;
}

}  // namespace tictactoe::records
