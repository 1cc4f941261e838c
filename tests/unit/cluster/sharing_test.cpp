// A server's part in the lobby.
#include <gmock/gmock.h>

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "server/cluster/sharing.hpp"
#include "tests/support/host_driver.hpp"
#include "tests/support/records.hpp"

namespace tictactoe::cluster::sharing_tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

class SharingTest : public testing::Test {
 protected:
  explicit SharingTest(bool drains = true) {
    Sharing::Handlers handlers;
    handlers.servers = [](const auto&) {};
    handlers.news = [](const auto&) {};
    handlers.answered = [] {};
    handlers.lost = [this](const std::string& /*why*/) { is_lost = true; };
    handlers.count_rooms = [this] { return rooms; };
    handlers.count_players = [] { return std::size_t{0}; };
    handlers.has_ended = [] { return false; };
    sharing_.set_directory(*directory_);
    sharing_.set_handlers(std::move(handlers));
    if (!drains) return;
    Sharing::Draining draining;
    draining.give = [this](const server::Directory::LobbyServer& to, std::size_t max) {
      const std::size_t given = std::min(max, rooms);
      rooms -= given;
      given_to.push_back(to.address);
      return given;
    };
    draining.hand_over = [this](const auto& others) { left_to = others.size(); };
    draining.alone = [this] { is_alone = true; };
    EXPECT_TRUE(sharing_.drain(std::move(draining)));
  }

  static records::Member member(records::StreamId stream, std::uint64_t rooms, bool is_draining) {
    records::Member member;
    member.stream = stream;
    member.address = std::string(1, static_cast<char>('a' + stream)) + ":1";
    member.rooms = rooms;
    member.is_draining = is_draining;
    return member;
  }
  /// One sync after that time, which finds the others with this many rooms.
  Sharing::Again sync_after(milliseconds after, std::vector<std::uint64_t> rooms_of_others,
                            std::size_t in_transit = 0) {
    now_ += after;
    const auto self = sharing_.begin_sync().self;
    SyncResult found;
    found.began = now_;
    found.is_renewed = true;
    found.is_draining = self.is_draining;
    found.is_leaving = self.is_leaving;
    found.in_transit = in_transit;
    found.members.push_back(self);
    for (std::size_t i = 0; i < rooms_of_others.size(); ++i) {
      found.members.push_back(member(2 + i, rooms_of_others[i], false));
    }
    return sharing_.end_sync(found, now_);
  }
  /// Looks through the rooms. Returns the names of those that are to be shown to the others.
  std::vector<std::string> sweep() {
    sharing_.sweep(now_);
    std::vector<std::string> names;
    for (const records::PublishedRoom& room : sharing_.begin_sync().changed) {
      names.push_back(room.name);
    }
    SyncResult found;
    found.began = now_;
    found.is_renewed = true;
    sharing_.end_sync(found, now_);
    return names;
  }
  Sharing::Again sweep_after(milliseconds time) {
    now_ += time;
    return sharing_.sweep(now_);
  }
  /// A room of ann, who waits for somebody.
  void open_room(std::uint64_t serial, const std::string& name) {
    journal::v1::Saved saved;
    *saved.add_players() = test::player_record(1, "ann").player();
    *saved.add_rooms()->mutable_room() = test::room_record(serial, name).room();
    journal::v1::Seat& seat = *saved.mutable_rooms(0)->mutable_room()->mutable_x();
    seat.set_kind(v1::Occupant::KIND_PERSON);
    seat.set_player(1);
    EXPECT_TRUE(host_.adopt(saved, now_).refused.empty());
  }
  /// No room is left.
  void give_all() { host_.give_rooms({2, "c:1", {}}, 10, now_); }

  const SharingSettings settings;
  std::size_t rooms = 20;
  std::vector<std::string> given_to;
  std::size_t left_to = 0;
  bool is_alone = false;
  bool is_lost = false;

 private:
  const server::Config config_;
  ClusterDirectory* directory_ = nullptr;
  server::Host host_{
      config_, 1, test::HostDriver::counted_tokens(),
      [this](std::unique_ptr<server::Directory> local) {
        auto directory = std::make_unique<ClusterDirectory>(
            std::move(local), config_, 1,
            [](std::optional<server::Origin>, const ClusterDirectory::Question&) { return false; });
        directory_ = directory.get();
        return directory;
      }};
  server::Time now_{std::chrono::hours(1)};
  Sharing sharing_{member(1, 0, false), settings, now_};
};

class Sweep : public SharingTest {
 protected:
  Sweep() : SharingTest(false) {}
};

TEST_F(Sweep, shows_a_room_until_it_is_gone) {
  open_room(7, "den");
  EXPECT_THAT(sweep(), ElementsAre("den"));
  EXPECT_THAT(sweep(), IsEmpty());
  give_all();
  EXPECT_THAT(sweep(), ElementsAre("den"));
  EXPECT_THAT(sweep(), IsEmpty());
}

// The row of the former room was deleted with what others see of it.
TEST_F(Sweep, shows_a_room_that_has_the_name_and_the_look_of_a_former_one) {
  open_room(7, "den");
  EXPECT_THAT(sweep(), ElementsAre("den"));
  give_all();
  open_room(8, "den");
  EXPECT_THAT(sweep(), ElementsAre("den"));
  EXPECT_THAT(sweep(), IsEmpty());
}

TEST_F(Sweep, ends_the_server_when_its_lease_does) {
  const milliseconds began(700);
  Sharing::Again again = sweep_after(began);
  milliseconds passed = began;
  while (again) {
    EXPECT_FALSE(is_lost);
    passed += *again;
    again = sweep_after(*again);
  }
  EXPECT_TRUE(is_lost);
  EXPECT_EQ(passed, settings.lease);
}

TEST_F(SharingTest, gives_rooms_once_the_others_know_and_then_leaves) {
  sync_after(milliseconds(0), {0});
  sync_after(settings.announced - milliseconds(1), {0});
  EXPECT_THAT(given_to, IsEmpty());
  EXPECT_EQ(sync_after(milliseconds(1), {0}), settings.handover_interval);
  EXPECT_EQ(rooms, 20 - settings.given_at_once);
  sync_after(settings.handover_interval, {0});
  EXPECT_EQ(left_to, 0u);
  sync_after(settings.handover_interval, {0});
  EXPECT_EQ(rooms, 0u);
  sync_after(settings.short_interval, {0});  // now it says that it leaves
  EXPECT_EQ(left_to, 0u);
  EXPECT_EQ(sync_after(settings.leaving, {0}), std::nullopt);
  EXPECT_EQ(left_to, 1u);
}

TEST_F(SharingTest, gives_them_to_the_server_that_has_the_fewest) {
  rooms = 4 * settings.given_at_once;
  const std::size_t fewest = 10;
  const std::vector<std::uint64_t> others{fewest + settings.given_at_once + 1, fewest};
  sync_after(milliseconds(0), others);
  for (int i = 0; i < 4; ++i) sync_after(settings.announced, others);
  EXPECT_THAT(given_to, ElementsAre("d:1", "d:1", "c:1", "d:1"));
}

TEST_F(SharingTest, waits_while_too_many_are_on_their_way) {
  sync_after(milliseconds(0), {0});
  sync_after(settings.announced, {0}, settings.max_in_transit);
  EXPECT_THAT(given_to, IsEmpty());
  sync_after(seconds(1), {0}, settings.max_in_transit - 1);
  EXPECT_EQ(rooms, 20 - settings.given_at_once);
}

TEST_F(SharingTest, leaves_with_the_rest_after_a_time) {
  sync_after(milliseconds(0), {0});
  for (auto left = settings.giving; left > seconds(0); left -= seconds(5)) {
    sync_after(seconds(5), {0}, settings.max_in_transit);
    EXPECT_EQ(left_to, 0u);
  }
  sync_after(milliseconds(1), {0}, settings.max_in_transit);
  sync_after(settings.leaving, {0}, settings.max_in_transit);
  EXPECT_EQ(left_to, 1u);
  EXPECT_EQ(rooms, 20u);
}

TEST_F(SharingTest, keeps_them_as_long_as_there_is_no_other_server) {
  sync_after(milliseconds(0), {});
  EXPECT_TRUE(is_alone);
  for (int i = 0; i < 100; ++i) sync_after(seconds(1), {});
  EXPECT_THAT(given_to, IsEmpty());
  sync_after(seconds(1), {0});
  EXPECT_EQ(rooms, 20 - settings.given_at_once);
}

// What a sync shows to the other servers if the store fails meanwhile -----------------------------

/// A store with one member, in which nothing is ever lost but what was published.
class FakeMembership final : public records::Membership {
 public:
  bool fails_to_renew = false;
  bool fails_to_publish = false;
  bool fails_to_list = false;
  std::map<std::string, std::string> shown;  // by name
  std::vector<std::size_t> publications;     // how many rooms each one had
  std::vector<records::Member> all = std::vector<records::Member>(1);
  std::string players;  // of this server
  std::vector<std::string> players_elsewhere;

  records::Result<records::StreamId> new_stream() override { return records::StreamId{1}; }
  std::optional<records::Fault> join(const records::Member& /*self*/,
                                     milliseconds /*lease*/) override {
    return std::nullopt;
  }
  records::Result<bool> renew(const records::Member& /*self*/, milliseconds /*lease*/) override {
    if (fails_to_renew) return fault();
    return true;
  }
  std::optional<records::Fault> leave(records::StreamId /*stream*/) override {
    return std::nullopt;
  }
  records::Result<std::vector<records::Member>> members() override {
    if (fails_to_list) return fault();
    return all;
  }
  records::Result<bool> take_over() override { return false; }
  records::Result<journal::v1::Saved> adopt(records::StreamId /*stream*/,
                                            std::size_t /*max*/) override {
    return journal::v1::Saved{};
  }
  records::Result<journal::v1::Saved> take_arrived(records::StreamId /*stream*/,
                                                   std::size_t /*max*/) override {
    return journal::v1::Saved{};
  }
  records::Result<std::size_t> count_arriving(std::size_t /*max*/) override {
    return std::size_t{0};
  }
  records::Result<std::optional<records::SharedBans>> bans(
      const std::string& /*version*/) override {
    return std::optional<records::SharedBans>();
  }
  std::optional<records::Fault> publish(records::StreamId /*stream*/,
                                        std::span<const records::PublishedRoom> rooms) override {
    if (fails_to_publish) return fault();
    publications.push_back(rooms.size());
    for (const records::PublishedRoom& room : rooms) shown[room.name] = room.info;
    return std::nullopt;
  }
  records::Result<std::vector<records::PublishedRoom>> rooms_of_others(
      records::StreamId /*stream*/) override {
    return std::vector<records::PublishedRoom>();
  }
  std::optional<records::Fault> publish_players(records::StreamId /*stream*/,
                                                const std::string& list) override {
    if (fails_to_publish) return fault();
    players = list;
    return std::nullopt;
  }
  records::Result<std::vector<std::string>> players_of_others(
      records::StreamId /*stream*/) override {
    return players_elsewhere;
  }

 private:
  static records::Fault fault() { return {records::Fault::Kind::unusable, "it fails"}; }
};

class LobbySyncTest : public testing::Test {
 protected:
  /// A second after the last one.
  SyncResult sync(std::vector<records::PublishedRoom> changed = {}) {
    now_ += settings_.interval;
    return sync_.run({{}, std::move(changed)}, now_);
  }
  static records::PublishedRoom room(const std::string& name, const std::string& info) {
    return {name, info, 0};
  }

  FakeMembership membership;

 private:
  const SharingSettings settings_;
  LobbySync sync_{membership, settings_};
  server::Time now_{std::chrono::hours(1)};
};

std::string encoded(const std::vector<std::string>& lines) {
  v1::LobbyUpdate said;
  for (const std::string& line : lines) said.add_chat()->set_text(line);
  return said.SerializeAsString();
}

std::vector<std::string> texts(const SyncResult& found) {
  std::vector<std::string> lines;
  for (const v1::ChatSaid& line : found.news.said) lines.push_back(line.text());
  return lines;
}

TEST_F(LobbySyncTest, hears_each_line_of_another_lobby_once_and_loses_the_oldest_of_too_many) {
  membership.all.resize(3);
  membership.all[1].stream = 2;
  membership.all[2].stream = 3;
  EXPECT_THAT(texts(sync()), IsEmpty());
  membership.all[1].said = encoded({"a", "b"});
  membership.all[1].lines_said = 2;
  EXPECT_THAT(texts(sync()), ElementsAre("a", "b"));
  EXPECT_THAT(texts(sync()), IsEmpty());
  membership.all[1].said = encoded({"b", "c"});
  membership.all[1].lines_said = 3;
  membership.all[2].said = encoded({"x", "y"});
  membership.all[2].lines_said = 100;
  EXPECT_THAT(texts(sync()), ElementsAre("c", "x", "y"));
  membership.all[2].said = "\xFF";
  membership.all[2].lines_said = 101;
  EXPECT_THAT(texts(sync()), IsEmpty());
}

TEST_F(LobbySyncTest, looks_at_the_players_of_others_every_five_seconds) {
  v1::PlayerList list;
  list.add_players()->set_name("ann");
  membership.players_elsewhere = {list.SerializeAsString(), "\xFF"};
  int looks = 0;
  for (int seconds = 0; seconds < 10; ++seconds) {
    const SyncResult found = sync();
    if (!found.players) continue;
    ++looks;
    EXPECT_THAT(*found.players, ElementsAre(Pair("ann", testing::_)));
  }
  EXPECT_EQ(looks, 2);
}

TEST_F(LobbySyncTest, shows_a_room_after_a_renewal_that_has_failed) {
  membership.fails_to_renew = true;
  EXPECT_FALSE(sync({room("den", "open"), room("hall", "open")}).fault.empty());
  sync({room("den", "full")});
  EXPECT_THAT(membership.shown, IsEmpty());
  membership.fails_to_renew = false;
  sync();
  EXPECT_THAT(membership.shown, ElementsAre(Pair("den", "full"), Pair("hall", "open")));
}

TEST_F(LobbySyncTest, shows_a_room_again_that_could_not_be_shown) {
  membership.fails_to_publish = true;
  EXPECT_FALSE(sync({room("den", "open"), room("hall", {})}).fault.empty());
  membership.fails_to_publish = false;
  sync({room("pit", "open")});
  EXPECT_THAT(membership.shown,
              ElementsAre(Pair("den", "open"), Pair("hall", ""), Pair("pit", "open")));
}

// It is committed without a wait for the disk or a standby, as opposed to a renewal.
TEST_F(LobbySyncTest, shows_a_room_again_that_was_shown_to_a_database_that_is_lost) {
  sync({room("den", "open"), room("hall", "open")});
  membership.fails_to_list = true;
  EXPECT_FALSE(sync({room("den", "full")}).fault.empty());
  membership.shown["den"] = "open";
  membership.fails_to_list = false;
  sync();
  EXPECT_THAT(membership.shown, ElementsAre(Pair("den", "full"), Pair("hall", "open")));
  sync();
  EXPECT_THAT(membership.publications, ElementsAre(2, 1, 1));
}

TEST_F(LobbySyncTest, shows_a_room_once_if_nothing_fails) {
  sync({room("den", "open"), room("hall", "open")});
  for (int i = 0; i < 3; ++i) sync();
  sync({room("den", "full")});
  EXPECT_THAT(membership.publications, ElementsAre(2, 1));
}

}  // namespace
}  // namespace tictactoe::cluster::sharing_tests
