#include "common/program/folders.hpp"

#include <cstdlib>
#include <string_view>

namespace tictactoe::program {
namespace {

std::string_view absolute(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value == '/' ? std::string_view(value) : std::string_view();
}

}  // namespace

std::optional<std::filesystem::path> user_folder(const char* variable, const char* usual) {
  if (const auto base = absolute(variable); !base.empty()) {
    return std::filesystem::path(base) / "tictactoe";
  }
  if (const auto home = absolute("HOME"); !home.empty()) {
    return std::filesystem::path(home) / usual / "tictactoe";
  }
  return std::nullopt;
}

}  // namespace tictactoe::program
