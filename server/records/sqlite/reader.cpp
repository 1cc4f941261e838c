#include "server/records/sqlite/reader.hpp"

#include "server/records/game_lists.hpp"
#include "server/records/rows.hpp"
#include "server/records/sqlite/log_rows.hpp"

namespace tictactoe::records {

namespace {

// The columns of a game's head, from `column` on: id, is_private, x_reader, o_reader, head,
// head_sum.
struct Head {
  explicit Head(SQLite::Statement& row)
      : id(number(row, 0)), is_private(number(row, 1) != 0), content(bytes(row, 4)) {
    const std::uint64_t x = number(row, 2);  // 0 for NULL
    const std::uint64_t o = number(row, 3);
    is_sound = number(row, 5) == (is_private ? sum_of(content, x, o) : sum_of(content));
  }
  std::uint64_t id;
  bool is_private;
  std::string_view content;
  bool is_sound = false;
};

constexpr const char* head_columns = "id, is_private, x_reader, o_reader, head, head_sum";

std::optional<ReaderNumber> known(ReaderNumber reader) {
  return reader == 0 ? std::nullopt : std::optional(reader);  // NULL is equal to nothing
}

}  // namespace

void SqliteReader::move_games() {
  if (log_->has_failed()) return;
  try {
    records::move_games(*file_);
  } catch (const SQLite::Exception& error) {
    if (is_failed_sync(error.getExtendedErrorCode())) log_->fail();
  }
}

Result<v1::GameList> SqliteReader::list_games(std::uint64_t before, const std::string& player,
                                              std::size_t limit, ReaderNumber reader) {
  static const std::string list_all = list_games_sql(head_columns, false, "?", true);
  static const std::string list_of_player = list_games_sql(head_columns, true, "?", true);
  move_games();
  return guarded([&] {
    v1::GameList list;
    std::size_t seen = 0;
    const auto visit = [&](SQLite::Statement& row) {
      list.set_more(seen++ == limit);
      if (list.more()) return false;
      const Head head(row);
      if (auto game = decode_game(head.id, head.content); game && head.is_sound) {
        *list.add_games() = *std::move(game);
      } else {
        ++damaged_games_;
      }
      return true;
    };
    const std::uint64_t below = id_below(before);
    if (player.empty()) {
      file_->visit(list_all, visit, below, std::uint64_t{limit} + 1, known(reader));
    } else {
      file_->visit(list_of_player, visit, below, std::uint64_t{limit} + 1, known(reader),
                   std::string_view(player));
    }
    return list;
  });
}

Result<std::optional<v1::GameRecord>> SqliteReader::game(std::uint64_t id, ReaderNumber reader) {
  static const std::string sql = std::string("SELECT ") + head_columns +
                                 ", moves, moves_sum FROM games WHERE id = ?1 AND "
                                 "(NOT is_private OR x_reader = ?2 OR o_reader = ?2)";
  move_games();
  return guarded([&] {
    std::optional<v1::GameRecord> game;
    file_->visit(
        sql,
        [&](SQLite::Statement& row) {
          const Head head(row);
          const std::string_view moves = bytes(row, 6);
          const bool is_sound = head.is_sound && number(row, 7) == sum_of(moves);
          if (is_sound) game = decode_game(id, std::string(head.content).append(moves));
          if (!game) damaged("game " + std::to_string(id) + " is damaged");
          return false;
        },
        id, known(reader));
    return game;
  });
}

}  // namespace tictactoe::records
