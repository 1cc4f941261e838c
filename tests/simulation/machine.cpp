#include "tests/simulation/machine.hpp"

#include <spdlog/spdlog.h>

#include <utility>

namespace tictactoe::simulation {

using std::chrono::milliseconds;

namespace {

// The planted mistake is made at the first opportunity after so many.
constexpr std::uint64_t planted_at = 400;

}  // namespace

Machine::Machine(const Plan& plan, Agenda& agenda, Random random, Digest& digest, Network& network,
                 EdgeWatch& watch, Journal& journal)
    : plan_(plan),
      agenda_(agenda),
      random_(random),
      digest_(digest),
      network_(network),
      watch_(watch),
      journal_(journal),
      recorder_(plan, agenda, Random(random_.next()), digest, watch, journal,
                {[this](std::uint64_t record) { shell_->durable(record); },
                 [this](core::Recording recording) {
                   watch_.stalled(recording == core::Recording::stalled);
                   shell_->recording(recording);
                 }}) {
  spdlog::set_level(spdlog::level::off);
}

// Life and death ----------------------------------------------------------------------------------

void Machine::start() {
  ++life_;
  // A machine's steady clock begins anywhere.
  clock_offset_ = random_.between(Time(0), std::chrono::hours(1000));
  core::Config config = plan_.server;
  config.keeps_records = true;
  config.unix_time_of_zero = -std::chrono::duration_cast<std::chrono::milliseconds>(clock_offset_);
  if (plan_.plant == Plant::endless_outbox) config.limits.outbox_bytes = std::size_t{1} << 30;
  const std::uint64_t seed = random_.next();
  auto tokens = [random = Random(random_.next())]() mutable {
    core::Token token;
    for (auto& byte : token) byte = static_cast<std::uint8_t>(random.next());
    return token;
  };
  net::ShellIo& io = *this;
  net::ThinkingService& thinking = *this;
  net::KeyService& keys = *this;
  shell_ = std::make_unique<net::Shell>(config, seed, std::move(tokens), io, thinking, keys);
  shell_->observe_with(*this);
  watch_.stalled(false);
  watch_.started(agenda_.now() + plan_.server.limits.restart_grace);
  require(shell_->restore(journal_.load()).refused.empty(), Checker::permanence,
          "the host refuses its own journal");
  recorder_.start();
  shell_->record_with(recorder_);
}

void Machine::kill() {
  if (!is_up()) return;
  ++deaths_;
  ++life_;
  recorder_.kill();
  watch_.died();
  for (const auto& [link, connection] : connections_) watch_.closed(link);
  network_.server_dies();
  shell_.reset();
  connections_.clear();
  by_slot_.clear();
  thinking_ = test::Thinking();
}

void Machine::stop() {
  if (is_up()) shell_->stop();
}

void Machine::drain() {
  if (is_up() && !shell_->is_stopping()) shell_->drain(milliseconds(random_.between(100, 2000)));
}

void Machine::stopped() {
  // Whatever is left by then is not waited for.
  agenda_.in(random_.between(milliseconds(20), milliseconds(3000)), [this, life = life_] {
    if (life == life_) kill();
  });
}

// The network -------------------------------------------------------------------------------------

void Machine::accept(Link link, std::uint32_t client) {
  if (!is_up() || shell_->is_stopping()) return network_.server_closes(link);
  const auto connection =
      std::make_shared<SimulatedConnection>(shell_->context(), link, network_, &watch_);
  connections_[link] = connection;
  // The host may refuse it before its id is returned.
  accepted_ = connection;
  const core::ConnectionId id = shell_->connected(connection, origin_of(client));
  accepted_.reset();
  if (id.slot >= by_slot_.size()) by_slot_.resize(id.slot + 1);
  by_slot_[id.slot] = connection;
  connection->update();
}

// Honest and hostile clients have no address and no network in common.
core::Origin Machine::origin_of(std::uint32_t client) const {
  if (plan_.plant == Plant::shared_address) return {};
  if (client < plan_.clients) return {client % 7, client % 7 / 4};
  return {1'000 + client % 3, 1'000};
}

Machine::Pointer Machine::find(Link link) const {
  const auto found = connections_.find(link);
  return found == connections_.end() || found->second->is_closed() ? nullptr : found->second;
}

void Machine::got(Link link, std::string_view bytes) {
  if (const Pointer connection = find(link)) {
    shell_->received(*connection, bytes);
    connection->update();
  }
}

void Machine::heard_end(Link link) {
  const Pointer connection = find(link);
  if (!connection) return;
  // Without a read only a write can find out, and that fails.
  if (connection->wants_read() && plan_.plant != Plant::deaf_ear) {
    shell_->peer_finished(*connection);
  } else {
    shell_->broken(*connection, "the peer has closed");
  }
}

void Machine::can_write(Link link) {
  if (const Pointer connection = find(link)) {
    connection->can_write();
    shell_->wrote(*connection);
  }
}

// Time and thoughts -------------------------------------------------------------------------------

void Machine::set_timer(core::Time at) {
  ++timer_;
  if (plan_.plant == Plant::lost_deadline && ++candidates_ > planted_at) return;
  const auto here = std::chrono::ceil<Time>(at.time_since_epoch() - clock_offset_);
  agenda_.at(here, [this, life = life_, timer = timer_] {
    if (life == life_ && timer == timer_) shell_->timer_expired();
  });
}

void Machine::ask_for_turn() {
  agenda_.in(random_.between(Time(0), milliseconds(1)), [this, life = life_] {
    if (life == life_) shell_->turn();
  });
}

void Machine::think(const core::Think& think) {
  thinking_.pool().think(think);
  think_later();
}

void Machine::derive(const core::DeriveKey& derive) {
  agenda_.in(random_.between(milliseconds(1), milliseconds(200)), [this, derive, life = life_] {
    if (life != life_ || shell_->is_stopping()) return;
    shell_->key_derived(derive.id, core::derive_key(*derive.request));
  });
}

// What is given up makes space for thoughts that wait for memory.
void Machine::cancel(core::ThoughtId id) {
  thinking_.pool().cancel(id);
  think_later();
}

void Machine::release(std::uint64_t room) {
  thinking_.pool().release(room);
  think_later();
}

// Each slice of a thought ends after a time of its own, as on several threads.
void Machine::think_later() {
  if (thinking_.pool().queued() == 0) return;
  agenda_.in(random_.between(milliseconds(1), milliseconds(300)), [this, life = life_] {
    if (life != life_) return;
    constexpr std::uint64_t nodes = 300;
    const bool worked = thinking_.work(nodes);
    const bool goes_on = worked && thinking_.pool().queued() > 0;
    for (const core::AiPool::Answer& answer : thinking_.pool().take_answers()) {
      if (life == life_) shell_->thought(answer.id, answer.result);
    }
    if (life == life_ && goes_on) think_later();
  });
}

}  // namespace tictactoe::simulation
