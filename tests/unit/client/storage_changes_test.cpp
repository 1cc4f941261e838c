// What the files of a client hold while several clients change them, and after faults.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "client/storage/file.hpp"
#include "client/storage/identity_keeper.hpp"
#include "client/storage/known_servers.hpp"
#include "client/storage/passwords.hpp"
#include "client/storage/recent_servers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tictactoe::client::storage_changes_tests {
namespace {

namespace fs = std::filesystem;
using State = KnownServer::State;

tls::Fingerprint key(std::uint8_t number) {
  tls::Fingerprint fingerprint{};
  fingerprint.fill(number);
  return fingerprint;
}

// Names in the folder that a person sees.
std::ptrdiff_t count_files(const fs::path& folder) {
  return std::ranges::count_if(fs::directory_iterator(folder),
                               [](const fs::directory_entry& entry) {
                                 return !entry.path().filename().string().starts_with('.');
                               });
}

TEST(FileChange, replaces_it_as_a_whole_and_for_its_owner_alone) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "servers";
  EXPECT_EQ(FileChange(path).replace("a long text"), "");
  std::ifstream reader(path);
  EXPECT_EQ(FileChange(path).replace("short"), "");
  EXPECT_EQ(read_limited(path, 100), "short");
  std::string seen;
  std::getline(reader, seen);
  EXPECT_EQ(seen, "a long text") << "a reader that has opened it sees all of the former text";
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(count_files(folder.path()), 1) << "nothing is left over";
}

TEST(FileChange, removes_what_a_crash_has_left) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "passwords";
  std::ofstream(path + ".new") << "a secr";
  EXPECT_EQ(FileChange(path).replace("text"), "");
  EXPECT_EQ(count_files(folder.path()), 1);
  std::ofstream(path + ".new") << "a secr";
  remove_leftover(path);
  EXPECT_EQ(count_files(folder.path()), 1);
}

TEST(FileChange, excludes_other_changes) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "numbers";
  const auto append = [&](char letter) {
    for (int changes = 0; changes < 50;) {
      FileChange change(path);
      if (!change.fault().empty()) continue;  // the other one had no pause, which nobody promises
      ASSERT_EQ(change.replace(read_limited(path, 1000) + letter), "");
      ++changes;
    }
  };
  std::jthread other(append, 'a');
  append('b');
  other.join();
  EXPECT_EQ(read_limited(path, 1000).size(), 100U);
}

TEST(FileChange, follows_a_symbolic_link) {
  const test::TemporaryFolder folder;
  fs::create_directories(folder / "elsewhere");
  ASSERT_EQ(FileChange(folder / "elsewhere/servers").replace("former"), "");
  fs::create_symlink(folder / "elsewhere/servers", folder / "servers");
  EXPECT_EQ(FileChange(folder / "servers").replace("new"), "");
  EXPECT_TRUE(fs::is_symlink(folder / "servers"));
  EXPECT_EQ(read_limited(folder / "elsewhere/servers", 100), "new");
}

TEST(FileChange, that_is_not_possible_leaves_nothing_and_says_why) {
  const test::TemporaryFolder folder;
  EXPECT_NE(FileChange(folder / "none/servers").replace("text"), "");
  fs::create_directories(folder / "servers/full");
  EXPECT_NE(FileChange(folder / "servers").replace("text"), "");
  EXPECT_EQ(count_files(folder.path()), 1);
}

TEST(ReadLimited, reads_up_to_a_limit) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "servers";
  EXPECT_EQ(read_limited(path, 10), "");
  ASSERT_EQ(FileChange(path).replace("0123456789"), "");
  EXPECT_EQ(read_limited(path, 4), "0123");
}

class StoredFiles : public ::testing::Test {
 protected:
  test::TemporaryFolder temporary;
  std::string folder = temporary / "state";
};

/// No file of this process gets longer than a few bytes, as on a full disk.
class FullDisk {
 public:
  FullDisk() : handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{10, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  sighandler_t handler_;
  rlimit before_{};
};

TEST_F(StoredFiles, keys_are_not_forgotten_on_a_full_disk) {
  const KnownServers servers(folder);
  ASSERT_EQ(servers.add("den:1", key(1)), "");
  ASSERT_EQ(servers.add("attic:1", key(2)), "");
  {
    const FullDisk full;
    EXPECT_NE(servers.replace("den:1", key(3)), "");
    EXPECT_NE(servers.add("cellar:1", key(3)), "");
  }
  EXPECT_EQ(servers.check("den:1", key(1)).state, State::same);
  EXPECT_EQ(servers.check("attic:1", key(2)).state, State::same);
}

TEST_F(StoredFiles, a_reader_never_misses_a_key_that_another_client_replaces) {
  const KnownServers servers(folder);
  for (int i = 0; i < 200; ++i) ASSERT_EQ(servers.add("den:" + std::to_string(i), key(1)), "");
  std::jthread writer([&](const std::stop_token& stop) {
    for (std::uint8_t i = 2; !stop.stop_requested(); ++i) {
      EXPECT_EQ(servers.replace("den:0", key(i)), "");
    }
  });
  for (int i = 0; i < 2'000; ++i) {
    ASSERT_EQ(servers.check("den:199", key(1)).state, State::same) << i;
  }
}

TEST_F(StoredFiles, addresses_of_two_clients_are_both_kept) {
  constexpr int servers = 20;
  const auto play = [&](const std::string& name) {
    for (int i = 1; i <= servers; ++i) {
      IdentityKeeper keeper(folder, name + std::to_string(i) + ":1", name);
      EXPECT_EQ(keeper.save("0123456789abcdef"), "");
      keeper.server_known(static_cast<std::uint64_t>(i), true);
    }
  };
  std::jthread other(play, "bob");
  play("ann");
  other.join();
  std::ifstream file(folder + "/addresses");
  int lines = 0;
  for (std::string line; std::getline(file, line);) ++lines;
  EXPECT_EQ(lines, 2 * servers);
}

TEST_F(StoredFiles, recent_servers_of_two_clients_are_both_kept) {
  fs::create_directories(folder);
  RecentServers one(folder);
  RecentServers other(folder);
  one.add("den:1", "the den");
  other.add("attic:1", "the attic");
  ASSERT_EQ(RecentServers(folder).entries().size(), 2U);
  EXPECT_EQ(RecentServers(folder).entries().front().address, "attic:1");
}

TEST_F(StoredFiles, no_password_is_left_by_a_crash) {
  const std::string name = "ann@den:1";
  ASSERT_EQ(save_passwords(folder, name, {"sesame", ""}), "");
  const std::string left = folder + "/passwords/" + name + ".new";
  std::ofstream(left) << "sesame";
  EXPECT_EQ(load_passwords(folder, name).server, "sesame");
  EXPECT_FALSE(fs::exists(left));
  std::ofstream(left) << "sesame";
  EXPECT_EQ(save_passwords(folder, name, {}), "");
  EXPECT_FALSE(fs::exists(left));
  EXPECT_FALSE(fs::exists(folder + "/passwords/" + name));
}

TEST_F(StoredFiles, passwords_are_kept_once_and_only_when_they_were_accepted) {
  IdentityKeeper keeper;
  EXPECT_EQ(keeper.keep_passwords(), "");
  keeper.remember(folder, "ann@den:1", {"sesame", "word"});
  EXPECT_TRUE(load_passwords(folder, "ann@den:1").empty());
  EXPECT_EQ(keeper.keep_passwords(), "");
  EXPECT_EQ(load_passwords(folder, "ann@den:1").account, "word");
  ASSERT_EQ(save_passwords(folder, "ann@den:1", {}), "");
  EXPECT_EQ(keeper.keep_passwords(), "");
  EXPECT_TRUE(load_passwords(folder, "ann@den:1").empty());
}

TEST_F(StoredFiles, passwords_that_cannot_be_kept_are_a_line_for_people) {
  IdentityKeeper keeper;
  keeper.remember("/proc/none", "ann@den:1", {"sesame", ""});
  EXPECT_TRUE(keeper.keep_passwords().starts_with("The passwords can't be kept ("));
}

}  // namespace
}  // namespace tictactoe::client::storage_changes_tests
