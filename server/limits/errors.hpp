// Refusals: why a request is refused, and how the client is told.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "tictactoe/v1/server.pb.h"

namespace tictactoe::server {

/// Why a request is refused: a code for programs, and a sentence for people that says what to do.
struct Problem {
  v1::Error::Code code = v1::Error::CODE_UNSPECIFIED;
  std::string message;
  std::chrono::milliseconds retry_after{0};
};

inline Problem problem(v1::Error::Code code, std::string message) {
  return {code, std::move(message), {}};
}

/// Why a request is refused; nothing if it was done. If refused, it changes and sends nothing.
using Refused = std::optional<Problem>;

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
