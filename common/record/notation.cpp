// Writes games.
#include "common/record/notation.hpp"

#include "common/record/cell.hpp"
#include "common/record/values.hpp"
#include "common/record/words.hpp"
#include "common/wire/text.hpp"

namespace tictactoe::record {
namespace {

// The width at which lines of moves are broken. A longer word has its own line.
constexpr std::size_t line_width = 80;

void add_tag(std::string& out, std::string_view name, std::string_view text) {
  out.append("[").append(name).append(" \"");
  const std::string shown = wire::printable(text);
  for (const char character : wire::first_code_points(shown, max_text)) {
    if (character == '"' || character == '\\') out.push_back('\\');
    out.push_back(character);
  }
  out.append("\"]\n");
}

// Empty tags are left out.
void add_tag_if_any(std::string& out, std::string_view name, std::string_view text) {
  if (!text.empty()) add_tag(out, name, text);
}

void add_occupant(std::string& out, const std::string& side, const v1::Occupant& occupant) {
  add_tag_if_any(out, side, occupant.name());
  if (occupant.kind() != v1::Occupant::KIND_PERSON) {
    add_tag(out, side + "Type", word_for(kind_words, occupant.kind()));
  }
  add_tag_if_any(out, side + "Level", occupant.ai_level());
}

void add_tags(std::string& out, const v1::GameRecord& game) {
  if (game.id() > 0) add_tag(out, "Id", std::to_string(game.id()));
  add_tag_if_any(out, "Room", game.room());
  if (game.ended_unix_ms() > 0) add_tag_if_any(out, "Date", date_text(game.ended_unix_ms()));
  add_occupant(out, "X", game.x());
  add_occupant(out, "O", game.o());
  add_tag(out, "Rules", rules_text(game.rules()));
  add_tag_if_any(out, "TimeControl", time_text(game.time()));
  add_tag(out, "Starter", word_for(side_words, game.starter()));
  add_tag(out, "Result", word_for(result_words, game.outcome().winner()));
  add_tag(out, "Termination", word_for(termination_words, game.outcome().reason()));
}

/// Breaks words into lines.
class Wrapped {
 public:
  explicit Wrapped(std::string& out) : out_(out), line_begin_(out.size()) {}

  void add(std::string_view word) {
    const std::size_t used = out_.size() - line_begin_;
    if (used > 0 && used + 1 + word.size() > line_width) {
      out_.push_back('\n');
      line_begin_ = out_.size();
    } else if (used > 0) {
      out_.push_back(' ');
    }
    out_.append(word);
  }

 private:
  std::string& out_;
  std::size_t line_begin_;
};

void add_moves(std::string& out, const v1::GameRecord& game) {
  Wrapped words(out);
  const bool timed = game.move_ms_size() == game.moves_size();
  const std::uint32_t cols = game.rules().cols();
  for (int ply = 0; ply < game.moves_size(); ++ply) {
    if (ply % 2 == 0) words.add(std::to_string(ply / 2 + 1) + ".");
    words.add(cell_name({game.moves(ply) / cols, game.moves(ply) % cols}));
    if (timed) words.add("{" + seconds_text(game.move_ms(ply)) + "}");
  }
  words.add(word_for(result_words, game.outcome().winner()));
}

}  // namespace

std::string write_game(const v1::GameRecord& game) {
  std::string out;
  add_tags(out, game);
  out.push_back('\n');
  add_moves(out, game);
  out.append("\n\n");
  return out;
}

}  // namespace tictactoe::record
