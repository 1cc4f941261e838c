// Files of the client, and the identities in them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "client/storage/file.hpp"
#include "client/storage/identity.hpp"
#include "client/storage/identity_keeper.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tictactoe::client::storage_identity_tests {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr std::string_view token_a("0123456789abcde\0", 16);
constexpr std::string_view token_b("\xFF\xFE the other one", 16);

class IdentityTest : public ::testing::Test {
 protected:
  IdentityOpened open(const std::string& name = "alice") const {
    return open_identity(folder_, identity_name("localhost:7654", name));
  }
  /// Keeps a token for alice and lets go of it.
  void keep(std::string_view token) const {
    IdentityOpened opened = open();
    ASSERT_TRUE(opened.identity) << opened.note;
    ASSERT_EQ(opened.identity->save(token), "");
  }
  fs::path file() const { return folder_ / "alice@localhost:7654"; }
  static mode_t mode(const fs::path& path) {
    struct stat found{};
    EXPECT_EQ(lstat(path.c_str(), &found), 0) << path;
    return found.st_mode & 07777U;
  }
  void write(const std::string& bytes) const {
    std::ofstream(file(), std::ios::binary) << bytes;
    chmod(file().c_str(), 0600);
  }
  std::string bytes() const {
    std::ifstream in(file(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  const test::TemporaryFolder temporary_;
  const fs::path home_ = temporary_.path();
  const fs::path folder_ = home_ / "state" / "tictactoe";
};

TEST_F(IdentityTest, is_kept_and_found_again) {
  keep(token_a);
  EXPECT_EQ(open().identity->token(), token_a);
  keep(token_b);
  IdentityOpened opened = open();
  EXPECT_EQ(opened.identity->token(), token_b);
  EXPECT_EQ(opened.note, "");
  EXPECT_EQ(files(), 1U);
}

TEST_F(IdentityTest, is_for_its_owner_alone) {
  const mode_t before = umask(0);
  keep(token_a);
  EXPECT_EQ(mode(folder_), 0700U);
  EXPECT_EQ(mode(file()), 0600U);
  chmod(folder_.c_str(), 0777);
  keep(token_a);
  umask(before);
  EXPECT_EQ(mode(folder_), 0700U);
}

TEST_F(IdentityTest, names_and_servers_are_kept_apart) {
  keep(token_a);
  EXPECT_EQ(open("bob").identity->token(), "");
  EXPECT_EQ(open_identity(folder_, identity_name("localhost:7655", "alice")).identity->token(), "");
  EXPECT_EQ(open_identity(folder_, identity_name("otherhost:7654", "alice")).identity->token(), "");
}

TEST_F(IdentityTest, names_that_cannot_be_file_names_are_encoded) {
  for (const char* name :
       {"../../etc/passwd", ".", "..", "a/b", "a@b", "%2F", "gr\xC3\xBC\xC3\x9F"}) {
    IdentityOpened opened = open(name);
    ASSERT_TRUE(opened.identity) << name << opened.note;
    ASSERT_EQ(opened.identity->save(token_a), "") << name;
    EXPECT_EQ(fs::path(opened.identity->path()).parent_path(), folder_) << name;
  }
  EXPECT_EQ(files(), 7U) << "no two of them share a file";
  EXPECT_EQ(open("a@b").identity->token(), token_a);
}

TEST_F(IdentityTest, a_running_client_is_not_replaced) {
  keep(token_a);
  IdentityOpened first = open();
  IdentityOpened second = open();
  EXPECT_EQ(first.identity->token(), token_a);
  EXPECT_EQ(second.identity->token(), "");
  EXPECT_THAT(second.identity->path(), ::testing::EndsWith(".2"));
  // Neither by what is saved while both run.
  EXPECT_EQ(first.identity->save(token_b), "");
  EXPECT_EQ(second.identity->save(token_a), "");
  IdentityOpened third = open();
  EXPECT_THAT(third.identity->path(), ::testing::EndsWith(".3"));
  first.identity.reset();
  EXPECT_EQ(open().identity->token(), token_b);
  second.identity.reset();
  IdentityOpened again = open();
  EXPECT_EQ(open().identity->token(), token_a) << "slot 2, as slot 1 is taken";
}

TEST_F(IdentityTest, another_process_sees_the_lock) {
  IdentityOpened first = open();
  ASSERT_EQ(first.identity->save(token_a), "");
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const IdentityOpened other = open_identity(folder_, identity_name("localhost:7654", "alice"));
    _exit(other.identity && other.identity->path().ends_with(".2") ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(IdentityTest, slots_are_bounded) {
  std::vector<IdentityOpened> running;
  for (int i = 0; i < max_slots; ++i) {
    running.push_back(open());
    ASSERT_TRUE(running.back().identity);
  }
  const IdentityOpened more = open();
  EXPECT_FALSE(more.identity);
  EXPECT_THAT(more.note, HasSubstr("too many"));
}

TEST_F(IdentityTest, those_used_longest_ago_make_room_unless_they_run) {
  const auto use = [&](std::uint16_t port) {
    IdentityOpened opened =
        open_identity(folder_, identity_name("localhost:" + std::to_string(port), "alice"));
    EXPECT_EQ(opened.identity->save(token_a), "");
    return opened;
  };
  const IdentityOpened running = use(1);
  use(2);
  use(3);
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(24);
  for (const auto& entry : fs::directory_iterator(folder_)) {
    fs::last_write_time(entry.path(), long_ago);
  }
  EXPECT_EQ(open_identity(folder_, identity_name("localhost:3", "alice")).identity->token(),
            token_a);
  for (std::size_t i = 0; i < 2 * max_identities; ++i) {
    std::ofstream(folder_ / ("bob@localhost:" + std::to_string(1000 + i))) << "as large as any";
  }
  const IdentityOpened newest = use(4);
  EXPECT_EQ(files(), max_identities);
  EXPECT_TRUE(fs::exists(running.identity->path()));
  EXPECT_FALSE(fs::exists(folder_ / "alice@localhost:2"));
}

tls::Fingerprint key_of(std::uint8_t byte) {
  tls::Fingerprint key;
  key.fill(byte);
  return key;
}

TEST_F(IdentityTest, of_a_lobby_is_of_one_client_on_all_its_servers) {
  std::optional<IdentityKeeper> first(std::in_place, folder_, "a:7654", "alice");
  EXPECT_EQ(first->reached(key_of(1)), "");
  EXPECT_EQ(first->save(token_a), "");
  first->also_at("b:7654", key_of(2));
  first->also_at("c:7654", key_of(1));
  EXPECT_EQ(IdentityKeeper(folder_, "b:7654", "alice").reached(key_of(2)), "")
      << "its player is here already";
  EXPECT_EQ(IdentityKeeper(folder_, "a:7654", "alice").reached(key_of(1)), "");
  EXPECT_EQ(first->save(token_b), "");
  first.reset();
  EXPECT_EQ(IdentityKeeper(folder_, "b:7654", "alice").reached(key_of(2)), token_b);
  EXPECT_EQ(IdentityKeeper(folder_, "a:7654", "alice").reached(key_of(1)), token_b);
}

TEST_F(IdentityTest, an_identity_without_a_token_leaves_nothing) {
  {
    const IdentityOpened opened = open();
    EXPECT_EQ(files(), 1U);
  }
  EXPECT_EQ(files(), 0U);
}

TEST_F(IdentityTest, a_damaged_file_is_replaced) {
  keep(token_a);
  const std::string whole = bytes();
  std::vector<std::string> damaged = {"x",
                                      whole + "x",
                                      whole + whole,
                                      std::string(1'000'000, 'a'),
                                      std::string(100, '\0'),
                                      "tictactoe identity 2" + whole.substr(20)};
  for (std::size_t length = 1; length < whole.size(); ++length) {
    damaged.push_back(whole.substr(0, length));
  }
  for (const std::string& content : damaged) {
    write(content);
    const IdentityOpened opened = open();
    ASSERT_TRUE(opened.identity);
    EXPECT_EQ(opened.identity->token(), "");
    EXPECT_THAT(opened.note, HasSubstr("it is damaged. It was replaced with a new one."))
        << content.size();
    EXPECT_THAT(opened.note, HasSubstr(file().string()));
  }
  write(whole);
  EXPECT_EQ(open().identity->token(), token_a) << "the test writes what can be read";
}

TEST_F(IdentityTest, a_file_that_others_could_read_is_replaced) {
  for (const mode_t bad : {0644U, 0640U, 0606U, 0777U}) {
    keep(token_a);
    chmod(file().c_str(), bad);
    IdentityOpened opened = open();
    ASSERT_TRUE(opened.identity);
    EXPECT_EQ(opened.identity->token(), "");
    EXPECT_THAT(opened.note, HasSubstr("other users could have read it"));
    EXPECT_EQ(mode(file()), 0600U);
    EXPECT_EQ(opened.identity->save(token_b), "");
  }
}

TEST_F(IdentityTest, a_link_stays_one) {
  keep(token_a);
  fs::rename(file(), home_ / "elsewhere");
  fs::create_symlink(home_ / "elsewhere", file());
  {
    IdentityOpened opened = open();
    ASSERT_TRUE(opened.identity) << opened.note;
    EXPECT_EQ(opened.note, "");
    EXPECT_EQ(opened.identity->token(), token_a);
    EXPECT_EQ(opened.identity->save(token_b), "");
  }
  EXPECT_TRUE(fs::is_symlink(file()));
  EXPECT_EQ(open().identity->token(), token_b);
}

TEST_F(IdentityTest, a_file_that_is_no_identity_is_not_replaced_through_a_link) {
  fs::create_directories(folder_);
  std::ofstream(home_ / "elsewhere") << "untouched";
  fs::permissions(home_ / "elsewhere", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink(home_ / "elsewhere", file());
  const IdentityOpened opened = open();
  EXPECT_FALSE(opened.identity);
  EXPECT_THAT(opened.note, HasSubstr((home_ / "elsewhere").string() + " can't be used"));
  EXPECT_TRUE(fs::is_symlink(file()));
  EXPECT_EQ(fs::file_size(home_ / "elsewhere"), 9U);
}

TEST_F(IdentityTest, the_folder_may_be_a_link) {
  fs::create_directory(home_ / "elsewhere");
  fs::create_directories(folder_.parent_path());
  fs::create_directory_symlink(home_ / "elsewhere", folder_);
  keep(token_a);
  EXPECT_EQ(open().identity->token(), token_a);
}

TEST_F(IdentityTest, a_crash_between_writing_and_renaming_harms_nothing) {
  keep(token_a);
  std::ofstream(file().string() + ".new") << "half of i";
  IdentityOpened opened = open();
  EXPECT_EQ(opened.identity->token(), token_a);
  EXPECT_EQ(opened.identity->save(token_b), "");
  EXPECT_EQ(files(), 1U);
}

TEST_F(IdentityTest, says_so_if_nothing_can_be_kept) {
  fs::create_directories(folder_.parent_path());
  std::ofstream(folder_) << "a file in the folder's place";
  const IdentityOpened opened = open();
  EXPECT_FALSE(opened.identity);
  EXPECT_THAT(opened.note, HasSubstr("won't be able to return to your seat"));
  EXPECT_THAT(open_identity("", "alice@h").note, HasSubstr("XDG_STATE_HOME"));
}

TEST(StateFolder, follows_the_specification) {
  const auto with = [](const char* state, const char* home) {
    state == nullptr ? unsetenv("XDG_STATE_HOME") : setenv("XDG_STATE_HOME", state, 1);
    home == nullptr ? unsetenv("HOME") : setenv("HOME", home, 1);
    return state_folder();
  };
  EXPECT_EQ(with("/s", "/h"), "/s/tictactoe");
  EXPECT_EQ(with(nullptr, "/h"), "/h/.local/state/tictactoe");
  EXPECT_EQ(with("", "/h"), "/h/.local/state/tictactoe");
  EXPECT_EQ(with("relative", "/h"), "/h/.local/state/tictactoe");
  EXPECT_EQ(with(nullptr, nullptr), "");
}

}  // namespace
}  // namespace tictactoe::client::storage_identity_tests
