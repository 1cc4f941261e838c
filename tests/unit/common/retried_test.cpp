#include "common/posix/retried.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace tictactoe::posix::retried_tests {
namespace {

TEST(Retried, calls_again_after_a_signal_only) {
  int calls = 0;
  const auto interrupted = [&] {
    errno = ++calls < 3 ? EINTR : EAGAIN;
    return -1;
  };
  EXPECT_EQ(retried(interrupted), -1);
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(errno, EAGAIN);
}

}  // namespace
}  // namespace tictactoe::posix::retried_tests
