// Opens the record store of a server.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/journal/commit_queue.hpp"
#include "server/journal/journal.hpp"
#include "server/records/membership.hpp"
#include "server/records/record_store.hpp"
#include "server/records/shared_names.hpp"
#include "tictactoe/journal/v1/journal.pb.h"

namespace tictactoe::records {

struct OpenedStore {
  std::shared_ptr<void> lock;  // keeps other servers out as long as it lives
  std::string name;            // for people
  OwnedStream stream;
  std::uint64_t server_id = 0;
  journal::v1::Saved saved;
  std::function<std::uint64_t()> free_bytes;
  std::vector<std::string> warnings;  // sentences for the server's owner
};

/// Opens or creates the store in that folder, becomes the owner of its stream, and loads it.
/// `kept_chat`: lines of chat kept per room. If the file is damaged, moves it away as a whole and
/// begins an empty one. Any other problem is a fault whose reason is a sentence.
Result<OpenedStore> open_store(const std::filesystem::path& folder, std::uint32_t kept_chat);

/// Like open_store(), in the database of that URL (as for libpq). Moves nothing away.
Result<OpenedStore> open_postgres(const std::string& url, std::uint32_t kept_chat);

/// The store of a server that shares it with others, and a stream of its own in it.
struct SharedStore {
  OpenedStore journal;  // empty
  Member self;
  std::unique_ptr<Membership> membership;
  std::unique_ptr<SharedNames> names;
};

/// Joins the servers that share the database of that URL. `look_alike_keys`: the keys of a name;
/// names that look alike have a key in common. A fault's reason is a sentence.
Result<SharedStore> join_postgres(
    const std::string& url, const std::string& public_address, std::chrono::milliseconds lease,
    std::uint32_t kept_chat,
    std::function<std::array<std::string, 2>(std::string_view name)> look_alike_keys);

struct StoreForImport {
  std::shared_ptr<void> lock;  // null if a server has the store
  std::string name;            // for people
  std::unique_ptr<RecordStore> store;
};

/// Opens the store in that folder, or in the database of that URL, for RecordStore::add_games; a
/// server may use it meanwhile. A fault's reason is a sentence.
Result<StoreForImport> open_for_import(const std::string& place);

}  // namespace tictactoe::records
