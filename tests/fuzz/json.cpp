// Any text as a request in JSON, and any bytes as a message to be converted: what is understood is
// the same after another conversion, and the server's own text is that of protobuf.
#include <google/protobuf/util/json_util.h>

#include <string>

#include "common/json/message_from_text.hpp"
#include "common/json/message_text.hpp"
#include "server/transport/shell/json_form.hpp"
#include "tests/fuzz/input.hpp"
#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/server.pb.h"

FUZZ_TARGET(json, data, size) {
  using namespace tictactoe;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  v1::ClientMessage read;
  if (json::read_message(bytes, read)) {
    v1::ClientMessage by_protobuf;
    fuzz::require(
        google::protobuf::util::JsonStringToMessage(std::string(bytes), &by_protobuf).ok() &&
            by_protobuf.SerializeAsString() == read.SerializeAsString(),
        "another message than that of protobuf");
  }
  if (v1::ClientMessage request; transport::request_from_json(bytes, request)) {
    std::string text;
    v1::ClientMessage again;
    fuzz::require(again.ParseFromString(request.SerializeAsString()),
                  "a request that can't be parsed");
    again.Clear();
    if (google::protobuf::util::MessageToJsonString(request, &text).ok()) {
      fuzz::require(transport::request_from_json(text, again) &&
                        again.SerializeAsString() == request.SerializeAsString(),
                    "a request that changes");
    }
  }
  static_cast<void>(transport::request_id_in_json(bytes));
  v1::ServerMessage message;
  std::string own;
  if (message.ParseFromArray(data, static_cast<int>(size)) && json::append_message(own, message)) {
    std::string text;
    fuzz::require(google::protobuf::util::MessageToJsonString(message, &text).ok(), "no text");
    fuzz::require(own == text, "another text than that of protobuf");
  }
  transport::JsonMemo memo;
  const std::string json(memo.to_json(bytes));
  fuzz::require(memo.to_json(bytes) == json, "remembered wrongly");
  fuzz::require(json.empty() || json.starts_with('{'), "no JSON");
}
