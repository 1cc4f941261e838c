#include "server/transport/shell/json_form.hpp"

#include <google/protobuf/arena.h>
#include <google/protobuf/util/json_util.h>

#include <array>
#include <charconv>
#include <cstddef>

#include "common/json/message_from_text.hpp"
#include "common/json/message_text.hpp"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::transport {

namespace util = google::protobuf::util;

bool request_from_json(std::string_view text, v1::ClientMessage& request) {
  if (json::read_message(text, request)) return true;
  request.Clear();
  util::JsonParseOptions options;
  options.ignore_unknown_fields = true;
  return util::JsonStringToMessage({text.data(), text.size()}, &request, options).ok();
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

std::string_view JsonMemo::to_json(std::string_view body) {
  if (body == body_ && !json_.empty()) return json_;
  body_ = body;
  json_.clear();
  alignas(std::max_align_t) std::array<char, 4096> block;
  google::protobuf::Arena arena(block.data(), block.size());
  auto& message = *google::protobuf::Arena::CreateMessage<v1::ServerMessage>(&arena);
  if (!message.ParseFromArray(body.data(), static_cast<int>(body.size()))) return json_;
  if (json::append_message(json_, message)) return json_;
  if (!util::MessageToJsonString(message, &json_).ok()) json_.clear();
  return json_;
}

std::string json_beginning(std::uint64_t id, std::string_view json) {
  if (id == 0) return {};
  const std::string_view separator = json == "{}" ? "" : ",";
  return R"({"requestId":")" + std::to_string(id) + '"' + std::string(separator);
}

}  // namespace tictactoe::transport
