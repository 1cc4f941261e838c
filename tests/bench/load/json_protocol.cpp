#include "tests/bench/load/json_protocol.hpp"

#include <google/protobuf/util/json_util.h>

#include "common/json/message_text.hpp"
#include "tests/bench/load/failure.hpp"

namespace tictactoe::load {
namespace {

namespace util = google::protobuf::util;

// Replaces an encoding by its text. An empty body stays: nobody gets it.
void to_json(google::protobuf::Message& message, std::string& body) {
  if (body.empty()) return;
  if (!message.ParseFromString(body)) throw Failure("A message can't be parsed.");
  body.clear();
  if (json::append_message(body, message)) return;
  if (!util::MessageToJsonString(message, &body).ok()) throw Failure("A message has no text.");
}

// The encoding of such a text; one that is no message if it is none.
std::string to_binary(std::string_view text) {
  v1::ServerMessage message;
  const auto status = util::JsonStringToMessage({text.data(), text.size()}, &message);
  return status.ok() ? message.SerializeAsString() : "\xff";
}

}  // namespace

void JsonProtocol::convert(Exchange& exchange) {
  to_json(request_, exchange.request);
  to_json(answer_, exchange.answer);
  to_json(answer_, exchange.news);
}

void JsonProtocol::hello(std::size_t connection, Exchange& out) {
  real_.hello(connection, out);
  convert(out);
}

void JsonProtocol::enter(const Place& place, std::uint64_t request_id, Exchange& out) {
  real_.enter(place, request_id, out);
  convert(out);
}

void JsonProtocol::ping(std::uint64_t request_id, Exchange& out) {
  real_.ping(request_id, out);
  convert(out);
}

void JsonProtocol::act(const Step& step, Exchange& out) {
  real_.act(step, out);
  convert(out);
}

bool JsonProtocol::is_welcome(std::size_t connection, std::string_view text) {
  return real_.is_welcome(connection, to_binary(text));
}

bool JsonProtocol::is_entry(const Place& place, std::uint64_t request_id, std::string_view text,
                            std::uint64_t& revision, const rules::Game& game) {
  return real_.is_entry(place, request_id, to_binary(text), revision, game);
}

bool JsonProtocol::is_arrival(std::size_t room, std::uint64_t seen, std::string_view text) {
  return real_.is_arrival(room, seen, to_binary(text));
}

bool JsonProtocol::same(std::string_view expected, std::string_view text) {
  return real_.same(to_binary(expected), to_binary(text));
}

}  // namespace tictactoe::load
