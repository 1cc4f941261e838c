#include "client/net/invitation.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <iomanip>
#include <sstream>
#include <utility>
#include <vector>

#include "common/text/hex.hpp"

namespace tictactoe::client {
namespace {

constexpr std::string_view room_path = "#/join/";
constexpr std::string_view key_part = "?key=";
constexpr std::string_view damaged_key =
    "the key is incomplete: it is SHA256: followed by 43 characters";

bool is_unreserved(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return byte < 0x80 && (std::isalnum(byte) != 0 ||
                         std::string_view("-._~").find(letter) != std::string_view::npos);
}

std::string percent_encoded(std::string_view text) {
  std::string encoded;
  for (const char letter : text) {
    encoded += is_unreserved(letter) ? std::string(1, letter) : "%" + text::to_hex({&letter, 1});
  }
  return encoded;
}

// Leaves everything but escapes unchanged.
std::string percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string digits(text[i] == '%' ? text.substr(i + 1, 2) : "");
    std::ranges::transform(digits, digits.begin(), [](char c) {
      return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
    const auto byte = digits.size() == 2 ? text::from_hex(digits) : std::nullopt;
    decoded += byte.value_or(std::string(1, text[i]));
    if (byte) i += digits.size();
  }
  return decoded;
}

Invited with_address(std::string_view text) {
  AddressRead read = parse_address(text);
  return {std::move(read.address), {}, {}, std::move(read.fault)};
}

bool is_link(std::string_view word) {
  return word.find("://") != std::string_view::npos;
}

// "https://192.0.2.7:7654/#/join/den?key=SHA256:...", or the same without the scheme.
Invited read_link(std::string_view link) {
  std::string_view scheme;
  if (is_link(link)) {
    const std::size_t mark = link.find("://");
    scheme = link.substr(0, mark);
    link.remove_prefix(mark + 3);
  }
  const std::size_t end = std::min(link.find_first_of("/?#"), link.size());
  const std::string_view place = link.substr(0, end);
  Invited invited = with_address(place);
  const std::size_t port = place.rfind(':');
  const bool has_port =
      port != std::string_view::npos && place.find(']', port) == std::string_view::npos;
  if (!has_port) {
    const bool secure = scheme == "https" || scheme == "wss";
    if (secure || scheme == "http" || scheme == "ws") invited.address.port = secure ? 443 : 80;
    invited.address.text += ":" + std::to_string(invited.address.port);
  }
  std::string_view place_in_page = link.substr(end);
  if (const std::size_t key = place_in_page.find(key_part); key != std::string_view::npos) {
    invited.key =
        tls::fingerprint_from_text(percent_decoded(place_in_page.substr(key + key_part.size())));
    if (!invited.key) invited.fault = std::string(damaged_key);
    place_in_page = place_in_page.substr(0, key);
  }
  if (const std::size_t path = place_in_page.find(room_path); path != std::string_view::npos) {
    invited.room = percent_decoded(place_in_page.substr(path + room_path.size()));
  }
  return invited;
}

bool is_program(std::string_view word) {
  constexpr std::array<std::string_view, 5> names{"$", "%", "./run", "run", "join"};
  return std::ranges::find(names, word) != names.end() || word == "tictactoe" ||
         (word.ends_with("/tictactoe") && !is_link(word));
}

// As a shell reads them: quotes around a word keep its blanks.
std::vector<std::string> words_of(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words;
  while ((stream >> std::ws).peek() != std::istringstream::traits_type::eof()) {
    const bool single = stream.peek() == '\'';
    stream >> std::quoted(words.emplace_back(), single ? '\'' : '"', single ? '\0' : '\\');
  }
  return words;
}

// Whether the value of this option, which tells nothing of where the server is, may follow as a
// word of its own.
bool takes_value(std::string_view option) {
  return option == "--name" || option == "--command" || option.ends_with("-file");
}

// A command, such as "tictactoe HOST --server-key KEY", or a link, with words before it such as
// "Others join with".
Invited read_words(std::string_view text) {
  const std::vector<std::string> words = words_of(text);
  const auto program = std::find_if(words.rbegin(), words.rend(), is_program);
  const auto link = std::ranges::find_if(words, is_link);
  Invited invited;
  invited.fault = "the host is missing: write HOST or HOST:PORT";
  std::optional<tls::Fingerprint> key;
  std::string room;
  bool has_address = false;
  for (auto at = program != words.rend() ? program.base()
                 : link != words.end()   ? link
                                         : words.begin();
       at != words.end(); ++at) {
    std::string word = *at;
    std::string option;
    if (word.starts_with("--")) {
      const std::size_t equals = word.find('=');
      option = word.substr(0, equals);
      const bool is_apart = equals == std::string::npos;
      word = is_apart ? "" : word.substr(equals + 1);
      const bool wants_word =
          option == "--server" || option == "--server-key" || takes_value(option);
      if (is_apart && wants_word && at + 1 != words.end()) word = *++at;
    }
    if (option == "--command") {
      // Other commands are not carried out: a watcher, for example, wants no seat.
      const std::vector<std::string> command = words_of(word);
      if (command.size() > 1 && command[0] == "join") room = command[1];
    } else if (option == "--server-key" || word.starts_with("SHA256:")) {
      key = tls::fingerprint_from_text(word);
      // A terminal that wraps lines may have cut it.
      if (!key && at + 1 != words.end()) key = tls::fingerprint_from_text(word + *++at);
      if (!key) {
        invited.fault = damaged_key;
        return invited;
      }
    } else if ((option.empty() || option == "--server") && !std::exchange(has_address, true)) {
      invited = read_link(word);
      // A terminal that wraps lines may have cut it, and the key is last.
      if (!invited.key && at + 1 != words.end() && !is_link(*(at + 1))) {
        Invited whole = read_link(word + *(at + 1));
        if (whole.key) invited = std::move(whole);
      }
      if (invited.key) key = invited.key;
    }
  }
  invited.key = key;
  if (!room.empty()) invited.room = room;
  return invited;
}

Invitation::Way way_to(const std::string& address, const std::string& key) {
  Invitation::Way way;
  way.command_in_short = way.command = "tictactoe " + address;
  if (!key.empty()) way.command += " --server-key " + key;
  return way;
}

// An empty key: the server has no TLS.
std::string link_to(const Address& server, const std::string& key) {
  const bool is_ipv6 = server.host.find(':') != std::string::npos;
  const std::string host = is_ipv6 ? "[" + server.host + "]" : server.host;
  const std::string link = host + ":" + std::to_string(server.port) + "/";
  if (key.empty()) return "http://" + link;
  return "https://" + link + "#/" + std::string(key_part) + key;
}

}  // namespace

Invitation invitation_to(const std::vector<std::string>& addresses,
                         const std::optional<tls::Fingerprint>& key,
                         const std::vector<std::string>& outside) {
  Invitation invitation;
  const std::string key_text = key ? tls::to_text(*key) : "";
  std::vector<std::string> known;  // the address of each way, however it is written
  for (const std::string& address : addresses) {
    const Address server = parse_address(address).address;
    known.push_back(server.host_and_port());
    invitation.in_short += (invitation.in_short.empty() ? "tictactoe " : " or ") + address;
    invitation.ways.push_back(way_to(address, key_text));
    invitation.ways.back().link = link_to(server, key_text);
  }
  const char* separator = invitation.ways.empty() ? "tictactoe " : " or, from anywhere, ";
  for (const std::string& link : outside) {
    const Invited server = read_invitation(link);
    if (!server.fault.empty()) continue;
    const auto at = std::ranges::find(known, server.address.host_and_port());
    const auto index = static_cast<std::size_t>(at - known.begin());
    if (at == known.end()) {
      known.push_back(server.address.host_and_port());
      invitation.in_short.append(std::exchange(separator, " or ")).append(server.address.text);
      invitation.ways.push_back(
          way_to(server.address.text, server.key ? tls::to_text(*server.key) : ""));
    }
    invitation.ways[index].is_from_anywhere = true;
    invitation.ways[index].link = link;
  }
  if (!invitation.ways.empty()) invitation.key = key_text;
  return invitation;
}

std::string without_key(std::string_view link) {
  return std::string(link.substr(0, link.find(key_part)));
}

std::string room_link(std::string_view link, std::string_view room) {
  const std::size_t key = std::min(link.find(key_part), link.size());
  std::string into(link.substr(0, std::min(link.find('#'), link.size())));
  return into.append(room_path).append(percent_encoded(room)).append(link.substr(key));
}

bool is_invitation(std::string_view text) {
  return text.find_first_of("/ \t\n") != std::string_view::npos;
}

Invited read_invitation(std::string_view text) {
  return is_invitation(text) ? read_words(text) : with_address(text);
}

}  // namespace tictactoe::client
