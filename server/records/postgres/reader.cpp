#include "server/records/postgres/reader.hpp"

#include <string>
#include <utility>

#include "server/records/game_lists.hpp"
#include "server/records/rows.hpp"

namespace tictactoe::records {

namespace {

// NULL is equal to nothing.
PostgresParameter parameter_of(ReaderNumber reader) {
  return reader == 0 ? PostgresParameter(nullptr) : PostgresParameter(reader);
}

}  // namespace

Result<v1::GameList> PostgresReader::list_games(std::uint64_t before, const std::string& player,
                                                std::size_t limit, ReaderNumber reader) {
  static const std::string list_all = list_games_sql("id, head", false, "$", false);
  static const std::string list_of_player = list_games_sql("id, head", true, "$", false);
  return guarded_postgres([&] {
    connection_.ensure();
    const std::uint64_t below = id_below(before);
    const PostgresRows rows =
        player.empty() ? connection_.run(list_all.c_str(),
                                         {below, std::uint64_t{limit} + 1, parameter_of(reader)})
                       : connection_.run(list_of_player.c_str(),
                                         {below, std::uint64_t{limit} + 1, parameter_of(reader),
                                          std::string_view(player)});
    v1::GameList list;
    for (int row = 0; row < rows.size(); ++row) {
      if (std::cmp_equal(row, limit)) {
        list.set_more(true);
        break;
      }
      if (auto game = decode_game(rows.number(row, 0), rows.bytes(row, 1))) {
        *list.add_games() = *std::move(game);
      } else {
        ++damaged_games_;
      }
    }
    return list;
  });
}

Result<std::optional<v1::GameRecord>> PostgresReader::game(std::uint64_t id, ReaderNumber reader) {
  return guarded_postgres([&]() -> std::optional<v1::GameRecord> {
    connection_.ensure();
    const PostgresRows rows = connection_.run(
        "SELECT head, moves FROM games WHERE id = $1 "
        "AND (NOT is_private OR x_reader = $2 OR o_reader = $2)",
        {id, parameter_of(reader)});
    if (rows.empty()) return std::nullopt;
    auto game = decode_game(id, std::string(rows.bytes(0, 0)) + std::string(rows.bytes(0, 1)));
    if (!game) {
      throw Failure{{Fault::Kind::damaged, "game " + std::to_string(id) + " is damaged"}};
    }
    return game;
  });
}

}  // namespace tictactoe::records
