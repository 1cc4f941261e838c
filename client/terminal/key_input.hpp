// The keys of a person at the terminal, from the bytes of standard input and the time between them.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <string_view>
#include <vector>

#include "client/terminal/keys.hpp"

namespace tictactoe::client {

/// A KeyReader with the timer that it needs to tell the key Escape from a sequence.
class KeyInput {
 public:
  /// Receives the input; none if only a part of a sequence or of a paste has arrived.
  using OnInputs = std::function<void(const std::vector<Input>& inputs)>;

  /// `context` must outlive this. `on_inputs` is called in feed() and, later, by the context.
  /// `first_column`: as for KeyReader.
  KeyInput(boost::asio::io_context& context, OnInputs on_inputs, int first_column = 1);

  void feed(std::string_view bytes);

 private:
  KeyReader reader_;
  boost::asio::steady_timer timer_;
  OnInputs on_inputs_;
};

}  // namespace tictactoe::client
