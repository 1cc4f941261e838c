// Players who are asked for while their server leaves a lobby of several servers.
#include "server/cluster/cluster_directory.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test {
namespace {

using cluster::ClusterDirectory;
using core::Directory;
using std::chrono::milliseconds;
using Place = store::Whereabouts::Place;

/// Knows of one player.
class OnePlayer final : public store::SharedNames {
 public:
  store::Result<store::FoundPlayer> find_player(const std::string&) override { return player; }
  store::Result<std::optional<std::uint64_t>> claim_player(const store::KeyedName&,
                                                           const std::string&) override {
    return std::optional<std::uint64_t>();
  }
  std::optional<store::Fault> drop_player(std::uint64_t) override { return std::nullopt; }
  store::Result<store::Whereabouts> find_room(const std::string&) override { return player.where; }
  store::Result<store::ClaimedRoom> claim_room(const store::KeyedName&, std::uint64_t,
                                               std::size_t) override {
    return store::ClaimedRoom();
  }
  std::optional<store::Fault> drop_room(std::uint64_t) override { return std::nullopt; }

  store::FoundPlayer player;
};

class ClusterDirectoryTest : public testing::Test {
 protected:
  ClusterDirectoryTest() {
    directory_->set_servers({{1, "a:1", {}}, {2, "b:1", {}}});
    names_.player.id = 5;
  }

  void ask() {
    directory_->find_player("hash", now_, [&](const Directory::FoundPlayer& found, core::Time) {
      answers_.push_back(found);
    });
    answer_questions();
  }
  void pass(milliseconds time, bool in_store = true) {
    now_ += time;
    directory_->answer_waiting(in_store, now_);
    answer_questions();
  }
  void is_at(Place place, store::StreamId stream = 0) { names_.player.where = {place, stream}; }

  core::Time now_{std::chrono::hours(1)};
  OnePlayer names_;
  std::size_t asked_ = 0;
  std::vector<Directory::FoundPlayer> answers_;

 private:
  void answer_questions() {
    while (!questions_.empty()) {
      ++asked_;
      const auto go_on = questions_.front()(names_);
      questions_.pop_front();
      go_on(now_);
    }
  }

  const core::Config config_;
  std::deque<ClusterDirectory::Question> questions_;

 protected:
  ClusterDirectory* directory_ = nullptr;

 private:
  const core::Host host_{
      config_, 1, HostDriver::counted_tokens(), [this](std::unique_ptr<Directory> local) {
        auto directory = std::make_unique<ClusterDirectory>(
            std::move(local), config_, 1, [this](ClusterDirectory::Question question) {
              questions_.push_back(std::move(question));
              return true;
            });
        directory_ = directory.get();
        return directory;
      }};
};

TEST_F(ClusterDirectoryTest, waits_until_this_server_has_taken_the_player_over) {
  is_at(Place::nobodys);
  ask();
  pass(milliseconds(50));
  EXPECT_TRUE(answers_.empty());
  directory_->restore_player({5, "ann"}, "hash");
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
  is_at(Place::nobodys);
  ask();
  for (int i = 0; i < 100; ++i) pass(milliseconds(10));
  EXPECT_TRUE(answers_.empty());
  EXPECT_LE(asked_, 11u);
  EXPECT_GE(asked_, 9u);
}

TEST_F(ClusterDirectoryTest, nobody_waits_for_longer_than_two_seconds) {
  is_at(Place::nobodys);
  ask();
  pass(milliseconds(1999));
  EXPECT_TRUE(answers_.empty());
  pass(milliseconds(1));
  ASSERT_EQ(answers_.size(), 1u);
  EXPECT_TRUE(answers_[0].is_unknown_now);
}

TEST_F(ClusterDirectoryTest, a_room_is_waited_for_as_a_player_is) {
  std::vector<Directory::FoundRoom> rooms;
  const auto ask_for_room = [&] {
    rooms.clear();
    directory_->find_room("den", now_, [&](const Directory::FoundRoom& found, core::Time) {
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
  is_at(Place::nobodys);
  ask_for_room();
  pass(milliseconds(2000));
  ASSERT_EQ(rooms.size(), 1u);
  EXPECT_TRUE(rooms[0].is_unknown_now);
  is_at(Place::unknown);
  ask_for_room();
  ASSERT_EQ(rooms.size(), 1u);
  EXPECT_FALSE(rooms[0].is_unknown_now);
}

TEST_F(ClusterDirectoryTest, who_is_unknown_is_told_at_once) {
  ask();
  ASSERT_EQ(answers_.size(), 1u);
  EXPECT_EQ(answers_[0].id, 0u);
  EXPECT_FALSE(answers_[0].is_unknown_now);
}

}  // namespace
}  // namespace tictactoe::test
