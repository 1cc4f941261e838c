// The format of a line of the log.
#pragma once

#include <spdlog/common.h>

#include <string>
#include <string_view>

namespace tictactoe::app {

enum class LogFormat {
  text,     ///< for people: time, level and message, with the details of an event as key=value
  json,     ///< one object per line: "time" (UTC), "level", "message", and the details
  journal,  ///< for systemd: the priority as "<6>", and the text; the journal adds the rest
};

/// The format that suits standard error: `journal` if it is the journal of systemd (see
/// $JOURNAL_STREAM in systemd.exec(5)), otherwise `text`.
LogFormat usual_log_format();

/// Parses "text", "json" or "journal"; anything else is the usual one.
LogFormat parse_log_format(std::string_view name);

/// A message or an event (see server::to_payload) as text: `game over: room=den outcome=line`.
/// Quotes values with blanks or ambiguous characters.
std::string to_text(std::string_view payload);

/// A line with its line end. `message` may be an event. Replaces bytes that are not UTF-8, and
/// characters that could control a terminal, such as a line end, by U+FFFD.
std::string to_line(LogFormat format, spdlog::level::level_enum level,
                    spdlog::log_clock::time_point time, std::string_view message);

}  // namespace tictactoe::app
