#include "client/storage/known_servers.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "tests/support/temporary_folder.hpp"

namespace tictactoe::client {
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
  EXPECT_EQ(kept.servers.key_of("attic:1"), key(4));
  EXPECT_EQ(kept.servers.key_of("nowhere:1"), std::nullopt);
  EXPECT_EQ(kept.servers.addresses_of(key(2)), (std::vector<std::string>{"den:7654", "cellar:1"}));
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
  EXPECT_EQ(kept.servers.add("den:7654", key(1)), "it is full");
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

}  // namespace
}  // namespace tictactoe::client
