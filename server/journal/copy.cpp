#include "server/journal/copy.hpp"

#include <openssl/evp.h>

#include <array>
#include <filesystem>
#include <memory>
#include <utility>

#include "common/text/hex.hpp"
#include "server/records/content.hpp"
#include "server/records/postgres/store.hpp"
#include "server/records/sqlite/folder.hpp"
#include "server/records/sqlite/owner.hpp"
#include "server/records/sqlite/store.hpp"

namespace tictactoe::records {

namespace {

// A copy keeps all that is there.
constexpr std::uint32_t all_chat = 1'000'000'000;

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

// Counts and sums up what is read through it.
class Counted final : public StoreContent {
 public:
  using Progress = std::function<void(const Copied&)>;
  Counted(StoreContent& content, Progress progress)
      : content_(content), progress_(std::move(progress)) {}

  Result<StoreState> state() override {
    auto state = content_.state();
    if (!state) return failed(state.error());
    digest_.add(state->server_id);
    digest_.add(state->last_game);
    digest_.add(state->saved.last_revision());
    for (const auto& player : state->saved.players()) digest_.add(player.SerializeAsString());
    for (const auto& room : state->saved.rooms()) {
      digest_.add(room.SerializeAsString());
      counts_.moves += static_cast<std::uint64_t>(room.moves_size());
      counts_.lines += static_cast<std::uint64_t>(room.chat_size());
    }
    for (const auto& ban : state->saved.bans()) digest_.add(ban.SerializeAsString());
    counts_.players = static_cast<std::uint64_t>(state->saved.players_size());
    counts_.rooms = static_cast<std::uint64_t>(state->saved.rooms_size());
    if (!state->set_aside.empty()) {
      counts_.warnings.push_back("It is damaged: " + state->set_aside +
                                 " are not restored; the table set_aside keeps them.");
    }
    progress_(counts_);
    return state;
  }

  Result<std::vector<StoredGame>> games_after(std::uint64_t id) override {
    auto games = content_.games_after(id);
    if (!games) return failed(games.error());
    for (const StoredGame& game : *games) {
      digest_.add(game.id);
      digest_.add(game.unix_ms);
      digest_.add(std::uint64_t{game.readers ? 1U : 0U});
      digest_.add(game.readers ? game.readers->x() : 0);
      digest_.add(game.readers ? game.readers->o() : 0);
      digest_.add(game.parts.head);
      digest_.add(game.parts.moves);
    }
    counts_.games += games->size();
    progress_(counts_);
    return games;
  }

  Result<std::vector<AsideRow>> asides_after(std::uint64_t id) override {
    auto rows = content_.asides_after(id);
    if (!rows) return failed(rows.error());
    for (const AsideRow& row : *rows) {
      digest_.add(row.unix_ms);
      digest_.add(row.kind);
      digest_.add(row.key);
      digest_.add(row.reason);
      digest_.add(row.content);
    }
    counts_.asides += rows->size();
    return rows;
  }

  /// Once everything is read.
  Copied result() {
    counts_.digest = digest_.hexadecimal();
    return std::move(counts_);
  }
  const std::optional<Fault>& fault() const { return fault_; }

 private:
  Fault failed(const Fault& fault) {
    fault_ = fault;
    return fault;
  }

  StoreContent& content_;
  Progress progress_;
  Copied counts_;
  Digest digest_;
  std::optional<Fault> fault_;
};

// A store that no server uses as long as this lives.
struct Opened {
  std::string name;  // for people
  std::shared_ptr<void> lock;
  std::shared_ptr<RecordStore> store;
  CopyableStore* content = nullptr;
};

Fault sentence(const std::string& name, const Fault& fault) {
  return {fault.kind, "Can't use " + name + ": " + fault.reason + "."};
}

Result<Opened> open_database(const std::string& url) {
  auto name = PostgresConnection::name_of(url);
  if (!name) return name.error();
  PostgresStore::Settings settings;
  settings.kept_chat = all_chat;
  auto store = PostgresStore::open(url, std::move(settings));
  if (!store) return sentence(*name, store.error());
  if (const auto fault = (*store)->claim()) return sentence(*name, *fault);
  const std::shared_ptr<PostgresStore> shared = *std::move(store);
  return Opened{*std::move(name), nullptr, shared, shared.get()};
}

Result<Opened> open_folder(const std::string& path, bool must_exist) {
  std::error_code error;
  const std::string journal = Folder::journal_in(path);
  if (must_exist && !std::filesystem::exists(journal, error)) {
    return Fault{Fault::Kind::unusable, "There is no journal in " + path + "."};
  }
  const AsOwner owner(path);
  auto claimed = Folder::claim(path);
  if (!claimed) return claimed.error();
  SqliteStore::Settings settings;
  settings.kept_chat = all_chat;
  auto store = SqliteStore::open(journal, std::move(settings));
  if (!store) return sentence(journal, store.error());
  const std::shared_ptr<SqliteStore> shared = *std::move(store);
  return Opened{journal, std::make_shared<Folder>(*std::move(claimed)), shared, shared.get()};
}

Result<Opened> open(const std::string& place, bool must_exist) {
  return is_postgres_url(place) ? open_database(place) : open_folder(place, must_exist);
}

}  // namespace

bool is_postgres_url(const std::string& place) {
  return place.starts_with("postgresql://") || place.starts_with("postgres://");
}

std::optional<Fault> read_all(StoreContent& content, const ContentSink& sink) {
  const auto state = content.state();
  if (!state) return state.error();
  sink.state(*state);
  for (std::uint64_t last = 0;;) {
    const auto games = content.games_after(last);
    if (!games) return games.error();
    if (games->empty()) break;
    sink.games(*games);
    last = games->back().id;
  }
  for (std::uint64_t last = 0;;) {
    const auto rows = content.asides_after(last);
    if (!rows) return rows.error();
    if (rows->empty()) return std::nullopt;
    for (const AsideRow& row : *rows) sink.aside(row);
    last = rows->back().id;
  }
}

Result<Copied> copy_store(const std::string& from, const std::string& to,
                          const std::function<void(const Copied&, bool comparing)>& progress) {
  const auto source = open(from, true);
  if (!source) return source.error();
  const auto target = open(to, false);
  if (!target) return target.error();
  const auto is_empty = target->content->is_empty();
  if (!is_empty) return sentence(target->name, is_empty.error());
  if (!*is_empty) {
    return Fault{Fault::Kind::in_use,
                 target->name + " has records already. A copy needs an empty place."};
  }
  Counted copied(*source->content, [&](const Copied& done) { progress(done, false); });
  if (const auto fault = target->content->fill(copied)) {
    return copied.fault() ? sentence(source->name, *copied.fault())
                          : sentence(target->name, *fault);
  }
  if (const auto fault = target->store->finish()) return sentence(target->name, *fault);
  Counted written(*target->content, [&](const Copied& done) { progress(done, true); });
  const auto ignore = [](const auto&) {};
  if (const auto fault = read_all(written, {ignore, ignore, ignore}))
    return sentence(target->name, *fault);
  Copied result = copied.result();
  if (!(result == written.result())) {
    return Fault{Fault::Kind::damaged, target->name + " differs from " + source->name +
                                           " after the copy. Do not use it."};
  }
  if (const std::size_t damaged = source->content->damaged_games(); damaged > 0) {
    result.warnings.push_back("Damaged games that were left out: " + std::to_string(damaged) + ".");
  }
  return result;
}

}  // namespace tictactoe::records
