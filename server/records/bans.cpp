// Whom the server's owner has banned. Bans belong to no stream.
#include <utility>

#include "server/records/backend.hpp"

namespace tictactoe::records {

std::optional<journal::v1::Ban> decode_ban(const Backend::EncodedBan& row) {
  journal::v1::Ban ban;
  if (!row.is_sound || !ban.ParseFromString(row.state)) return std::nullopt;
  return ban;
}

int read_bans(Backend& backend, journal::v1::Saved& saved) {
  int damaged = 0;
  for (const Backend::EncodedBan& row : backend.encoded_bans()) {
    if (auto ban = decode_ban(row)) {
      *saved.add_bans() = *std::move(ban);
      continue;
    }
    ++damaged;
    backend.put_aside("ban", 0, "it is damaged", row.state);
    backend.write_ban(row.subject, std::nullopt);
  }
  return damaged;
}

}  // namespace tictactoe::records
