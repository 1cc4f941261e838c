// What outboxes keep of rooms that are closed.
#include <gtest/gtest.h>

#include "tests/support/host_driver.hpp"

namespace tictactoe::test::host_closed_rooms_tests {
namespace {

class ClosedRooms : public testing::Test {
 protected:
  ClosedRooms() {
    const auto ann = driver.enter("ann");
    player_ = driver.records.front().player().id();
    token_ = driver.token(ann);
    driver.disconnect(ann);
  }
  /// Opens a room with a long game, as after a restart, and lets its player come back.
  core::ConnectionId come_back_to(std::uint64_t serial, std::uint64_t address) {
    journal::v1::Saved saved;
    journal::v1::SavedRoom& room = *saved.add_rooms();
    room.mutable_room()->set_serial(serial);
    room.mutable_room()->set_name("room " + std::to_string(serial));
    room.mutable_room()->mutable_rules()->set_rows(1000);
    room.mutable_room()->mutable_rules()->set_cols(1000);
    room.mutable_room()->mutable_rules()->set_k(1000);
    room.mutable_room()->set_revision(1);
    room.mutable_room()->set_game(1);
    room.mutable_room()->set_starter(v1::MARK_X);
    room.mutable_room()->mutable_origin()->set_address(address);
    room.mutable_room()->mutable_x()->set_kind(v1::Occupant::KIND_PERSON);
    room.mutable_room()->mutable_x()->set_player(player_);
    for (std::uint32_t ply = 1; ply <= 30'000; ++ply) {
      journal::v1::Move& move = *room.add_moves();
      move.set_room(serial);
      move.set_ply(ply);
      move.set_cell(1'000'000 - ply);
    }
    EXPECT_TRUE(driver.host().restore(saved, driver.now()).refused.empty());
    driver.collect();
    return driver.come_back(token_);
  }
  void leave(core::ConnectionId ann) {
    driver.ask(ann, leave_request());
    driver.disconnect(ann);
  }
  /// What a snapshot shares with others.
  std::vector<core::SharedBytes> snapshot(core::ConnectionId ann) {
    std::vector<core::SharedBytes> blocks;
    driver.host().received(ann, snapshot_request().SerializeAsString(), driver.now());
    const core::Effects& effects = driver.host().effects();
    for (const core::Effect& effect : effects.list()) {
      if (const auto* send = std::get_if<core::Send>(&effect)) {
        const auto shared = effects.shared(send->body);
        blocks.insert(blocks.end(), shared.begin(), shared.end());
      }
    }
    driver.collect();
    return blocks;
  }
  bool pays_for_blocks(std::uint64_t serial, std::uint64_t address) {
    const auto ann = come_back_to(serial, address);
    const auto blocks = snapshot(ann);
    leave(ann);
    return std::ranges::any_of(blocks, &core::SharedBytes::is_of_room);
  }

  HostDriver driver{HostDriver::recording()};
  std::uint64_t player_ = 0;
  std::string token_;
};

TEST_F(ClosedRooms, whose_moves_an_outbox_keeps_are_counted_for_their_address) {
  const auto ann = come_back_to(1, 7);
  std::vector<core::SharedBytes> outbox = snapshot(ann);
  ASSERT_TRUE(std::ranges::any_of(outbox, &core::SharedBytes::is_of_room));
  leave(ann);
  EXPECT_FALSE(pays_for_blocks(2, 7));
  EXPECT_TRUE(pays_for_blocks(3, 8)) << "a room of somebody else";
  outbox.clear();
  EXPECT_TRUE(pays_for_blocks(4, 7));
}

}  // namespace
}  // namespace tictactoe::test::host_closed_rooms_tests
