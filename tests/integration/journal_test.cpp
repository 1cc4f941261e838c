// The real server with a journal: what outlives it, and what nobody may see too early.
#include <gmock/gmock.h>

#include <fstream>
#include <future>

#include "server/app/journaling.hpp"
#include "tests/support/requests.hpp"
#include "tests/support/socket_client.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_store.hpp"

namespace tictactoe::test::journal_tests {
namespace {

using v1::Error;

server::Config recording_config() {
  server::Config config;
  config.keeps_records = true;
  config.limits.requests_per_second = 0;
  return config;
}

// With a journal --------------------------------------------------------------------------------

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

TEST(JournaledServer, goes_on_where_it_ended) {
  TemporaryFolder folder;
  std::string ann_token;
  std::string ben_token;
  std::uint64_t revision = 0;
  {
    JournaledServer server(folder);
    SocketClient ann(server.endpoint());
    SocketClient ben(server.endpoint());
    ann_token = ann.enter("ann");
    ben_token = ben.enter("ben");
    ann.ask(create_request("den", "secret"));
    ben.ask(join_request("den", v1::MARK_O, "secret"));
    for (std::uint32_t col = 0; col < 3; ++col) {
      ann.ask(move_request(0, col));
      if (col < 2) ben.ask(move_request(1, col));
    }
    ann.ask(rematch_request());
    EXPECT_EQ(ben.ask(rematch_request()).update().phase(), v1::PHASE_PLAYING);
    ben.ask(move_request(2, 2));
    ann.ask(move_request(1, 1));
    ben.ask(chat_request("good luck"));
    revision = ben.ask(snapshot_request()).snapshot().revision();
  }
  JournaledServer server(folder);
  EXPECT_EQ(server.warning(), "");
  SocketClient ann(server.endpoint());
  const v1::Welcome welcome = ann.come_back(ann_token);
  EXPECT_TRUE(welcome.resumed());
  EXPECT_EQ(welcome.player_name(), "ann");
  EXPECT_EQ(welcome.room(), "den");
  const v1::RoomSnapshot room = ann.ask(snapshot_request()).snapshot();
  EXPECT_EQ(room.your_seat(), v1::MARK_X);
  EXPECT_THAT(room.moves(), testing::ElementsAre(8u, 4u));
  EXPECT_EQ(room.game(), 2u);
  EXPECT_EQ(room.starter(), v1::MARK_O);
  EXPECT_EQ(room.phase(), v1::PHASE_PLAYING);
  EXPECT_EQ(room.score().x(), 1u);
  EXPECT_TRUE(room.o().away());
  ASSERT_EQ(room.chat_size(), 1);
  EXPECT_EQ(room.chat(0).text(), "good luck");
  EXPECT_GT(room.revision(), revision) << "no revision is used twice";

  SocketClient stranger(server.endpoint(), "cat");
  EXPECT_EQ(stranger.ask(watch_request("den", "guess")).error().code(), Error::CODE_WRONG_PASSWORD);
  SocketClient ben(server.endpoint());
  EXPECT_TRUE(ben.come_back(ben_token).resumed());
  EXPECT_TRUE(ben.ask(move_request(0, 0)).has_update());

  // The room has a password: only its players know of the game.
  v1::ClientMessage list;
  list.mutable_list_games()->set_player("ann");
  EXPECT_EQ(stranger.ask(list).game_list().games_size(), 0);
  EXPECT_EQ(ben.ask(list).game_list().games_size(), 1);
  const v1::GameList games = ann.ask(list).game_list();
  ASSERT_EQ(games.games_size(), 1);
  EXPECT_EQ(games.games(0).outcome().winner(), v1::MARK_X);
  v1::ClientMessage one;
  one.mutable_get_game()->set_id(games.games(0).id());
  EXPECT_THAT(ann.ask(one).game_found().game().moves(), testing::ElementsAre(0u, 3u, 1u, 4u, 2u));
  EXPECT_EQ(stranger.ask(one).error().code(), Error::CODE_GAME_NOT_FOUND);
  one.mutable_get_game()->set_id(99);
  EXPECT_EQ(stranger.ask(one).error().code(), Error::CODE_GAME_NOT_FOUND);
}

TEST(JournaledServer, shows_games_of_an_unlisted_room_to_its_players_alone) {
  TemporaryFolder folder;
  JournaledServer server(folder);
  SocketClient ann(server.endpoint(), "ann");
  SocketClient ben(server.endpoint(), "ben");
  v1::ClientMessage create = create_request("den");
  create.mutable_create_room()->mutable_options()->set_unlisted(true);
  ASSERT_TRUE(ann.ask(create).has_snapshot());
  ben.ask(join_request("den"));
  ann.ask(resign_request());
  v1::ClientMessage list;
  list.mutable_list_games();
  EXPECT_EQ(ann.ask(list).game_list().games_size(), 1);
  EXPECT_EQ(ben.ask(list).game_list().games_size(), 1);
  SocketClient stranger(server.endpoint(), "cat");
  EXPECT_EQ(stranger.ask(list).game_list().games_size(), 0);
}

TEST(JournaledServer, begins_with_an_empty_journal_if_its_own_cannot_be_read_and_says_so) {
  TemporaryFolder folder;
  std::ofstream(folder / "journal.db") << std::string(10'000, 'x');
  JournaledServer server(folder);
  EXPECT_THAT(server.warning(), testing::HasSubstr("set aside"));
  SocketClient ann(server.endpoint(), "ann");
  EXPECT_TRUE(ann.ask(create_request("den")).has_snapshot());
}

TEST(JournaledServer, goes_on_without_what_the_host_refuses_and_keeps_it_apart) {
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
    EXPECT_THAT(server.warning(), testing::HasSubstr("without 2 of the players and rooms"));
    SocketClient ann(server.endpoint());
    EXPECT_EQ(ann.come_back(ann_token).room(), "den");
  }
  JournaledServer server(folder);
  EXPECT_EQ(server.warning(), "");
  SocketClient ann(server.endpoint());
  EXPECT_EQ(ann.come_back(ann_token).room(), "den");
}

// With a disk that takes its time ---------------------------------------------------------------

/// A recorder whose records are safe when the test says so.
class SlowDisk {
 public:
  SlowDisk(asio::io_context& io, transport::Server& server) : io_(io), server_(server) {
    server.shell().record_with({[this](std::span<const std::string_view> /*records*/) {
                                  const std::lock_guard lock(mutex_);
                                  ++appended_;
                                  changed_.notify_all();
                                  return appended_;
                                },
                                nullptr});
  }

  /// Waits until so many events have been recorded.
  void wait_for(std::uint64_t appended) {
    std::unique_lock lock(mutex_);
    ASSERT_TRUE(
        changed_.wait_for(lock, std::chrono::seconds(60), [&] { return appended_ >= appended; }));
  }
  std::uint64_t appended() {
    const std::lock_guard lock(mutex_);
    return appended_;
  }
  void sync(std::uint64_t up_to) {
    asio::post(io_, [this, up_to] { server_.shell().durable(up_to); });
  }
  void sync_all() { sync(appended()); }
  /// Waits until the server has handled everything that was posted before.
  void settle() {
    std::promise<void> done;
    asio::post(io_, [&] { done.set_value(); });
    done.get_future().wait();
  }

 private:
  asio::io_context& io_;
  transport::Server& server_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t appended_ = 0;
};

class SlowDiskTest : public testing::Test {
 protected:
  static server::Config config() {
    server::Config config = recording_config();
    config.limits.outbox_bytes = 64 * 1024;
    return config;
  }

  /// Connects, and has the disk take everything that this needs.
  void enter(SocketClient& client, const std::string& name) { ask(client, hello_request(name)); }
  /// Asks for something that is recorded, once, and has the disk take it.
  v1::ServerMessage ask(SocketClient& client, const v1::ClientMessage& request) {
    const std::uint64_t next = disk->appended() + 1;
    client.send(request);
    disk->wait_for(next);
    disk->sync_all();
    return *client.receive();
  }
  /// Everything that the server had to say was said, and none of it has reached them.
  bool hears_nothing(SocketClient& client) {
    for (int turn = 0; turn < 20; ++turn) {
      disk->settle();
      if (client.has_bytes()) return false;
    }
    return true;
  }

  std::shared_ptr<SlowDisk> disk;
  RunningServer server{
      config(), "127.0.0.1", {}, [this](asio::io_context& io, transport::Server& running) {
        disk = std::make_shared<SlowDisk>(io, running);
        return disk;
      }};
};

TEST_F(SlowDiskTest, nobody_hears_of_what_is_not_recorded) {
  SocketClient ann(server.endpoint());
  SocketClient ben(server.endpoint());
  enter(ann, "ann");
  enter(ben, "ben");
  ask(ann, create_request("den"));
  ask(ben, join_request("den"));
  ASSERT_TRUE(ann.receive()->update().has_seat_changed());

  const std::uint64_t before = disk->appended();
  ann.send(move_request(0, 0));
  disk->wait_for(before + 1);
  ben.send(move_request(1, 1));
  disk->wait_for(before + 2);
  EXPECT_TRUE(hears_nothing(ann));
  EXPECT_TRUE(hears_nothing(ben));
  // Even what has nothing to do with it waits its turn.
  ann.send(ping_request());
  EXPECT_TRUE(hears_nothing(ann));

  disk->sync(before + 1);
  EXPECT_EQ(ann.receive()->update().move_played().ply(), 1u);
  EXPECT_EQ(ben.receive()->update().move_played().ply(), 1u);
  EXPECT_TRUE(hears_nothing(ann));
  EXPECT_TRUE(hears_nothing(ben));
  disk->sync(before + 2);
  EXPECT_EQ(ann.receive()->update().move_played().ply(), 2u);
  EXPECT_TRUE(ann.receive()->has_pong());
  EXPECT_EQ(ben.receive()->update().move_played().ply(), 2u);
}

TEST_F(SlowDiskTest, the_end_of_the_server_waits_as_well) {
  SocketClient ann(server.endpoint());
  enter(ann, "ann");
  ask(ann, create_request("den"));
  const std::uint64_t before = disk->appended();
  ann.send(chat_request("bye"));
  disk->wait_for(before + 1);
  server.stop();
  EXPECT_TRUE(hears_nothing(ann));
  disk->sync_all();
  EXPECT_TRUE(ann.receive()->update().has_chat_said());
  EXPECT_EQ(ann.receive()->error().code(), Error::CODE_SERVER_STOPPING);
  EXPECT_FALSE(ann.receive());
}

}  // namespace
}  // namespace tictactoe::test::journal_tests
