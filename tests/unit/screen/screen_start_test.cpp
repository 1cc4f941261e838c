// The screen that offers servers, and takes an address.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/screen_harness.hpp"

namespace tictactoe::screen::testing::screen_start_tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Connects in vain, and shows these servers again.
void fail_to_connect(Screen& screen, const std::vector<ServerEntry>& servers) {
  screen.connect();
  screen.app.talk()->cannot_connect("no answer", screen.now);
  screen.app.happened(screen.now);
  EXPECT_TRUE(screen.app.talk_is_over());
  screen.app.forget_talk();
  EXPECT_THAT(screen.text(), HasSubstr("Can't reach a server at testhost: no answer."));
  EXPECT_FALSE(screen.app.ending());
  screen.app.offer(servers, true);
}

TEST(Start, the_only_server_is_joined) {
  Screen screen({80, 24}, alice(true));
  screen.app.offer({{"192.0.2.5:7654", "the den", "", true}, {"old:1", "", "", false}}, true);
  screen.app.join_the_only_one();
  EXPECT_EQ(screen.app.take_choice(), "192.0.2.5:7654");
  EXPECT_FALSE(screen.app.take_choice());
}

TEST(Start, nothing_is_joined_for_a_person_who_has_begun_to_choose) {
  Screen screen({80, 24}, alice(true));
  screen.app.offer({{"192.0.2.5:7654", "the den", "", true}}, true);
  screen.keys("e");
  screen.app.join_the_only_one();
  EXPECT_FALSE(screen.app.take_choice());
}

TEST(Start, an_address_is_typed) {
  Screen screen({80, 24}, alice(true));
  screen.app.offer({{"192.0.2.5:7654", "the den", "", true}}, true);
  screen.keys("example.org");
  screen.app.offer({{"192.0.2.5:7654", "the den", "", true}, {"192.0.2.6:7654", "", "", true}},
                   true);
  screen.keys(":99\r");
  EXPECT_EQ(screen.app.take_choice(), "example.org:99");
}

TEST(Start, an_address_that_has_failed_stays_selected_and_can_be_corrected) {
  Screen screen({80, 24}, alice(true));
  const std::vector<ServerEntry> servers{{"192.0.2.5:7654", "the den", "", false}};
  screen.app.offer(servers, true);
  screen.keys("exampel.org\r");
  screen.app.take_choice();
  fail_to_connect(screen, servers);
  screen.keys("\x7f\x7f\x7f\x7f\x7f\x7fle.org\r");
  EXPECT_EQ(screen.app.take_choice(), "example.org");
}

TEST(Start, a_server_of_the_list_that_has_failed_stays_selected) {
  Screen screen({80, 24}, alice(true));
  const std::vector<ServerEntry> servers{{"192.0.2.5:7654", "", "", false},
                                         {"testhost", "", "", false}};
  screen.app.offer(servers, true);
  screen.keys("\033[B\r");
  EXPECT_EQ(screen.app.take_choice(), "testhost");
  fail_to_connect(screen, servers);
  screen.keys("\r");
  EXPECT_EQ(screen.app.take_choice(), "testhost");
}

TEST(Start, the_program_ends_with_the_server_that_was_named) {
  Screen screen;
  screen.connect();
  screen.app.talk()->cannot_connect("no answer", screen.now);
  screen.app.happened(screen.now);
  ASSERT_TRUE(screen.app.ending());
  EXPECT_EQ(screen.app.ending()->status, 1);
}

TEST(Start, says_what_to_do_if_no_server_answers) {
  Screen screen({80, 24}, alice(true));
  screen.app.offer({}, true);
  EXPECT_THAT(screen.text(), Not(HasSubstr("No server has answered")));
  screen.app.advise();
  EXPECT_THAT(screen.text(),
              HasSubstr("No server has answered on this network. A firewall may block"));
}

}  // namespace
}  // namespace tictactoe::screen::testing::screen_start_tests
