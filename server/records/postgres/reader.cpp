#include "server/records/postgres/reader.hpp"

#include <limits>
#include <utility>

#include "server/records/rows.hpp"

namespace tictactoe::records {

namespace {

constexpr std::uint64_t top_id = std::numeric_limits<std::int64_t>::max();

// Takes the latest games of each kind, using one index per kind: public ones, and private ones of
// one seat.
constexpr const char* list_all =
    "SELECT id, head FROM games WHERE id IN ("
    "(SELECT id FROM games WHERE NOT is_private AND id < $1 ORDER BY id DESC LIMIT $2) UNION "
    "(SELECT id FROM games WHERE x_reader = $3 AND id < $1 ORDER BY id DESC LIMIT $2) UNION "
    "(SELECT id FROM games WHERE o_reader = $3 AND id < $1 ORDER BY id DESC LIMIT $2)) "
    "ORDER BY id DESC LIMIT $2";
constexpr const char* list_of_player =
    "SELECT id, head FROM games WHERE id IN ("
    "(SELECT id FROM games WHERE NOT is_private AND x_name = $4 AND id < $1 "
    "ORDER BY id DESC LIMIT $2) UNION "
    "(SELECT id FROM games WHERE NOT is_private AND o_name = $4 AND id < $1 "
    "ORDER BY id DESC LIMIT $2) UNION "
    "(SELECT id FROM games WHERE x_reader = $3 AND x_name = $4 AND id < $1 "
    "ORDER BY id DESC LIMIT $2) UNION "
    "(SELECT id FROM games WHERE x_reader = $3 AND o_name = $4 AND id < $1 "
    "ORDER BY id DESC LIMIT $2) UNION "
    "(SELECT id FROM games WHERE o_reader = $3 AND x_name = $4 AND id < $1 "
    "ORDER BY id DESC LIMIT $2) UNION "
    "(SELECT id FROM games WHERE o_reader = $3 AND o_name = $4 AND id < $1 "
    "ORDER BY id DESC LIMIT $2)) ORDER BY id DESC LIMIT $2";

// NULL is equal to nothing.
PostgresParameter parameter_of(ReaderNumber reader) {
  return reader == 0 ? PostgresParameter(nullptr) : PostgresParameter(reader);
}

}  // namespace

Result<v1::GameList> PostgresReader::list_games(std::uint64_t before, const std::string& player,
                                                std::size_t limit, ReaderNumber reader) {
  return guarded_postgres([&] {
    connection_.ensure();
    const std::uint64_t below = before == 0 || before > top_id ? top_id : before;
    const PostgresRows rows =
        player.empty()
            ? connection_.run(list_all, {below, std::uint64_t{limit} + 1, parameter_of(reader)})
            : connection_.run(list_of_player, {below, std::uint64_t{limit} + 1,
                                               parameter_of(reader), std::string_view(player)});
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
      throw PostgresFailure{{Fault::Kind::damaged, "game " + std::to_string(id) + " is damaged"}};
    }
    return game;
  });
}

}  // namespace tictactoe::records
