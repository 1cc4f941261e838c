// What root changes in the directory of a server that another user runs.
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "server/hosting/accounts.hpp"
#include "server/hosting/import.hpp"
#include "server/store/owner.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tictactoe::hosting::account_owner_tests {
namespace {

constexpr uid_t nobody = 65'534;

uid_t owner_of(const std::filesystem::path& path) {
  struct stat status{};
  EXPECT_EQ(::lstat(path.c_str(), &status), 0) << path;
  return status.st_uid;
}

class DirectoryOfAnotherUser : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root, to act as another user";
    ASSERT_TRUE(std::filesystem::create_directory(data));
    ASSERT_EQ(::chown(folder.path().c_str(), nobody, nobody), 0);
    ASSERT_EQ(::chown(data.c_str(), nobody, nobody), 0);
  }
  static std::optional<std::string> add(AccountFile& file) {
    return file.change([](std::vector<core::Login>& logins) -> std::optional<std::string> {
      logins.push_back(make_login("ben", "secret"));
      return std::nullopt;
    });
  }

  test::TemporaryFolder folder;
  const std::filesystem::path data = folder.path() / "data";
};

TEST_F(DirectoryOfAnotherUser, keeps_its_accounts_from_root) {
  AccountFile file(data);
  EXPECT_EQ(add(file), std::nullopt);
  EXPECT_EQ(owner_of(data / "accounts"), nobody);
  EXPECT_EQ(owner_of(data / "accounts.lock"), nobody);
  EXPECT_EQ(::geteuid(), 0U);
  EXPECT_EQ(::getegid(), 0U);
}

TEST_F(DirectoryOfAnotherUser, owns_the_journal_of_imported_games) {
  const std::string games = folder / "games";
  std::ofstream(games) << "[X \"ann\"]\n[O \"bob\"]\n[Rules \"3x3x3\"]\n[Starter \"X\"]\n"
                          "[Result \"0-1\"]\n[Termination \"resigned\"]\n\n1. b2 0-1\n";
  ASSERT_EQ(::chmod(games.c_str(), 0600), 0);  // root's alone
  EXPECT_TRUE(import_games({games}, data.string()));
  for (const auto& entry : std::filesystem::directory_iterator(data)) {
    EXPECT_EQ(owner_of(entry.path()), nobody) << entry.path();
  }
}

TEST_F(DirectoryOfAnotherUser, owns_a_new_directory_in_it) {
  AccountFile file(data / "new");
  EXPECT_EQ(add(file), std::nullopt);
  EXPECT_EQ(owner_of(data / "new"), nobody);
}

TEST_F(DirectoryOfAnotherUser, gives_root_no_other_groups) {
  const gid_t other = 4711;
  const std::filesystem::path closed = folder.path() / "closed";
  std::ofstream(closed) << "for that group alone";
  ASSERT_EQ(::chown(closed.c_str(), 0, other), 0);
  ASSERT_EQ(::chmod(closed.c_str(), 0640), 0);
  std::vector<gid_t> before(64);
  before.resize(static_cast<std::size_t>(::getgroups(64, before.data())));
  ASSERT_EQ(::setgroups(1, &other), 0);
  {
    const store::AsOwner owner(data);
    EXPECT_FALSE(std::ifstream(closed).is_open());
  }
  gid_t after = 0;
  EXPECT_EQ(::getgroups(1, &after), 1);
  EXPECT_EQ(after, other);
  ASSERT_EQ(::setgroups(before.size(), before.data()), 0);
}

TEST_F(DirectoryOfAnotherUser, is_not_followed_out_of) {
  const std::filesystem::path victim = folder.path() / "victim";
  std::ofstream(victim) << "root's";
  ASSERT_EQ(::chmod(victim.c_str(), 0600), 0);
  std::filesystem::create_symlink(victim, data / "accounts.new");
  AccountFile file(data);
  EXPECT_EQ(add(file), std::nullopt) << "the link is replaced, not followed";
  EXPECT_EQ(std::filesystem::file_size(victim), 6U);
  EXPECT_EQ(owner_of(victim), 0U);
  EXPECT_TRUE(std::filesystem::is_regular_file(std::filesystem::symlink_status(file.path())));
  EXPECT_EQ(owner_of(file.path()), nobody);
}

TEST_F(DirectoryOfAnotherUser, says_that_its_accounts_cannot_be_read) {
  AccountFile file(data);
  ASSERT_EQ(add(file), std::nullopt);
  const std::filesystem::path closed = folder.path() / "closed";
  std::filesystem::create_directory(closed);
  ASSERT_EQ(::chmod(closed.c_str(), 0700), 0);
  std::filesystem::rename(data / "accounts", closed / "accounts");
  const store::AsOwner owner(data);
  EXPECT_FALSE(AccountFile(closed).read());
}

}  // namespace
}  // namespace tictactoe::hosting::account_owner_tests
