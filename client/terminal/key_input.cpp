#include "client/terminal/key_input.hpp"

#include <utility>

namespace tictactoe::client {

KeyInput::KeyInput(boost::asio::io_context& context, OnInputs on_inputs, int first_column)
    : reader_(first_column), timer_(context), on_inputs_(std::move(on_inputs)) {}

void KeyInput::feed(std::string_view bytes) {
  timer_.cancel();
  const std::vector<Input> inputs = reader_.feed(bytes);
  if (const auto wait = reader_.wait()) {
    timer_.expires_after(*wait);
    timer_.async_wait([this](const boost::system::error_code& error) {
      // The wait may have been over already if these bytes came late.
      const bool later = timer_.expiry() > boost::asio::steady_timer::clock_type::now();
      if (!error && !later) on_inputs_(reader_.end_of_sequence());
    });
  }
  on_inputs_(inputs);
}

}  // namespace tictactoe::client
