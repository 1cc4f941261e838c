// What a look shows to the other servers if the store fails meanwhile.
#include <gmock/gmock.h>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "server/cluster/sharing.hpp"

namespace tictactoe::cluster::lookout_tests {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

/// A store with one member, in which nothing is ever lost but what was published.
class FakeMembership final : public store::Membership {
 public:
  bool fails_to_renew = false;
  bool fails_to_publish = false;
  bool fails_to_list = false;
  std::map<std::string, std::string> shown;  // by name
  std::vector<std::size_t> publications;     // how many rooms each one had

  store::Result<store::StreamId> new_stream() override { return store::StreamId{1}; }
  std::optional<store::Fault> join(const store::Member& /*self*/, milliseconds /*lease*/) override {
    return std::nullopt;
  }
  store::Result<bool> renew(const store::Member& /*self*/, milliseconds /*lease*/) override {
    if (fails_to_renew) return fault();
    return true;
  }
  std::optional<store::Fault> leave(store::StreamId /*stream*/) override { return std::nullopt; }
  store::Result<std::vector<store::Member>> members() override {
    if (fails_to_list) return fault();
    return std::vector<store::Member>(1);
  }
  store::Result<bool> take_over() override { return false; }
  store::Result<store::LoadedStream> adopt(store::StreamId /*stream*/,
                                           std::size_t /*most*/) override {
    return store::LoadedStream{};
  }
  store::Result<store::LoadedStream> take_arrived(store::StreamId /*stream*/,
                                                  std::size_t /*most*/) override {
    return store::LoadedStream{};
  }
  store::Result<std::size_t> count_arriving(std::size_t /*most*/) override {
    return std::size_t{0};
  }
  store::Result<std::optional<store::SharedBans>> bans(const std::string& /*version*/) override {
    return std::optional<store::SharedBans>();
  }
  std::optional<store::Fault> publish(store::StreamId /*stream*/,
                                      std::span<const store::PublishedRoom> rooms) override {
    if (fails_to_publish) return fault();
    publications.push_back(rooms.size());
    for (const store::PublishedRoom& room : rooms) shown[room.name] = room.info;
    return std::nullopt;
  }
  store::Result<std::vector<store::PublishedRoom>> rooms_of_others(
      store::StreamId /*stream*/) override {
    return std::vector<store::PublishedRoom>();
  }

 private:
  static store::Fault fault() { return {store::Fault::Kind::unusable, "it fails"}; }
};

class LookoutTest : public testing::Test {
 protected:
  /// A second after the last one.
  Look look(std::vector<store::PublishedRoom> changed = {}) {
    now_ += settings_.interval;
    return lookout_.look({{}, std::move(changed)}, now_);
  }
  static store::PublishedRoom room(const std::string& name, const std::string& info) {
    return {name, info, 0};
  }

  FakeMembership membership;

 private:
  const SharingSettings settings_;
  Lookout lookout_{membership, settings_};
  core::Time now_{std::chrono::hours(1)};
};

TEST_F(LookoutTest, shows_a_room_after_a_renewal_that_has_failed) {
  membership.fails_to_renew = true;
  EXPECT_FALSE(look({room("den", "open"), room("hall", "open")}).fault.empty());
  look({room("den", "full")});
  EXPECT_THAT(membership.shown, IsEmpty());
  membership.fails_to_renew = false;
  look();
  EXPECT_THAT(membership.shown, ElementsAre(Pair("den", "full"), Pair("hall", "open")));
}

TEST_F(LookoutTest, shows_a_room_again_that_could_not_be_shown) {
  membership.fails_to_publish = true;
  EXPECT_FALSE(look({room("den", "open"), room("hall", {})}).fault.empty());
  membership.fails_to_publish = false;
  look({room("pit", "open")});
  EXPECT_THAT(membership.shown,
              ElementsAre(Pair("den", "open"), Pair("hall", ""), Pair("pit", "open")));
}

// It is committed without a wait for the disk or a standby, as opposed to a renewal.
TEST_F(LookoutTest, shows_a_room_again_that_was_shown_to_a_database_that_is_lost) {
  look({room("den", "open"), room("hall", "open")});
  membership.fails_to_list = true;
  EXPECT_FALSE(look({room("den", "full")}).fault.empty());
  membership.shown["den"] = "open";
  membership.fails_to_list = false;
  look();
  EXPECT_THAT(membership.shown, ElementsAre(Pair("den", "full"), Pair("hall", "open")));
  look();
  EXPECT_THAT(membership.publications, ElementsAre(2, 1, 1));
}

TEST_F(LookoutTest, shows_a_room_once_if_nothing_fails) {
  look({room("den", "open"), room("hall", "open")});
  for (int i = 0; i < 3; ++i) look();
  look({room("den", "full")});
  EXPECT_THAT(membership.publications, ElementsAre(2, 1));
}

}  // namespace
}  // namespace tictactoe::cluster::lookout_tests
