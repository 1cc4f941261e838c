// How a line of the log is written.
#pragma once

#include <spdlog/common.h>

#include <string>
#include <string_view>

namespace tictactoe::app {

enum class LogFormat {
  text,     ///< for people: time, level and message, with the details of an event as key=value
  json,     ///< an object for each line: "time" (UTC), "level", "message", and the details
  journal,  ///< for systemd: the priority as "<6>", and the text; the journal adds the rest
};

/// What standard error is good for: the journal of systemd (see $JOURNAL_STREAM in
/// systemd.exec(5)), or else people.
LogFormat usual_log_format();

/// "text", "json" or "journal"; anything else is the usual one.
LogFormat parse_log_format(std::string_view name);

/// A message or an event (see server::to_payload) as text: `game over: room=den outcome=line`.
/// Values with blanks or ambiguous characters are in quotes.
std::string to_text(std::string_view payload);

/// A line with its end. `message` may be an event. What could control a terminal, such as a line
/// end, and bytes that are not UTF-8 become U+FFFD.
std::string to_line(LogFormat format, spdlog::level::level_enum level,
                    spdlog::log_clock::time_point time, std::string_view message);

}  // namespace tictactoe::app
