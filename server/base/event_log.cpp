#include "server/base/event_log.hpp"

#include <algorithm>
#include <cctype>

namespace tictactoe::server {

namespace {

// Separates the parts of a payload. Names can't contain it, but texts of libraries might.
constexpr char separator = '\x1f';

void append(std::string& payload, std::string_view part) {
  payload += separator;
  for (const char letter : part) payload += letter == separator ? '?' : letter;
}

}  // namespace

std::string to_payload(const LogEvent& event) {
  std::string payload(event.what);
  for (const auto& [key, value] : event.details) {
    append(payload, key);
    append(payload, value);
  }
  return payload;
}

std::vector<std::string_view> split_payload(std::string_view payload) {
  std::vector<std::string_view> parts;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = payload.find(separator);
    parts.push_back(payload.substr(0, end));
    if (end != std::string_view::npos) payload.remove_prefix(end + 1);
  }
  return parts;
}

std::string label_of(std::string name, std::string_view prefix) {
  if (name.starts_with(prefix)) name.erase(0, prefix.size());
  std::ranges::transform(name, name.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return name;
}

}  // namespace tictactoe::server
