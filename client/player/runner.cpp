#include "client/player/runner.hpp"

#include <boost/asio/post.hpp>
#include <random>
#include <utility>

#include "client/net/connection.hpp"
#include "client/net/others_address.hpp"
#include "client/net/outside_places.hpp"
#include "client/storage/identity.hpp"
#include "client/storage/passwords.hpp"

namespace tictactoe::client {

Protection protection_for(const PlayOptions& options) {
  return {options.tls, state_folder(), !options.guest, options.required_key};
}

Passwords passwords_for(const PlayOptions& options) {
  Passwords passwords;
  const std::string file = identity_name(options.server.host_and_port(), options.name);
  if (!options.guest) passwords = load_passwords(state_folder(), file);
  if (!options.passwords.server.empty()) passwords.server = options.passwords.server;
  if (!options.passwords.account.empty()) passwords.account = options.passwords.account;
  return passwords;
}

void remember_passwords(const PlayOptions& options, IdentityKeeper& keeper) {
  if (options.guest || !options.remember_passwords) return;
  keeper.remember(state_folder(), identity_name(options.server.host_and_port(), options.name),
                  passwords_for(options));
}

// The state of find_invitation(). Results are empty until they arrive.
struct Runner::Search {
  std::optional<std::vector<std::string>> addresses;
  std::optional<std::vector<std::string>> outside;
  std::shared_ptr<void> address_search;
  std::shared_ptr<void> outside_search;
};

Session::Options Runner::begin(const PlayOptions& options) {
  Session::Options session;
  identity_ = {};
  if (options.local) {
    local_ = options.local(context_, on_change_);
    connect_ = local_->connect();
    session.token = local_->token();
  } else {
    const std::string address = options.server.host_and_port();
    if (!options.guest) identity_ = {state_folder(), address, options.name};
    protection_ = protection_for(options);
    connect_ = connect_to(context_, options.server, protection_);
    session.token = identity_.token();
    session.passwords = passwords_for(options);
    remember_passwords(options, identity_);
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

void Runner::find_invitation(const Address& server, std::function<void(Invitation)> done) {
  search_ = std::make_shared<Search>();
  const auto finish = [this, done = std::move(done)] {
    if (!search_->addresses || !search_->outside) return;
    done(invitation_to(*search_->addresses, driver_->server_key(), *search_->outside));
    on_change_();
  };
  search_->address_search =
      find_addresses_for_others(context_, server, [this, finish](const auto& addresses) {
        search_->addresses = addresses;
        finish();
      });
  search_->outside_search =
      find_outside_places(context_, server, protection_, [this, finish](const auto& places) {
        search_->outside = places;
        finish();
      });
}

void Runner::release() {
  search_.reset();
  driver_.reset();
  if (local_) ended_.push_back(std::move(local_));
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

void Runner::analyse(const Analyse& analyse, const v1::GameRecord& game,
                     std::function<void(const std::optional<Decision>&)> done) {
  const auto finish = [this, number = ++analysed_,
                       done = std::move(done)](const std::optional<Decision>& decision) {
    if (number != analysed_) return;
    done(decision);
    on_change_();
  };
  analysis_ = analyse(game, [this, finish](const std::optional<Decision>& decision) {
    boost::asio::post(context_, [finish, decision] { finish(decision); });
  });
}

}  // namespace tictactoe::client
