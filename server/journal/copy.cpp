#include "server/journal/copy.hpp"

#include <openssl/evp.h>

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "common/text/hex.hpp"
#include "server/journal/unused.hpp"

namespace tictactoe::records {

namespace {

class Digest {
 public:
  Digest() { EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr); }
  void add(std::uint64_t number) {
    std::array<unsigned char, 8> bytes{};
    for (unsigned char& byte : bytes) {
      byte = static_cast<unsigned char>(number);
      number >>= 8U;
    }
    EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size());
  }
  void add(const std::string& bytes) {
    add(std::uint64_t{bytes.size()});
    EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size());
  }
  /// Ends the digest.
  std::string hexadecimal() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned int size = 0;
    EVP_DigestFinal_ex(context_.get(), bytes.data(), &size);
    return text::to_hex({reinterpret_cast<const char*>(bytes.data()), size});
  }

 private:
  std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context_{EVP_MD_CTX_new(), EVP_MD_CTX_free};
};

// Counts and sums up what is read.
class Reading {
 public:
  void add(const StoreState& state) {
    digest_.add(state.server_id);
    digest_.add(state.last_game);
    digest_.add(state.saved.last_revision());
    for (const auto& player : state.saved.players()) digest_.add(player.SerializeAsString());
    for (const auto& room : state.saved.rooms()) {
      digest_.add(room.SerializeAsString());
      counts_.moves += static_cast<std::uint64_t>(room.moves_size());
      counts_.lines += static_cast<std::uint64_t>(room.chat_size());
    }
    for (const auto& ban : state.saved.bans()) digest_.add(ban.SerializeAsString());
    counts_.players = static_cast<std::uint64_t>(state.saved.players_size());
    counts_.rooms = static_cast<std::uint64_t>(state.saved.rooms_size());
    if (!state.set_aside.empty()) {
      counts_.warnings.push_back("It is damaged: " + state.set_aside +
                                 " are not restored but kept in its table set_aside.");
    }
  }
  void add(const std::vector<StoredGame>& games) {
    for (const StoredGame& game : games) {
      digest_.add(game.id);
      digest_.add(game.unix_ms);
      digest_.add(std::uint64_t{game.readers ? 1U : 0U});
      digest_.add(game.readers ? game.readers->x() : 0);
      digest_.add(game.readers ? game.readers->o() : 0);
      digest_.add(game.head);
      digest_.add(game.moves);
    }
    counts_.games += games.size();
  }
  void add(const std::vector<AsideRow>& rows) {
    for (const AsideRow& row : rows) {
      digest_.add(row.unix_ms);
      digest_.add(row.kind);
      digest_.add(row.key);
      digest_.add(row.reason);
      digest_.add(row.content);
    }
    counts_.asides += rows.size();
  }

  const Copied& counts() const { return counts_; }
  /// Once everything is read.
  Copied result() {
    counts_.digest = digest_.hexadecimal();
    return std::move(counts_);
  }

 private:
  Copied counts_;
  Digest digest_;
};

// Reads everything: passes the state, and pages of games and of what was set aside, to `sink`.
// Returns the number of damaged games, which are left out.
template <class Sink>
Result<std::size_t> read_all(StateStore& store, Sink sink) {
  const auto state = store.state();
  if (!state) return state.error();
  sink(*state);
  std::size_t damaged = 0;
  for (std::uint64_t last = 0;;) {
    auto games = store.page_of_games(last);
    if (!games) return games.error();
    if (games->empty()) break;
    last = games->back().id;
    damaged += std::erase_if(*games, [](const StoredGame& game) { return !game.is_sound; });
    sink(*games);
  }
  for (std::uint64_t last = 0;;) {
    const auto rows = store.page_of_asides(last);
    if (!rows) return rows.error();
    if (rows->empty()) return damaged;
    last = rows->back().id;
    sink(*rows);
  }
}

}  // namespace

Result<Copied> copy_store(const std::string& from, const std::string& to,
                          const std::function<void(const Copied&, bool comparing)>& progress) {
  const auto source = open_unused(from, true);
  if (!source) return source.error();
  const auto target = open_unused(to, false);
  if (!target) return target.error();
  const auto is_empty = target->store->is_empty();
  if (!is_empty) return unusable_store(target->name, is_empty.error());
  if (!*is_empty) {
    return Fault{Fault::Kind::in_use,
                 target->name + " already contains records. The target must be empty."};
  }
  Reading copied;
  Result<std::size_t> damaged = std::size_t{0};
  const auto unwritten = target->store->fill([&]() -> std::optional<Fault> {
    damaged = read_all(*source->store, [&](const auto& part) {
      copied.add(part);
      target->store->put(part);
      progress(copied.counts(), false);
    });
    return damaged ? std::nullopt : std::optional(damaged.error());
  });
  if (!damaged) return unusable_store(source->name, damaged.error());
  if (unwritten) return unusable_store(target->name, *unwritten);
  if (const auto fault = target->store->finish()) return unusable_store(target->name, *fault);
  Reading written;
  const auto read_again = read_all(*target->store, [&](const auto& part) {
    written.add(part);
    progress(written.counts(), true);
  });
  if (!read_again) return unusable_store(target->name, read_again.error());
  Copied result = copied.result();
  if (!(result == written.result())) {
    return Fault{Fault::Kind::damaged, target->name + " differs from " + source->name +
                                           " after the copy. Do not use it."};
  }
  if (*damaged > 0) {
    result.warnings.push_back("Damaged games left out: " + std::to_string(*damaged) + ".");
  }
  return result;
}

}  // namespace tictactoe::records
