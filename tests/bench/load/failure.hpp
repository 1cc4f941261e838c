// Why a run of the load generator counts for nothing.
#pragma once

#include <stdexcept>

namespace tictactoe::load {

/// The server did something wrong or nothing at all; what() is a sentence for people.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tictactoe::load
