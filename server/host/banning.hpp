// Enforces the bans of the server's owner.
#pragma once

#include <cstddef>
#include <optional>

#include "server/host/replies.hpp"
#include "server/people/bans.hpp"

namespace tictactoe::server {

class Banning {
 public:
  /// All must outlive it.
  Banning(Tables& tables, People& people, Replies& replies)
      : tables_(tables), people_(people), replies_(replies) {}

  /// Closes the connection if `subject`, an Origin or a name, is banned. Returns whether it did.
  bool expel_if_banned(const RequestContext& context, const auto& subject);

  const Bans& bans() const { return bans_; }
  /// Adds, records and enforces a ban. Returns the number of players disconnected; nothing if it is
  /// full.
  std::optional<std::size_t> add(const journal::v1::Ban& ban, Time now);
  /// Lifts a ban. False if there is none.
  bool lift(const journal::v1::BanSubject& subject, Time now);

  /// Adds the bans of the journal.
  void restore(const journal::v1::Saved& saved, Time now);
  /// Applies the bans that other servers have added and lifted.
  void share(const journal::v1::Saved& bans, Time now);

 private:
  std::size_t enforce(const journal::v1::Ban& ban, const RequestContext& context);
  void expel(ConnectionId id, const journal::v1::Ban& ban, const RequestContext& context);
  void remove_old(Time now);
  void record_lifted(const journal::v1::BanSubject& subject);

  Tables& tables_;  // for the references below
  const Config& config_ = tables_.config;
  Effects& effects_ = tables_.effects;
  const Connections& connections_ = tables_.connections;
  People& people_;
  Replies& replies_;
  Bans bans_;
  BanTracker ban_tracker_;
};

}  // namespace tictactoe::server
