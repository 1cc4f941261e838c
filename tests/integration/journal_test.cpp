// The real server with a journal: what outlives it.
#include <gmock/gmock.h>

#include "server/app/journaling.hpp"
#include "tests/support/requests.hpp"
#include "tests/support/socket_client.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_store.hpp"

namespace tictactoe::test::journal_tests {
namespace {

server::Config recording_config() {
  server::Config config;
  config.keeps_records = true;
  config.limits.requests_per_second = 0;
  return config;
}

/// A server whose journal is in that folder.
class JournaledServer {
 public:
  explicit JournaledServer(const TemporaryFolder& folder)
      : server_(recording_config(), "127.0.0.1", {},
                [&](asio::io_context& io, transport::Server& server) -> std::shared_ptr<void> {
                  auto opened = records::open_store(folder.path(), 20);
                  if (!opened) throw std::runtime_error(opened.error().reason);
                  auto journaling = app::Journaling::start(
                      io, server, recording_config().limits, *std::move(opened), {},
                      [&](const std::string& sentence) { warnings_ += sentence; });
                  if (!journaling) throw std::runtime_error(journaling.error().reason);
                  return std::shared_ptr<void>(*std::move(journaling));
                }) {}

  asio::ip::tcp::endpoint endpoint() const { return server_.endpoint(); }
  const std::string& warning() const { return warnings_; }

 private:
  std::string warnings_;
  RunningServer server_;
};

TEST(JournaledServer, shows_games_of_a_private_room_to_its_players_alone) {
  for (const std::string password : {"", "secret"}) {
    TemporaryFolder folder;
    JournaledServer server(folder);
    SocketClient ann(server.endpoint(), "ann");
    SocketClient ben(server.endpoint(), "ben");
    v1::ClientMessage create = create_request("den", password);
    create.mutable_create_room()->mutable_options()->set_unlisted(password.empty());
    ASSERT_TRUE(ann.ask(create).has_snapshot());
    ben.ask(join_request("den", v1::MARK_O, password));
    ann.ask(resign_request());
    v1::ClientMessage list;
    list.mutable_list_games();
    const v1::GameList games = ann.ask(list).game_list();
    ASSERT_EQ(games.games_size(), 1);
    EXPECT_EQ(ben.ask(list).game_list().games_size(), 1);
    v1::ClientMessage one;
    one.mutable_get_game()->set_id(games.games(0).id());
    EXPECT_TRUE(ben.ask(one).has_game_found());
    SocketClient stranger(server.endpoint(), "cat");
    EXPECT_EQ(stranger.ask(list).game_list().games_size(), 0);
    EXPECT_EQ(stranger.ask(one).error().code(), v1::Error::CODE_GAME_NOT_FOUND);
  }
}

TEST(JournaledServer, deletes_what_the_host_refuses_and_says_so) {
  TemporaryFolder folder;
  std::string ann_token;
  {
    JournaledServer server(folder);
    SocketClient ann(server.endpoint());
    ann_token = ann.enter("ann");
    ann.ask(create_request("den"));
  }
  {
    TestStore store(folder / "journal.db");
    Record room;  // without rules or a name
    room.mutable_room()->set_serial(77);
    ASSERT_FALSE(store.append({player_record(78, "no\nname"), room}));
  }
  {
    JournaledServer server(folder);
    EXPECT_THAT(server.warning(), testing::AllOf(testing::HasSubstr("Forgot player 78 of "),
                                                 testing::HasSubstr("Closed room 77 of ")));
    SocketClient ann(server.endpoint());
    EXPECT_EQ(ann.come_back(ann_token).room(), "den");
  }
  JournaledServer server(folder);
  EXPECT_EQ(server.warning(), "");
  SocketClient ann(server.endpoint());
  EXPECT_EQ(ann.come_back(ann_token).room(), "den");
}

}  // namespace
}  // namespace tictactoe::test::journal_tests
