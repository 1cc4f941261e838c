#include "server/lobby/tables.hpp"

#include <utility>

#include "server/lobby/local_directory.hpp"

namespace tictactoe::server {

Tables::Tables(Config settings, std::uint64_t seed, TokenSource source,
               const ChooseDirectory& choose)
    : config(std::move(settings)),
      random(seed),
      tokens(std::move(source)),
      ledger(config.limits),
      availability(config),
      connections(config.limits, deadlines, ledger),
      players(config),
      feed(config.limits, rooms, players, connections, deadlines),
      notices(connections, deadlines),
      rooms(config, deadlines, ledger, feed,
            [this](const Room& room) {
              directory->release_room(room.serial(), room.output().revision());
            }),
      look_ups(config.limits, ledger, connections),
      directory(std::make_unique<LocalDirectory>(config, players, rooms, logins, random())) {
  if (choose) directory = choose(std::move(directory));
}

Population Tables::population() const {
  Population all{connections.size(), players.connected(), players.size(), {}};
  rooms.visit_after(0, [&](const Room& room) {
    ++all.rooms.at(static_cast<std::size_t>(room.state().phase()));
    return true;
  });
  return all;
}

}  // namespace tictactoe::server
