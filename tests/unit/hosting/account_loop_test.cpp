// Accounts on a file system that does not answer.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

#include "server/hosting/accounts.hpp"

namespace tictactoe::hosting::account_loop_tests {
namespace {

/// Notes on which threads it is called.
class ObservedPlace final : public AccountPlace {
 public:
  OrSentence<std::vector<core::Login>> read() override { return std::vector<core::Login>(); }
  OrSentence<std::optional<std::vector<core::Login>>> read_changes() override {
    return std::optional(std::vector<core::Login>());
  }
  bool may_have_changed() override {
    ++looks;
    if (std::this_thread::get_id() == loop) ++looks_on_loop;
    return true;
  }
  std::optional<std::string> change(const Change&) override { return std::nullopt; }

  const std::thread::id loop = std::this_thread::get_id();
  std::atomic<int> looks = 0;
  std::atomic<int> looks_on_loop = 0;
};

TEST(AccountWatch, looks_for_changes_beside_the_loop) {
  boost::asio::io_context io;
  const auto place = std::make_shared<ObservedPlace>();
  int changes = 0;
  std::unique_ptr<AccountWatch> watch;
  watch = std::make_unique<AccountWatch>(
      io, place,
      [&](const core::Logins&) {
        if (++changes == 2) watch->stop();
      },
      [](const std::string& sentence) { FAIL() << sentence; });
  watch->start();
  io.run();
  EXPECT_EQ(place->looks, 2);
  EXPECT_EQ(place->looks_on_loop, 1) << "that of the start, before the loop runs";
}

}  // namespace
}  // namespace tictactoe::hosting::account_loop_tests
