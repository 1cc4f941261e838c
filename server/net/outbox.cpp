#include "server/net/outbox.hpp"

namespace tictactoe::net {

void Outbox::clear() {
  bytes_.reset();
  size_ = 0;
  sent_ = 0;
  holds_.clear();
  first_hold_ = 0;
  held_ = 0;
  if (backlog_.bytes > 0) backlogs_.count(backlog_, 0);
}

}  // namespace tictactoe::net
