// What the host wants done, and the journal that it waits for.
#include <algorithm>
#include <utility>

#include "tests/simulation/machine.hpp"

namespace tictactoe::simulation {

using std::chrono::milliseconds;

namespace {

// A planted mistake comes after so many frames in which it could be made.
constexpr std::uint64_t planted_at = 400;

std::size_t frame_size(std::size_t body) {
  std::size_t size = body + 1;
  for (; body > 0x7f; body >>= 7) ++size;
  return size;
}

}  // namespace

void Machine::carry_out_effects() {
  std::vector<core::ConnectionId> too_slow;
  for (;;) {
    core::Effects& effects = host_->effects();
    for (const core::Effect& effect : effects.list()) {
      digest_.add(effect.index());
      if (const auto* send = std::get_if<core::Send>(&effect)) {
        queue(*send, too_slow);
      } else if (const auto* close = std::get_if<core::Close>(&effect)) {
        this->close(close->connection);
      } else if (const auto* record = std::get_if<core::Record>(&effect)) {
        if (plan_.plant != Plant::late_record) append(effects.bytes(record->body));
      } else if (thinking_.take(effect)) {
        think();
      } else if (const auto* question = std::get_if<core::LookUp>(&effect)) {
        look_up(*question);
      }
    }
    if (plan_.plant == Plant::late_record) {
      for (const core::Effect& effect : effects.list()) {
        const auto* record = std::get_if<core::Record>(&effect);
        if (record != nullptr) append(effects.bytes(record->body));
      }
    }
    effects.clear();
    if (too_slow.empty()) break;
    watch_.call();
    for (const core::ConnectionId id : too_slow) host_->disconnected(id, host_time());
    too_slow.clear();
  }
  commit();
}

// Sending -----------------------------------------------------------------------------------------

void Machine::queue(const core::Send& send, std::vector<core::ConnectionId>& too_slow) {
  const SessionPointer session = find(send.to);
  if (!session) return;
  std::string_view body = host_->effects().bytes(send.body);
  require(body.size() <= plan_.server.limits.server_frame_bytes, Checker::queues,
          "a frame that is too long for a client");
  if (body != decoded_body_) {
    decoded_body_ = body;
    require(decoded_.ParseFromString(decoded_body_), Checker::protocol,
            "a message that can't be read");
  }
  bool pushed = true;
  if (plan_.plant == Plant::none) {
    pushed = push(*session, send, body, decoded_);
  } else {
    v1::ServerMessage message = decoded_;
    std::string changed(body);
    if (!plant(send, message, changed)) return;
    pushed = push(*session, send, changed, message);
  }
  if (pushed) {
    if (unwritten_.empty() || unwritten_.back() != session) unwritten_.push_back(session);
    return;
  }
  abort(session);
  too_slow.push_back(send.to);
}

bool Machine::push(Session& session, const core::Send& send, std::string_view body,
                   const v1::ServerMessage& message) {
  prefix_.clear();
  if (send.request_id != 0) {
    prefix_.push_back(v1::ServerMessage::kRequestIdFieldNumber << 3);
    wire::append_varint(prefix_, send.request_id);
  }
  const bool waits = send.durability == core::Durability::after_records;
  const bool held = waits && appended_ > durable_ && plan_.plant != Plant::early_announcement;
  if (!session.outbox.push(prefix_, body, held ? appended_ : 0)) return false;
  const std::size_t bytes = frame_size(prefix_.size() + body.size());
  watch_.pushed(session.link, bytes, message, send.request_id, waits);
  return true;
}

bool Machine::plant(const core::Send& send, v1::ServerMessage& message, std::string& body) {
  v1::RoomUpdate* update = message.has_update() ? message.mutable_update() : nullptr;
  switch (plan_.plant) {
    case Plant::skipped_revision:
      if (update == nullptr || ++candidates_ != planted_at) return true;
      update->set_revision(update->revision() + 1);
      break;
    case Plant::forked_history:
      if (update == nullptr || !update->has_chat_said() || ++candidates_ < planted_at) return true;
      update->mutable_chat_said()->set_text("something else, for you alone");
      break;
    case Plant::missed_win:
      if (update == nullptr || !update->move_played().has_outcome()) return true;
      update->mutable_move_played()->clear_outcome();
      update->set_phase(v1::PHASE_PLAYING);
      update->set_turn(update->move_played().mark() == v1::MARK_X ? v1::MARK_O : v1::MARK_X);
      break;
    case Plant::double_answer:
      if (send.request_id != 0 && !message.has_update() && ++candidates_ == planted_at) {
        push(*find(send.to), send, body, message);
      }
      return true;
    case Plant::swallowed_answer:
      return send.request_id == 0 || !message.has_pong() || ++candidates_ != planted_at / 10;
    default:
      return true;
  }
  body = message.SerializeAsString();
  return true;
}

void Machine::close(core::ConnectionId id) {
  const SessionPointer session = find(id);
  if (!session) return;
  by_slot_[id.slot].reset();
  session->closing = true;
  flush(*session);
  agenda_.in(milliseconds(2000), [this, life = life_, link = session->link] {
    if (life != life_) return;
    if (const SessionPointer still = find(link)) abort(still);
  });
}

void Machine::settle() {
  carry_out_effects();
  for (const SessionPointer& session : std::exchange(unwritten_, {})) flush(*session);
  set_timer();
}

void Machine::set_timer() {
  const auto due = host_->next_deadline();
  if (due == timer_at_ || stopping_) return;
  timer_at_ = due;
  if (!due) return;
  if (plan_.plant == Plant::lost_deadline && ++candidates_ > planted_at) return;
  const auto at = std::chrono::ceil<Time>(due->time_since_epoch() - clock_offset_);
  agenda_.at(at, [this, life = life_, due = *due] {
    if (life != life_ || timer_at_ != due) return;
    timer_at_.reset();
    watch_.call();
    host_->deadline_reached(host_time());
    settle();
  });
}

// Beside the event loop ---------------------------------------------------------------------------

// Each thought and each slice of one ends after a time of its own, as on several threads.
void Machine::think() {
  agenda_.in(random_.between(milliseconds(1), milliseconds(300)), [this, life = life_] {
    if (life != life_) return;
    constexpr std::uint64_t nodes = 300;
    const bool worked = thinking_.work(nodes);
    for (const core::AiPool::Answer& answer : thinking_.pool().take_answers()) {
      watch_.call();
      host_->thought(answer.id, answer.result, host_time());
      settle();
    }
    if (worked && thinking_.pool().queued() > 0) think();
  });
}

void Machine::look_up(const core::LookUp& look_up) {
  agenda_.in(random_.around(plan_.commit), [this, life = life_, look_up] {
    if (life != life_) return;
    watch_.call();
    host_->looked_up(look_up.from, look_up.request_id, journal_.look_up(look_up.request));
    settle();
  });
}

// The journal -------------------------------------------------------------------------------------

void Machine::append(std::string_view record) {
  digest_.add(record);
  gathered_.emplace_back(record);
  ++appended_;
  watch_.recorded(record);
}

void Machine::commit() {
  if (committing_ || gathered_.empty()) return;
  if (disk_ == core::Recording::stalled) return record_as(disk_);
  std::swap(in_flight_, gathered_);
  committing_ = true;
  const bool slow = !calm_ && plan_.has(Fault::disk) && random_.per_mille(plan_.slow_commit);
  const Time delay =
      slow ? random_.between(milliseconds(10), milliseconds(1000)) : random_.around(plan_.commit);
  agenda_.in(delay, [this, life = life_] {
    if (life != life_) return;
    apply_in_flight();
    committing_ = false;
    // What waits for the disk goes out now.
    std::vector<SessionPointer> held;
    for (const auto& [link, session] : sessions_) {
      if (session->outbox.is_held()) held.push_back(session);
    }
    for (const SessionPointer& session : held) {
      session->outbox.release(durable_);
      flush(*session);
      resume(session);
    }
    commit();
  });
}

void Machine::apply_in_flight() {
  ++commits_;
  if (plan_.plant == Plant::lost_record && commits_ == planted_at) lies_ = true;
  const std::uint64_t unix_ms =
      1'700'000'000'000 + static_cast<std::uint64_t>(agenda_.now() / milliseconds(1));
  store::Batch batch;
  for (const std::string& record : in_flight_) batch.add(record);
  durable_ += in_flight_.size();
  if (!lies_) journal_.apply(batch, durable_, unix_ms);
  in_flight_.clear();
  watch_.durable(durable_);
}

}  // namespace tictactoe::simulation
