#include "server/logging/log_format.hpp"

#include <spdlog/details/os.h>
#include <spdlog/fmt/chrono.h>
#include <spdlog/fmt/fmt.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "common/text/utc.hpp"
#include "common/wire/text.hpp"
#include "server/base/event_log.hpp"

namespace tictactoe::app {

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

// The name, in colour on a terminal.
std::string shown(spdlog::level::level_enum level) {
  const auto name = spdlog::level::to_string_view(level);
  const std::string text(name.data(), name.size());
  static const bool has_colours = ::isatty(STDERR_FILENO) == 1;
  if (!has_colours) return text;
  const char* const colour = level == spdlog::level::debug  ? "\033[36m"
                             : level == spdlog::level::info ? "\033[32m"
                             : level == spdlog::level::warn ? "\033[33m\033[1m"
                                                            : "\033[31m\033[1m";
  return colour + text + "\033[m";
}

// Escaped, so that it can't end the quotes or control a terminal.
std::string in_quotes(std::string_view text) {
  std::string quoted = "\"";
  for (const char letter : wire::printable(text)) {
    if (letter == '"' || letter == '\\') quoted += '\\';
    quoted += letter;
  }
  return quoted + '"';
}

bool needs_quotes(std::string_view value) {
  return value.empty() || std::ranges::any_of(value, [](char letter) {
           return static_cast<unsigned char>(letter) <= ' ' || letter == '"' || letter == '=' ||
                  letter == '\\';
         });
}

}  // namespace

std::string to_text(std::string_view payload) {
  const auto parts = server::split_payload(payload);
  std::string text = wire::printable(parts.front());
  for (std::size_t i = 1; i + 1 < parts.size(); i += 2) {
    const std::string_view value = parts[i + 1];
    text.append(i == 1 ? ": " : " ").append(parts[i]).append("=");
    text += needs_quotes(value) ? in_quotes(value) : wire::printable(value);
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
  const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch());
  const auto unix_ms = static_cast<std::uint64_t>(since.count());
  if (format == LogFormat::text) {
    return fmt::format("[{:%F %T}.{:03}] [tictactoe-server] [{}] {}\n",
                       spdlog::details::os::localtime(spdlog::log_clock::to_time_t(time)),
                       unix_ms % 1'000, shown(level), to_text(message));
  }
  const auto name = spdlog::level::to_string_view(level);
  std::string line = fmt::format(R"({{"time":"{}","level":"{}","message":)", text::utc(unix_ms),
                                 std::string_view(name.data(), name.size()));
  const auto parts = server::split_payload(message);
  line += in_quotes(parts.front());
  for (std::size_t i = 1; i + 1 < parts.size(); i += 2) {
    line += "," + in_quotes(parts[i]) + ":" + in_quotes(parts[i + 1]);
  }
  line += "}\n";
  return line;
}

}  // namespace tictactoe::app
