// Errors that end a connection.
#pragma once

#include <string>
#include <utility>

#include "tictactoe/v1/server.pb.h"

namespace tictactoe::core {

inline v1::Error closing_error(v1::Error::Code code, std::string message) {
  v1::Error error;
  error.set_code(code);
  error.set_message(std::move(message));
  error.set_closing(true);
  return error;
}

}  // namespace tictactoe::core
