#include "server/journal/open.hpp"

#include <chrono>
#include <optional>
#include <utility>

#include "server/journal/folder.hpp"
#include "server/journal/owner.hpp"
#include "server/journal/unused.hpp"
#include "server/records/postgres/membership.hpp"
#include "server/records/postgres/names.hpp"
#include "server/records/postgres/store.hpp"
#include "server/records/sqlite/store.hpp"

namespace tictactoe::records {

namespace {

// Becomes the owner of the stream, and loads it.
std::optional<Fault> load(OpenedStore& opened, std::unique_ptr<RecordStore> store) {
  const auto position = store->own(local_stream);
  if (!position) return position.error();
  auto loaded = store->load(local_stream);
  if (!loaded) return loaded.error();
  auto reader = store->open_reader();
  if (!reader) return reader.error();
  opened.server_id = store->server_id();
  opened.saved = *std::move(loaded);
  opened.stream = {std::move(store), *std::move(reader), local_stream, *position};
  return std::nullopt;
}

std::optional<Fault> load(OpenedStore& opened, const SqliteStore::Settings& settings) {
  auto store = SqliteStore::open(opened.name, settings);
  if (!store) return store.error();
  // If the server before this one met a disk that failed, the log may be there only in memory.
  // From here on nothing depends on it.
  if (auto fault = (*store)->settle()) return fault;
  return load(opened, *std::move(store));
}

}  // namespace

Result<OpenedStore> open_store(const std::filesystem::path& path, std::uint32_t kept_chat) {
  auto claimed = Folder::claim(path);
  if (!claimed) return claimed.error();
  const auto folder = std::make_shared<Folder>(*std::move(claimed));
  OpenedStore opened;
  opened.lock = folder;
  opened.name = folder->journal();
  opened.free_bytes = [file = folder->journal()] { return free_bytes(file); };
  SqliteStore::Settings settings;
  settings.kept_chat = kept_chat;
  auto fault = folder->has_only_a_log() ? Fault{Fault::Kind::damaged, "only its log exists"}
                                        : load(opened, settings);
  if (!fault) return opened;
  if (fault->kind != Fault::Kind::damaged) return unusable_store(opened.name, *fault);
  const auto moved = folder->move_away(std::chrono::system_clock::now());
  if (!moved) return moved.error();
  if (const auto again = load(opened, settings)) return unusable_store(opened.name, *again);
  opened.warnings.push_back("The journal " + opened.name + " is damaged (" + fault->reason +
                            "). It was moved to " + *moved +
                            ", and a new one was created. To restore a "
                            "backup, stop the server, move the new journal.db away, and use " +
                            "`tictactoe-server ctl restore FILE`.");
  return opened;
}

Result<OpenedStore> open_postgres(const std::string& url, std::uint32_t kept_chat) {
  auto name = PostgresDatabase::name_of(url);
  if (!name) return name.error();
  OpenedStore opened;
  opened.name = *std::move(name);
  PostgresStore::Settings settings;
  settings.kept_chat = kept_chat;
  auto store = PostgresStore::open(url, std::move(settings));
  if (!store) return unusable_store(opened.name, store.error());
  if (const auto fault = (*store)->claim()) return unusable_store(opened.name, *fault);
  if (const auto fault = load(opened, *std::move(store)))
    return unusable_store(opened.name, *fault);
  return opened;
}

Result<SharedStore> join_postgres(
    const std::string& url, const std::string& public_address, std::chrono::milliseconds lease,
    std::uint32_t kept_chat,
    std::function<std::array<std::string, 2>(std::string_view name)> look_alike_keys) {
  auto name = PostgresDatabase::name_of(url);
  if (!name) return name.error();
  PostgresStore::Settings settings;
  settings.kept_chat = kept_chat;
  settings.look_alike_keys = std::move(look_alike_keys);
  const auto open = [&]() -> Result<std::unique_ptr<PostgresStore>> {
    auto store = PostgresStore::open(url, settings);
    if (!store) return store;
    if (const auto fault = (*store)->share()) return *fault;
    return store;
  };
  auto store = open();
  if (!store) return unusable_store(*name, store.error());
  auto helper = open();
  if (!helper) return unusable_store(*name, helper.error());
  SharedStore shared;
  shared.journal.name = *name;
  shared.journal.server_id = (*store)->server_id();
  shared.self.address = public_address;
  shared.membership = std::make_unique<PostgresMembership>(url, *std::move(helper));
  const auto stream = shared.membership->new_stream();
  if (!stream) return unusable_store(*name, stream.error());
  shared.self.stream = *stream;
  const auto position = (*store)->own(*stream);
  if (!position) return unusable_store(*name, position.error());
  auto reader = (*store)->open_reader();
  if (!reader) return unusable_store(*name, reader.error());
  if (const auto fault = (*store)->start_serving()) return unusable_store(*name, *fault);
  if (const auto fault = shared.membership->join(shared.self, lease))
    return unusable_store(*name, *fault);
  shared.names = std::make_unique<PostgresNames>(url, *stream, position->epoch);
  shared.journal.stream = {*std::move(store), *std::move(reader), *stream, *position};
  return shared;
}

Result<StoreForImport> open_for_import(const std::string& path) {
  StoreForImport opened;
  if (is_postgres_url(path)) {
    auto name = PostgresDatabase::name_of(path);
    if (!name) return name.error();
    opened.name = *std::move(name);
    auto store = PostgresStore::open(path, {});
    if (!store) return unusable_store(opened.name, store.error());
    opened.store = *std::move(store);
    return opened;
  }
  std::optional<AsOwner> owner(path);
  auto claimed = Folder::claim(path, owner->place());
  if (claimed) {
    opened.lock = std::make_shared<Folder>(*std::move(claimed));
  } else if (claimed.error().kind != Fault::Kind::in_use) {
    return claimed.error();
  }
  opened.name = Folder::journal_in(path);
  if (const auto fault = prepare_for_sqlite(owner, opened.name)) return *fault;
  auto store = SqliteStore::open(opened.name);
  if (!store) {
    Fault fault = unusable_store(opened.name, store.error());
    if (fault.kind == Fault::Kind::damaged)
      fault.reason += " Start the server, which moves it away.";
    return fault;
  }
  opened.store = *std::move(store);
  return opened;
}

}  // namespace tictactoe::records
