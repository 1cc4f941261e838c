// The rooms of other servers in the lists of a server that shares a lobby.
#include <gmock/gmock.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/cluster/cluster_directory.hpp"
#include "tests/support/host_driver.hpp"
#include "tests/support/processor_time.hpp"

namespace tictactoe::test::rooms_elsewhere_tests {
namespace {

using cluster::ClusterDirectory;
using core::Directory;
using testing::ElementsAre;
using testing::IsEmpty;

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
    directory_->list_rooms(after, open_only, now_, [&](const v1::RoomList& page, core::Time) {
      for (const v1::RoomInfo& room : page.rooms()) names.push_back(room.name());
    });
    return names;
  }
  /// Whether Play has a room to go to.
  bool finds_room() {
    bool found = false;
    directory_->find_open_room(now_, [&](const Directory::FoundRoom& room, core::Time) {
      found = room.elsewhere.has_value();
    });
    return found;
  }

 private:
  const core::Time now_{std::chrono::hours(1)};
  const core::Config config_;
  ClusterDirectory* directory_ = nullptr;
  const core::Host host_{
      config_, 1, HostDriver::counted_tokens(), [this](std::unique_ptr<Directory> local) {
        auto directory = std::make_unique<ClusterDirectory>(
            std::move(local), config_, 1, [](const ClusterDirectory::Question&) { return false; });
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

}  // namespace
}  // namespace tictactoe::test::rooms_elsewhere_tests
