#include "client/storage/identity_keeper.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "client/storage/known_servers.hpp"
#include "tests/support/returning_client.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tictactoe::client {
namespace {

constexpr const char* token_a = "0123456789abcdef";
constexpr const char* token_b = "fedcba9876543210";
constexpr std::uint64_t home = 0x5e1f0c93a7d24b68;
constexpr std::uint64_t elsewhere = 7;

class Keeper : public ::testing::Test {
 protected:
  IdentityKeeper at(const std::string& address) { return {folder_, address, "alice"}; }
  // A client that plays at this address for the first time, and ends.
  void play_at(const std::string& address, std::uint64_t server, const std::string& token) {
    IdentityKeeper keeper = at(address);
    EXPECT_FALSE(keeper.server_known(server, false));
    EXPECT_EQ(keeper.save(token), "");
  }

  test::TemporaryFolder temporary_;
  std::string folder_ = temporary_ / "state";
};

TEST_F(Keeper, finds_the_identity_again_at_the_same_address) {
  play_at("localhost:7654", home, token_a);
  EXPECT_EQ(at("localhost:7654").token(), token_a);
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/alice@5e1f0c93a7d24b68"));
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/alice@localhost:7654"));
}

TEST_F(Keeper, finds_the_identity_of_a_server_at_another_address) {
  play_at("localhost:7654", home, token_a);
  for (const char* address : {"127.0.0.1:7654", "192.0.2.7:7654"}) {
    {
      IdentityKeeper keeper = at(address);
      EXPECT_EQ(keeper.token(), "");
      EXPECT_EQ(keeper.server_known(home, false), token_a);
    }
    EXPECT_EQ(at(address).token(), token_a) << "the address is known now";
  }
}

TEST_F(Keeper, finds_the_identity_at_another_server_of_the_lobby) {
  tls::Fingerprint key{};
  {
    IdentityKeeper keeper = at("den:7654");
    keeper.also_at("other:7654");
    EXPECT_EQ(at("other:7654").token(), "") << "the number of the servers is not known yet";
    EXPECT_FALSE(keeper.server_known(home, false));
    EXPECT_EQ(keeper.save(token_a), "");
    ASSERT_EQ(KnownServers(folder_).add("den:7654", key), "");
    keeper.also_at("other:7654");
  }
  EXPECT_EQ(at("other:7654").token(), token_a);
  EXPECT_EQ(at("den:7654").token(), token_a);
}

TEST_F(Keeper, of_a_guest_keeps_no_addresses) {
  IdentityKeeper().also_at("other:7654");
  EXPECT_FALSE(std::filesystem::exists(folder_));
}

TEST_F(Keeper, tells_servers_apart_that_have_had_one_address) {
  play_at("192.0.2.7:7654", home, token_a);
  IdentityKeeper keeper = at("192.0.2.7:7654");
  EXPECT_FALSE(keeper.server_known(elsewhere, false));
  EXPECT_EQ(keeper.save(token_b), "");
  IdentityKeeper other = at("192.0.2.8:7654");
  EXPECT_EQ(other.server_known(home, false), token_a);
}

TEST_F(Keeper, gives_the_token_to_no_server_that_only_claims_the_number) {
  tls::Fingerprint key{};
  play_at("den:7654", home, token_a);
  ASSERT_EQ(KnownServers(folder_).add("den:7654", key), "");
  tls::Fingerprint strange = key;
  strange[0] = 1;
  for (const auto& claimed : {std::optional(strange), std::optional<tls::Fingerprint>()}) {
    IdentityKeeper keeper = at("strange:7654");
    keeper.reached(claimed);
    EXPECT_FALSE(keeper.server_known(home, false));
    EXPECT_FALSE(keeper.server_known(home, true)) << "nor may it replace the token";
    EXPECT_EQ(keeper.save(token_b), "");
    EXPECT_EQ(at("den:7654").token(), token_a);
  }
  IdentityKeeper keeper = at("192.0.2.7:7654");
  keeper.reached(key);
  EXPECT_EQ(keeper.server_known(home, false), token_a) << "the same key at another address";
}

TEST_F(Keeper, takes_over_what_was_kept_for_an_address) {
  {
    IdentityOpened opened = open_identity(folder_, identity_name("localhost:7654", "alice"));
    ASSERT_TRUE(opened.identity);
    ASSERT_EQ(opened.identity->save(token_a), "");
  }
  {
    IdentityKeeper keeper = at("localhost:7654");
    EXPECT_EQ(keeper.token(), token_a);
    EXPECT_FALSE(keeper.server_known(home, true));
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/alice@localhost:7654"));
  EXPECT_EQ(at("localhost:7654").token(), token_a);
}

TEST_F(Keeper, keeps_the_token_of_an_address_if_it_cannot_be_copied) {
  {
    IdentityOpened opened = open_identity(folder_, identity_name("localhost:7654", "alice"));
    ASSERT_TRUE(opened.identity);
    ASSERT_EQ(opened.identity->save(token_a), "");
  }
  // The new file can't be written.
  std::filesystem::create_directories(folder_ + "/alice@5e1f0c93a7d24b68.new/full");
  {
    IdentityKeeper keeper = at("localhost:7654");
    EXPECT_FALSE(keeper.server_known(home, true));
    EXPECT_EQ(keeper.token(), token_a);
  }
  EXPECT_EQ(at("localhost:7654").token(), token_a);
}

TEST_F(Keeper, a_second_client_of_one_name_is_another_player) {
  play_at("localhost:7654", home, token_a);
  IdentityKeeper first = at("localhost:7654");
  IdentityKeeper second = at("127.0.0.1:7654");
  EXPECT_FALSE(second.server_known(home, false));
  EXPECT_EQ(second.token(), "");
}

TEST(BeginAgain, the_player_of_that_server_comes_back_in_place_of_a_new_one) {
  testing::Harness harness(false);
  harness.conversation.session().find_token_with(
      [](std::uint64_t server, bool resumed) -> std::optional<std::string> {
        EXPECT_EQ(server, home);
        EXPECT_FALSE(resumed);
        return token_a;
      });
  harness.welcome("alice-2", "server_id: " + std::to_string(home));
  const auto goodbye = harness.only_request();
  EXPECT_TRUE(goodbye.has_goodbye()) << "or alice-2 would stay taken";
  EXPECT_EQ(harness.text(), "") << "nobody is told of alice-2";
  harness.answer(goodbye, "left { }");
  EXPECT_FALSE(harness.conversation.session().wants_connection());
  harness.pass(milliseconds(0));
  ASSERT_TRUE(harness.conversation.session().wants_connection());
  harness.conversation.session().connected(harness.now);
  const auto hello = harness.only_request();
  EXPECT_EQ(hello.hello().token(), token_a);
  harness.answer(hello,
                 "welcome { protocol_version: 1 player_name: 'alice' resumed: true server_id: " +
                     std::to_string(home) + " }");
  EXPECT_EQ(harness.conversation.session().me(), "alice");
  EXPECT_EQ(harness.conversation.session().link(), Session::Link::up);
}

}  // namespace
}  // namespace tictactoe::client
