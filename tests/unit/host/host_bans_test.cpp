// Whom the server's owner has banned.
#include <gmock/gmock.h>

#include "tests/support/records.hpp"
#include "tests/support/two_players.hpp"
#include "tictactoe/admin/v1/admin.pb.h"

namespace tictactoe::test::host_bans_tests {
namespace {

using admin::v1::Request;
using admin::v1::Response;
using journal::v1::BanSubject;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using v1::Error;

class BansTest : public TwoPlayersTest {
 protected:
  static Response ask(HostDriver& driver, const Request& request) {
    Response response;
    driver.host().owner_asks(request, driver.now(), response);
    driver.collect();
    return response;
  }
  Response ban(const BanSubject& subject, const std::string& reason = {}, std::uint64_t for_s = 0) {
    Request request;
    *request.mutable_ban()->mutable_subject() = subject;
    request.mutable_ban()->set_reason(reason);
    request.mutable_ban()->set_for_s(for_s);
    return ask(driver, request);
  }
  Response unban(const BanSubject& subject) {
    Request request;
    *request.mutable_unban()->mutable_subject() = subject;
    return ask(driver, request);
  }
  static std::vector<std::string> listed(HostDriver& driver) {
    Request request;
    request.mutable_bans();
    std::vector<std::string> all;
    const Response response = ask(driver, request);
    for (const auto& ban : response.bans().bans()) all.push_back(ban.who());
    return all;
  }
  /// Says hello from there. Why it was refused; empty if it was not.
  static std::string refusal(HostDriver& driver, core::Origin from, const std::string& name) {
    const auto id = driver.connect(from);
    const v1::ServerMessage answer = driver.ask(id, hello_request(name));
    if (answer.has_welcome()) return {};
    EXPECT_EQ(answer.error().code(), Error::CODE_KICKED);
    EXPECT_TRUE(answer.error().closing());
    EXPECT_FALSE(driver.is_open(id));
    return answer.error().message();
  }
  /// The bans of these players, as all servers have them in common.
  static journal::v1::Saved shared(std::initializer_list<const char*> names,
                                   std::uint64_t until = 0) {
    journal::v1::Saved saved;
    for (const char* name : names) {
      *saved.add_bans()->mutable_subject() = person(name);
      saved.mutable_bans()->rbegin()->set_until_unix_ms(until);
    }
    return saved;
  }
  void follow(const journal::v1::Saved& bans) {
    driver.host().follow({bans, {}}, driver.now());
    driver.collect();
  }
  journal::v1::Saved saved() const { return Ledger(driver.records).saved(); }
};

constexpr core::Origin elsewhere{0xc0000201, 0xc0000200};

TEST_F(BansTest, a_banned_player_leaves_the_room_and_cannot_return) {
  driver.ask(alice, create_request("den"));
  driver.ask(bob, join_request("den"));
  driver.take(alice);
  const Response answer = ban(person(" bob "), "too loud", 60);
  EXPECT_THAT(answer.done().sentence(), HasSubstr("disconnected: 1"));
  EXPECT_FALSE(driver.is_open(bob));
  EXPECT_THAT(driver.inbox(bob).back().error().message(), HasSubstr("UTC: too loud"));
  EXPECT_EQ(driver.take_updates(alice).size(), 1u);
  EXPECT_TRUE(driver.is_open(alice));
  // With the token, as somebody new, and under a name that looks the same.
  v1::ClientMessage hello = hello_request("bob");
  hello.mutable_hello()->set_token(driver.token(bob));
  const auto back = driver.connect();
  EXPECT_EQ(driver.ask(back, hello).error().code(), Error::CODE_KICKED);
  EXPECT_FALSE(driver.is_open(back));
  EXPECT_THAT(refusal(driver, elsewhere, "bob"), HasSubstr("too loud"));
  EXPECT_THAT(refusal(driver, elsewhere, "BOB"), HasSubstr("too loud"));
  EXPECT_EQ(refusal(driver, elsewhere, "bobby"), "");
  driver.pass(seconds(61));
  const auto again = driver.connect();
  EXPECT_EQ(driver.ask(again, hello).welcome().player_name(), "bob");
}

TEST_F(BansTest, addresses_and_networks_are_banned_with_all_who_are_there) {
  const auto carol = driver.connect(elsewhere);
  driver.ask(carol, hello_request("carol"));
  ban(addresses(0xc0000200, 24));
  EXPECT_FALSE(driver.is_open(carol));
  EXPECT_THAT(driver.inbox(carol).back().error().message(), HasSubstr("your address."));
  EXPECT_THAT(refusal(driver, elsewhere, "dora"), HasSubstr("your address"));
  EXPECT_EQ(refusal(driver, {0xc0000301, 0xc0000300}, "dora"), "");
  EXPECT_TRUE(driver.is_open(alice));
  EXPECT_TRUE(unban(addresses(0xc0000200, 24)).has_done());
  EXPECT_TRUE(unban(addresses(0xc0000200, 24)).has_failure());
  EXPECT_EQ(refusal(driver, elsewhere, "eve"), "");
}

TEST_F(BansTest, hold_over_a_restart_until_they_end) {
  ban(person("bob"));
  ban(addresses(elsewhere.address), "", 3600);
  ban(person("carol"), "", 60);
  ban(person("dora"));
  unban(person("dora"));
  HostDriver next(HostDriver::recording(), 2);
  next.pass(seconds(120));
  next.host().restore(saved(), next.now());
  next.collect();
  EXPECT_THAT(listed(next), testing::UnorderedElementsAre("192.0.2.1", "bob"));
  EXPECT_NE(refusal(next, {5, 5}, "bob"), "");
  EXPECT_NE(refusal(next, elsewhere, "eve"), "");
  EXPECT_EQ(refusal(next, {5, 5}, "carol"), "");
  EXPECT_EQ(refusal(next, {5, 5}, "dora"), "");
  // What has ended is not recorded any more.
  Ledger ledger(saved());
  for (const journal::v1::Record& record : next.records) ledger.apply(record);
  EXPECT_EQ(ledger.saved().bans_size(), 2);
}

TEST_F(BansTest, of_another_server_hold_here_and_those_of_this_one_stay) {
  follow(shared({"bob", "zoe"}));
  EXPECT_FALSE(driver.is_open(bob));
  EXPECT_TRUE(driver.is_open(alice));
  EXPECT_EQ(driver.inbox(bob).back().error().code(), Error::CODE_KICKED);
  EXPECT_NE(refusal(driver, elsewhere, "bob"), "");
  // What this server has decided and not read yet is no difference.
  ban(person("carol"));
  unban(person("zoe"));
  follow(shared({"bob", "zoe"}));
  EXPECT_THAT(listed(driver), testing::UnorderedElementsAre("bob", "carol"));
  follow(shared({"carol"}));
  EXPECT_THAT(listed(driver), ElementsAre("carol"));
  EXPECT_EQ(refusal(driver, elsewhere, "bob"), "");
  // What is over changes nothing.
  follow(shared({"carol", "alice"}, 1));
  EXPECT_TRUE(driver.is_open(alice));
}

// Found by e2e.cluster: the other server had read the ban and lifted it before this one read again.
TEST_F(BansTest, a_change_here_that_is_changed_back_elsewhere_before_it_was_read_does_not_stay) {
  follow(shared({"carol"}));
  ban(person("bob"));
  unban(person("carol"));
  driver.pass(core::SharedBans::longest_change - seconds(1));
  follow(shared({"carol"}));  // as before these changes were recorded
  EXPECT_THAT(listed(driver), ElementsAre("bob"));
  driver.pass(seconds(1));
  follow(shared({"carol"}));
  EXPECT_THAT(listed(driver), ElementsAre("carol"));
  EXPECT_EQ(refusal(driver, elsewhere, "bob"), "");
}

TEST_F(BansTest, what_is_not_valid_is_refused) {
  EXPECT_TRUE(ban({}).has_failure());
  EXPECT_TRUE(ban(person(" ")).has_failure());
  EXPECT_TRUE(ban(addresses(1, 24)).has_failure());
  EXPECT_TRUE(ban(person("bob"), "two\nlines").has_failure());
  EXPECT_THAT(ban(person("bob"), "", ~0ULL).failure().sentence(), HasSubstr("100 years"));
  EXPECT_THAT(listed(driver), IsEmpty());
  EXPECT_TRUE(driver.is_open(bob));
}

TEST_F(BansTest, there_is_no_ban_that_cannot_be_recorded) {
  driver.host().recording(core::Recording::stalled, driver.now());
  driver.collect();
  EXPECT_TRUE(ban(person("bob")).has_failure());
  EXPECT_TRUE(driver.is_open(bob));
  EXPECT_THAT(listed(driver), IsEmpty());
}

TEST_F(BansTest, those_that_are_over_make_place_for_others) {
  for (std::uint64_t i = 1; i <= core::Bans::most; ++i) ban(addresses(i << 16), "", 60);
  EXPECT_THAT(ban(person("bob")).failure().sentence(), HasSubstr("lift one first"));
  EXPECT_TRUE(driver.is_open(bob));
  driver.pass(seconds(61));
  EXPECT_TRUE(ban(person("bob")).has_done());
  EXPECT_THAT(listed(driver), ElementsAre("bob"));
  EXPECT_EQ(saved().bans_size(), 1);
}

}  // namespace
}  // namespace tictactoe::test::host_bans_tests
