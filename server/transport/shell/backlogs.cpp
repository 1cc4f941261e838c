#include "server/transport/shell/backlogs.hpp"

namespace tictactoe::transport {

void Backlogs::count(Backlog& backlog, std::size_t bytes) {
  if (bytes == backlog.bytes) return;
  const server::Origin address{backlog.address, backlog.address};
  if (backlog.bytes == 0) {
    backlog.number = all_.push(address, &backlog, bytes);
  } else if (bytes == 0) {
    all_.erase(address, backlog.number, backlog.bytes);
  } else {
    all_.reweigh(address, backlog.number, backlog.bytes, bytes);
  }
  backlog.bytes = bytes;
}

Backlog* Backlogs::too_much() const {
  if (all_.empty()) return nullptr;
  const server::Origin heaviest = all_.heaviest();
  const bool is_too_much =
      all_.weight() > limits_.total || all_.weight_of(heaviest) > limits_.per_address;
  return is_too_much ? all_.first(heaviest) : nullptr;
}

}  // namespace tictactoe::transport
