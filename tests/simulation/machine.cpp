#include "tests/simulation/machine.hpp"

#include <algorithm>
#include <utility>

namespace tictactoe::simulation {

using std::chrono::milliseconds;

Machine::Machine(const Plan& plan, Agenda& agenda, Random random, Digest& digest, Network& network,
                 EdgeWatch& watch, Journal& journal)
    : plan_(plan),
      agenda_(agenda),
      random_(random),
      digest_(digest),
      network_(network),
      watch_(watch),
      journal_(journal) {}

core::Time Machine::host_time() const {
  return core::Time(clock_offset_ + agenda_.now());
}

// Life and death ----------------------------------------------------------------------------------

void Machine::start() {
  ++life_;
  stopping_ = false;
  // A machine's steady clock begins anywhere.
  clock_offset_ = random_.between(Time(0), std::chrono::hours(1000));
  core::Config config = plan_.server;
  config.keeps_records = true;
  budget_ = std::make_unique<net::OutboxBudget>(
      net::OutboxBudget{plan_.server.limits.all_outboxes_bytes, 0});
  const std::uint64_t seed = random_.next();
  host_ = std::make_unique<core::Host>(config, seed, [tokens = Random(random_.next())]() mutable {
    core::Token token;
    for (auto& byte : token) byte = static_cast<std::uint8_t>(tokens.next());
    return token;
  });
  watch_.call();
  condition_ = core::Recording::well;
  watch_.stalled(false);
  watch_.started(agenda_.now() + plan_.server.limits.restart_grace);
  require(host_->restore(journal_.load(), host_time()).refused.empty(), Checker::permanence,
          "the host refuses its own journal");
  settle();
}

void Machine::kill() {
  if (!is_up()) return;
  ++deaths_;
  lies_ = false;
  // A commit that was on its way to the disk has come there whole, or not at all.
  if (committing_ && random_.percent(50)) apply_in_flight();
  gathered_.clear();
  in_flight_.clear();
  committing_ = false;
  appended_ = durable_;
  watch_.died();
  for (const auto& [link, session] : sessions_) watch_.closed(link);
  sessions_.clear();
  by_slot_.clear();
  unwritten_.clear();
  thinking_ = test::Thinking();
  timer_at_.reset();
  network_.server_dies();
  host_.reset();
  ++life_;
}

void Machine::stop() {
  if (!is_up() || stopping_) return;
  stopping_ = true;
  watch_.call();
  host_->stop(host_time());
  settle();
  // Whoever has asked for the end does not wait for ever.
  agenda_.in(random_.between(milliseconds(20), milliseconds(3000)), [this, life = life_] {
    if (life == life_) kill();
  });
}

void Machine::drain() {
  if (!is_up() || stopping_) return;
  const milliseconds within(random_.between(100, 2000));
  watch_.call();
  host_->drain(within, host_time());
  settle();
  const auto poll = [this, life = life_](const auto& again) -> void {
    agenda_.in(milliseconds(100), [this, life, again] {
      if (life != life_) return;
      host_->is_drained(host_time()) ? stop() : again(again);
    });
  };
  poll(poll);
}

void Machine::set_disk(core::Recording recording) {
  disk_ = recording;
  if (!is_up() || recording == core::Recording::stalled) return;  // the next commit finds out
  record_as(recording);
  commit();
}

void Machine::record_as(core::Recording recording) {
  if (recording == condition_) return;
  condition_ = recording;
  agenda_.in(Time(0), [this, life = life_, recording] {
    if (life != life_) return;
    watch_.call();
    watch_.stalled(recording == core::Recording::stalled);
    host_->recording(recording, host_time());
    settle();
  });
}

// The network -------------------------------------------------------------------------------------

void Machine::accept(Link link, std::uint32_t client) {
  if (!is_up() || stopping_) return network_.server_closes(link);
  watch_.call();
  const core::ConnectionId id = host_->connected(client % 7, host_time());
  const core::Limits& limits = plan_.server.limits;
  const std::size_t outbox_bytes =
      plan_.plant == Plant::endless_outbox ? std::size_t{1} << 30 : limits.outbox_bytes;
  const auto session =
      std::make_shared<Session>(link, id, limits.client_frame_bytes, outbox_bytes, *budget_);
  sessions_[link] = session;
  if (id.slot >= by_slot_.size()) by_slot_.resize(id.slot + 1);
  by_slot_[id.slot] = session;
  settle();
}

Machine::SessionPointer Machine::find(core::ConnectionId id) const {
  if (id.slot >= by_slot_.size() || !by_slot_[id.slot]) return nullptr;
  return by_slot_[id.slot]->id == id ? by_slot_[id.slot] : nullptr;
}

Machine::SessionPointer Machine::find(Link link) const {
  const auto found = sessions_.find(link);
  return found == sessions_.end() ? nullptr : found->second;
}

void Machine::got(Link link, std::string_view bytes) {
  const SessionPointer session = find(link);
  if (!session || session->closing) return;
  while (!bytes.empty() && !session->closing) {
    const auto space = session->reader.prepare();
    const std::size_t count = std::min(space.size(), bytes.size());
    std::copy_n(bytes.begin(), count, space.begin());
    session->reader.commit(count);
    bytes.remove_prefix(count);
    take_frames(session);
    if (!session->paused) continue;
    session->unread.append(bytes);  // would still be the kernel's
    break;
  }
  settle();
}

void Machine::take_frames(const SessionPointer& session) {
  while (!session->closing && find(session->link) == session) {
    if (session->outbox.is_half_full()) {
      flush(*session);
      if (session->outbox.is_half_full()) {
        session->paused = true;
        network_.server_reads(session->link, false);
        return;
      }
    }
    const wire::NextFrame next = session->reader.next();
    if (next.state == wire::NextFrame::State::need_more) return;
    watch_.call();
    if (next.state == wire::NextFrame::State::fault) {
      host_->cannot_read(session->id, next.fault, host_time());
      return carry_out_effects();
    }
    v1::ClientMessage message;
    if (message.ParseFromArray(next.body.data(), static_cast<int>(next.body.size()))) {
      watch_.request(session->link, message);
    }
    host_->received(session->id, next.body, host_time());
    carry_out_effects();
  }
}

void Machine::heard_end(Link link) {
  const SessionPointer session = find(link);
  if (!session) return;
  const bool was_open = !session->closing;
  abort(session);
  if (!was_open) return;
  watch_.call();
  host_->disconnected(session->id, host_time());
  settle();
}

void Machine::can_write(Link link) {
  const SessionPointer session = find(link);
  if (!session) return;
  session->waits_to_write = false;
  flush(*session);
  resume(session);
}

// Goes on with a peer whose requests were left alone until it had read some of the answers.
void Machine::resume(const SessionPointer& session) {
  if (!session->paused || session->outbox.is_half_full() || session->closing) return;
  session->paused = false;
  network_.server_reads(session->link, true);
  const std::string unread = std::exchange(session->unread, {});
  take_frames(session);
  if (session->paused) {
    session->unread = unread;
  } else if (!unread.empty()) {
    got(session->link, unread);
  }
  settle();
}

void Machine::abort(const SessionPointer& session) {
  watch_.closed(session->link);
  sessions_.erase(session->link);
  if (find(session->id) == session) by_slot_[session->id.slot].reset();
  network_.server_closes(session->link);
}

void Machine::flush(Session& session) {
  if (session.waits_to_write || find(session.link).get() != &session) return;
  const std::string_view bytes = session.outbox.ready();
  if (!bytes.empty()) {
    const std::size_t written = network_.server_writes(session.link, bytes);
    session.waits_to_write = written < bytes.size();
    watch_.released(session.link, written);
    session.outbox.sent(written);
  }
  if (session.closing && session.outbox.empty()) network_.server_shuts(session.link);
}

}  // namespace tictactoe::simulation
