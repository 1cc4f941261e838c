// Engines that load slowly, and what they answer to START.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>

#include "common/engines/player.hpp"

namespace tictactoe::engines::engine_start_tests {
namespace {

using std::chrono::milliseconds;

class EngineStart : public testing::Test {
 protected:
  EngineStart() { ::signal(SIGPIPE, SIG_IGN); }

  /// A player whose engine is a script of the shell: `start` answers START, and it moves to 3,4.
  std::unique_ptr<ai::Player> player(const std::string& start) const {
    const std::string script = "read word size; " + start +
                               "; while read word rest; do case $word in INFO|*,*) ;; "
                               "*) echo 3,4 ;; esac; done";
    return make_engine_player({"robo", {"/bin/sh", "-c", script}}, limits,
                              rules::Game{rules::Rules{15, 15, 5, true}});
  }
  /// How often it was not ready.
  static int await_ready(ai::Player& robo) {
    int times = 0;
    while (!robo.is_ready()) ++times;
    return times;
  }

  const ai::Choice engines_move{{4, 3}, false};
  const std::string slowly = "sleep 0.6; echo OK";
  Limits limits{.turn = milliseconds(100),
                .patience = milliseconds(300),
                .start = std::chrono::seconds(20),
                .confined = false};
};

TEST_F(EngineStart, the_first_word_of_the_answer_counts) {
  for (const char* const answer : {"OK", "OK - everything is good", "OK\tfine", "OK \r"}) {
    const auto robo = player("printf '" + std::string(answer) + "\\n'");
    EXPECT_EQ(robo->choose({}), engines_move) << answer;
  }
  for (const char* const answer : {"OKAY", "ERROR OK", "ok?"}) {
    const auto robo = player("printf '" + std::string(answer) + "\\n'");
    EXPECT_NE(robo->choose({}).engine_fault.find("refused to start"), std::string::npos) << answer;
  }
}

TEST_F(EngineStart, loading_is_no_part_of_the_turn) {
  EXPECT_EQ(player(slowly)->choose({}), engines_move);
}

TEST_F(EngineStart, is_waited_for_in_short_steps) {
  const auto robo = player(slowly);
  EXPECT_GT(await_ready(*robo), 1);
  // The time of the thought went into the loading.
  std::stop_source over;
  over.request_stop();
  EXPECT_EQ(robo->choose({.stop = over.get_token()}), engines_move);
  // Once it plays it is ready, and the time of a thought counts again.
  robo->played({4, 3});
  robo->played({0, 0});
  EXPECT_TRUE(robo->is_ready());
  EXPECT_NE(robo->choose({.stop = over.get_token()}).engine_fault, "");
}

TEST_F(EngineStart, a_stop_while_it_loads_is_not_its_fault) {
  const auto robo = player(slowly);
  std::stop_source stop;
  stop.request_stop();
  for (int i = 0; i < 5; ++i) {
    EXPECT_NE(robo->choose({.stop = stop.get_token()}).engine_fault.find("is still loading"),
              std::string::npos);
  }
  EXPECT_EQ(robo->choose({}), engines_move);
}

TEST_F(EngineStart, has_a_limit) {
  limits.start = milliseconds(100);
  const auto robo = player("sleep 1000");
  await_ready(*robo);
  EXPECT_NE(robo->choose({}).engine_fault.find("did not start in time"), std::string::npos);
}

TEST_F(EngineStart, one_that_ends_while_it_loads_is_replaced) {
  const auto robo = player("exit 3");
  for (int i = 0; i < 3; ++i) {
    await_ready(*robo);
    EXPECT_NE(robo->choose({}).engine_fault.find("has ended with status 3"), std::string::npos);
  }
  EXPECT_TRUE(robo->is_ready());
  EXPECT_NE(robo->choose({}).engine_fault.find("has failed too often"), std::string::npos);
}

}  // namespace
}  // namespace tictactoe::engines::engine_start_tests
