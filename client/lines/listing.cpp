#include "client/lines/listing.hpp"

#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <iostream>

#include "client/model/sanitized.hpp"
#include "client/net/finder.hpp"
#include "client/words/lists.hpp"
#include "client/words/narration.hpp"
#include "client/words/prompts.hpp"

namespace tictactoe::client {
namespace {

std::string room_text(const v1::OpenRoom& room) {
  return sanitized(room.name(), max_table_name) + " (" + rules_text(room.rules()) +
         (room.needs_password() ? ", password)" : ")");
}

std::string rooms_text(const v1::ServerInfo& info) {
  std::string text;
  std::int64_t more = info.open_rooms();
  for (int i = 0; i < std::min(info.listed_size(), max_named_rooms); ++i) {
    if (!text.empty()) text += ", ";
    text += room_text(info.listed(i));
    if (!info.listed(i).needs_password()) --more;
  }
  if (more > 0) text += (text.empty() ? "" : " and ") + std::to_string(more) + " more";
  return text.empty() ? "-" : text;
}

}  // namespace

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

std::string draw_server_table(const std::vector<FoundServer>& servers) {
  std::vector<std::vector<std::string>> lines{{"SERVER", "ADDRESS", "PLAYERS", "ROOMS", "OPEN"}};
  for (const FoundServer& server : servers) {
    lines.push_back({sanitized(server.info.name(), max_table_name), server.address.text,
                     std::to_string(server.info.players()), std::to_string(server.info.rooms()),
                     rooms_text(server.info)});
  }
  return draw_table(lines);
}

std::string server_json(const std::vector<FoundServer>& servers) {
  v1::FoundServers message;
  for (const FoundServer& server : servers) {
    v1::FoundServer& found = *message.add_servers();
    found.set_address(server.address.text);
    *found.mutable_server() = server.info;
  }
  return json_line(message);
}

int list_servers(std::uint16_t port, bool json) {
  const std::vector<FoundServer> servers = find_servers(port, listing_time);
  if (json) {
    std::cout << server_json(servers) << "\n";
  } else if (servers.empty()) {
    std::cout << "No server was found on this network.\n";
  } else {
    std::cout << draw_server_table(servers);
  }
  return std::cout.flush() && !servers.empty() ? 0 : 1;
}

Choice choose(const std::vector<FoundServer>& found) {
  std::vector<FoundServer> fit;
  std::ranges::copy_if(found, std::back_inserter(fit), &FoundServer::compatible);
  if (fit.empty()) fit = found;  // the server says what is wrong
  if (fit.empty()) {
    return {parse_address("localhost:" + std::to_string(default_port)).address,
            std::string(prompts::no_server_answered) +
                " Trying this machine. `tictactoe HOST` connects to a server elsewhere.\n"};
  }
  if (fit.size() == 1) {
    const FoundServer& server = fit.front();
    return {server.address,
            "Found the server \"" + server.info.name() + "\" at " + server.address.text + ".\n"};
  }
  return {std::nullopt, "There are several servers on this network:\n" + draw_server_table(fit) +
                            "Choose one with --server ADDRESS.\n"};
}

Choice choose_server(std::uint16_t port) {
  return choose(find_servers(port, choosing_time));
}

}  // namespace tictactoe::client
