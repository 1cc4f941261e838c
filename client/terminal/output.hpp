// Writing to standard output, whatever it is.
#pragma once

#include <string_view>
#include <system_error>

namespace tictactoe::client {

/// Writes all bytes. Waits while the stream takes no more, also if it is non-blocking, as another
/// program that shares a terminal may have made it. The error that stopped it; none if all is
/// written.
std::error_code write_all(int stream, std::string_view bytes);

/// Whether the error says that the reader of a pipe or the terminal is gone. Other errors are
/// faults, such as a full disk.
bool reader_is_gone(const std::error_code& error);

}  // namespace tictactoe::client
