// What the checkers see of the shell, and the mistakes that are planted there.
#include <utility>

#include "tests/simulation/machine.hpp"

namespace tictactoe::simulation {

namespace {

// The planted mistake is made at the first opportunity after so many.
constexpr std::uint64_t planted_at = 400;

std::size_t varint_size(std::uint64_t value) {
  std::size_t size = 1;
  for (; value > 0x7f; value >>= 7) ++size;
  return size;
}

}  // namespace

Link Machine::link_of(server::ConnectionId id) const {
  const auto is_it = [&](const Pointer& connection) {
    return connection && connection->is_open() && connection->id() == id;
  };
  if (is_it(accepted_)) return accepted_->link();
  return id.slot < by_slot_.size() && is_it(by_slot_[id.slot]) ? by_slot_[id.slot]->link() : 0;
}

void Machine::on_message(server::ConnectionId from, std::string_view body) {
  around_.watch->call();
  is_request_ = true;
  v1::ClientMessage message;
  if (message.ParseFromArray(body.data(), static_cast<int>(body.size()))) {
    around_.watch->request(link_of(from), message);
  }
}

void Machine::on_effects(server::Effects& effects) {
  if (!std::exchange(is_request_, false) && !effects.list().empty()) around_.watch->call();
  // The core makes the others itself.
  if (plan_.plant != Plant::none && plan_.plant < Plant::shared_seat) plant_in(effects);
  for (const server::Effect& effect : effects.list()) {
    around_.digest.add(effect.index());
    if (const auto* record = std::get_if<server::Record>(&effect)) {
      if (plan_.plant != Plant::late_record) around_.watch->recorded(effects.bytes(record->body));
    } else if (const auto* send = std::get_if<server::Send>(&effect)) {
      watch(*send, effects.bytes(send->body));
    }
  }
}

const v1::ServerMessage& Machine::decode(std::string_view body) {
  if (body != decoded_body_) {
    decoded_body_ = body;
    require(decoded_.ParseFromString(decoded_body_), Checker::protocol,
            "a message that can't be read");
  }
  return decoded_;
}

void Machine::watch(const server::Send& send, std::string_view body) {
  const Link link = link_of(send.to);
  if (link == 0) return;
  require(body.size() <= plan_.server.limits.server_frame_bytes, Checker::queues,
          "a frame that is too long for a client");
  const std::size_t prefix = send.request_id == 0 ? 0 : 1 + varint_size(send.request_id);
  const std::size_t frame = prefix + body.size();
  around_.watch->pushed(link, varint_size(frame) + frame, decode(body), send.request_id,
                        send.durability == server::Durability::after_records);
}

// Mistakes ----------------------------------------------------------------------------------------

void Machine::plant_in(server::Effects& effects) {
  // Nobody else may change effects, so there is no function for it.
  auto& list = const_cast<std::vector<server::Effect>&>(effects.list());
  for (std::size_t i = 0; i < list.size(); ++i) {
    auto* send = std::get_if<server::Send>(&list[i]);
    if (send == nullptr || link_of(send->to) == 0) continue;
    v1::ServerMessage message = decode(effects.bytes(send->body));
    const int times = plant_in(*send, message);
    if (message.SerializeAsString() != effects.bytes(send->body)) {
      send->body = effects.encode(message);
    }
    const server::Effect copy = list[i];
    if (times == 2) list.insert(list.begin() + static_cast<std::ptrdiff_t>(i++), copy);
    if (times == 0) list.erase(list.begin() + static_cast<std::ptrdiff_t>(i--));
  }
}

int Machine::plant_in(const server::Send& send, v1::ServerMessage& message) {
  v1::RoomUpdate* update = message.has_update() ? message.mutable_update() : nullptr;
  switch (plan_.plant) {
    case Plant::skipped_revision:
      if (update != nullptr && ++candidates_ == planted_at) {
        update->set_revision(update->revision() + 1);
      }
      return 1;
    case Plant::forked_history:
      if (update != nullptr && update->has_chat_said() && send.request_id == 0 &&
          ++candidates_ >= planted_at) {
        update->mutable_chat_said()->set_text("something else, for you alone");
      }
      return 1;
    case Plant::missed_win:
      if (update == nullptr || !update->move_played().has_outcome()) return 1;
      update->mutable_move_played()->clear_outcome();
      update->set_phase(v1::PHASE_PLAYING);
      update->set_turn(update->move_played().mark() == v1::MARK_X ? v1::MARK_O : v1::MARK_X);
      return 1;
    case Plant::double_answer:
      return send.request_id != 0 && update == nullptr && ++candidates_ == planted_at ? 2 : 1;
    case Plant::swallowed_answer:
      return send.request_id != 0 && message.has_pong() && ++candidates_ == planted_at / 10 ? 0 : 1;
    default:
      return 1;
  }
}

}  // namespace tictactoe::simulation
