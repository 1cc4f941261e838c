#include "server/hosting/log_format.hpp"

#include <spdlog/fmt/fmt.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "common/text/utc.hpp"
#include "server/core/event_log.hpp"

namespace tictactoe::hosting {

namespace {

// The priorities of syslog.
int priority_of(spdlog::level::level_enum level) {
  switch (level) {
    case spdlog::level::critical:
      return 2;
    case spdlog::level::err:
      return 3;
    case spdlog::level::warn:
      return 4;
    case spdlog::level::info:
      return 6;
    default:
      return 7;
  }
}

// Bytes of the UTF-8 sequence at the beginning of `text`; 0 if there is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) < 0x80   ? 1
                             : byte(0) < 0xc2 ? 0
                             : byte(0) < 0xe0 ? 2
                             : byte(0) < 0xf0 ? 3
                             : byte(0) < 0xf5 ? 4
                                              : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  return length;
}

void append_in_quotes(std::string& line, std::string_view text) {
  line += '"';
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const char first = text.front();
    if (length == 0) {
      line += "\\ufffd";
    } else if (first == '"' || first == '\\') {
      line += '\\';
      line += first;
    } else if (static_cast<unsigned char>(first) < 0x20) {
      line += fmt::format("\\u{:04x}", static_cast<int>(first));
    } else {
      line += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  line += '"';
}

bool needs_quotes(std::string_view value) {
  return value.empty() || std::ranges::any_of(value, [](char letter) {
           return static_cast<unsigned char>(letter) <= ' ' || letter == '"' || letter == '=' ||
                  letter == '\\';
         });
}

}  // namespace

std::string to_text(std::string_view payload) {
  const auto parts = core::split_payload(payload);
  std::string text(parts.front());
  for (std::size_t i = 1; i + 1 < parts.size(); i += 2) {
    text.append(i == 1 ? ": " : " ").append(parts[i]).append("=");
    if (needs_quotes(parts[i + 1])) {
      append_in_quotes(text, parts[i + 1]);
    } else {
      text += parts[i + 1];
    }
  }
  return text;
}

LogFormat usual_log_format() {
  const char* const stream = std::getenv("JOURNAL_STREAM");
  struct stat status{};
  if (stream == nullptr || ::fstat(STDERR_FILENO, &status) != 0) return LogFormat::text;
  const bool is_journal = fmt::format("{}:{}", status.st_dev, status.st_ino) == stream;
  return is_journal ? LogFormat::journal : LogFormat::text;
}

LogFormat parse_log_format(std::string_view name) {
  if (name == "text") return LogFormat::text;
  if (name == "json") return LogFormat::json;
  return name == "journal" ? LogFormat::journal : usual_log_format();
}

std::string to_line(LogFormat format, spdlog::level::level_enum level,
                    spdlog::log_clock::time_point time, std::string_view message) {
  if (format == LogFormat::journal)
    return fmt::format("<{}>{}\n", priority_of(level), to_text(message));
  const auto unix_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch());
  const auto name = spdlog::level::to_string_view(level);
  std::string line = fmt::format(R"({{"time":"{}","level":"{}","message":)",
                                 text::utc(static_cast<std::uint64_t>(unix_ms.count())),
                                 std::string_view(name.data(), name.size()));
  const auto parts = core::split_payload(message);
  append_in_quotes(line, parts.front());
  for (std::size_t i = 1; i + 1 < parts.size(); i += 2) {
    line += ',';
    append_in_quotes(line, parts[i]);
    line += ':';
    append_in_quotes(line, parts[i + 1]);
  }
  line += "}\n";
  return line;
}

}  // namespace tictactoe::hosting
