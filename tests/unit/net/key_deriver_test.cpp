// The thread that derives keys.
#include "server/net/key_deriver.hpp"

#include <gtest/gtest.h>

#include <boost/asio/steady_timer.hpp>
#include <utility>
#include <vector>

namespace tictactoe::net::key_deriver_tests {
namespace {

core::DeriveKey request(std::uint64_t id, const std::string& password) {
  return {id,
          std::make_shared<core::KeyRequest>(password, core::PasswordKey{{8, 8, 1}, "salt", ""})};
}

TEST(KeyDeriver, answers_one_after_the_other_on_the_loop) {
  boost::asio::io_context io;
  std::vector<std::pair<std::uint64_t, std::string>> answers;
  KeyDeriver* keys = nullptr;
  KeyDeriver deriver(io, [&](std::uint64_t id, const std::string& key) {
    answers.emplace_back(id, key);
    if (id < 3) keys->derive(request(id + 1, "swordfish"));
  });
  keys = &deriver;
  deriver.derive(request(1, "sword"));
  EXPECT_TRUE(answers.empty());
  io.run();
  ASSERT_EQ(answers.size(), 3u);
  EXPECT_EQ(answers[0],
            std::pair(std::uint64_t{1}, core::derive_key(*request(0, "sword").request)));
  EXPECT_EQ(answers[2],
            std::pair(std::uint64_t{3}, core::derive_key(*request(0, "swordfish").request)));
}

TEST(KeyDeriver, leaves_the_loop_free_meanwhile) {
  boost::asio::io_context io;
  bool done = false;
  KeyDeriver deriver(io, [&](std::uint64_t, const std::string&) { done = true; });
  const auto slow =
      std::make_shared<core::KeyRequest>("pw", core::PasswordKey{{16, 8, 1}, "salt", ""});
  deriver.derive({1, slow});
  io.poll();  // its first turn comes long before the key
  EXPECT_FALSE(done);
  io.run();
  EXPECT_TRUE(done);
}

TEST(KeyDeriver, that_is_cancelled_answers_nothing_and_lets_the_loop_end) {
  boost::asio::io_context io;
  KeyDeriver deriver(io, [](std::uint64_t, const std::string&) { ADD_FAILURE(); });
  deriver.derive(request(1, "pw"));
  deriver.cancel();
  io.run();
  deriver.derive(request(2, "pw"));
  io.restart();
  io.run();
}

}  // namespace
}  // namespace tictactoe::net::key_deriver_tests
