// A connection of the real shell over the simulated network.
#pragma once

#include "server/net/connection.hpp"
#include "tests/simulation/edge_watch.hpp"
#include "tests/simulation/network.hpp"

namespace tictactoe::simulation {

/// Does what net::Session does on a real stream. `watch` may be null.
class SimulatedConnection final : public net::Connection {
 public:
  SimulatedConnection(net::ConnectionContext& context, Link link, Network& network,
                      EdgeWatch* watch)
      : Connection(context), link_(link), network_(network), watch_(watch) {}

  Link link() const { return link_; }
  /// The network takes bytes again.
  void can_write() { is_writing_ = false; }

  void update() override {
    if (is_closed()) return close();
    if (watch_ != nullptr) watch_->check_queue(link_);
    while (!is_writing_ && !ready().empty()) {
      const std::string_view bytes = ready();
      const std::size_t taken = network_.server_writes(link_, bytes);
      is_writing_ = taken < bytes.size();
      if (watch_ != nullptr) watch_->released(link_, taken);
      written(taken);
    }
    if (wants_shutdown()) {
      network_.server_shuts(link_);
      shut_down();
    }
    if (is_closed()) return close();
    if (reads_ != wants_read()) {
      reads_ = !reads_;
      network_.server_reads(link_, reads_);
    }
  }

 private:
  void close() {
    if (has_closed_) return;
    has_closed_ = true;
    if (watch_ != nullptr) watch_->closed(link_);
    network_.server_closes(link_);
  }

  Link link_;
  Network& network_;
  EdgeWatch* const watch_;
  bool is_writing_ = false;  // bytes have to wait until the network takes more
  bool reads_ = true;
  bool has_closed_ = false;
};

}  // namespace tictactoe::simulation
