// Takes a person's name out of a record store that no server uses.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/store/compaction.hpp"
#include "server/store/record_store.hpp"

namespace tictactoe::store {

/// What was changed.
struct Forgotten {
  std::string name;  // instead of the person's; empty: nobody of that name was found
  std::size_t players = 0;
  std::size_t games = 0;
  std::size_t rooms = 0;
  std::size_t lines = 0;                      // of chat
  std::size_t deleted = 0;                    // damaged or refused rows that contained the name
  std::vector<std::string> damaged_journals;  // whole files that were set aside and not looked at
};

/// Replaces a name by a neutral one, as in "forgotten-17": as the name of a player, and as a word
/// in chat and in names of rooms. Rewrites the database, so that the name's bytes are nowhere in
/// it. Takes O(size of the database) time and space. A fault's reason is a sentence; if the fault
/// is in_use, a server has the store.
Result<Forgotten> forget_player(const std::filesystem::path& folder, const std::string& name);

/// The same in the database of that URL. Its tables are rewritten; the write-ahead log and backups
/// of the database, and its standbys until they have followed, still contain the name.
Result<Forgotten> forget_player_in_database(const std::string& url, const std::string& name);

/// How neutral names begin. A number follows.
inline constexpr std::string_view neutral_prefix = "forgotten-";

/// `text` with `neutral` instead of each `name` that is a whole word: no letter or digit of an
/// alphabet with spaces between words stands beside it.
std::string without_name(std::string_view text, std::string_view name, std::string_view neutral);

/// The same for the name of a room, which has a limit.
std::string room_without_name(std::string_view room, std::string_view name,
                              std::string_view neutral);
/// Takes the name out of the reasons of bans. Calls `write(encoded_subject, ban)` for each, with
/// nothing as the ban if it is the person who is banned.
template <class Write>
void forget_in_bans(journal::v1::Saved saved, std::string_view name, std::string_view neutral,
                    Write write) {
  for (journal::v1::Ban& ban : *saved.mutable_bans()) {
    const std::string subject = ban.subject().SerializeAsString();
    const bool is_kept = ban.subject().player() != name;
    ban.set_reason(without_name(ban.reason(), name, neutral));
    write(subject, is_kept ? Compaction::Ban(std::move(ban)) : std::nullopt);
  }
}
/// Takes the name out of the head of a record. Returns whether the person played the game, or its
/// room was named after the person.
bool forget_in_game(v1::GameRecord& game, std::string_view name, std::string_view neutral);

}  // namespace tictactoe::store
