#include "client/terminal/sequence.hpp"

#include <unicode/utf8.h>

#include <algorithm>

#include "common/unicode/letters.hpp"

namespace tictactoe::client {
namespace {

using Kind = Sequence::Kind;

constexpr char esc = '\033';
constexpr std::size_t mouse_bytes = 3;

constexpr bool is_between(char byte, unsigned low, unsigned high) {
  const auto value = static_cast<unsigned char>(byte);
  return value >= low && value <= high;
}

// How a sequence begins: with ESC and a byte or, in 8 bits, with one C1 control, which UTF-8 may
// encode as two bytes.
struct Introducer {
  char byte = 0;  // after ESC
  std::size_t length = 0;
  bool eight_bits = false;
};

// No introducer if its length is 0.
Introducer introducer_of(std::string_view bytes) {
  constexpr char c1_to_byte = 0x40;
  const auto c1 = [](char byte) { return is_between(byte, 0x80, 0x9F); };
  if (bytes[0] == esc && bytes.size() > 1) return {bytes[1], 2, false};
  if (c1(bytes[0])) return {static_cast<char>(bytes[0] - c1_to_byte), 1, true};
  if (bytes[0] == '\xC2' && bytes.size() > 1 && c1(bytes[1])) {
    return {static_cast<char>(bytes[1] - c1_to_byte), 2, true};
  }
  return {};
}

// The bytes from `begin` on that lie between these two.
std::string_view run(std::string_view bytes, std::size_t begin, unsigned low, unsigned high) {
  std::size_t end = begin;
  while (end < bytes.size() && is_between(bytes[end], low, high)) ++end;
  return bytes.substr(begin, end - begin);
}

Sequence nothing(std::size_t length) {
  return {.kind = Kind::nothing, .length = length};
}

std::optional<Sequence> character(std::string_view bytes) {
  const auto lead = static_cast<unsigned char>(bytes.front());
  const auto more = static_cast<std::size_t>(U8_COUNT_TRAIL_BYTES(lead));
  const auto is_trail = [](char byte) { return U8_IS_TRAIL(byte); };
  const bool goes_on = std::all_of(bytes.begin() + 1, bytes.end(), is_trail);
  if (bytes.size() < 1 + more && goes_on) return std::nullopt;
  std::string_view rest = bytes;
  unicode::take_letter(rest);
  const std::size_t length = bytes.size() - rest.size();
  return Sequence{.kind = Kind::character, .length = length, .text = bytes.substr(0, length)};
}

// A sequence with parameters where none may be: as in terminals, all up to its final byte is
// ignored.
std::optional<Sequence> ignored(std::string_view bytes, std::size_t begin) {
  const std::size_t end = begin + run(bytes, begin, 0x20, 0x3F).size();
  if (end == bytes.size()) return std::nullopt;
  return nothing(end + (is_between(bytes[end], 0x40, 0x7E) ? 1 : 0));
}

// "ESC O" and "ESC [" up to their parameters are the same.
std::optional<Sequence> ss3(std::string_view bytes, std::size_t begin) {
  const std::string_view parameters = run(bytes, begin, 0x30, 0x3F);
  const std::size_t end = begin + parameters.size();
  if (end == bytes.size()) return std::nullopt;
  if (is_between(bytes[end], 0x21, 0x2F)) return ignored(bytes, end);
  if (!is_between(bytes[end], 0x20, 0x7E)) return nothing(end);
  return Sequence{
      .kind = Kind::ss3, .length = end + 1, .parameters = parameters, .final = bytes[end]};
}

std::optional<Sequence> old_mouse(std::string_view bytes, std::size_t begin) {
  // Ctrl+Delete in st is "ESC [ M" with nothing after it.
  if (begin < bytes.size() && is_between(bytes[begin], 0, 0x1F)) return nothing(begin);
  if (bytes.size() < begin + mouse_bytes) return std::nullopt;
  return Sequence{
      .kind = Kind::mouse, .length = begin + mouse_bytes, .text = bytes.substr(begin, mouse_bytes)};
}

std::optional<Sequence> linux_key(std::string_view bytes, std::size_t begin) {
  if (begin == bytes.size()) return std::nullopt;
  return nothing(begin + (is_between(bytes[begin], 0x20, 0x7E) ? 1 : 0));
}

std::optional<Sequence> csi(std::string_view bytes, std::size_t begin) {
  const std::string_view parameters = run(bytes, begin, 0x30, 0x3F);
  std::size_t end = begin + parameters.size();
  std::string_view intermediates = run(bytes, end, 0x20, 0x2F);
  const auto is_digit = [](char byte) { return is_between(byte, '0', '9'); };
  // The terminal's answers with a "$" have two numbers.
  const bool ends_in_dollar = intermediates.starts_with('$') && !parameters.empty() &&
                              std::ranges::all_of(parameters, is_digit);
  if (ends_in_dollar) intermediates = {};
  end += intermediates.size();
  if (end == bytes.size()) return std::nullopt;
  const char final = bytes[end];
  if (!ends_in_dollar && !is_between(final, 0x40, 0x7E)) return ignored(bytes, end);
  const bool is_bare = end == begin;
  if (is_bare && final == '[') return linux_key(bytes, end + 1);
  if (is_bare && final == 'M') return old_mouse(bytes, end + 1);
  return Sequence{.kind = Kind::csi,
                  .length = end + 1,
                  .parameters = parameters,
                  .intermediates = intermediates,
                  .final = final};
}

// OSC, DCS, APC, PM and SOS: an answer of the terminal to something that was never asked.
std::optional<Sequence> control_string(std::string_view bytes, const Introducer& introducer) {
  // BEL ends it, ST ends it, CAN and SUB break it off.
  constexpr std::string_view ends = "\a\x18\x1A\033";
  constexpr std::string_view ends_of_eight_bits = "\a\x18\x1A\033\x9C";
  const std::size_t end =
      bytes.find_first_of(introducer.eight_bits ? ends_of_eight_bits : ends, introducer.length);
  if (end == std::string_view::npos) return std::nullopt;
  if (bytes[end] != esc) return nothing(end + 1);
  if (end + 1 == bytes.size()) return std::nullopt;
  return nothing(bytes[end + 1] == '\\' ? end + 2 : end);
}

// Shift+F1 in vim's terminal is 80 FC 02 80 6B 31: keys of three bytes, as vim stores them.
std::optional<Sequence> vim_key(std::string_view bytes) {
  if (bytes.size() < 2) return std::nullopt;
  const bool is_special = is_between(bytes[1], 0xFC, 0xFD);
  if (!is_special && !is_between(bytes[1], 0x21, 0x7E)) return nothing(1);
  if (bytes.size() < 3) return std::nullopt;
  return nothing(is_special || is_between(bytes[2], 0x21, 0x7E) ? 3 : 1);
}

std::optional<Sequence> after_two_escapes(std::string_view bytes) {
  if (bytes.size() < 3) return std::nullopt;
  const Sequence escape{.kind = Kind::escape, .length = 1};
  if (bytes[2] != '[' && bytes[2] != 'O') return escape;
  std::optional<Sequence> sequence = first_sequence(bytes.substr(1));
  if (!sequence) return std::nullopt;
  if (sequence->kind == Kind::mouse) return escape;
  ++sequence->length;
  sequence->after_escape = true;
  return sequence;
}

}  // namespace

std::optional<Sequence> first_sequence(std::string_view bytes) {
  if (bytes.starts_with("\033\033")) return after_two_escapes(bytes);
  if (bytes[0] == '\x80') return vim_key(bytes);
  if (bytes == "\033") return std::nullopt;
  const Introducer introducer = introducer_of(bytes);
  if (introducer.length == 0) return character(bytes);
  if (introducer.byte == '[') return csi(bytes, introducer.length);
  if (introducer.byte == 'O') return ss3(bytes, introducer.length);
  if (std::string_view("]P_^X").find(introducer.byte) != std::string_view::npos)
    return control_string(bytes, introducer);
  if (introducer.eight_bits) return nothing(introducer.length);
  std::optional<Sequence> sequence = character(bytes.substr(1));
  if (!sequence) return std::nullopt;
  sequence->kind = Kind::alt;
  ++sequence->length;
  return sequence;
}

}  // namespace tictactoe::client
