// Files of the client while several programs change them: keys of servers, and whose identity is
// whose.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "client/storage/file.hpp"
#include "client/storage/identity_keeper.hpp"
#include "client/storage/known_servers.hpp"
#include "client/storage/latest_list.hpp"
#include "common/posix/file.hpp"
#include "tests/support/returning_client.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tictactoe::client::storage_known_servers_tests {
namespace {

using State = KnownServer::State;

tls::Fingerprint key(std::uint8_t number) {
  tls::Fingerprint fingerprint{};
  fingerprint.fill(number);
  return fingerprint;
}

struct Fixture {
  State state(std::string_view address, std::uint8_t number) const {
    return servers.check(address, key(number)).state;
  }
  std::string text() const {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  void write(const std::string& text) const { std::ofstream(path) << text; }

  test::TemporaryFolder folder;
  std::string path = folder / "state/known_servers";
  KnownServers servers{folder / "state"};
};

TEST(KnownServers, are_known_by_address_and_key) {
  const Fixture kept;
  EXPECT_EQ(kept.state("den:7654", 1), State::unknown);
  EXPECT_EQ(kept.servers.add("den:7654", key(1)), "");
  EXPECT_EQ(kept.servers.add("den:7655", key(2)), "");
  EXPECT_EQ(kept.state("den:7654", 1), State::same);
  EXPECT_EQ(kept.state("den:7655", 2), State::same);
  EXPECT_EQ(kept.state("den:765", 1), State::unknown);
  const KnownServer changed = kept.servers.check("den:7655", key(1));
  EXPECT_EQ(changed.state, State::changed);
  EXPECT_EQ(changed.place, kept.path + ":2");
  struct stat found{};
  ASSERT_EQ(::stat(kept.path.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0600U);
}

TEST(KnownServers, are_replaced_at_their_place_if_the_person_wants_it) {
  const Fixture kept;
  EXPECT_EQ(kept.servers.add("attic:1", key(1)), "");
  kept.write("# mine\nattic:1 nonsense\nden:7654 " + tls::to_text(key(2)) + "\nattic:1 " +
             tls::to_text(key(3)) + "\ncellar:1 " + tls::to_text(key(2)));
  EXPECT_EQ(kept.servers.replace("attic:1", key(4)), "");
  EXPECT_EQ(kept.text(), "# mine\nattic:1 " + tls::to_text(key(4)) + "\nden:7654 " +
                             tls::to_text(key(2)) + "\ncellar:1 " + tls::to_text(key(2)) + "\n");
}

TEST(KnownServers, are_found_behind_a_byte_order_mark) {
  const Fixture kept;
  EXPECT_EQ(kept.servers.add("attic:1", key(1)), "");
  kept.write(
      "\xEF\xBB\xBF"
      "den:7654 " +
      tls::to_text(key(2)) + "\r\n");
  EXPECT_EQ(kept.state("den:7654", 2), State::same);
}

TEST(KnownServers, are_not_replaced) {
  const Fixture kept;
  EXPECT_EQ(kept.servers.add("den:7654", key(1)), "");
  EXPECT_EQ(kept.servers.add("den:7654", key(1)), "");
  EXPECT_NE(kept.servers.add("den:7654", key(2)), "");
  EXPECT_EQ(kept.text(), "den:7654 " + tls::to_text(key(1)) + "\n");
}

TEST(KnownServers, can_be_changed_with_an_editor) {
  const Fixture kept;
  EXPECT_EQ(kept.servers.add("a:1", key(1)), "");
  kept.write("# mine\n\nden:7654 " + tls::to_text(key(1)) + " \r\nb:2 " + tls::to_text(key(2)));
  EXPECT_EQ(kept.state("den:7654", 1), State::same);
  EXPECT_EQ(kept.state("b:2", 2), State::same);
  EXPECT_EQ(kept.servers.add("c:3", key(3)), "");
  EXPECT_EQ(kept.state("b:2", 2), State::same);
  EXPECT_EQ(kept.state("c:3", 3), State::same);
}

TEST(KnownServers, that_cannot_be_read_are_not_trusted) {
  const Fixture kept;
  EXPECT_EQ(kept.servers.add("den:7654", key(1)), "");
  kept.write("den:7654 SHA256:short\n");
  EXPECT_EQ(kept.state("den:7654", 1), State::damaged);
  EXPECT_EQ(kept.servers.check("den:7654", key(1)).place, kept.path + ":1");
  kept.write("den:7654\n");
  EXPECT_EQ(kept.state("den:7654", 1), State::damaged);
  kept.write(std::string(max_known_bytes + 1, '#'));
  EXPECT_EQ(kept.state("den:7654", 1), State::damaged);
  EXPECT_EQ(kept.servers.add("den:7654", key(1)), "it can't be read, or is too long");
  std::filesystem::remove(kept.path);
  std::filesystem::create_directory(kept.path);
  EXPECT_EQ(kept.servers.check("den:7654", key(1)).place, kept.path);
}

TEST(KnownServers, have_a_limit) {
  const Fixture kept;
  EXPECT_EQ(kept.servers.add("a:1", key(1)), "");
  std::string lines;
  for (std::size_t i = 0; i < max_known_servers; ++i) lines += "# one more\n";
  kept.write(lines);
  EXPECT_EQ(kept.servers.add("den:7654", key(1)), "it is full");
}

TEST(KnownServers, are_added_by_several_programs_at_once) {
  const Fixture kept;
  std::vector<std::thread> programs;
  for (std::uint8_t number = 0; number < 8; ++number) {
    programs.emplace_back([&, number] {
      EXPECT_EQ(kept.servers.add("den:" + std::to_string(number), key(number)), "");
    });
  }
  for (std::thread& program : programs) program.join();
  for (std::uint8_t number = 0; number < 8; ++number) {
    EXPECT_EQ(kept.state("den:" + std::to_string(number), number), State::same);
  }
}

TEST(KnownServers, are_not_kept_without_a_folder) {
  const KnownServers servers{std::string()};
  EXPECT_EQ(servers.check("den:7654", key(1)).state, State::unknown);
  EXPECT_EQ(servers.add("den:7654", key(1)), "neither HOME nor XDG_STATE_HOME is set");
}

constexpr const char* token_a = "0123456789abcdef";
constexpr const char* token_b = "fedcba9876543210";

class Keeper : public ::testing::Test {
 protected:
  IdentityKeeper at(const std::string& address) { return {folder_, address, "alice"}; }
  // The token that a client has for a server with this key.
  std::string token_at(const std::string& address, const std::optional<tls::Fingerprint>& key) {
    return at(address).reached(key).value_or("none");
  }
  // A client that plays at this address for the first time, and ends.
  void play_at(const std::string& address, const std::optional<tls::Fingerprint>& key,
               const std::string& token) {
    IdentityKeeper keeper = at(address);
    EXPECT_EQ(keeper.reached(key), "");
    EXPECT_EQ(keeper.save(token), "");
  }

  test::TemporaryFolder temporary_;
  std::string folder_ = temporary_ / "state";
};

TEST_F(Keeper, finds_the_identity_at_every_address_of_the_server) {
  play_at("localhost:7654", key(1), token_a);
  for (const char* address : {"localhost:7654", "127.0.0.1:7654", "192.0.2.7:7654"}) {
    EXPECT_EQ(token_at(address, key(1)), token_a);
  }
}

TEST_F(Keeper, gives_the_token_to_no_server_with_another_key) {
  play_at("localhost:7654", key(1), token_a);
  EXPECT_EQ(token_at("localhost:7654", key(2)), "");
  EXPECT_EQ(token_at("localhost:7654", {}), "");
  play_at("localhost:7654", key(2), token_b);
  EXPECT_EQ(token_at("localhost:7654", key(1)), token_a);
}

TEST_F(Keeper, without_tls_goes_by_the_address) {
  play_at("localhost:7654", {}, token_a);
  EXPECT_EQ(token_at("localhost:7654", {}), token_a);
  EXPECT_EQ(token_at("127.0.0.1:7654", {}), "");
}

TEST_F(Keeper, finds_the_identity_at_another_server_of_the_lobby) {
  {
    IdentityKeeper keeper = at("den:7654");
    keeper.also_at("other:7654", key(2));
    EXPECT_EQ(keeper.reached(key(1)), "");
    EXPECT_EQ(keeper.save(token_a), "");
    keeper.also_at("other:7654", key(2));
  }
  EXPECT_EQ(token_at("other:7654", key(2)), token_a);
  EXPECT_EQ(token_at("den:7654", key(1)), token_a);
}

TEST_F(Keeper, of_a_guest_keeps_nothing) {
  IdentityKeeper keeper;
  EXPECT_FALSE(keeper.reached(key(1)));
  EXPECT_EQ(keeper.save(token_a), "");
  keeper.also_at("other:7654", key(1));
  EXPECT_FALSE(std::filesystem::exists(folder_));
}

TEST_F(Keeper, opens_the_identity_once) {
  IdentityKeeper keeper = at("localhost:7654");
  EXPECT_TRUE(keeper.reached(key(1)));
  EXPECT_FALSE(keeper.reached(key(1))) << "after a lost connection";
}

TEST_F(Keeper, a_second_client_of_one_name_is_another_player) {
  play_at("localhost:7654", key(1), token_a);
  IdentityKeeper first = at("localhost:7654");
  EXPECT_EQ(first.reached(key(1)), token_a);
  EXPECT_EQ(token_at("127.0.0.1:7654", key(1)), "");
}

// What the files of a client hold while several clients change them, and after faults -------------

namespace fs = std::filesystem;

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
  EXPECT_EQ(posix::read_file(path, 100), "short");
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
}

TEST(FileChange, excludes_other_changes) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "numbers";
  const auto append = [&](char letter) {
    for (int changes = 0; changes < 50;) {
      FileChange change(path);
      if (!change.fault().empty()) continue;  // the other one had no pause, which nobody promises
      ASSERT_EQ(change.replace(posix::read_file(path, 1000).value_or("") + letter), "");
      ++changes;
    }
  };
  std::jthread other(append, 'a');
  append('b');
  other.join();
  EXPECT_EQ(posix::read_file(path, 1000)->size(), 100U);
}

TEST(FileChange, follows_a_symbolic_link) {
  const test::TemporaryFolder folder;
  fs::create_directories(folder / "elsewhere");
  ASSERT_EQ(FileChange(folder / "elsewhere/servers").replace("former"), "");
  fs::create_symlink(folder / "elsewhere/servers", folder / "servers");
  EXPECT_EQ(FileChange(folder / "servers").replace("new"), "");
  EXPECT_TRUE(fs::is_symlink(folder / "servers"));
  EXPECT_EQ(posix::read_file(folder / "elsewhere/servers", 100), "new");
}

TEST(FileChange, that_is_not_possible_leaves_nothing_and_says_why) {
  const test::TemporaryFolder folder;
  EXPECT_NE(FileChange(folder / "none/servers").replace("text"), "");
  fs::create_directories(folder / "servers/full");
  EXPECT_NE(FileChange(folder / "servers").replace("text"), "");
  EXPECT_EQ(count_files(folder.path()), 1);
}

TEST(ReadFile, reads_up_to_a_limit) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "servers";
  EXPECT_FALSE(posix::read_file(path, 10));
  EXPECT_FALSE(posix::read_file(folder.path(), 10)) << "a folder";
  ASSERT_EQ(FileChange(path).replace("0123456789"), "");
  EXPECT_EQ(posix::read_file(path, 4), "0123");
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

TEST_F(StoredFiles, a_list_has_what_two_clients_have_put_there) {
  fs::create_directories(folder);
  const std::string path = folder + "/servers";
  LatestList one(path, 2);
  LatestList other(path, 2);
  one.put_first({"den:1", "the den"});
  other.put_first({"attic:1", "the attic"});
  ASSERT_EQ(LatestList(path, 2).entries().size(), 2U);
  EXPECT_EQ(LatestList(path, 2).entries().front().name, "attic:1");
  one.put_first({"den:1", "the new den"});
  EXPECT_EQ(LatestList(path, 2).entries().front().text, "the new den");
  one.put_first({"hall:1", ""});
  EXPECT_EQ(LatestList(path, 2).entries().size(), 2U) << "the oldest is dropped";
  std::ofstream(path) << "no end of the line";
  EXPECT_TRUE(LatestList(path, 2).entries().empty());
}

}  // namespace
}  // namespace tictactoe::client::storage_known_servers_tests
