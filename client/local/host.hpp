// A host in this process.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "client/local/games.hpp"
#include "client/net/connection.hpp"
#include "server/host/host.hpp"
#include "server/thinking/thinker.hpp"

namespace tictactoe::local {

/// Calls a server::Host and carries out its effects. Nothing is stored: finished games stay in
/// memory, and no message waits for a record. One thread.
class Host : public std::enable_shared_from_this<Host> {
 public:
  /// The players and rooms of `saved` exist from the start. `context` must outlive the result and
  /// must not run afterwards.
  static std::shared_ptr<Host> create(boost::asio::io_context& context,
                                      const server::Config& config, std::uint64_t seed,
                                      const journal::v1::Saved& saved);

  /// A connection to this host. It breaks when the host is destroyed.
  std::shared_ptr<client::Connection> connect();

 private:
  class Connection;

  Host(boost::asio::io_context& context, const server::Config& config, std::uint64_t seed);
  Connection* find(server::ConnectionId id) const;
  void admit(const std::shared_ptr<Connection>& connection);
  void take_requests(Connection& connection);
  void dismiss(Connection& connection);
  void call_later(std::function<void(Host&)> call);
  void set_timer();

  // Effects.
  void carry_out_effects();
  void carry_out(const server::Send& send);
  void carry_out(const server::Close& close);
  void carry_out(const server::Think& think) { thinker_.think(think); }
  void carry_out(const server::CancelThinking& cancel) { thinker_.cancel(cancel.id); }
  void carry_out(const server::ReleaseAi& release) { thinker_.release(release.room); }
  void carry_out(const server::Record& record);
  void carry_out(const server::LookUp& question);
  void carry_out(const server::ResumeReading& resumed);
  void carry_out(const server::DeriveKey& derive);

  boost::asio::io_context& context_;
  server::Limits limits_;
  server::Host host_;
  thinking::Thinker thinker_;
  boost::asio::steady_timer timer_;
  Games games_;
  std::vector<std::shared_ptr<Connection>> connections_;  // one for each person
};

}  // namespace tictactoe::local
