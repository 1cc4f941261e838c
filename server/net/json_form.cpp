#include "server/net/json_form.hpp"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/util/json_util.h>

#include <charconv>

#include "common/json/message_from_text.hpp"
#include "common/json/message_text.hpp"
#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::net {

namespace util = google::protobuf::util;

namespace {

std::string without_id(std::string_view body) {
  v1::ServerMessage message;
  std::string json;
  if (!message.ParseFromArray(body.data(), static_cast<int>(body.size()))) return json;
  if (json::append_message(json, message)) return json;
  if (!util::MessageToJsonString(message, &json).ok()) json.clear();
  return json;
}

// Takes the request id off the front of a message, where the shell has put it; 0: there is none.
std::uint64_t take_request_id(std::string_view& body) {
  constexpr std::uint8_t tag = v1::ServerMessage::kRequestIdFieldNumber << 3;
  google::protobuf::io::CodedInputStream in(reinterpret_cast<const std::uint8_t*>(body.data()),
                                            static_cast<int>(body.size()));
  std::uint64_t id = 0;
  if (in.ReadTag() != tag || !in.ReadVarint64(&id)) return 0;
  body.remove_prefix(static_cast<std::size_t>(in.CurrentPosition()));
  return id;
}

std::string with_id(std::uint64_t id, std::string json) {
  if (id == 0 || json.empty()) return json;
  std::string beginning = R"({"requestId":")" + std::to_string(id) + "\",";
  if (json == "{}") beginning.pop_back();
  return beginning.append(json, 1);
}

}  // namespace

std::optional<std::string> request_from_json(std::string_view text) {
  v1::ClientMessage request;
  if (json::read_message(text, request)) return request.SerializeAsString();
  request.Clear();
  util::JsonParseOptions options;
  options.ignore_unknown_fields = true;
  if (!util::JsonStringToMessage({text.data(), text.size()}, &request, options).ok()) {
    return std::nullopt;
  }
  return request.SerializeAsString();
}

std::uint64_t request_id_in_json(std::string_view text) {
  std::uint64_t id = 0;
  // Inside a JSON string, these quotation marks would be escaped and not match.
  for (const std::string_view key : {R"("requestId")", R"("request_id")"}) {
    const std::size_t found = text.find(key);
    if (found == std::string_view::npos) continue;
    const std::string_view rest = text.substr(found + key.size());
    const std::size_t digits = rest.find_first_not_of(" \t\r\n:\"");
    if (digits == std::string_view::npos) continue;
    std::from_chars(rest.data() + digits, rest.data() + rest.size(), id);
  }
  return id;
}

std::string JsonMemo::to_json(std::string_view body) {
  const std::uint64_t id = take_request_id(body);
  return with_id(id, convert(body));
}

std::string JsonMemo::convert(std::string_view body) {
  for (const Entry& entry : entries_) {
    if (entry.body == body && !entry.json.empty()) return entry.json;
  }
  Entry& entry = entries_[next_];
  next_ = (next_ + 1) % kept;
  entry.body = body;
  entry.json = without_id(body);
  return entry.json;
}

}  // namespace tictactoe::net
