#include "server/journal/unused.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "server/journal/folder.hpp"
#include "server/records/postgres/store.hpp"
#include "server/records/sqlite/store.hpp"

namespace tictactoe::records {

namespace {

Result<UnusedStore> open_database(const std::string& url) {
  auto name = PostgresDatabase::name_of(url);
  if (!name) return name.error();
  auto store = PostgresStore::open(url, {});
  if (!store) return unusable_store(*name, store.error());
  if (const auto fault = (*store)->claim()) return unusable_store(*name, *fault);
  return UnusedStore{*std::move(name), nullptr, *std::move(store)};
}

Result<UnusedStore> open_folder(const std::string& path, bool must_exist) {
  std::error_code error;
  const std::string journal = Folder::journal_in(path);
  if (must_exist && !std::filesystem::exists(journal, error)) {
    return Fault{Fault::Kind::unusable, "There is no journal in " + path + "."};
  }
  std::optional<AsOwner> owner(path);
  auto claimed = Folder::claim(path, owner->place());
  if (!claimed) return claimed.error();
  if (auto fault = prepare_for_sqlite(owner, journal)) return *fault;
  auto store = SqliteStore::open(journal);
  if (!store) return unusable_store(journal, store.error());
  return UnusedStore{journal, std::make_shared<Folder>(*std::move(claimed)), *std::move(store)};
}

std::vector<std::string> damaged_journals(const std::filesystem::path& folder) {
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().string();
    if (name.starts_with(Folder::journal_in(folder) + ".")) found.push_back(name);
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace

bool is_postgres_url(const std::string& place) {
  return place.starts_with("postgresql://") || place.starts_with("postgres://");
}

std::string fault_of_url(const std::string& url) {
  const auto name = PostgresDatabase::name_of(url);
  return name ? std::string() : name.error().reason;
}

Fault unusable_store(const std::string& name, const Fault& fault) {
  return {fault.kind, "Can't use " + name + ": " + fault.reason + "."};
}

std::optional<Fault> prepare_for_sqlite(std::optional<AsOwner>& owner, const std::string& journal) {
  if (owner->has_usual_path()) return std::nullopt;
  const std::string name = (owner->place() / "journal.db").string();
  const int usable = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (usable < 0) return unusable_store(journal, {Fault::Kind::unusable, std::strerror(errno)});
  ::close(usable);
  owner.reset();
  return std::nullopt;
}

Result<UnusedStore> open_unused(const std::string& place, bool must_exist) {
  return is_postgres_url(place) ? open_database(place) : open_folder(place, must_exist);
}

Result<Forgotten> forget_player(const std::string& place, const std::string& name) {
  std::optional<AsOwner> owner;
  if (!is_postgres_url(place)) owner.emplace(place);
  if (owner && !owner->has_usual_path()) owner.reset();  // then open_folder() takes care
  const auto opened = open_unused(place, true);
  if (!opened) return opened.error();
  auto forgotten = opened->store->forget(name);
  if (!forgotten) return unusable_store(opened->name, forgotten.error());
  if (!is_postgres_url(place)) forgotten->damaged_journals = damaged_journals(place);
  return forgotten;
}

}  // namespace tictactoe::records
