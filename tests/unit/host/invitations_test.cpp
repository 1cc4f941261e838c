#include "server/people/invitations.hpp"

#include <gtest/gtest.h>

namespace tictactoe::server::invitations_tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr Time start{std::chrono::hours(1)};
constexpr PlayerId guest = 1'000;
constexpr Origin here{1, 1};

// With the default limits, a player gets 12 in a minute.
class InvitationsTest : public testing::Test {
 protected:
  /// How many of this sender a guest can have now.
  int sent(PlayerId sender, Origin origin, Time now = start, PlayerId to = guest) {
    int count = 0;
    while (!invitations_.send(to, sender, origin, now)) ++count;
    return count;
  }

  Limits limits_;
  Invitations invitations_{limits_};
};

TEST_F(InvitationsTest, of_one_player_are_a_quarter) {
  EXPECT_EQ(sent(1, here), 3);
  EXPECT_EQ(sent(1, {2, 2}), 0) << "wherever the player connects from";
  EXPECT_EQ(sent(1, here, start, guest + 1), 3) << "to each guest";
  EXPECT_EQ(sent(2, {2, 2}), 3) << "of each sender";
}

TEST_F(InvitationsTest, of_one_address_are_a_half) {
  EXPECT_EQ(sent(1, here) + sent(2, here) + sent(3, here), 6);
}

TEST_F(InvitationsTest, of_one_network_are_three_quarters) {
  int sum = 0;
  for (PlayerId sender = 1; sender < 9; ++sender) sum += sent(sender, {sender, 1});
  EXPECT_EQ(sum, 9);
  EXPECT_EQ(sent(9, {9, 2}), 3) << "the network leaves another player as many as one gets";
}

TEST_F(InvitationsTest, of_everybody_have_a_limit) {
  int sum = 0;
  for (PlayerId sender = 1; sender < 9; ++sender) sum += sent(sender, {sender, sender});
  EXPECT_EQ(sum, 12);
}

TEST_F(InvitationsTest, come_again_when_earlier_ones_are_a_minute_old) {
  EXPECT_FALSE(invitations_.send(guest, 1, here, start));
  EXPECT_FALSE(invitations_.send(guest, 1, here, start + seconds(10)));
  EXPECT_FALSE(invitations_.send(guest, 1, here, start + seconds(10)));
  EXPECT_EQ(invitations_.send(guest, 1, here, start + seconds(20)), milliseconds(40'000));
  EXPECT_EQ(sent(1, here, start + seconds(60)), 1);
  EXPECT_EQ(sent(1, here, start + seconds(70)), 2);
}

TEST_F(InvitationsTest, wait_for_the_last_limit_that_they_are_over) {
  EXPECT_EQ(sent(2, here), 3);
  EXPECT_FALSE(invitations_.send(guest, 3, here, start));
  EXPECT_EQ(sent(1, here, start + seconds(5)), 2);
  EXPECT_FALSE(invitations_.send(guest, 1, {2, 2}, start + seconds(6)));
  EXPECT_EQ(invitations_.send(guest, 1, here, start + seconds(10)), milliseconds(55'000))
      << "the address could send another after 50 s, but this player not";
}

TEST_F(InvitationsTest, that_are_old_are_forgotten) {
  for (PlayerId to = 1; to <= 100; ++to) sent(1, here, start, to);
  EXPECT_EQ(invitations_.guests(), 100u);
  sent(1, here, start + minutes(1));
  EXPECT_EQ(invitations_.guests(), 1u);
}

TEST_F(InvitationsTest, are_for_everybody_of_an_address_if_addresses_have_no_limits) {
  limits_.connections_per_address = 0;
  int sum = 0;
  for (PlayerId sender = 1; sender < 9; ++sender) sum += sent(sender, here);
  EXPECT_EQ(sum, 12);
}

TEST_F(InvitationsTest, have_no_limit_without_a_rate_of_requests) {
  limits_.requests_per_second = 0;
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(invitations_.send(guest, 1, here, start));
  EXPECT_EQ(invitations_.guests(), 0u);
}

}  // namespace
}  // namespace tictactoe::server::invitations_tests
