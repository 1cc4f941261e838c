#include "tests/bench/load/relay_protocol.hpp"

#include <cassert>
#include <optional>

#include "tests/bench/floor/frame.hpp"

namespace tictactoe::load {
namespace {

// Everybody enters a room right after their hello.
constexpr std::uint64_t id_of_entering = 2;

// The revision's lowest byte comes first: a wish for a rematch has space for one byte.
std::uint64_t tag(std::size_t room, std::uint64_t revision) {
  return (revision & 0xFF) | (room & 0xFFFFFF) << 8 | (revision >> 8) << 32;
}

// Makes the real exchange one of the same sizes with a relay.
void relay(Exchange& real, std::optional<std::size_t> entered, std::uint64_t tag) {
  assert(std::max(real.answer.size(), real.news.size()) <= relay::Header::max_bytes);
  relay::Header header;
  header.answer = static_cast<std::uint32_t>(real.answer.size());
  header.news = static_cast<std::uint32_t>(real.news.size());
  header.enters = entered.has_value();
  header.room = static_cast<std::uint32_t>(entered.value_or(0));
  for (std::size_t i = relay::Header::size; i < real.request.size(); ++i, tag >>= 8) {
    real.request[i] = static_cast<char>(tag & 0xFF);
  }
  relay::write(header, real.request);
  for (std::string* body : {&real.answer, &real.news}) {
    const std::size_t size = body->size();
    body->assign(real.request, 0, size);
    body->resize(size);
  }
}

}  // namespace

void RelayProtocol::hello(std::size_t connection, Exchange& out) {
  real_.hello(connection, out);
  relay(out, std::nullopt, connection);
}

void RelayProtocol::enter(const Place& place, std::uint64_t request_id, Exchange& out) {
  real_.enter(place, request_id, out);
  relay(out, place.room, 0);
}

void RelayProtocol::ping(std::uint64_t request_id, Exchange& out) {
  real_.ping(request_id, out);
  relay(out, std::nullopt, request_id);
}

void RelayProtocol::act(const Step& step, Exchange& out) {
  real_.act(step, out);
  relay(out, std::nullopt, tag(step.room, step.revision));
}

bool RelayProtocol::is_welcome(std::size_t connection, std::string_view body) {
  hello(connection, expected_);
  return body == expected_.answer;
}

bool RelayProtocol::is_entry(const Place& place, std::uint64_t request_id, std::string_view body,
                             std::uint64_t& revision, const rules::Game&) {
  enter(place, request_id, expected_);
  revision = place.index + 1;
  return body == expected_.answer;
}

bool RelayProtocol::is_arrival(std::size_t room, std::uint64_t seen, std::string_view body) {
  enter({room, static_cast<std::size_t>(seen)}, id_of_entering, expected_);
  return body == expected_.news;
}

bool RelayProtocol::same(std::string_view, std::string_view) {
  return false;
}

std::string RelayProtocol::text(std::string_view body) {
  constexpr std::size_t shown = 12;
  constexpr const char* digits = "0123456789abcdef";
  std::string text = std::to_string(body.size()) + " bytes:";
  for (const char c : body.substr(0, shown)) {
    const auto byte = static_cast<unsigned char>(c);
    text += {' ', digits[byte >> 4], digits[byte & 15]};
  }
  return text;
}

}  // namespace tictactoe::load
