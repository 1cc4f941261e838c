// What the fuzz targets of clients have in common.
#pragma once

#include <algorithm>
#include <string_view>

#include "common/wire/frame.hpp"
#include "tests/fuzz/input.hpp"
#include "tictactoe/v1/client.pb.h"

namespace tictactoe::fuzz {

/// Gives a client's session bytes as from a connection.
template <class Session, class Time>
void deliver(Session& session, std::string_view bytes, Time now) {
  while (!bytes.empty() && session.wants_connection()) {
    const auto space = session.prepare();
    const std::size_t count = std::min(space.size(), bytes.size());
    std::copy_n(bytes.begin(), count, space.begin());
    session.received(count, now);
    bytes.remove_prefix(count);
  }
}

/// Checks what a client has sent. Returns the number of its last request, or `before`.
inline std::uint64_t last_request(std::string_view sent, std::uint64_t before) {
  while (!sent.empty()) {
    const wire::NextFrame next = wire::take_frame(sent, std::size_t{1} << 20);
    v1::ClientMessage message;
    require(next.state == wire::NextFrame::State::frame &&
                message.ParseFromArray(next.body.data(), static_cast<int>(next.body.size())),
            "the client sends what is no message");
    before = message.request_id();
  }
  return before;
}

}  // namespace tictactoe::fuzz
