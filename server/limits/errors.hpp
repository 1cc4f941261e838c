// Errors as messages.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "server/limits/parse.hpp"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::server {

inline void describe(const Problem& problem, v1::Error& error) {
  error.set_code(problem.code);
  error.set_message(problem.message);
  error.set_retry_after_ms(static_cast<std::uint32_t>(problem.retry_after.count()));
}

/// An error that ends the connection.
inline v1::Error closing_error(v1::Error::Code code, std::string message) {
  v1::Error error;
  error.set_code(code);
  error.set_message(std::move(message));
  error.set_closing(true);
  return error;
}
inline v1::Error closing_error(Problem problem) {
  return closing_error(problem.code, std::move(problem.message));
}

}  // namespace tictactoe::server
