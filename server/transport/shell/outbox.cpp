#include "server/transport/shell/outbox.hpp"

namespace tictactoe::transport {

void Outbox::clear() {
  bytes_.reset();
  size_ = 0;
  sent_ = 0;
  holds_.clear();
  first_hold_ = 0;
  held_ = 0;
  if (backlog_.bytes > 0) backlogs_.count(backlog_, 0);
}

void Outbox::discard_held() {
  if (held_ == 0) return;
  bytes_->resize(bytes_->size() - held_);
  size_ -= held_;
  holds_.clear();
  first_hold_ = 0;
  held_ = 0;
  sent(0);  // returns the buffer if nothing is left
}

}  // namespace tictactoe::transport
