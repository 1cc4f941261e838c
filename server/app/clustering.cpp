#include "server/app/clustering.hpp"

#include <spdlog/spdlog.h>

#include <memory>
#include <utility>

#include "server/limits/name_rules.hpp"
#include "server/transport/system_token.hpp"

namespace tictactoe::app {

namespace {

cluster::Cluster::Settings settings() {
  cluster::Cluster::Settings settings;
  settings.seed = transport::system_seed();
  return settings;
}

}  // namespace

records::Result<std::unique_ptr<Clustering>> Clustering::join(boost::asio::io_context& io,
                                                              const std::string& url,
                                                              const std::string& public_address,
                                                              const server::Config& config) {
  auto shared = records::join_postgres(url, public_address, settings().lease,
                                       static_cast<std::uint32_t>(config.limits.kept_chat),
                                       server::look_alike_keys);
  if (!shared) return shared.error();
  return std::unique_ptr<Clustering>(new Clustering(io, *std::move(shared), config));
}

Clustering::Clustering(boost::asio::io_context& io, records::SharedStore shared,
                       const server::Config& config)
    : io_(io),
      journal_(std::move(shared.journal)),
      cluster_(io, std::move(shared.self), config, std::move(shared.membership),
               std::move(shared.names), settings()),
      leaving_(io, {.what = "leaving the cluster"}) {}

server::Host::ChooseDirectory Clustering::choose_directory() {
  return [this](std::unique_ptr<server::Directory> local) {
    return cluster_.directory(std::move(local));
  };
}

void Clustering::start(transport::Server& server, std::string key) {
  cluster_.set_key(std::move(key));
  cluster::Cluster::Handlers handlers;
  handlers.adopted = [&server](const journal::v1::Saved& adopted) {
    spdlog::info("took over {} rooms and {} players", adopted.rooms_size(), adopted.players_size());
    for (const auto& refused : server.shell().adopt(adopted).refused) {
      spdlog::warn("can't take over player or room {}: {}", refused.id, refused.why);
    }
  };
  handlers.servers = [&server](const std::vector<server::Directory::LobbyServer>& servers) {
    spdlog::info("{} servers share this lobby", servers.size());
    server.set_servers(servers);
  };
  handlers.news = [&server](const server::LobbyNews& news) { server.shell().apply(news); };
  handlers.answered = [&server] { server.shell().directory_answered(); };
  handlers.lost = [this](const std::string& why) {
    // Nothing more may be announced: what waits will never be recorded.
    spdlog::critical("{}: stopping this server", why);
    io_.stop();
  };
  handlers.count_rooms = [&server] { return server.host().rooms(); };
  handlers.count_players = [&server] { return server.host().connected_players(); };
  handlers.said = [&server]() -> const server::SaidInLobby& {
    return server.host().said_in_lobby();
  };
  handlers.has_ended = [&server] { return server.shell().is_stopping(); };
  handlers.problem = [](const std::string& problem) {
    spdlog::error("can't check on the other servers: {}", problem);
  };
  cluster_.start(std::move(handlers));
}

// The clients are told at once, and the others take over while the last frames go out.
void Clustering::drain(transport::Server& server, std::function<void()> close_journal,
                       std::function<void()> alone) {
  cluster::Cluster::Draining draining;
  draining.alone = std::move(alone);
  const auto given = std::make_shared<std::size_t>(0);
  draining.give = [&server, given](const server::Directory::LobbyServer& to, std::size_t max) {
    const std::size_t now = server.shell().give_rooms(to, max);
    *given += now;
    return now;
  };
  draining.hand_over = [this, &server, given, close = std::move(close_journal)](
                           const std::vector<server::Directory::LobbyServer>& others) {
    if (server.shell().is_stopping()) return;
    spdlog::info("handed over {} rooms; {} other servers take over the rest", *given,
                 others.size());
    server.shell().stop(others, [this, close] {
      // Meanwhile the loop runs and announces what becomes durable.
      leaving_.give(
          [this, close] {
            close();
            cluster_.leave();
            return true;
          },
          [](bool) {});
    });
  };
  cluster_.drain(std::move(draining));
}

}  // namespace tictactoe::app
