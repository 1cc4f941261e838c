#include "client/terminal/style.hpp"

#include <array>
#include <cstddef>

namespace tictactoe::client {
namespace {

struct Looks {
  Style style;
  std::string_view none;
  std::string_view eight;
  std::string_view many;
};

constexpr std::array<Looks, style_count> all_looks = {{
    {Style::plain, "0", "0", "0"},
    {Style::faint, "0", "0", "0;38;5;243"},
    {Style::strong, "0;1", "0;1", "0;1"},
    {Style::title, "0;1;7", "0;30;46", "0;1;38;5;231;48;5;25"},
    {Style::x, "0;1", "0;1", "0;1;38;5;32"},
    {Style::o, "0;1", "0;35", "0;1;38;5;166"},
    {Style::last, "0;1", "0;1;35", "0;1;38;5;163"},
    {Style::won, "0;1;4", "0;30;42", "0;1;38;5;231;48;5;28"},
    {Style::hint, "0;4", "0;35", "0;1;38;5;163"},
    {Style::cursor, "0;1;7", "0;1;7", "0;1;7"},
    {Style::key, "0;7", "0;7", "0;7"},
    {Style::good, "0;1;7", "0;30;42", "0;1;38;5;231;48;5;28"},
    {Style::alarm, "0;1;7", "0;1;37;41", "0;1;38;5;231;48;5;124"},
    {Style::chat, "0", "0", "0;38;5;28"},
    {Style::field, "0;4", "0;4", "0;4"},
    {Style::code, "0;7", "0;30;47", "0;38;5;16;48;5;231"},
}};

}  // namespace

std::string_view sgr_of(Style style, Colours colours) {
  const Looks& looks = all_looks[static_cast<std::size_t>(style)];
  return colours == Colours::none    ? looks.none
         : colours == Colours::eight ? looks.eight
                                     : looks.many;
}

}  // namespace tictactoe::client
