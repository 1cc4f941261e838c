// Takes a name out of all tables of a PostgreSQL database.
#include <algorithm>
#include <charconv>
#include <utility>

#include "server/store/forget.hpp"
#include "server/store/postgres_store.hpp"
#include "server/store/rows.hpp"

namespace tictactoe::store {

namespace {

// The number of a neutral name; 0 if it is none.
std::uint64_t neutral_number(std::string_view name) {
  if (!name.starts_with(neutral_prefix)) return 0;
  name.remove_prefix(neutral_prefix.size());
  std::uint64_t number = 0;
  const auto end = std::from_chars(name.data(), name.data() + name.size(), number);
  return end.ec == std::errc() ? number : 0;
}

std::optional<journal::v1::Player> decode_player(std::string_view bytes) {
  journal::v1::Player player;
  if (!player.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return std::nullopt;
  return player;
}

}  // namespace

// What one call of forget() works on.
struct PostgresStore::Forgetting {
  const std::string& name;
  const std::string neutral;
  Forgotten done;
};

Result<Forgotten> PostgresStore::forget(const std::string& name) {
  // Now every record is in its table, and what is damaged is set aside.
  if (const auto read = state(); !read) return read.error();
  return guarded_postgres([&] {
    Forgotten done;
    connection_.transact("BEGIN", [&] {
      if (!knows_person(name)) return;
      Forgetting forgetting{name, neutral_name(), {}};
      forgetting.done.name = forgetting.neutral;
      forget_in_players(forgetting);
      forget_in_games(forgetting);
      forget_in_chat(forgetting);
      forget_in_rooms(forgetting);
      journal::v1::Saved saved;
      read_bans(saved);
      forget_in_bans(std::move(saved), name, forgetting.neutral,
                     [&](const auto& subject, const auto& ban) { write_ban(subject, ban); });
      // Damaged content can't be changed.
      forgetting.done.deleted +=
          connection_
              .run(
                  "DELETE FROM set_aside WHERE position($1 IN content) > 0 OR "
                  "position($1 IN convert_to(reason, 'UTF8')) > 0",
                  {std::string_view(name)})
              .changed();
      done = std::move(forgetting.done);
    });
    // Also if nothing was changed: an earlier call may have ended before this.
    for (const char* table :
         {"VACUUM FULL players", "VACUUM FULL games", "VACUUM FULL chat", "VACUUM FULL rooms",
          "VACUUM FULL bans", "VACUUM FULL set_aside", "VACUUM FULL uncompacted"}) {
      connection_.run(table);
    }
    return done;
  });
}

// A word that is only in names of rooms and in chat may be no person's name at all.
bool PostgresStore::knows_person(const std::string& name) {
  const std::string_view bytes = name;
  if (!connection_.run("SELECT 1 FROM games WHERE x_name = $1 OR o_name = $1 LIMIT 1", {bytes})
           .empty()) {
    return true;
  }
  const PostgresRows players =
      connection_.run("SELECT state FROM players WHERE position($1 IN state) > 0", {bytes});
  for (int row = 0; row < players.size(); ++row) {
    const auto player = decode_player(players.bytes(row, 0));
    if (player && player->name() == name) return true;
  }
  const PostgresRows lines =
      connection_.run("SELECT room, line FROM chat WHERE position($1 IN line) > 0", {bytes});
  for (int row = 0; row < lines.size(); ++row) {
    const auto line = decode_chat(lines.number(row, 0), lines.bytes(row, 1));
    if (line && line->from() == name) return true;
  }
  return false;
}

// A name that nobody has had: the number counts up.
std::string PostgresStore::neutral_name() {
  std::uint64_t last = 0;
  const std::string_view prefix = neutral_prefix;
  const PostgresRows names = connection_.run(
      "SELECT x_name FROM games WHERE position($1 IN x_name) = 1 "
      "UNION SELECT o_name FROM games WHERE position($1 IN o_name) = 1",
      {prefix});
  for (int row = 0; row < names.size(); ++row) {
    last = std::max(last, neutral_number(names.bytes(row, 0)));
  }
  const PostgresRows players =
      connection_.run("SELECT state FROM players WHERE position($1 IN state) > 0", {prefix});
  for (int row = 0; row < players.size(); ++row) {
    if (const auto player = decode_player(players.bytes(row, 0))) {
      last = std::max(last, neutral_number(player->name()));
    }
  }
  return std::string(prefix) + std::to_string(last + 1);
}

void PostgresStore::forget_in_players(Forgetting& forgetting) {
  const PostgresRows rows =
      connection_.run("SELECT id, state FROM players WHERE position($1 IN state) > 0",
                      {std::string_view(forgetting.name)});
  for (int row = 0; row < rows.size(); ++row) {
    auto player = decode_player(rows.bytes(row, 1));
    if (!player || player->name() != forgetting.name) continue;
    player->set_name(forgetting.neutral);
    const std::string state = player->SerializeAsString();
    // The server that has the player next makes the keys of the name again.
    connection_.run(
        "UPDATE players SET state = $2, arrived = NULL, token_hash = NULL WHERE id = $1",
        {player->id(), std::string_view(state)});
    connection_.run("DELETE FROM player_names WHERE player = $1", {player->id()});
    ++forgetting.done.players;
  }
}

void PostgresStore::forget_in_games(Forgetting& forgetting) {
  const PostgresRows rows =
      connection_.run("SELECT id, head FROM games WHERE position($1 IN head) > 0",
                      {std::string_view(forgetting.name)});
  for (int row = 0; row < rows.size(); ++row) {
    const std::uint64_t id = rows.number(row, 0);
    auto game = decode_game(id, rows.bytes(row, 1));
    if (!game) {
      forgetting.done.deleted += connection_.run("DELETE FROM games WHERE id = $1", {id}).changed();
      continue;
    }
    if (!forget_in_game(*game, forgetting.name, forgetting.neutral)) continue;
    const auto name = [](const v1::Occupant& occupant) {
      return occupant.kind() == v1::Occupant::KIND_PERSON
                 ? PostgresParameter(std::string_view(occupant.name()))
                 : PostgresParameter(nullptr);
    };
    const std::string head = split(*game).head;
    connection_.run("UPDATE games SET head = $2, x_name = $3, o_name = $4 WHERE id = $1",
                    {id, std::string_view(head), name(game->x()), name(game->o())});
    ++forgetting.done.games;
  }
}

void PostgresStore::forget_in_chat(Forgetting& forgetting) {
  const PostgresRows rows =
      connection_.run("SELECT number, room, line FROM chat WHERE position($1 IN line) > 0",
                      {std::string_view(forgetting.name)});
  for (int row = 0; row < rows.size(); ++row) {
    auto chat = decode_chat(rows.number(row, 1), rows.bytes(row, 2));
    if (!chat) {
      forgetting.done.deleted +=
          connection_.run("DELETE FROM chat WHERE number = $1", {rows.number(row, 0)}).changed();
      continue;
    }
    if (chat->from() == forgetting.name) chat->set_from(forgetting.neutral);
    chat->set_text(without_name(chat->text(), forgetting.name, forgetting.neutral));
    const std::string line = chat->SerializeAsString();
    connection_.run("UPDATE chat SET line = $2 WHERE number = $1",
                    {rows.number(row, 0), std::string_view(line)});
    ++forgetting.done.lines;
  }
}

void PostgresStore::forget_in_rooms(Forgetting& forgetting) {
  // What others see of a room is published again by the server that has it next.
  connection_.run("UPDATE rooms SET info = NULL WHERE info IS NOT NULL");
  const PostgresRows rows =
      connection_.run("SELECT serial, state FROM rooms WHERE position($1 IN state) > 0",
                      {std::string_view(forgetting.name)});
  for (int row = 0; row < rows.size(); ++row) {
    auto room = decode_room(rows.number(row, 0), rows.bytes(row, 1));
    if (!room) continue;
    std::string name = room_without_name(room->name(), forgetting.name, forgetting.neutral);
    if (name == room->name()) continue;
    // Several rooms can get the neutral name, but the names of rooms are unique.
    if (name == forgetting.neutral) name += "-" + std::to_string(room->serial());
    room->set_name(name);
    const std::string state = room->SerializeAsString();
    connection_.run("UPDATE rooms SET state = $2, name = NULL WHERE serial = $1",
                    {room->serial(), std::string_view(state)});
    connection_.run("DELETE FROM room_names WHERE room = $1", {room->serial()});
    ++forgetting.done.rooms;
  }
}

Result<Forgotten> forget_player_in_database(const std::string& url, const std::string& name) {
  const auto shown = PostgresConnection::name_of(url);
  if (!shown) return shown.error();
  const auto sentence = [&](const Fault& fault) {
    return Fault{fault.kind, "Can't use " + *shown + ": " + fault.reason + "."};
  };
  PostgresStore::Settings settings;
  settings.kept_chat = 1'000'000'000;  // the next server deletes what is too much
  const auto store = PostgresStore::open(url, std::move(settings));
  if (!store) return sentence(store.error());
  if (const auto fault = (*store)->claim()) return sentence(*fault);
  auto forgotten = (*store)->forget(name);
  if (!forgotten) return sentence(forgotten.error());
  return forgotten;
}

}  // namespace tictactoe::store
