#include "client/net/invitation.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <sstream>
#include <utility>
#include <vector>

#include "common/text/hex.hpp"

namespace tictactoe::client {
namespace {

constexpr std::string_view room_path = "#/join/";
constexpr std::string_view key_part = "?key=";
constexpr std::string_view scheme_end = "://";
constexpr std::string_view blanks = " \t\r\n'\"";
constexpr std::string_view damaged_key =
    "the key is incomplete: a key is SHA256: followed by 43 characters";

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

// "https://192.0.2.7:7654/#/join/den", or the same without the scheme.
Invited read_link(std::string_view link) {
  std::string_view scheme;
  if (const std::size_t mark = link.find(scheme_end); mark != std::string_view::npos) {
    scheme = link.substr(0, mark);
    link.remove_prefix(mark + scheme_end.size());
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
  const std::string_view page = link.substr(end);
  if (const std::size_t path = page.find(room_path); path != std::string_view::npos) {
    invited.room = percent_decoded(page.substr(path + room_path.size()));
  }
  return invited;
}

bool is_program(std::string_view word) {
  constexpr std::array<std::string_view, 5> names{"$", "%", "./run", "run", "join"};
  return std::ranges::find(names, word) != names.end() || word == "tictactoe" ||
         word.ends_with("/tictactoe");
}

// The address of a command such as "others join with tictactoe HOST --server-key KEY".
std::string first_argument(std::string_view text) {
  std::istringstream stream{std::string(text)};
  const std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
  const auto program = std::find_if(words.rbegin(), words.rend(), is_program);
  const auto argument = program == words.rend() ? words.begin() : program.base();
  return argument == words.end() || argument->starts_with("--") ? "" : *argument;
}

Invited read_words(std::string_view text) {
  constexpr std::size_t key_length = 50;  // as text
  // A terminal that wraps lines may have cut the key, or the link before it.
  const auto joined = [](std::string_view words) {
    std::string letters(words);
    std::erase_if(letters,
                  [](char letter) { return blanks.find(letter) != std::string_view::npos; });
    return letters;
  };
  const std::string letters = joined(text);
  const std::size_t key = letters.find("SHA256");
  const std::size_t mark = text.find(scheme_end);
  std::string link;
  if (mark == std::string_view::npos) {
    link = first_argument(text);
  } else {
    std::string_view from = text.substr(text.find_last_of(blanks, mark) + 1);
    const std::string whole = joined(from);
    const std::size_t end = whole.find(key_part);
    link = end == std::string::npos ? from.substr(0, from.find_first_of(blanks))
                                    : whole.substr(0, end);
  }
  Invited invited = read_link(link);
  const bool has_key = letters.find(key_part) != std::string::npos ||
                       letters.find("--server-key") != std::string::npos;
  if (key != std::string::npos) {
    invited.key = tls::fingerprint_from_text(
        percent_decoded(std::string_view(letters).substr(key)).substr(0, key_length));
  }
  if (!invited.key && (has_key || key != std::string::npos)) invited.fault = damaged_key;
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
