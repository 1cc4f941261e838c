// A directory that answers late, and not in order.
#pragma once

#include <functional>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "server/people/directory.hpp"

namespace tictactoe::test {

/// Passes each operation on to another directory, at once or when the test says so, and keeps the
/// answer until the test says so. What waits is done in a random order.
class LateDirectory final : public server::Directory {
 public:
  LateDirectory(std::unique_ptr<Directory> directory, std::uint64_t seed)
      : directory_(std::move(directory)), random_(seed) {}

  bool is_waiting() const { return !waiting_.empty(); }
  /// Does one thing that waits. There is one.
  void go_on(server::Time now) {
    const std::size_t index = random_() % waiting_.size();
    const auto next = std::move(waiting_[index]);
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(index));
    next(now);
  }

  void find_player(const std::string& token_hash, server::Origin from, server::Time now,
                   Answer<LocatedPlayer> answer) override {
    ask([=, this] { directory_->find_player(token_hash, from, now, late(answer)); });
  }
  void claim_player(const std::string& requested_name, const std::string& token_hash,
                    server::Origin from, server::Time now, Answer<Identity> answer) override {
    ask([=, this] {
      directory_->claim_player(requested_name, token_hash, from, now, late(answer));
    });
  }
  void log_in(const std::string& name, const std::string& token_hash, server::Origin from,
              server::Time now, Answer<LocatedPlayer> answer) override {
    ask([=, this] { directory_->log_in(name, token_hash, from, now, late(answer)); });
  }
  void renew_token(server::PlayerId id, const std::string& token_hash) override {
    directory_->renew_token(id, token_hash);
  }
  bool is_login(const std::string& name) const override { return directory_->is_login(name); }
  std::string name_of(server::PlayerId id) const override { return directory_->name_of(id); }
  server::PlayerId id_of(const std::string& name) const override { return directory_->id_of(name); }
  void release_player(server::PlayerId id) override { directory_->release_player(id); }
  void drop_player(server::PlayerId id) override { directory_->drop_player(id); }
  void hand_over_player(server::PlayerId id) override { directory_->hand_over_player(id); }
  void list_players(const std::string& after, server::Time now,
                    Answer<v1::PlayerList> answer) override {
    ask([=, this] { directory_->list_players(after, now, late(answer)); });
  }
  void claim_room(const std::string& name, Naming naming, server::PlayerId creator,
                  server::Origin from, server::Time now,
                  Answer<server::Parsed<RoomClaim>> answer) override {
    ask([=, this] { directory_->claim_room(name, naming, creator, from, now, late(answer)); });
  }
  void check_claim(const std::string& name, Naming naming, server::PlayerId creator,
                   std::uint64_t without, server::Origin from, server::Time now,
                   Answer<server::Refused> answer) override {
    ask([=, this] {
      directory_->check_claim(name, naming, creator, without, from, now, late(answer));
    });
  }
  void release_room(std::uint64_t serial, std::uint64_t revision) override {
    directory_->release_room(serial, revision);
  }
  void drop_room(std::uint64_t serial) override { directory_->drop_room(serial); }
  void hand_over_room(std::uint64_t serial) override { directory_->hand_over_room(serial); }
  bool asks_for_room(const std::string& /*name*/) override { return true; }
  /// How often find_room() was called.
  int rooms_asked() const { return rooms_asked_; }
  void find_room(const std::string& name, server::Origin from, server::Time now,
                 Answer<LocatedRoom> answer) override {
    ++rooms_asked_;
    ask([=, this] { directory_->find_room(name, from, now, late(answer)); });
  }
  void find_open_room(std::uint64_t except, server::Time now, Answer<LocatedRoom> answer) override {
    ask([=, this] { directory_->find_open_room(except, now, late(answer)); });
  }
  void list_rooms(const std::string& after, bool open_only, server::Time now,
                  Answer<v1::RoomList> answer) override {
    ask([=, this] { directory_->list_rooms(after, open_only, now, late(answer)); });
  }
  bool register_player(const Identity& player, const std::string& token_hash) override {
    return directory_->register_player(player, token_hash);
  }
  bool register_room(const RoomClaim& room, server::PlayerId creator) override {
    return directory_->register_room(room, creator);
  }
  void raise_revision(std::uint64_t revision) override { directory_->raise_revision(revision); }

 private:
  void ask(std::function<void()> operation) {
    if (random_() % 2 == 0) return operation();
    waiting_.push_back([operation = std::move(operation)](server::Time) { operation(); });
  }
  template <class T>
  Answer<T> late(Answer<T> answer) {
    return [this, answer = std::move(answer)](T value, server::Time) {
      waiting_.push_back([answer, value](server::Time now) { answer(value, now); });
    };
  }

  std::unique_ptr<Directory> directory_;
  std::mt19937_64 random_;
  std::vector<std::function<void(server::Time)>> waiting_;
  int rooms_asked_ = 0;
};

}  // namespace tictactoe::test
