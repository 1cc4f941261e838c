// The file with the accounts of a server.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <thread>

#include "server/hosting/accounts.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tictactoe::hosting::account_file_tests {
namespace {

core::Login login(const std::string& name) {
  return {name, {{14, 8, 1}, std::string("s\0lt", 4), std::string(core::key_bytes, '\xF0')}, "id"};
}

class AccountFileTest : public testing::Test {
 protected:
  void add(const std::string& name) {
    EXPECT_EQ(file.change([&](std::vector<core::Login>& logins) -> std::optional<std::string> {
      logins.push_back(login(name));
      return std::nullopt;
    }),
              std::nullopt);
  }
  void write(const std::string& text) {
    std::filesystem::create_directories(file.path().parent_path());
    std::ofstream(file.path()) << text;
  }
  std::vector<std::string> names() {
    const auto logins = file.read();
    EXPECT_TRUE(logins);
    std::vector<std::string> names;
    for (const core::Login& login : *logins) names.push_back(login.name);
    return names;
  }

  test::TemporaryFolder folder;
  AccountFile file{folder / "data"};
};

TEST_F(AccountFileTest, has_no_accounts_before_it_exists) {
  EXPECT_TRUE(names().empty());
}

TEST_F(AccountFileTest, keeps_what_was_added) {
  add("ann");
  add("bob of the den");
  EXPECT_EQ(names(), (std::vector<std::string>{"ann", "bob of the den"}));
  const auto read = file.read();
  EXPECT_EQ(read->front().key.salt, login("ann").key.salt);
  EXPECT_EQ(read->front().key.key, login("ann").key.key);
  EXPECT_EQ(read->front().key.cost.log2_n, 14u);
  EXPECT_EQ(read->front().id, "id");
  struct stat status{};
  ASSERT_EQ(::stat(file.path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST_F(AccountFileTest, stays_as_it_was_if_a_change_is_refused) {
  add("ann");
  const auto refused = file.change([](std::vector<core::Login>& logins) {
    logins.clear();
    return std::optional<std::string>("No.");
  });
  EXPECT_EQ(refused, "No.");
  EXPECT_EQ(names(), std::vector<std::string>{"ann"});
}

TEST_F(AccountFileTest, names_the_line_that_is_no_account) {
  const std::string salt = "00ff";
  const std::string key(2 * core::key_bytes, 'a');
  const std::string good = "0f scrypt 14 8 1 " + salt + " " + key + " ann\n";
  write("# the club\n\n" + good);
  EXPECT_EQ(names(), std::vector<std::string>{"ann"});
  for (const std::string& bad :
       {std::string("nonsense\n"), "scrypt 14 8 1 " + salt + " " + key + " ann\n",
        "0f scrypt 14 8 1 " + salt + " " + key + "\n",
        "0f scrypt 40 8 1 " + salt + " " + key + " ann\n", "0f scrypt 14 8 1 0 " + key + " ann\n",
        "0f scrypt 0 8 1 " + salt + " " + key + " ann\n",
        "0f scrypt 14 8 1 " + salt + " aa ann\n"}) {
    write(good + bad);
    const auto read = file.read();
    ASSERT_FALSE(read) << bad;
    EXPECT_NE(read.error().find(":2: "), std::string::npos) << read.error();
  }
}

TEST_F(AccountFileTest, gives_a_later_account_of_the_same_name_another_id) {
  EXPECT_NE(make_login("ann", "password").id, make_login("ann", "password").id);
}

TEST_F(AccountFileTest, loses_no_change_of_two_writers) {
  const auto add_many = [&](const std::string& base) {
    for (int i = 0; i < 20; ++i) add(base + std::to_string(i));
  };
  std::thread other([&] { add_many("x"); });
  add_many("y");
  other.join();
  EXPECT_EQ(names().size(), 40u);
}

TEST_F(AccountFileTest, is_read_again_after_a_change) {
  boost::asio::io_context io;
  std::vector<std::size_t> seen;
  std::unique_ptr<AccountWatch> watch;
  watch = std::make_unique<AccountWatch>(
      io, std::make_shared<AccountFile>(file),
      [&](const core::Logins& logins) {
        seen.push_back(logins.size());
        if (seen.size() == 1) add("ann");
        if (seen.size() == 2) write("nonsense\n");
      },
      [&](const std::string& sentence) {
        EXPECT_NE(sentence.find("no account"), std::string::npos);
        watch->stop();
      });
  watch->start();
  io.run();
  EXPECT_EQ(seen, (std::vector<std::size_t>{0, 1}));
}

// Who opens a pipe to read it waits for a writer: here, for the loop.
TEST_F(AccountFileTest, is_read_beside_the_loop) {
  boost::asio::io_context io;
  std::size_t seen = 0;
  std::unique_ptr<AccountWatch> watch;
  watch = std::make_unique<AccountWatch>(
      io, std::make_shared<AccountFile>(file),
      [&](const core::Logins&) {
        if (++seen == 2) watch->stop();
      },
      [](const std::string& sentence) { FAIL() << sentence; });
  watch->start();
  ASSERT_EQ(seen, 1u);
  std::filesystem::create_directories(file.path().parent_path());
  ASSERT_EQ(::mkfifo(file.path().c_str(), S_IRUSR | S_IWUSR), 0);
  // Nobody can write to it until the watch reads it.
  boost::asio::steady_timer timer(io);
  std::function<void()> write = [&] {
    const int pipe = ::open(file.path().c_str(), O_WRONLY | O_NONBLOCK);
    if (pipe >= 0) {
      ::close(pipe);
      return;
    }
    EXPECT_EQ(errno, ENXIO);
    timer.expires_after(std::chrono::milliseconds(1));
    timer.async_wait([&](const boost::system::error_code&) { write(); });
  };
  write();
  io.run();
  EXPECT_EQ(seen, 2u);
}

}  // namespace
}  // namespace tictactoe::hosting::account_file_tests
