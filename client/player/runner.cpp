#include "client/player/runner.hpp"

#include <random>
#include <utility>

#include "client/net/connection.hpp"
#include "client/net/guests_way.hpp"
#include "client/storage/identity.hpp"

namespace tictactoe::client {

Protection protection_for(const PlayOptions& options) {
  return {options.tls, state_folder(), !options.guest, options.required_key};
}

Session::Options Runner::begin(const PlayOptions& options) {
  Session::Options session;
  identity_ = {};
  server_ = options.server;
  if (options.local) {
    local_ = options.local(context_, on_change_);
    connect_ = local_->connect();
    session.token = local_->token();
  } else {
    const std::string address = options.server.host_and_port();
    if (!options.guest) identity_ = {state_folder(), address, options.name};
    protection_ = protection_for(options);
    connect_ = connect_to(context_, options.server, protection_);
    session.passwords = options.passwords;
    session.server = address;
  }
  session.name = options.name;
  session.software = options.software;
  session.guest = options.guest;
  session.local = options.local != nullptr;
  session.patience = options.patience.value_or(default_patience);
  session.seed = std::random_device{}();
  return session;
}

void Runner::drive(Session& session) {
  if (local_) local_->play_with(session);
  driver_.emplace(context_, session, std::move(connect_), std::move(identity_), on_change_,
                  on_note_);
}

FindInvitation Runner::invitation_finder() {
  return [this](std::function<void(const Invitation&)> done) {
    return find_invitation(context_, server_, protection_, driver_->server_key(),
                           [this, done = std::move(done)](const Invitation& invitation) {
                             done(invitation);
                             on_change_();
                           });
  };
}

void Runner::update() {
  if (local_) local_->update();
  if (driver_) driver_->update();
}

void Runner::wake_at(const std::optional<Time>& at) {
  if (!at) {
    alarm_.cancel();
    return;
  }
  alarm_.expires_at(*at);
  alarm_.async_wait([this](const boost::system::error_code& error) {
    if (!error) on_change_();
  });
}

}  // namespace tictactoe::client
