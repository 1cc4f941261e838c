#include "client/text/json.hpp"

#include <google/protobuf/util/json_util.h>

#include <string_view>

namespace tictactoe::client {

std::string json_line(const google::protobuf::Message& message) {
  google::protobuf::util::JsonPrintOptions options;
  options.always_print_primitive_fields = true;
  std::string json;
  const auto status = google::protobuf::util::MessageToJsonString(message, &json, options);
  return status.ok() ? json : "{}";
}

std::string game_list_json(const v1::GameList& games) {
  std::string json = json_line(games);
  // Quotes within texts are escaped, so that these can only be fields.
  for (const std::string_view field : {"\"moves\":[],", "\"moveMs\":[],"}) {
    for (std::size_t at = 0; (at = json.find(field, at)) != std::string::npos;) {
      json.erase(at, field.size());
    }
  }
  return json;
}

}  // namespace tictactoe::client
