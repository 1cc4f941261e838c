// Accounts: their file, the command that changes it, and the server that reads it again.
#include <fcntl.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <string_view>
#include <thread>
#include <vector>

#include "server/accounts/account_command.hpp"
#include "server/accounts/account_place.hpp"
#include "server/app/import.hpp"
#include "server/journal/backup.hpp"
#include "server/journal/owner.hpp"
#include "server/journal/unused.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tictactoe::app::account_tests {
namespace {

server::Login login(const std::string& name) {
  return {
      name, {{14, 8, 1}, std::string("s\0lt", 4), std::string(server::key_bytes, '\xF0')}, "id"};
}

class AccountFileTest : public testing::Test {
 protected:
  void add(const std::string& name) {
    EXPECT_EQ(file.change([&](std::vector<server::Login>& logins) -> std::optional<std::string> {
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
    for (const server::Login& login : *logins) names.push_back(login.name);
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
  const auto refused = file.change([](std::vector<server::Login>& logins) {
    logins.clear();
    return std::optional<std::string>("No.");
  });
  EXPECT_EQ(refused, "No.");
  EXPECT_EQ(names(), std::vector<std::string>{"ann"});
}

TEST_F(AccountFileTest, names_the_line_that_is_no_account) {
  const std::string salt = "00ff";
  const std::string key(2 * server::key_bytes, 'a');
  const std::string good = "0f scrypt 14 8 1 " + salt + " " + key + " ann\n";
  write("# the club\n\n" + good);
  EXPECT_EQ(names(), std::vector<std::string>{"ann"});
  // As editors of other systems leave it.
  write("\xEF\xBB\xBF" + good.substr(0, good.size() - 1) + "\r\n\r\n");
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

TEST_F(AccountFileTest, says_why_it_cannot_be_read) {
  const auto why = [&] {
    const auto read = file.read();
    return read ? "nothing" : read.error();
  };
  const std::string begin = "Can't read " + file.path().string() + ": ";
  std::filesystem::create_directories(file.path());
  EXPECT_EQ(why(), begin + "it is a directory.");
  std::filesystem::remove(file.path());
  std::filesystem::create_symlink("not_mounted", file.path());
  EXPECT_EQ(why(), begin + "it is a symbolic link to " + (folder / "data/not_mounted") +
                       ", which does not exist.");
  std::filesystem::remove(file.path());
  ASSERT_EQ(::mkfifo(file.path().c_str(), S_IRUSR | S_IWUSR), 0);
  EXPECT_EQ(why(), begin + "it is a pipe into which nothing is written.");
}

TEST_F(AccountFileTest, is_listed_even_if_it_is_empty) {
  std::ostringstream out;
  std::ostringstream notes;
  const auto list = [&] {
    return change_accounts({"list", "", file.path().string()}, file, out, notes);
  };
  EXPECT_EQ(list(), std::nullopt);
  EXPECT_EQ(notes.str(), "There are no accounts in " + file.path().string() + ".\n");
  EXPECT_EQ(out.str(), "");
  add("ann");
  notes.str("");
  EXPECT_EQ(list(), std::nullopt);
  EXPECT_EQ(notes.str(), "");
  EXPECT_EQ(out.str(), "ann\n");
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
      [&](const server::Logins& logins) {
        seen.push_back(logins.size());
        if (seen.size() == 1) add("ann");
        if (seen.size() == 2) write("nonsense\n");
      },
      [&](const std::string& sentence) {
        EXPECT_NE(sentence.find("not an account"), std::string::npos);
        watch->stop();
      });
  watch->start();
  io.run();
  EXPECT_EQ(seen, (std::vector<std::size_t>{0, 1}));
}

// Reading a pipe waits for its writer: here, for the loop.
TEST_F(AccountFileTest, is_read_beside_the_loop) {
  boost::asio::io_context io;
  std::size_t seen = 0;
  std::unique_ptr<AccountWatch> watch;
  watch = std::make_unique<AccountWatch>(
      io, std::make_shared<AccountFile>(file),
      [&](const server::Logins&) {
        if (++seen == 2) watch->stop();
      },
      [](const std::string& sentence) { FAIL() << sentence; });
  watch->start();
  ASSERT_EQ(seen, 1u);
  std::filesystem::create_directories(file.path().parent_path());
  const std::string pipe = folder / "data/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), S_IRUSR | S_IWUSR), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  const int writer = ::open(pipe.c_str(), O_WRONLY);
  ::close(reader);
  std::filesystem::rename(pipe, file.path());
  // A second writer can open it once the watch reads it.
  boost::asio::steady_timer timer(io);
  std::function<void()> write = [&] {
    const int second = ::open(file.path().c_str(), O_WRONLY | O_NONBLOCK);
    if (second >= 0) {
      EXPECT_EQ(::write(second, "#\n", 2), 2);
      ::close(second);
      ::close(writer);
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

// Accounts on a file system that does not answer --------------------------------------------------

/// Notes on which threads it is called.
class ObservedPlace final : public AccountPlace {
 public:
  OrSentence<std::vector<server::Login>> read() override { return std::vector<server::Login>(); }
  OrSentence<std::optional<std::vector<server::Login>>> read_changes() override {
    return std::optional(std::vector<server::Login>());
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
      [&](const server::Logins&) {
        if (++changes == 2) watch->stop();
      },
      [](const std::string& sentence) { FAIL() << sentence; });
  watch->start();
  io.run();
  EXPECT_EQ(place->looks, 2);
  EXPECT_EQ(place->looks_on_loop, 1) << "that of the start, before the loop runs";
}

// What root changes in the directory of a server that another user runs ---------------------------

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
    return file.change([](std::vector<server::Login>& logins) -> std::optional<std::string> {
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

// As below /var/lib/private of systemd.
TEST_F(DirectoryOfAnotherUser, may_be_where_only_root_can_enter) {
  AccountFile file(data);
  ASSERT_EQ(add(file), std::nullopt);
  const std::string games = folder / "games";
  std::ofstream(games) << "[X \"ann\"]\n[O \"bob\"]\n[Rules \"3x3x3\"]\n[Starter \"X\"]\n"
                          "[Result \"0-1\"]\n[Termination \"resigned\"]\n\n1. b2 0-1\n";
  ASSERT_EQ(::chown(folder.path().c_str(), 0, 0), 0);
  ASSERT_EQ(::chmod(folder.path().c_str(), 0700), 0);
  EXPECT_EQ(add(file), std::nullopt);
  const auto imported = import_games({games}, data.string());
  EXPECT_TRUE(imported) << imported.error().reason;
  const auto forgotten = records::forget_player(data.string(), "ann");
  EXPECT_TRUE(forgotten) << forgotten.error().reason;
  const auto copied =
      records::back_up(data, folder / "backup", std::array{std::string_view("accounts")});
  EXPECT_TRUE(copied) << copied.error().reason;
  for (const auto& entry : std::filesystem::directory_iterator(data)) {
    EXPECT_EQ(owner_of(entry.path()), nobody) << entry.path();
  }
  // Still, root reads there what the owner can.
  std::filesystem::remove(data / "accounts");
  std::filesystem::create_symlink(folder / "games", data / "accounts");
  ASSERT_EQ(::chmod(games.c_str(), 0600), 0);
  EXPECT_FALSE(records::back_up(data, folder / "second", std::array{std::string_view("accounts")}));
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
    const records::AsOwner owner(data);
    EXPECT_FALSE(std::ifstream(closed).is_open());
  }
  gid_t after = 0;
  EXPECT_EQ(::getgroups(1, &after), 1);
  EXPECT_EQ(after, other);
  ASSERT_EQ(::setgroups(before.size(), before.data()), 0);
}

TEST(AccountLink, stays_one) {
  const test::TemporaryFolder folder;
  const std::filesystem::path linked = folder.path() / "linked";
  std::ofstream(linked).flush();
  std::filesystem::create_symlink(linked, folder.path() / accounts_file_name);
  AccountFile file(folder.path());
  for (const std::size_t accounts : {1U, 2U}) {
    EXPECT_EQ(file.change([](std::vector<server::Login>& logins) -> std::optional<std::string> {
      logins.push_back(make_login("ben", "secret"));
      return std::nullopt;
    }),
              std::nullopt);
    EXPECT_TRUE(std::filesystem::is_symlink(file.path()));
    std::filesystem::create_directory(folder.path() / "other");
    std::filesystem::copy_file(linked, folder.path() / "other" / accounts_file_name,
                               std::filesystem::copy_options::overwrite_existing);
    EXPECT_EQ(AccountFile(folder.path() / "other").read()->size(), accounts);
  }
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
  const records::AsOwner owner(data);
  EXPECT_FALSE(AccountFile(closed).read());
}

}  // namespace
}  // namespace tictactoe::app::account_tests
