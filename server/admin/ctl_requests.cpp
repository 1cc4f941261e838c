#include "server/admin/ctl_requests.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/ip/address.hpp>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

#include "server/transport/tcp/peer_origin.hpp"

namespace tictactoe::app {

namespace {

using admin::v1::Request;
using journal::v1::BanSubject;

constexpr std::size_t any_number = 1000;
constexpr std::uint32_t max_drain_s = 86'400;

struct Action {
  std::string_view name;
  std::size_t fewest;  // words
  std::size_t max;
  std::string_view what = {};  // the words are about
};

constexpr std::string_view a_player = "the name of a player";
constexpr std::string_view a_room = "the name of a room";
constexpr std::array actions{Action{"status", 0, 0},
                             Action{"reach", 0, 0},
                             Action{"players", 0, 0},
                             Action{"rooms", 0, 0},
                             Action{"room", 1, 1, a_room},
                             Action{"kick", 1, any_number, a_player},
                             Action{"ban", 1, any_number, "an address, a network or a player"},
                             Action{"unban", 1, 1, "an address, a network or a player"},
                             Action{"bans", 0, 0},
                             Action{"say", 1, any_number, "a message"},
                             Action{"close-room", 1, 1, a_room},
                             Action{"drain", 0, 1},
                             Action{"reload", 0, 0},
                             Action{"backup", 1, 1, "the name of a new file"},
                             Action{"restore", 1, 1, "the name of a backup"}};

// The words of a sentence that was not quoted.
std::string joined(std::vector<std::string>::const_iterator begin,
                   std::vector<std::string>::const_iterator end) {
  std::string text;
  for (; begin != end; ++begin) text += (text.empty() ? "" : " ") + *begin;
  return text;
}

// Parses a number; nothing unless `text` is only a number.
std::optional<std::uint64_t> parse_number(const std::string& text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return number;
}

// Seconds of "30s", "30m", "2h" or "7d"; nothing if it is something else.
std::optional<std::uint64_t> parse_duration(const std::string& text) {
  if (text.empty()) return std::nullopt;
  std::uint64_t unit = 0;
  if (text.back() == 's') unit = 1;
  if (text.back() == 'm') unit = 60;
  if (text.back() == 'h') unit = 3600;
  if (text.back() == 'd') unit = 86'400;
  const auto number = parse_number(text.substr(0, text.size() - 1));
  constexpr std::uint64_t max =
      1'000'000;  // so that nothing overflows; the server has its own limit
  if (unit == 0 || !number || *number == 0) return std::nullopt;
  return std::min(*number, max) * unit;
}

// Nothing if it is neither an address nor a network.
std::optional<BanSubject> parse_range(const std::string& word) {
  const std::size_t slash = word.find('/');
  boost::system::error_code error;
  const auto parsed = boost::asio::ip::make_address(word.substr(0, slash), error);
  if (error) return std::nullopt;
  const auto address = transport::without_mapping(parsed);
  const std::uint32_t bits = address.is_v4() ? 32 : 128;
  const std::uint32_t known_bits = address.is_v4() ? 32 : 64;
  auto prefix = std::optional<std::uint64_t>(bits);
  if (slash != std::string::npos) prefix = parse_number(word.substr(slash + 1));
  if (!prefix || *prefix > bits || (slash != std::string::npos && address != parsed)) {
    return std::nullopt;
  }
  const auto length = std::min(static_cast<std::uint32_t>(*prefix), known_bits);
  BanSubject subject;
  subject.mutable_range()->set_is_ipv6(address.is_v6());
  subject.mutable_range()->set_prefix(length);
  const std::uint32_t others = known_bits - length;
  const std::uint64_t number = transport::origin_of(address).address;
  subject.mutable_range()->set_bits(length == 0 ? 0 : number >> others << others);
  return subject;
}

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

// Whether this is meant as an address or a network.
bool looks_like_range(std::string_view word) {
  return word.find_first_of(":/") != std::string_view::npos ||
         word.find_first_not_of("0123456789.") == std::string_view::npos;
}

// A reason that begins with a digit is more likely a mistyped time.
bool looks_like_duration(std::string_view word) {
  return is_digit(word[0]) || (word.size() > 1 && word[0] == '-' && is_digit(word[1]));
}

// Returns a sentence if the words are wrong.
std::string read_ban(const std::vector<std::string>& words, admin::v1::SetBan& ban) {
  auto subject = ban_subject(words[0]);
  if (const auto* fault = std::get_if<std::string>(&subject)) return *fault;
  *ban.mutable_subject() = std::get<BanSubject>(std::move(subject));
  auto reason = words.begin() + 1;
  if (reason != words.end() && !reason->empty()) {
    if (const auto seconds = parse_duration(*reason)) {
      ban.set_for_s(*seconds);
      ++reason;
    } else if (looks_like_duration(*reason)) {
      return "\"" + *reason +
             "\" is not a time: write 30s, 30m, 2h or 7d, or leave it out for a permanent ban. A "
             "reason must not begin with a digit.";
    }
  }
  ban.set_reason(joined(reason, words.end()));
  return {};
}

}  // namespace

std::vector<std::string> ctl_actions() {
  std::vector<std::string> names;
  names.reserve(actions.size());
  for (const Action& action : actions) names.emplace_back(action.name);
  return names;
}

std::variant<BanSubject, std::string> ban_subject(const std::string& word) {
  constexpr std::string_view forced = "player:";
  BanSubject subject;
  if (word.starts_with(forced)) {
    subject.set_player(word.substr(forced.size()));
    return subject;
  }
  if (auto range = parse_range(word)) return *std::move(range);
  if (!word.empty() && looks_like_range(word)) {
    return "\"" + word +
           "\" is neither an address nor a network. For a player of that name write player:" +
           word + ".";
  }
  subject.set_player(word);
  return subject;
}

std::variant<Request, std::string> ctl_request(const std::string& action,
                                               const std::vector<std::string>& words) {
  const auto& rule = *std::ranges::find(actions, action, &Action::name);
  if (words.size() < rule.fewest) return "ctl " + action + " needs " + std::string(rule.what) + ".";
  if (words.size() > rule.max) {
    return "ctl " + action + ": too many arguments. Quote names that contain spaces.";
  }
  Request request;
  if (action == "status") request.mutable_status();
  if (action == "reach") request.mutable_reach();
  if (action == "players") request.mutable_players();
  if (action == "rooms") request.mutable_rooms();
  if (action == "bans") request.mutable_bans();
  if (action == "reload") request.mutable_reload();
  if (action == "room") request.mutable_room()->set_name(words[0]);
  if (action == "close-room") request.mutable_close_room()->set_name(words[0]);
  if (action == "say") request.mutable_say()->set_text(joined(words.begin(), words.end()));
  if (action == "kick") {
    request.mutable_kick()->set_name(words[0]);
    request.mutable_kick()->set_reason(joined(words.begin() + 1, words.end()));
  }
  if (action == "ban") {
    if (auto fault = read_ban(words, *request.mutable_ban()); !fault.empty()) {
      return "ctl ban: " + fault;
    }
  }
  if (action == "unban") {
    auto subject = ban_subject(words[0]);
    if (const auto* fault = std::get_if<std::string>(&subject)) return "ctl unban: " + *fault;
    *request.mutable_unban()->mutable_subject() = std::get<BanSubject>(std::move(subject));
  }
  if (action == "drain") {
    request.mutable_drain();
    if (words.empty()) return request;
    auto seconds = parse_duration(words[0]);
    if (!seconds) seconds = parse_number(words[0]);
    if (!seconds || *seconds > max_drain_s) {
      return "ctl drain: \"" + words[0] + "\" is not a time up to 24h: write 300, 90s, 5m or 2h.";
    }
    request.mutable_drain()->set_within_s(static_cast<std::uint32_t>(*seconds));
  }
  return request;
}

}  // namespace tictactoe::app
