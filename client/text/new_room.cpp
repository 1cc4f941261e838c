#include "client/text/new_room.hpp"

namespace tictactoe::client {

std::string k_adapted_text(std::uint32_t rows, std::uint32_t cols, std::uint32_t k) {
  return "In a row is " + std::to_string(k) + " now, for " + std::to_string(rows) + " x " +
         std::to_string(cols) + ". Change it if you like.";
}

}  // namespace tictactoe::client
