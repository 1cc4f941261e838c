// The directory of a lobby of several servers, and rooms of others.
#include <gmock/gmock.h>

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/cluster/cluster_directory.hpp"
#include "tests/support/host_driver.hpp"
#include "tests/support/processor_time.hpp"
#include "tests/support/records.hpp"

namespace tictactoe::test::cluster_directory_tests {
namespace {

using cluster::ClusterDirectory;
using server::Directory;
using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::IsEmpty;

using Place = records::Whereabouts::Place;

/// Knows of one player.
class OnePlayer final : public records::SharedNames {
 public:
  records::Result<records::FoundPlayer> find_player(const std::string&) override { return player; }
  records::Result<std::optional<std::uint64_t>> claim_player(const records::KeyedName&,
                                                             const std::string&) override {
    return claimed;
  }
  std::optional<records::Fault> drop_player(std::uint64_t id) override {
    dropped_players.push_back(id);
    return std::nullopt;
  }
  records::Result<records::FoundPlayer> find_named(const records::KeyedName&) override {
    return player;
  }
  records::Result<std::optional<std::uint64_t>> claim_account(const records::KeyedName&,
                                                              const std::string&,
                                                              std::uint64_t look_alike) override {
    ++claims;
    displaced = look_alike;
    return claimed;
  }
  records::Result<records::Whereabouts> find_room(const std::string&) override {
    return player.where;
  }
  records::Result<records::ClaimedRoom> claim_room(const records::KeyedName&, std::uint64_t,
                                                   std::size_t) override {
    return records::ClaimedRoom();
  }
  records::Result<records::ClaimedRoom::Outcome> check_room(const records::KeyedName&,
                                                            std::uint64_t, std::size_t,
                                                            std::uint64_t without) override {
    spared = without;
    return outcome;
  }
  std::optional<records::Fault> drop_room(std::uint64_t serial) override {
    dropped_rooms.push_back(serial);
    return std::nullopt;
  }

  records::FoundPlayer player;
  std::optional<std::uint64_t> claimed;
  std::uint64_t displaced = 0;
  int claims = 0;
  records::ClaimedRoom::Outcome outcome = records::ClaimedRoom::Outcome::claimed;
  std::uint64_t spared = 0;
  std::vector<std::uint64_t> dropped_players;
  std::vector<std::uint64_t> dropped_rooms;
};

class ClusterDirectoryTest : public testing::Test {
 protected:
  ClusterDirectoryTest() {
    directory_->set_servers({{1, "a:1", {}}, {2, "b:1", {}}});
    names_.player.id = 5;
  }

  void ask() {
    directory_->find_player(
        "hash", {}, now_,
        [&](const Directory::LocatedPlayer& found, server::Time) { answers_.push_back(found); });
    answer_questions();
  }
  void begin_to_log_in() {
    answers_.clear();
    directory_->log_in(
        "ann", "hash", {}, now_,
        [&](const Directory::LocatedPlayer& found, server::Time) { answers_.push_back(found); });
    answer_questions();
  }
  Directory::LocatedPlayer log_in() {
    begin_to_log_in();
    EXPECT_EQ(answers_.size(), 1u);
    return answers_.at(0);
  }
  void pass(milliseconds time, bool in_store = true) {
    now_ += time;
    directory_->answer_waiting(in_store, now_);
    answer_questions();
  }
  void is_at(Place place, records::StreamId stream = 0) { names_.player.where = {place, stream}; }

  server::Time now_{std::chrono::hours(1)};
  OnePlayer names_;
  std::size_t asked_ = 0;
  std::vector<Directory::LocatedPlayer> answers_;

 private:
  void answer_questions() {
    while (!questions_.empty()) {
      ++asked_;
      const auto go_on = questions_.front()(names_);
      questions_.pop_front();
      go_on(now_);
    }
  }

  const server::Config config_;
  std::deque<ClusterDirectory::Question> questions_;

 protected:
  ClusterDirectory* directory_ = nullptr;
  bool too_many_wait_ = false;

 private:
  const server::Host host_{
      config_, 1, HostDriver::counted_tokens(), [this](std::unique_ptr<Directory> local) {
        auto directory = std::make_unique<ClusterDirectory>(
            std::move(local), config_, 1,
            [this](std::optional<server::Origin> from, ClusterDirectory::Question question) {
              if (from && too_many_wait_) return false;
              questions_.push_back(std::move(question));
              return true;
            });
        directory_ = directory.get();
        return directory;
      }};
};

TEST_F(ClusterDirectoryTest, waits_until_this_server_has_taken_the_player_over) {
  is_at(Place::unowned);
  ask();
  pass(milliseconds(50));
  EXPECT_TRUE(answers_.empty());
  directory_->register_player({5, "ann"}, "hash");
  pass(milliseconds(10), false);
  ASSERT_EQ(answers_.size(), 1u);
  EXPECT_EQ(answers_[0].id, 5u);
  EXPECT_FALSE(answers_[0].is_unknown_now);
  pass(milliseconds(5000));
  EXPECT_EQ(answers_.size(), 1u);
}

TEST_F(ClusterDirectoryTest, a_player_of_a_server_that_leaves_is_sent_to_the_one_that_takes_over) {
  is_at(Place::elsewhere, 3);  // none of those who stay
  ask();
  pass(milliseconds(200));
  EXPECT_TRUE(answers_.empty());
  is_at(Place::elsewhere, 2);
  pass(milliseconds(200));
  ASSERT_EQ(answers_.size(), 1u);
  ASSERT_TRUE(answers_[0].elsewhere);
  EXPECT_EQ(answers_[0].elsewhere->address, "b:1");
}

TEST_F(ClusterDirectoryTest, the_store_is_not_asked_too_often) {
  is_at(Place::unowned);
  ask();
  for (int i = 0; i < 100; ++i) pass(milliseconds(10));
  EXPECT_TRUE(answers_.empty());
  EXPECT_LE(asked_, 11u);
  EXPECT_GE(asked_, 9u);
}

TEST_F(ClusterDirectoryTest, nobody_waits_for_longer_than_two_seconds) {
  is_at(Place::unowned);
  ask();
  pass(milliseconds(1999));
  EXPECT_TRUE(answers_.empty());
  pass(milliseconds(1));
  ASSERT_EQ(answers_.size(), 1u);
  EXPECT_TRUE(answers_[0].is_unknown_now);
}

TEST_F(ClusterDirectoryTest, a_room_is_waited_for_as_a_player_is) {
  std::vector<Directory::LocatedRoom> rooms;
  const auto ask_for_room = [&] {
    rooms.clear();
    directory_->find_room("den", {}, now_, [&](const Directory::LocatedRoom& found, server::Time) {
      rooms.push_back(found);
    });
    pass({}, false);
  };
  is_at(Place::elsewhere, 3);
  ask_for_room();
  pass(milliseconds(200));
  EXPECT_TRUE(rooms.empty());
  is_at(Place::elsewhere, 2);
  pass(milliseconds(200));
  ASSERT_EQ(rooms.size(), 1u);
  EXPECT_EQ(rooms[0].elsewhere->address, "b:1");
  is_at(Place::here);
  ask_for_room();
  EXPECT_TRUE(rooms.empty());
  pass(milliseconds(2000));
  ASSERT_EQ(rooms.size(), 1u);
  EXPECT_FALSE(rooms[0].is_unknown_now);
  is_at(Place::unowned);
  ask_for_room();
  pass(milliseconds(2000));
  ASSERT_EQ(rooms.size(), 1u);
  EXPECT_TRUE(rooms[0].is_unknown_now);
  is_at(Place::unknown);
  ask_for_room();
  ASSERT_EQ(rooms.size(), 1u);
  EXPECT_FALSE(rooms[0].is_unknown_now);
}

// What was recorded is dropped by the commit of its end: before, another server would begin a room
// of that name with revisions that were given already.
TEST_F(ClusterDirectoryTest, only_claims_that_were_not_recorded_are_dropped) {
  for (const server::PlayerId id : {5u, 6u}) {
    ASSERT_TRUE(directory_->register_player({id, "p" + std::to_string(id)}, std::to_string(id)));
    ASSERT_TRUE(directory_->register_room({id, 0, "r" + std::to_string(id)}, id));
  }
  directory_->release_player(5);
  directory_->release_room(5, 40);
  directory_->drop_player(6);
  directory_->drop_room(6);
  pass({}, false);
  EXPECT_EQ(names_.dropped_players, std::vector<std::uint64_t>{6});
  EXPECT_EQ(names_.dropped_rooms, std::vector<std::uint64_t>{6});
  for (const server::PlayerId id : {5u, 6u}) {
    EXPECT_TRUE(directory_->register_player({id, "p" + std::to_string(id)}, std::to_string(id)));
    EXPECT_TRUE(directory_->register_room({id, 0, "r" + std::to_string(id)}, id));
  }
}

TEST_F(ClusterDirectoryTest, claims_are_dropped_although_too_many_questions_wait) {
  too_many_wait_ = true;
  directory_->drop_player(6);
  directory_->drop_room(6);
  pass({}, false);
  EXPECT_EQ(names_.dropped_players, std::vector<std::uint64_t>{6});
  EXPECT_EQ(names_.dropped_rooms, std::vector<std::uint64_t>{6});
  ask();
  EXPECT_TRUE(answers_.at(0).is_unknown_now);
}

// Players who log in ------------------------------------------------------------------------------

TEST_F(ClusterDirectoryTest, a_login_is_the_player_of_that_name_wherever_it_is) {
  directory_->register_player({5, "ann"}, "old");
  is_at(Place::here);
  EXPECT_EQ(log_in().id, 5u);
  is_at(Place::elsewhere, 2);
  ASSERT_TRUE(log_in().elsewhere);
  EXPECT_EQ(answers_.back().elsewhere->address, "b:1");
  EXPECT_EQ(names_.claims, 0);
}

TEST_F(ClusterDirectoryTest, a_login_that_nobody_has_yet_is_claimed) {
  names_.claimed = 7;
  EXPECT_EQ(log_in().id, 7u);
  EXPECT_EQ(names_.displaced, 0u);
  EXPECT_EQ(directory_->name_of(7), "ann");
}

TEST_F(ClusterDirectoryTest, a_login_displaces_a_player_whose_name_only_looks_like_it) {
  directory_->register_player({5, "Ann"}, "old");
  is_at(Place::here);
  names_.claimed = 7;
  EXPECT_EQ(log_in().id, 7u);
  EXPECT_EQ(names_.displaced, 5u);
  EXPECT_EQ(directory_->name_of(5), "Ann");
}

TEST_F(ClusterDirectoryTest, a_login_gets_a_player_who_has_just_arrived) {
  is_at(Place::here);
  names_.player.arrived.emplace().set_name("ann");
  EXPECT_EQ(log_in().id, 5u);
  ASSERT_TRUE(answers_.back().adopted);
  EXPECT_FALSE(answers_.back().is_unknown_now);
  // Of a look-alike only the host must hear; the next try displaces it.
  names_.player.arrived->set_name("Ann");
  EXPECT_TRUE(log_in().is_unknown_now);
  EXPECT_TRUE(answers_.back().adopted);
}

TEST_F(ClusterDirectoryTest, a_login_waits_for_a_player_who_is_being_taken_over) {
  is_at(Place::unowned);
  begin_to_log_in();
  EXPECT_TRUE(answers_.empty());
  directory_->register_player({5, "ann"}, "old");
  pass(milliseconds(10), false);
  ASSERT_EQ(answers_.size(), 1u);
  EXPECT_EQ(answers_[0].id, 5u);
}

// Another server can be faster, every time.
TEST_F(ClusterDirectoryTest, a_login_that_others_claim_ends) {
  EXPECT_TRUE(log_in().is_unknown_now);
  EXPECT_EQ(names_.claims, 3);
}

// Players who arrive -----------------------------------------------------------------------------

class ArrivalsTest : public testing::Test {
 protected:
  static server::Config for_one() {
    server::Config config = HostDriver::recording();
    config.limits.players = 1;
    return config;
  }
  /// A player of that name comes from another server.
  v1::Welcome arrive(server::PlayerId id, const std::string& name) {
    names_.player.id = id;
    names_.player.where.place = Place::here;
    names_.player.arrived = player_record(id, name).player();
    names_.claimed = id + 1;
    v1::ClientMessage hello = hello_request("stranger");
    hello.mutable_hello()->set_token(std::string(16, 't'));
    return driver_.ask(driver_.connect(), hello).welcome();
  }
  server::ConnectionId enter(server::PlayerId id, const std::string& name) {
    names_.claimed = id;
    return driver_.enter(name);
  }

  const server::Config config_ = for_one();
  OnePlayer names_;
  HostDriver driver_{
      config_, 1, false, [this](std::unique_ptr<Directory> local) {
        return std::make_unique<ClusterDirectory>(
            std::move(local), config_, 1,
            [this](std::optional<server::Origin>, const ClusterDirectory::Question& question) {
              question(names_)(driver_.now());
              return true;
            });
      }};
};

TEST_F(ArrivalsTest, get_the_name_that_is_held_for_somebody_who_was_forgotten) {
  const auto former = enter(10, "ann");
  driver_.ask(former, create_request("den"));
  driver_.ask(former, add_ai_request(v1::MARK_O));
  driver_.ask(former, move_request(0, 0));
  driver_.ask(former, leave_request());
  driver_.disconnect(former);
  driver_.disconnect(enter(11, "passer-by"));
  const v1::Welcome welcome = arrive(77, "ann");
  EXPECT_EQ(welcome.player_name(), "ann");
  EXPECT_TRUE(welcome.resumed());
}

// Otherwise the store says for ever that the player is here, and every server sends the client
// here.
TEST_F(ArrivalsTest, are_forgotten_if_the_server_cannot_have_them) {
  enter(10, "ann");
  arrive(77, "ann");
  ASSERT_TRUE(driver_.records.back().has_player_forgotten());
  EXPECT_EQ(driver_.records.back().player_forgotten(), 77u);
}

TEST_F(ClusterDirectoryTest, who_is_unknown_is_told_at_once) {
  ask();
  ASSERT_EQ(answers_.size(), 1u);
  EXPECT_EQ(answers_[0].id, 0u);
  EXPECT_FALSE(answers_[0].is_unknown_now);
}

// The rooms of other servers in the lists of a server that shares a lobby -------------------------

enum class Seats : std::uint8_t { open, taken };

class RoomsElsewhere : public testing::Test {
 protected:
  RoomsElsewhere() { directory_->set_servers({{1, "a:1", {}}, {2, "b:1", {}}}); }

  void show(const std::string& name, Seats seats, v1::Phase phase = v1::PHASE_WAITING) {
    auto info = std::make_shared<v1::RoomInfo>();
    info->set_name(name);
    info->set_phase(phase);
    info->mutable_x()->set_kind(v1::Occupant::KIND_PERSON);
    info->mutable_o()->set_kind(seats == Seats::open ? v1::Occupant::KIND_OPEN
                                                     : v1::Occupant::KIND_PERSON);
    directory_->changed({name, 2, std::move(info)});
  }
  void hide(const std::string& name) { directory_->changed({name, 2, nullptr}); }

  std::vector<std::string> list(bool open_only, const std::string& after = {}) {
    std::vector<std::string> names;
    directory_->list_rooms(after, open_only, now_, [&](const v1::RoomList& page, server::Time) {
      for (const v1::RoomInfo& room : page.rooms()) names.push_back(room.name());
    });
    return names;
  }
  /// Whether Play has a room to go to.
  bool finds_room() {
    bool found = false;
    directory_->find_open_room(0, now_, [&](const Directory::LocatedRoom& room, server::Time) {
      found = room.elsewhere.has_value();
    });
    return found;
  }

 private:
  const server::Time now_{std::chrono::hours(1)};
  const server::Config config_;
  ClusterDirectory* directory_ = nullptr;
  const server::Host host_{
      config_, 1, HostDriver::counted_tokens(), [this](std::unique_ptr<Directory> local) {
        auto directory = std::make_unique<ClusterDirectory>(
            std::move(local), config_, 1,
            [](std::optional<server::Origin>, const ClusterDirectory::Question&) { return false; });
        directory_ = directory.get();
        return directory;
      }};
};

TEST_F(RoomsElsewhere, are_open_as_long_as_they_are_shown_so) {
  show("a", Seats::open);
  show("b", Seats::taken);
  show("c", Seats::open, v1::PHASE_FINISHED);
  EXPECT_THAT(list(false), ElementsAre("a", "b", "c"));
  EXPECT_THAT(list(true), ElementsAre("a", "c"));
  EXPECT_THAT(list(true, "a"), ElementsAre("c"));
  EXPECT_TRUE(finds_room());
  show("a", Seats::taken);
  EXPECT_FALSE(finds_room());
  show("b", Seats::open);
  EXPECT_THAT(list(true), ElementsAre("b", "c"));
  EXPECT_TRUE(finds_room());
  hide("b");
  hide("c");
  EXPECT_FALSE(finds_room());
  EXPECT_THAT(list(true), IsEmpty());
  EXPECT_THAT(list(false), ElementsAre("a"));
}

TEST_F(RoomsElsewhere, are_found_as_fast_among_many_that_are_taken) {
  const auto seconds = [&] {
    return seconds_of([&] {
      EXPECT_TRUE(finds_room());
      EXPECT_THAT(list(true), ElementsAre("z"));
    });
  };
  show("z", Seats::open);
  const double alone = seconds();
  for (int i = 0; i < 20'000; ++i) show(std::to_string(i), Seats::taken);
  EXPECT_LT(seconds(), 10 * alone);
}

TEST_F(ClusterDirectoryTest, says_why_a_room_could_not_be_claimed) {
  using Outcome = records::ClaimedRoom::Outcome;
  const auto code = [&](Directory::Naming naming, Outcome outcome) {
    names_.outcome = outcome;
    std::optional<v1::Error::Code> found;
    directory_->check_claim("den", naming, 5, 7, {}, now_,
                            [&](const server::Refused& refused, server::Time) {
                              found = refused ? refused->code : v1::Error::CODE_UNSPECIFIED;
                            });
    ask();  // and has the questions answered
    return found.value();
  };
  using Naming = Directory::Naming;
  EXPECT_EQ(code(Naming::exact, Outcome::claimed), v1::Error::CODE_UNSPECIFIED);
  EXPECT_EQ(code(Naming::exact, Outcome::taken), v1::Error::CODE_ROOM_EXISTS);
  EXPECT_EQ(code(Naming::similar, Outcome::taken), v1::Error::CODE_UNSPECIFIED);
  EXPECT_EQ(code(Naming::similar, Outcome::too_many), v1::Error::CODE_TOO_MANY_ROOMS);
  EXPECT_EQ(names_.spared, 7u);
}

// The players of other servers
// ---------------------------------------------------------------------

TEST(PlayersElsewhere, are_listed_between_those_who_are_here_and_nobody_twice) {
  server::Config config = HostDriver::patient();
  config.limits.names_per_list = 2;
  OnePlayer names;
  ClusterDirectory* directory = nullptr;
  HostDriver driver(config, 1, false, [&](std::unique_ptr<Directory> local) {
    auto made = std::make_unique<ClusterDirectory>(
        std::move(local), config, 1,
        [&](std::optional<server::Origin>, const ClusterDirectory::Question& question) {
          question(names)(driver.now());
          return true;
        });
    directory = made.get();
    return made;
  });
  for (const char* name : {"bob", "dan"}) {
    names.claimed = names.claimed.value_or(0) + 1;
    driver.enter(name);
  }
  auto elsewhere = std::make_shared<server::PlayersElsewhere>();
  for (const std::string name : {"ann", "bob", "cat", "eve"}) {
    (*elsewhere)[name].set_name(name);
    (*elsewhere)[name].set_room("far");
  }
  directory->set_players_elsewhere(elsewhere);
  std::vector<std::string> listed;
  std::vector<int> pages;
  for (bool more = true; more;) {
    const auto note = [&](const v1::PlayerList& page, server::Time) {
      for (const v1::PlayerInfo& player : page.players()) {
        listed.push_back(player.name() + player.room());
      }
      pages.push_back(page.players_size());
      more = page.more();
    };
    const std::string after = listed.empty() ? "" : listed.back().substr(0, 3);
    directory->list_players(after, driver.now(), note);
  }
  EXPECT_THAT(listed, ElementsAre("annfar", "bob", "catfar", "dan", "evefar"));
  EXPECT_THAT(pages, ElementsAre(2, 2, 1));
  directory->set_players_elsewhere(std::make_shared<server::PlayersElsewhere>());
  EXPECT_EQ(directory->own_players("", driver.now()).players_size(), 2);
}

}  // namespace
}  // namespace tictactoe::test::cluster_directory_tests
