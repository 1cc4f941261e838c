#include "server/store/forget.hpp"

#include "common/wire/text.hpp"

namespace tictactoe::store {

namespace {

// Whether the character that begins with `lead` is part of a word in scripts with spaces between
// words: ASCII, and all characters of two bytes, which are the letters of Europe and the Near East.
bool is_word(unsigned char lead) {
  return (lead >= '0' && lead <= '9') || (lead >= 'A' && lead <= 'Z') ||
         (lead >= 'a' && lead <= 'z') || (lead >= 0xC3 && lead < 0xE0);
}

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

// The first byte of the character that contains text[at].
unsigned char lead_at(std::string_view text, std::size_t at) {
  while (at > 0 && is_continuation(text[at])) --at;
  return static_cast<unsigned char>(text[at]);
}

// Whether text[begin, end) is not part of a longer word.
bool stands_alone(std::string_view text, std::size_t begin, std::size_t end) {
  const auto joined = [&](std::size_t before, std::size_t after) {
    return is_word(lead_at(text, before)) && is_word(lead_at(text, after));
  };
  if (begin > 0 && joined(begin - 1, begin)) return false;
  return end == text.size() || !joined(end - 1, end);
}

}  // namespace

std::string without_name(std::string_view text, std::string_view name, std::string_view neutral) {
  std::string changed;
  std::size_t done = 0;
  for (std::size_t at = 0; (at = text.find(name, at)) != std::string_view::npos;) {
    if (!stands_alone(text, at, at + name.size())) {
      ++at;
      continue;
    }
    changed.append(text.substr(done, at - done)).append(neutral);
    done = at += name.size();
  }
  return changed.append(text.substr(done));
}

std::string room_without_name(std::string_view room, std::string_view name,
                              std::string_view neutral) {
  constexpr std::size_t longest = 24;
  std::string changed = without_name(room, name, neutral);
  if (changed == room || wire::check_text(changed).code_points <= longest) return changed;
  return std::string(neutral);
}

bool forget_in_game(v1::GameRecord& game, std::string_view name, std::string_view neutral) {
  const std::string room = room_without_name(game.room(), name, neutral);
  bool changed = room != game.room();
  game.set_room(room);
  for (v1::Occupant* occupant : {game.mutable_x(), game.mutable_o()}) {
    if (occupant->kind() != v1::Occupant::KIND_PERSON || occupant->name() != name) {
      continue;
    }
    occupant->set_name(std::string(neutral));
    changed = true;
  }
  return changed;
}

}  // namespace tictactoe::store
