// Runs the transcripts in transcripts/: what people ask a host, and everything that it tells them.
//
//     scene den: alice bob               # what several cases begin with; these people enter
//     alice> create den ...
//     bob> join den ...
//
//     == GameTest.a_move_is_told: den carol   # a test of that name: scenes, and others who enter
//     with watchers_per_room=1           # settings
//     alice> move 0,0 -> move_played X 0,0 turn=O
//     bob: move_played X
//     pass 30s
//
// `name> request -> answer` is a request and its answer; `name: message | message` lists what that
// person was sent besides, in order, as a consequence of the line above. A message is described as
// in tests/support/message_words.hpp. Whatever is not listed must not arrive, except after a line
// that ends with `...`: of such a line, only what is listed for its answer counts, and the answer
// is no error. A line has several requests with `; ` between them, and `alice, bob> move 0,0 /
// hint` are four requests, each with the answer that follows. `closed` is the end of a connection.
// `?name` as a value keeps a number, and `$name` or
// `$name+1` stands for it afterwards. Other lines are events; see Events below for all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <regex>
#include <variant>

#include "server/game/ai_levels.hpp"
#include "server/people/look_up_answer.hpp"
#include "tests/support/host_driver.hpp"
#include "tests/support/ledger.hpp"
#include "tests/support/message_words.hpp"
#include "tictactoe/admin/v1/admin.pb.h"

namespace tictactoe::test::transcript_tests {
namespace {

using words::Received;
using words::Words;

struct Line {
  int number = 0;
  std::string text;
};
using Lines = std::vector<Line>;

struct Case {
  std::string file;
  Line title;
  Lines lines;
};

/// Settings by the names of their fields.
void configure(server::Config& config, const std::string& word) {
  const std::string key = word.substr(0, word.find('='));
  const std::string value = word.substr(std::min(word.size(), key.size() + 1));
  const auto number = [&](auto& field) {
    if constexpr (requires { field.count(); }) {
      field = words::duration(value).value();
    } else {
      field = static_cast<std::remove_reference_t<decltype(field)>>(std::stoll(value));
    }
  };
  using Limits = server::Limits;
  using Setting = std::variant<std::size_t Limits::*, std::uint32_t Limits::*, int Limits::*,
                               std::chrono::milliseconds Limits::*>;
  static const std::map<std::string, Setting> limits{
      {"absences_per_address", &Limits::absences_per_address},
      {"address_bursts", &Limits::address_bursts},
      {"address_rates", &Limits::address_rates},
      {"chat_receivers_burst", &Limits::chat_receivers_burst},
      {"chat_receivers_per_second", &Limits::chat_receivers_per_second},
      {"connections_per_address", &Limits::connections_per_address},
      {"default_grace", &Limits::default_grace},
      {"game_burst", &Limits::game_burst},
      {"games_per_minute", &Limits::games_per_minute},
      {"invitation_burst", &Limits::invitation_burst},
      {"invitations_per_minute", &Limits::invitations_per_minute},
      {"invitations_per_room", &Limits::invitations_per_room},
      {"kept_chat", &Limits::kept_chat},
      {"large_boards", &Limits::large_boards},
      {"large_boards_per_address", &Limits::large_boards_per_address},
      {"look_ups", &Limits::look_ups},
      {"look_ups_per_address", &Limits::look_ups_per_address},
      {"look_ups_per_connection", &Limits::look_ups_per_connection},
      {"look_ups_per_network", &Limits::look_ups_per_network},
      {"moves_per_game", &Limits::moves_per_game},
      {"name_hold", &Limits::name_hold},
      {"names_per_list", &Limits::names_per_list},
      {"network_factor", &Limits::network_factor},
      {"newcomer_burst", &Limits::newcomer_burst},
      {"newcomers_per_minute", &Limits::newcomers_per_minute},
      {"pending_connections", &Limits::pending_connections},
      {"players", &Limits::players},
      {"request_burst", &Limits::request_burst},
      {"requests_per_second", &Limits::requests_per_second},
      {"rooms", &Limits::rooms},
      {"rooms_per_address", &Limits::rooms_per_address},
      {"rooms_per_list", &Limits::rooms_per_list},
      {"rooms_per_player", &Limits::rooms_per_player},
      {"silence_timeout", &Limits::silence_timeout},
      {"watchers_per_room", &Limits::watchers_per_room}};
  if (const auto limit = limits.find(key); limit != limits.end()) {
    return std::visit([&](auto field) { number(config.limits.*field); }, limit->second);
  }
  if (key == "records") return void(config.keeps_records = true);
  if (key == "ai_delay") return number(config.ai_delay);
  if (key == "ai_pace") return number(config.ai_pace);
  if (key == "lobby_chat") return number(config.lobby_chat);
  if (key == "server_name") return void(config.server_name = value);
  if (key == "server_password") return void(config.server_password_hash = server::digest(value));
  if (key == "engine") return config.engines.push_back(value);
  throw std::runtime_error("no setting is called '" + key + "'");
}

/// Short names of verbs.
std::string verb(const std::string& word) {
  static const std::map<std::string, std::string> names{
      {"create", "create_room"},   {"join", "join_room"},        {"watch", "watch_room"},
      {"leave", "leave_room"},     {"look", "get_snapshot"},     {"ai", "add_ai"},
      {"draw", "offer_draw"},      {"takeback", "ask_takeback"}, {"rooms", "list_rooms"},
      {"players", "list_players"}, {"members", "list_members"},  {"games", "list_games"},
      {"say", "say_in_lobby"},     {"lobby", "watch_lobby"}};
  const auto found = names.find(word);
  return found == names.end() ? word : found->second;
}

Words split_at(std::string text, const std::string& mark) {
  Words parts;
  for (std::size_t at; (at = text.find(mark)) != std::string::npos;) {
    parts.push_back(text.substr(0, at));
    text.erase(0, at + mark.size());
  }
  parts.push_back(text);
  return parts;
}
/// Splits a line of messages.
Words parts(const std::string& text) {
  return split_at(text, " | ");
}

class Transcript : public testing::Test {
 public:
  Transcript(const Case& the_case, const std::map<std::string, Lines>& scenes)
      : case_(the_case), scenes_(scenes) {}

  void TestBody() override {
    try {
      server::Config config = HostDriver::patient();
      const Lines lines = all_lines(case_.lines);
      for (const Line& line : lines) {
        if (!line.text.starts_with("with ")) continue;
        for (const std::string& word : words::split(line.text.substr(5))) configure(config, word);
      }
      config_ = config;
      driver_ = std::make_unique<HostDriver>(config);
      run(lines);
    } catch (const std::exception& problem) {
      ADD_FAILURE_AT(case_.file.c_str(), line_.number) << line_.text << "\n  " << problem.what();
    }
  }

 private:
  struct Seen {
    std::uint64_t answers = 0;  // the request of that id
    Received what;
  };

  /// With the lines of scenes, and those who enter.
  Lines all_lines(const Lines& of) const {
    Lines all;
    for (const Line& line : of) {
      if (!line.text.starts_with(": ")) {
        all.push_back(line);
        continue;
      }
      for (const std::string& word : words::split(line.text.substr(2))) {
        const auto scene = scenes_.find(word);
        if (scene == scenes_.end()) {
          all.push_back({line.number, "enter " + word});
        } else {
          for (const Line& each : all_lines(scene->second)) all.push_back(each);
        }
      }
    }
    return all;
  }

  void run(const Lines& lines) {
    for (std::size_t i = 0; i < lines.size();) {
      line_ = lines[i++];
      if (line_.text.starts_with("with ")) continue;
      std::map<std::string, Words> expected;
      const Words several = each_of(line_.text);
      for (std::size_t each = 0; each + 1 < several.size(); ++each) {
        act(several[each], expected);
        compare(std::exchange(expected, {}));
      }
      act(several.back(), expected);
      for (; i < lines.size(); ++i) {
        std::smatch match;
        static const std::regex told(R"(([\w', ]+): (.*))");
        if (!std::regex_match(lines[i].text, match, told)) break;
        for (const std::string& name : split_at(match[1], ", ")) {
          for (const std::string& part : parts(match[2])) expected[name].push_back(part);
        }
      }
      compare(expected);
    }
  }

  /// The requests of a line.
  static Words each_of(const std::string& line) {
    Words all;
    static const std::regex often(R"((\d+)x (.*))");
    if (std::smatch times; std::regex_match(line, times, often)) {
      const Words once = each_of(times[2]);
      for (int i = std::stoi(times[1]); i > 0; --i) all.insert(all.end(), once.begin(), once.end());
      return all;
    }
    std::smatch match;
    static const std::regex request(R"(([\w', ]+)> (.*?)( -> .*| \.\.\.)?)");
    if (!std::regex_match(line, match, request)) return {line};
    for (const std::string& asked : split_at(match[2], "; ")) {
      if (asked.find("> ") != std::string::npos || line.find("; ") != std::string::npos) {
        const std::string named = all.empty() ? match[1].str() + "> " + asked : asked;
        all.push_back(named + match[3].str());
        continue;
      }
      for (const std::string& one : split_at(asked, " / ")) {
        for (const std::string& who : split_at(match[1], ", ")) {
          all.push_back(who + "> " + one + match[3].str());
        }
      }
    }
    return all;
  }
  /// Does what a line says.
  void act(std::string text, std::map<std::string, Words>& expected) {
    asking_.clear();
    answer_.clear();
    is_loose_ = words::ends_with(text, " ...");
    if (is_loose_) text.resize(text.size() - 4);
    std::smatch match;
    static const std::regex request(R"((\w+)> (.*?)(?: -> (.*))?)");
    if (!std::regex_match(text, match, request)) return happen(words_of(text));
    asking_ = match[1];
    answer_ = match[3];
    if (asking_ == "owner") {
      admin::v1::Request message;
      words::make(message, words_of(match[2]));
      driver_->host().owner_asks(message, driver_->now(), responses_.emplace_back());
      driver_->collect();
      driver_->go_on();
    } else {
      ask(asking_, words_of(match[2]));
    }
    if (answer_.empty()) return;
    for (const std::string& part : parts(answer_)) expected[asking_].push_back(part);
  }

  void ask(const std::string& who, Words words) {
    words[0] = verb(words[0]);
    v1::ClientMessage message;
    if (words[0] == "hello") {
      for (std::string& word : words) {
        if (word.starts_with("token=@")) word = "token=" + tokens_.at(word.substr(7));
      }
      const auto names = [](const std::string& word) { return word.starts_with("name="); };
      if (std::ranges::none_of(words, names)) words.push_back("name=" + who);
      words::fill(*message.mutable_hello(), words, 1);
      if (message.hello().protocol_versions().empty()) {
        message.mutable_hello()->add_protocol_versions(1);
      }
    } else {
      words::make(message, words);
    }
    request_ = driver_->post(id_of(who), message);
    driver_->go_on();
  }

  // Events ----------------------------------------------------------------------------------------

  void happen(const Words& words) {
    const std::string& first = words.at(0);
    if (words.size() > 1 && (people_.contains(first) || tokens_.contains(first)) &&
        happen_to(first, words)) {
      return;
    }
    static const std::map<std::string, void (Transcript::*)(const Words&)> events{
        {"enter", &Transcript::enter},      // enter NAME[@ADDRESS/NETWORK]...: connect, say hello
        {"connect", &Transcript::connect},  // the same without the hello
        {"pass", &Transcript::pass},        // pass TIME [sharp]: sharp, if nothing happens earlier
        {"host", &Transcript::host},        // host rooms=N players=N connections=N idle drained
        {"tokens", &Transcript::tokens},    // tokens NAME N: how many pings are answered
        {"recorded", &Transcript::recorded},  // recorded KIND ... | KIND ...: all new of these
        {"journal", &Transcript::journal},    // journal stalled|low_space|good
        {"drain", &Transcript::drain},        // drain TIME
        {"stop", &Transcript::stop},
        {"restart", &Transcript::restart},    // restart [TIME LATER], from what was recorded
        {"thinking", &Transcript::thinking},  // thinking held: `host` is told what is to be thought
        {"think", &Transcript::think},        // think CELL [effort], or full: answers the latest
        {"keys", &Transcript::keys},          // keys held, keys derived
        {"crowd", &Transcript::crowd},
        {"found", &Transcript::found},
        {"logins", &Transcript::logins},
        {"questions", &Transcript::questions},
        {"settings", &Transcript::settings},
        {"described", &Transcript::described},
    };
    const auto event = events.find(first);
    if (event == events.end()) throw std::runtime_error("nothing is called '" + first + "'");
    (this->*event->second)(words);
    driver_->go_on();
  }
  /// NAME disconnects; returns [ROOM [REVISION]]; pauses; reads; sends BYTES.
  bool happen_to(const std::string& who, const Words& words) {
    const std::string& what = words[1];
    if (what == "disconnects") {
      driver_->disconnect(id_of(who));
      was_open_[who] = false;
    } else if (what == "returns") {
      if (people_.contains(who) && driver_->is_open(id_of(who))) {
        people_[who + "'"] = people_[who];
        was_open_[who + "'"] = true;
      }
      connect({"connect", who});
      ask(who,
          {"hello", "name=somebody", "token=@" + who, "room=" + (words.size() > 2 ? words[2] : ""),
           "revision=" + (words.size() > 3 ? words[3] : "0")});
      take_welcome(who, true);
    } else if (what == "pauses" || what == "reads") {
      driver_->host().reading_paused(id_of(who), what == "pauses", driver_->now());
      driver_->collect();
    } else if (what == "sends") {
      driver_->send_bytes(id_of(who), words.at(2));
    } else {
      return false;
    }
    return true;
  }
  void connect(const Words& words) {
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::size_t at = words[i].find('@');
      const std::string who = words[i].substr(0, at);
      server::Origin origin{1, 1};
      if (at != std::string::npos) {
        std::istringstream numbers(words[i].substr(at + 1));
        char slash = 0;
        numbers >> origin.address >> slash >> origin.network;
      }
      people_[who] = driver_->connect(origin);
      was_open_[who] = true;
    }
  }
  void enter(const Words& words) {
    for (std::size_t i = 1; i < words.size(); ++i) {
      connect({"connect", words[i]});
      const std::string who = words[i].substr(0, words[i].find('@'));
      ask(who, {"hello"});
      take_welcome(who, false);
    }
  }
  void take_welcome(const std::string& who, bool resumed) {
    auto inbox = driver_->take(id_of(who));
    if (inbox.empty() || !inbox[0].has_welcome() || inbox[0].welcome().resumed() != resumed) {
      throw std::runtime_error("no welcome for " + who);
    }
    take_token(who, inbox[0]);
    inbox.erase(inbox.begin());
    for (v1::ServerMessage& message : inbox) kept_[who].push_back(std::move(message));
  }
  /// It is told once.
  void take_token(const std::string& who, const v1::ServerMessage& message) {
    if (!message.welcome().token().empty()) tokens_[who] = message.welcome().token();
  }
  void pass(const Words& words) {
    const auto time = words::duration(words.at(1)).value();
    if (words.size() > 2) {
      driver_->pass(time - std::chrono::milliseconds(1));
      compare({});
    }
    driver_->pass(words.size() > 2 ? std::chrono::milliseconds(1) : time);
  }
  void host(const Words& words) {
    server::Host& host = driver_->host();
    std::string seen = "host";
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::string key = words[i].substr(0, words[i].find('='));
      const auto count = [&](std::size_t number) { return key + "=" + std::to_string(number); };
      seen += " " + (key == "rooms"         ? count(host.rooms())
                     : key == "players"     ? count(host.players())
                     : key == "connections" ? count(host.connections())
                     : key == "idle" || key == "busy"
                         ? std::string(host.next_deadline() ? "busy" : "idle")
                         : std::string(host.is_drained(driver_->now()) ? "drained" : "draining"));
    }
    expect("host", join(words), seen);
  }
  void tokens(const Words& words) {
    const int seen = driver_->tokens(id_of(words.at(1)), 1'000);
    expect(join(words), words.at(2), std::to_string(seen));
    take_all();
  }
  /// crowd N[@ADDRESS/NETWORK] REQUEST; REQUEST...: so many people enter, each ask that, and maybe
  /// `disconnects`. An address * is one of their own each, and # the number of each.
  void crowd(const Words& words) {
    const std::size_t at = words.at(1).find('@');
    const std::string what = join({words.begin() + 2, words.end()});
    for (int i = std::stoi(words[1]); i > 0; --i) {
      const std::string number = std::to_string(++crowd_);
      const auto with_number = [&](const std::string& text, const char* sign) {
        return std::regex_replace(text, std::regex(sign), number);
      };
      const std::string who = "crowd" + number;
      const std::string origin = at == std::string::npos ? "" : words[1].substr(at);
      enter({"enter", who + with_number(origin, "\\*")});
      for (const std::string& one : split_at(with_number(what, "#"), "; ")) {
        if (one == "disconnects") {
          happen_to(who, {who, one});
          continue;
        }
        ask(who, words_of(one));
        for (const v1::ServerMessage& message : driver_->take(id_of(who))) {
          if (message.has_error()) throw std::runtime_error(message.ShortDebugString());
        }
      }
    }
  }
  /// found none, or found FIELDS of a game: answers the oldest question about a finished game.
  void found(const Words& words) {
    const server::LookUp question = driver_->look_ups.at(0);
    driver_->look_ups.erase(driver_->look_ups.begin());
    v1::ServerMessage message;
    if (words.at(1) == "none") {
      message.mutable_error()->set_code(v1::Error::CODE_GAME_NOT_FOUND);
    } else {
      words::fill(*message.mutable_game_found()->mutable_game(), words, 1);
    }
    const auto answer = server::encode_answer(message, config_.limits.server_frame_bytes);
    if (question.request.has_create_room()) {
      driver_->host().position_found(question.from, answer, driver_->now());
    } else {
      driver_->host().looked_up(question.from, question.request_id, answer);
    }
    driver_->collect();
  }
  /// questions N: how many questions about finished games have begun.
  void questions(const Words& words) {
    expect(join(words), words.at(1), std::to_string(driver_->look_ups.size()));
  }
  /// settings NAME=VALUE...: changes them.
  void settings(const Words& words) {
    for (std::size_t i = 1; i < words.size(); ++i) configure(config_, words[i]);
    driver_->host().change_settings(config_);
  }
  /// described MAX FIELDS: what discovery tells others on the network, with at most so many rooms.
  void described(const Words& words) {
    v1::ServerInfo info;
    driver_->host().describe_to(info, std::stoi(words.at(1)));
    const Words wanted(words.begin() + 1, words.end());
    expect("described", join(wanted), Received(words[1], info).as(wanted, variables_));
  }
  /// logins NAME=PASSWORD...: the accounts that there are from now on.
  void logins(const Words& words) {
    std::vector<server::Login> all;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::string name = words[i].substr(0, words[i].find('='));
      const std::string password = words[i].substr(name.size() + 1);
      server::Login& made =
          all.emplace_back(server::Login{name, {{1, 8, 1}, "salt of " + password, {}}, words[i]});
      made.key.key = server::derive_key({password, made.key});
    }
    driver_->host().set_logins(server::Logins(all));
  }
  void recorded(const Words&) {
    const Words expected = parts(line_.text.substr(sizeof "recorded"));
    const bool any = expected[0] == "nothing";
    Words wanted;
    Words seen;
    for (; records_read_ < driver_->records.size(); ++records_read_) {
      const Received record(driver_->records[records_read_]);
      const auto kind = [](const std::string& one) { return one.substr(0, one.find(' ')); };
      const auto is_it = [&](const std::string& one) { return kind(one) == kind(record.all()); };
      if (!any && std::ranges::none_of(expected, is_it)) continue;
      wanted.push_back(seen.size() < expected.size() ? join(words_of(expected[seen.size()])) : "");
      seen.push_back(record.as(words::split(wanted.back() + " "), variables_));
    }
    for (std::size_t i = seen.size(); i < expected.size() && !any; ++i)
      wanted.push_back(expected[i]);
    expect("recorded", join(wanted, " | "), join(seen, " | "));
  }
  void journal(const Words& words) {
    using server::JournalHealth;
    driver_->host().set_journal_health(words.at(1) == "stalled"     ? JournalHealth::stalled
                                       : words.at(1) == "low_space" ? JournalHealth::low_space
                                                                    : JournalHealth::good,
                                       driver_->now());
    driver_->collect();
  }
  void drain(const Words& words) {
    driver_->host().drain(
        std::chrono::duration_cast<std::chrono::seconds>(words::duration(words.at(1)).value()),
        driver_->now());
    driver_->collect();
  }
  void stop(const Words&) {
    driver_->host().stop(driver_->now());
    driver_->collect();
  }
  void restart(const Words& words) {
    for (const journal::v1::Record& record : driver_->records) ledger_.apply(record);
    auto next = std::make_unique<HostDriver>(config_, ++seed_);
    next->pass(
        std::chrono::duration_cast<std::chrono::milliseconds>(driver_->now() - next->now()) +
        (words.size() > 1 ? words::duration(words[1]).value() : std::chrono::milliseconds(0)));
    EXPECT_TRUE(next->host().restore(ledger_.saved(), next->now()).refused.empty());
    next->collect();
    driver_ = std::move(next);
    people_.clear();
    was_open_.clear();
    records_read_ = 0;
  }
  void thinking(const Words&) {
    driver_->thinks = false;
    shows_thinking_ = true;
  }
  void think(const Words& words) {
    ai::Choice choice;
    if (words.at(1) != "full") {
      char comma = 0;
      std::istringstream(words[1]) >> choice.cell.row >> comma >> choice.cell.col;
      for (const std::string& word : words) {
        if (word == "much") choice.effort = ai::Effort::much;
        if (word == "some") choice.effort = ai::Effort::some;
        if (word == "certain") choice.cannot_lose = true;
        if (word == "faulty") choice.engine_fault = std::string("It failed.");
      }
    }
    const server::ThoughtResult result =
        words[1] == "full" ? server::ThoughtResult() : server::ThoughtResult(choice);
    driver_->answer_thought(driver_->thoughts.at(driver_->thoughts.size() - 1).id, result);
  }
  void keys(const Words& words) {
    driver_->derives_keys = words.at(1) != "held";
    if (driver_->derives_keys) driver_->answer_key_requests();
  }

  // What people are told --------------------------------------------------------------------------

  server::ConnectionId id_of(const std::string& who) const {
    const auto found = people_.find(who);
    if (found == people_.end()) throw std::runtime_error("there is no " + who);
    return found->second;
  }
  /// With the numbers of variables. "x{30}" is a letter 30 times, "\\x1b" a byte.
  Words words_of(std::string text) const {
    std::smatch match;
    static const std::regex many(R"(\{(\d+)\})");
    while (std::regex_search(text, match, many)) {
      const std::string before = match.prefix();
      std::size_t letter = before.size() - 1;
      while ((before[letter] & 0xC0) == 0x80) --letter;  // of UTF-8
      std::string all = before.substr(0, letter);
      for (int i = std::stoi(match[1]); i > 0; --i) all += before.substr(letter);
      text = all + match.suffix().str();
    }
    static const std::regex byte(R"(\\x([0-9a-fA-F]{2}))");
    while (std::regex_search(text, match, byte)) {
      text = match.prefix().str() + static_cast<char>(std::stoi(match[1], nullptr, 16)) +
             match.suffix().str();
    }
    static const std::regex variable(R"(\$(\w+)(?:([+-])(\d+))?)");
    while (std::regex_search(text, match, variable)) {
      std::uint64_t value = variables_.at(match[1]);
      const std::uint64_t by = match[3].matched ? std::stoull(match[3]) : 0;
      value = match[2] == "-" ? value - by : value + by;
      text = match.prefix().str() + std::to_string(value) + match.suffix().str();
    }
    return words::split(text);
  }
  static std::string join(const Words& words, const std::string& with = " ") {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : with) + word;
    return text;
  }
  void expect(const std::string& what, const std::string& wanted, const std::string& seen) {
    if (wanted == seen) return;
    ADD_FAILURE_AT(case_.file.c_str(), line_.number)
        << what << "\n  expected: " << wanted << "\n  seen:     " << seen;
  }
  std::map<std::string, std::vector<v1::ServerMessage>> take_all() {
    auto all = std::exchange(kept_, {});
    for (const auto& [who, id] : people_) {
      for (v1::ServerMessage& message : driver_->take(id)) {
        take_token(who, message);
        all[who].push_back(std::move(message));
      }
    }
    return all;
  }
  /// Compares what everybody was told with what the transcript says.
  void compare(const std::map<std::string, Words>& expected) {
    const auto inboxes = take_all();
    std::map<std::string, std::vector<Seen>> seen;
    for (const auto& [who, inbox] : inboxes) {
      for (const v1::ServerMessage& message : inbox) {
        seen[who].push_back({message.request_id(), Received(message)});
      }
    }
    for (const admin::v1::Response& response : responses_)
      seen["owner"].push_back({0, Received(response)});
    for (auto& [who, was_open] : was_open_) {
      if (!was_open || driver_->is_open(id_of(who))) continue;
      was_open = false;
      seen[who].push_back({0, Received("closed")});
    }
    if (shows_thinking_) see_thinking(seen["host"]);
    std::string differences;
    bool differs = false;
    std::map<std::string, Words> all_people = expected;
    for (const auto& [who, messages] : seen) all_people.try_emplace(who);
    std::vector<std::pair<std::string, Words>> in_order(all_people.begin(), all_people.end());
    std::ranges::sort(in_order, {},
                      [&](const auto& one) { return std::pair(one.first != asking_, one.first); });
    for (const auto& [who, lines] : in_order) {
      if (is_loose_ && lines.empty() && who != asking_) continue;
      std::vector<Seen>& messages = seen[who];
      if (who == asking_ && who != "owner") put_answer_first(messages);
      const std::size_t count = is_loose_ && who == asking_
                                    ? std::min<std::size_t>(lines.size(), 1)
                                    : std::max(lines.size(), messages.size());
      for (std::size_t i = 0; i < count; ++i) {
        const Words wanted = i < lines.size() ? words_of(lines[i]) : Words{"(nothing)"};
        const bool late = wanted.size() > 1 && wanted[0] == "late";
        const std::string is =
            i < messages.size()
                ? prefix(messages[i], who, i) +
                      messages[i].what.as({wanted.begin() + (late ? 1 : 0), wanted.end()},
                                          variables_)
                : "(nothing)";
        const std::string should =
            (who == asking_ && i == 0 && !answer_.empty() ? "-> " : "") + join(wanted);
        differs |= is != should;
        differences +=
            (is == should ? "    " : "  ! ") + pad(who + " " + should) + " | " + is + "\n";
      }
      if (is_loose_ && who == asking_ && who != "owner" && !messages.empty() && answer_.empty()) {
        const std::string is = messages[0].what.as({"no error"}, variables_);
        if (messages[0].answers == request_ && is.starts_with("error")) {
          differs = true;
          differences += "  ! " + who + " " + is + "\n";
        }
      }
    }
    responses_.clear();
    if (differs) {
      ADD_FAILURE_AT(case_.file.c_str(), line_.number)
          << line_.text << "\n    " << pad("expected") << " | seen\n"
          << differences;
    }
  }
  /// The answer comes first in a transcript, whatever else was sent before it.
  void put_answer_first(std::vector<Seen>& messages) {
    const auto answer =
        std::ranges::find_if(messages, [&](const Seen& one) { return one.answers == request_; });
    if (answer != messages.end()) std::rotate(messages.begin(), answer, answer + 1);
  }
  std::string prefix(const Seen& seen, const std::string& who, std::size_t index) const {
    if (who == "owner") return answer_.empty() ? "" : "-> ";
    if (seen.answers == 0) return "";
    if (who == asking_ && index == 0 && seen.answers == request_) return "-> ";
    return "late ";
  }
  static std::string pad(const std::string& text) {
    return text + std::string(text.size() < 56 ? 56 - text.size() : 0, ' ');
  }
  void see_thinking(std::vector<Seen>& seen) {
    for (; thoughts_ < driver_->thoughts.size(); ++thoughts_) {
      const server::Think& think = driver_->thoughts[thoughts_];
      std::string text = server::ai_player_name(think.level).substr(sizeof "AI");
      text = " " + text.substr(1, text.find_first_of(",)") - 1);
      for (const rules::Cell& cell : *think.moves) {
        text += " " + std::to_string(cell.row) + "," + std::to_string(cell.col);
      }
      const bool is_trial = think.purpose == server::Think::Purpose::trial;
      seen.push_back({0, Received(is_trial ? "try" : "think", text)});
    }
    for (; stopped_ < driver_->stopped_thoughts.size(); ++stopped_)
      seen.push_back({0, Received("cancel")});
    for (; released_ < driver_->released.size(); ++released_)
      seen.push_back({0, Received("release")});
  }

  const Case& case_;
  const std::map<std::string, Lines>& scenes_;
  server::Config config_;
  std::unique_ptr<HostDriver> driver_;
  std::uint64_t seed_ = 1;
  int crowd_ = 0;
  Ledger ledger_;
  Line line_;
  std::map<std::string, server::ConnectionId> people_;
  std::map<std::string, bool> was_open_;
  std::map<std::string, std::string> tokens_;
  std::map<std::string, std::vector<v1::ServerMessage>> kept_;
  std::map<std::string, std::uint64_t> variables_;
  std::vector<admin::v1::Response> responses_;
  std::string asking_;
  std::string answer_;
  std::uint64_t request_ = 0;
  bool is_loose_ = false;
  bool shows_thinking_ = false;
  std::size_t records_read_ = 0;
  std::size_t thoughts_ = 0;
  std::size_t stopped_ = 0;
  std::size_t released_ = 0;
};

/// Reads the cases of a file and makes them tests.
struct Content {
  std::map<std::string, Lines> scenes;
  std::deque<Case> cases;
};

void read(const std::filesystem::path& path) {
  static std::deque<Content> contents;  // which the tests refer to
  auto& [scenes, cases] = contents.emplace_back();
  Lines* open = nullptr;
  std::ifstream file(path);
  int number = 0;
  for (std::string text; std::getline(file, text);) {
    ++number;
    text.resize(text.find_last_not_of(' ') + 1);
    if (text.empty() || text.starts_with('#')) continue;
    static const std::regex heading(R"((scene|==) ([\w.]+)(: .*)?)");
    if (std::smatch match; std::regex_match(text, match, heading)) {
      if (match[1] == "scene") {
        open = &scenes[match[2]];
      } else {
        cases.push_back({path.string(), {number, match[2]}, {}});
        open = &cases.back().lines;
      }
      if (match[3].matched) open->push_back({number, match[3]});
    } else if (open != nullptr) {
      open->push_back({number, text.substr(text.find_first_not_of(' '))});
    }
  }
  for (const Case& each : cases) {
    const std::string suite = each.title.text.substr(0, each.title.text.find('.'));
    testing::RegisterTest(
        suite.c_str(), each.title.text.substr(suite.size() + 1).c_str(), nullptr, nullptr,
        each.file.c_str(), each.title.number,
        [&each, &from = scenes]() -> testing::Test* { return new Transcript(each, from); });
  }
}

const bool registered = [] {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(TICTACTOE_SOURCE_DIR) / "tests/unit/host/transcripts")) {
    paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  for (const auto& path : paths) read(path);
  return true;
}();

}  // namespace
}  // namespace tictactoe::test::transcript_tests
