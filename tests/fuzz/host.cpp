// Any course of events for a host: connections, requests, bytes, time, restarts
// from what was recorded. Every request is answered once, effects name connections that there are,
// and everybody who had a seat before the end has it after it, in the same game.
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "server/host/host.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/fuzz/requests.hpp"
#include "tests/simulation/recorder.hpp"
#include "tests/support/thinking.hpp"

namespace tictactoe::fuzz {
namespace {

constexpr unsigned peers = 4;

struct Peer {
  server::ConnectionId id;
  bool open = false;
  std::string token;
  std::uint64_t last_request = 0;
  std::set<std::uint64_t> looked_up;  // requests that wait for looked_up()
  std::vector<v1::ServerMessage> inbox;
};

class Course {
 public:
  explicit Course(Input& input) : input_(input) { begin(); }

  void run() {
    while (!input_.empty()) step();
    go_home();
  }

 private:
  static server::Config config() {
    server::Config config;
    config.keeps_records = true;
    config.limits.requests_per_second = 0;
    config.limits.rooms = 4;
    config.limits.watchers_per_room = 2;
    config.limits.kept_chat = 3;
    config.limits.max_side = 20;
    config.limits.players = 10;
    config.key_cost.log2_n = 1;
    return config;
  }

  void begin() {
    host_ = std::make_unique<server::Host>(config(), 1, [this] {
      server::Token token{};
      token[0] = static_cast<std::uint8_t>(++tokens_);
      token[1] = static_cast<std::uint8_t>(tokens_ >> 8U);
      return token;
    });
    require(host_->restore(records_.load(records::local_stream), now_).refused.empty(),
            "a host refuses its own records");
    collect();
  }

  Peer& some_peer() { return peers_[input_.below(peers)]; }

  void step() {
    switch (input_.below(32)) {
      case 0:
        return connect(some_peer());
      case 1:
        return disconnect(some_peer());
      case 2:
        return bytes(some_peer(), input_.text());
      case 3:
        return cannot_read(some_peer());
      case 4:
        return pass(std::chrono::milliseconds(input_.word()));
      case 5:
        return pass(std::chrono::seconds(input_.word()));
      case 6:
        return think();
      case 7:
        host_->set_journal_health(static_cast<server::JournalHealth>(input_.below(3)), now_);
        return collect();
      case 8:
        host_->drain(std::chrono::milliseconds(input_.word()), now_);
        return collect();
      case 9:
        return answer_look_ups();
      case 10:
        return start_again();
      default: {
        Peer& peer = some_peer();
        if (!peer.open) connect(peer);
        ask(peer, some_request(input_));
      }
    }
  }

  // Connections -----------------------------------------------------------------------------------

  void open(Peer& peer) {
    Peer fresh;
    fresh.token = std::move(peer.token);
    fresh.id = host_->connected({1, 1}, now_);
    fresh.open = true;
    peer = std::move(fresh);
  }

  void connect(Peer& peer) {
    if (peer.open) return;
    open(peer);
    collect();
    if (!peer.open || input_.below(8) == 0) return;
    v1::ClientMessage hello;
    hello.mutable_hello()->add_protocol_versions(1);
    hello.mutable_hello()->set_name("somebody");
    hello.mutable_hello()->set_token(peer.token);
    ask(peer, std::move(hello));
  }

  void disconnect(Peer& peer) {
    if (!peer.open) return;
    peer.open = false;
    host_->disconnected(peer.id, now_);
    collect();
  }

  void cannot_read(Peer& peer) {
    if (!peer.open) return;
    host_->cannot_read(peer.id, wire::FrameFault::too_long, now_);
    collect();
    require(!peer.open, "nobody closes a stream that can't be read");
  }

  std::optional<v1::ServerMessage> ask(Peer& peer, v1::ClientMessage request) {
    if (!peer.open) return std::nullopt;
    request.set_request_id(peer.last_request + 1);
    bytes(peer, request.SerializeAsString());
    for (const v1::ServerMessage& message : peer.inbox) {
      if (message.request_id() == request.request_id()) return message;
    }
    return std::nullopt;
  }

  // As from a shell, which reads nothing from a connection whose question waits for its turn.
  void bytes(Peer& peer, std::string_view body) {
    if (!peer.open || host_->is_waiting(peer.id)) return;
    v1::ClientMessage request;
    const bool readable = request.ParseFromArray(body.data(), static_cast<int>(body.size()));
    const std::uint64_t id = readable ? request.request_id() : 0;
    peer.last_request = std::max(peer.last_request, id);
    if (peer.last_request == std::numeric_limits<std::uint64_t>::max()) peer.last_request = 0;
    peer.inbox.clear();
    host_->received(peer.id, host_->parse(body), now_);
    collect();
    const auto answers = std::ranges::count_if(
        peer.inbox, [&](const auto& message) { return message.request_id() == id; });
    if (readable && request.has_hint()) {  // granted, it is answered later
      require(answers <= 1 || id == 0, "more than one answer to a hint");
    } else if (peer.open && host_->is_waiting(peer.id)) {
      require(answers == 0, "an answer to a question that waits");
    } else if (id != 0) {
      require(answers == (peer.looked_up.contains(id) ? 0 : 1), "not one answer to one request");
    } else {
      require(answers >= 1, "no answer to a request without a number");
    }
  }

  // The host's other visitors ---------------------------------------------------------------------

  void pass(server::Time::duration time) {
    const server::Time until = now_ + time;
    for (int i = 0; i < 200; ++i) {
      const auto due = host_->next_deadline();
      if (!due || *due > until) break;
      now_ = std::max(now_, *due);
      host_->deadline_reached(now_);
      collect();
    }
    now_ = until;
  }

  void think() {
    for (const thinking::AiPool::Answer& answer : thinking_.answers(20)) {
      host_->thought(answer.id, answer.result, now_);
      collect();
    }
  }

  void answer_look_ups() {
    while (!look_ups_.empty()) {
      const server::LookUp question = look_ups_.front();
      look_ups_.pop_front();
      const auto from = std::ranges::find_if(
          peers_, [&](const Peer& peer) { return peer.open && peer.id == question.from; });
      if (from != peers_.end()) from->inbox.clear();
      const auto answer = server::encode_answer(simulation::answer_from(reader_, question, 50),
                                                config().limits.server_frame_bytes);
      if (question.request.has_create_room()) {
        host_->position_found(question.from, answer, now_);
      } else {
        host_->looked_up(question.from, question.request_id, answer);
      }
      collect();
      if (from == peers_.end()) continue;
      from->looked_up.erase(question.request_id);
      require(std::ranges::count_if(from->inbox,
                                    [&](const v1::ServerMessage& message) {
                                      return message.request_id() == question.request_id;
                                    }) == 1,
              "not one answer to a question about records");
    }
    for (const Peer& peer : peers_) {
      require(!peer.open || !host_->is_waiting(peer.id), "a question waits for no other");
    }
  }

  // What a seated one must find again after the server's end.
  static std::string lasting(v1::RoomSnapshot room) {
    if (room.your_seat() == v1::MARK_NONE) return {};
    room.clear_revision();
    room.clear_watchers();
    room.clear_clocks();
    for (v1::Occupant* occupant : {room.mutable_x(), room.mutable_o()}) {
      if (occupant->kind() == v1::Occupant::KIND_PERSON) occupant->clear_ai_level();
      occupant->clear_away();
      occupant->clear_away_ms_left();
    }
    return room.ShortDebugString();
  }

  void start_again() {
    answer_look_ups();
    std::vector<std::string> before;
    v1::ClientMessage look;
    look.mutable_get_snapshot();
    for (Peer& peer : peers_) {
      const auto seen = ask(peer, look);
      before.push_back(seen && seen->has_snapshot() ? lasting(seen->snapshot()) : "");
    }
    if (input_.below(2) == 0) {
      host_->stop(now_);
      collect();
    }
    for (Peer& peer : peers_) peer.open = false;
    thinking_ = test::Thinking();
    now_ += std::chrono::hours(input_.byte());
    begin();
    for (std::size_t i = 0; i < peers_.size(); ++i) {
      if (before[i].empty()) continue;
      come_back(peers_[i]);
      const auto seen = ask(peers_[i], look);
      require(seen && seen->has_snapshot() && lasting(seen->snapshot()) == before[i],
              "a room is not as it was before the server's end");
    }
  }

  void come_back(Peer& peer) {
    open(peer);
    collect();
    v1::ClientMessage hello;
    hello.mutable_hello()->add_protocol_versions(1);
    hello.mutable_hello()->set_token(peer.token);
    const auto welcome = ask(peer, std::move(hello));
    require(welcome && welcome->welcome().resumed(), "a player was forgotten");
  }

  void go_home() {
    answer_look_ups();
    for (Peer& peer : peers_) disconnect(peer);
    require(host_->connections() == 0, "connections are left");
  }

  // Effects ---------------------------------------------------------------------------------------

  Peer& owner(server::ConnectionId id) {
    for (Peer& peer : peers_) {
      if (peer.open && peer.id == id) return peer;
    }
    // The connection that is being made has no peer yet.
    require(false, "an effect on a connection that is closed");
    std::abort();
  }

  void collect() {
    server::Effects& effects = host_->effects();
    records::Batch records;
    std::optional<server::DeriveKey> derive;
    for (const server::Effect& effect : effects.list()) {
      if (const auto* send = std::get_if<server::Send>(&effect)) {
        if (is_new(send->to)) continue;
        v1::ServerMessage message;
        require(message.ParseFromString(std::string(effects.bytes(send->body))),
                "a message that can't be read");
        message.set_request_id(send->request_id);
        if (!message.welcome().token().empty()) {
          owner(send->to).token = message.welcome().token();
        }
        owner(send->to).inbox.push_back(std::move(message));
      } else if (const auto* close = std::get_if<server::Close>(&effect)) {
        if (!is_new(close->connection)) owner(close->connection).open = false;
      } else if (const auto* record = std::get_if<server::Record>(&effect)) {
        records.add(effects.bytes(record->body));
      } else if (thinking_.take(effect)) {
        continue;
      } else if (const auto* question = std::get_if<server::LookUp>(&effect)) {
        owner(question->from).looked_up.insert(question->request_id);
        look_ups_.push_back(*question);
      } else if (const auto* asked = std::get_if<server::DeriveKey>(&effect)) {
        require(!derive, "two keys are asked for at once");
        derive = *asked;
      }
    }
    effects.clear();
    if (!records.empty()) {
      require(records_.append(records::local_stream, {1, commits_}, commits_ + 1, records) ==
                  records::AppendOutcome::durable,
              "a commit that is out of order");
      ++commits_;
    }
    if (derive) {
      host_->key_derived(derive->id, server::derive_key(*derive->request), now_);
      collect();
    }
  }

  bool is_new(server::ConnectionId id) const {
    return std::ranges::none_of(peers_, [&](const Peer& peer) { return peer.id == id; });
  }

  Input& input_;
  simulation::SharedStore records_{
      {config().limits.kept_chat, [] { return std::uint64_t{1}; }, {}}};
  simulation::SharedReader reader_{records_};
  std::uint64_t commits_ = 0;
  server::Time now_{std::chrono::hours(1)};
  std::unique_ptr<server::Host> host_;
  unsigned tokens_ = 0;
  std::vector<Peer> peers_ = std::vector<Peer>(peers);
  test::Thinking thinking_;
  std::deque<server::LookUp> look_ups_;
};

}  // namespace
}  // namespace tictactoe::fuzz

FUZZ_TARGET(host, data, size) {
  tictactoe::fuzz::Input input(data, size);
  tictactoe::fuzz::Course(input).run();
}
