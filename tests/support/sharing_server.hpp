// A server among those that share a store, as tests use it: without players.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/records/membership.hpp"
#include "server/records/record_store.hpp"
#include "server/records/shared_names.hpp"
#include "tests/support/test_store.hpp"

namespace tictactoe::test {

using namespace std::chrono_literals;
using namespace records;

/// Names look alike if they are the same in small letters.
inline std::array<std::string, 2> keys_of(std::string_view name) {
  std::string key(name);
  std::ranges::transform(key, key.begin(), [](unsigned char c) { return std::tolower(c); });
  return {key, key + "?"};
}

inline KeyedName keyed(const std::string& name) {
  return {name, keys_of(name)};
}

inline std::string hash_of(char which) {
  return std::string(32, which);
}

template <class Value>
Value value(Result<Value> result) {
  if (!result) throw std::runtime_error(result.error().reason);
  return *std::move(result);
}

inline void require(const std::optional<Fault>& fault) {
  if (fault) throw std::runtime_error(fault->reason);
}

/// It is lost when lose() is called: its lease is over. What fails that should not throws.
/// `Sessions` are its connections: it has store(), membership() and make_names(stream, epoch).
template <class Sessions>
class BasicServer {
 public:
  explicit BasicServer(const std::string& address) {
    self_.stream = value(membership().new_stream());
    self_.address = address;
    self_.key = std::string("\xF5\0k", 3);
    position_ = value(store().own(self_.stream));
    require(membership().join(self_, 1h));
    names_ = sessions_.make_names(self_.stream, position_.epoch);
  }

  StreamId stream() const { return self_.stream; }
  Membership& membership() { return sessions_.membership(); }
  SharedNames& names() { return *names_; }
  RecordStore& store() { return sessions_.store(); }

  /// False if this server is fenced.
  bool append(const std::vector<Record>& records) {
    const auto outcome =
        value(store().append(self_.stream, position_, position_.sequence + 1, batch_of(records)));
    if (outcome == AppendOutcome::fenced) return false;
    ++position_.sequence;
    return true;
  }
  void lose() { value(membership().renew(self_, -1s)); }
  /// As a server that is to end.
  void drain() {
    self_.is_draining = true;
    renew();
  }
  bool renew() { return value(membership().renew(self_, 1h)); }
  /// `said`: an encoded v1::LobbyUpdate.
  void say(const std::string& said) {
    self_.said = said;
    ++self_.lines_said;
    renew();
  }
  /// Takes over all that is lost.
  void take_over() {
    while (value(membership().take_over())) {
    }
  }
  Saved adopt(std::size_t most = 1000) { return value(membership().adopt(stream(), most)); }
  /// What was given to this server.
  Saved take_arrived() { return value(membership().take_arrived(stream(), 1000)); }
  /// All that is nobody's, in as many steps as that takes.
  Saved adopt_all(std::size_t at_once) {
    Saved all;
    for (Saved part = adopt(at_once); part.rooms_size() + part.players_size() > 0;
         part = adopt(at_once)) {
      all.MergeFrom(part);
    }
    return all;
  }

  std::uint64_t add_player(const std::string& name, char token) {
    const auto id = value(names_->claim_player(keyed(name), hash_of(token)));
    if (!id) return 0;
    Record record = player_record(*id, name);
    record.mutable_player()->set_token_hash(hash_of(token));
    append({record});
    return *id;
  }
  std::uint64_t add_room(const std::string& name, std::uint64_t x, std::uint64_t o) {
    const ClaimedRoom claimed = value(names_->claim_room(keyed(name), x, 10));
    Record record = room_record(claimed.serial, name, claimed.revision + 1);
    for (const auto& [seat, player] : {std::pair(record.mutable_room()->mutable_x(), x),
                                       std::pair(record.mutable_room()->mutable_o(), o)}) {
      seat->set_kind(v1::Occupant::KIND_PERSON);
      seat->set_player(player);
    }
    append({record});
    return claimed.serial;
  }

 private:
  Member self_;
  StreamPosition position_;
  Sessions sessions_;
  std::unique_ptr<SharedNames> names_;
};

}  // namespace tictactoe::test
