// What browsers may ask for, and what they get.
#include <gmock/gmock.h>

#include <vector>

#include "server/transport/protocols.hpp"
#include "server/transport/web/http_rules.hpp"
#include "server/transport/web/site.hpp"

namespace tictactoe::transport::web_tests {
namespace {

TEST(Protocol, is_decided_by_two_bytes) {
  EXPECT_EQ(protocol_of(""), std::nullopt);
  EXPECT_EQ(protocol_of("G"), std::nullopt);
  EXPECT_EQ(protocol_of("\x16"), std::nullopt);
  EXPECT_EQ(protocol_of("GE"), Protocol::http);
  EXPECT_EQ(protocol_of("H"), std::nullopt);
  EXPECT_EQ(protocol_of("HEAD / HTTP/1.1"), Protocol::http);
  EXPECT_EQ(protocol_of("POST"), Protocol::http);
  EXPECT_EQ(protocol_of("GET / HTTP/1.1"), Protocol::http);
  EXPECT_EQ(protocol_of("\x16\x03\x01"), Protocol::tls);
  EXPECT_EQ(protocol_of("\x0e"), Protocol::raw);
  EXPECT_EQ(protocol_of("G\x08"), Protocol::raw);
  EXPECT_EQ(protocol_of("\x16\x12"), Protocol::raw);
}

TEST(HttpRules, hosts_are_addresses_and_local_names) {
  for (const char* host :
       {"127.0.0.1", "192.168.1.5:7654", "[::1]", "[fe80::1]:80", "localhost", "LocalHost:7654",
        "den.local", "Den.LOCAL.:1", "127.0.0.1:65535", "[::1]:1"}) {
    EXPECT_TRUE(is_allowed_host(host, {})) << host;
  }
  for (const char* host : {"",
                           "evil.example",
                           "local",
                           "localhost.evil.example",
                           "127.0.0.1.evil.example",
                           "[::1",
                           "::1",
                           "[evil]",
                           "[::1%anything]",
                           "[fe80::1%eth0]:80",
                           "127.0.0.1:x",
                           "127.0.0.1:123456",
                           "127.0.0.1:",
                           "127.0.0.1:0",
                           "127.0.0.1:07654",
                           "127.0.0.1:65536",
                           "[::1]:99999",
                           "[::1]80",
                           "[::1]x:80",
                           "127.0.0.1:7654:",
                           "a@localhost",
                           "localhost/",
                           "den",
                           ".local",
                           "-.local",
                           "..local",
                           "evil.com/.local",
                           "a@b<i>.local",
                           "a b.local",
                           "evil.com?.local",
                           "evil.com#.local",
                           "evil.com\\.local"}) {
    EXPECT_FALSE(is_allowed_host(host, {})) << host;
  }
}

TEST(HttpRules, public_names_are_hosts_whatever_their_case) {
  EXPECT_TRUE(is_allowed_host("Games.Example:443", {"games.example"}));
  EXPECT_FALSE(is_allowed_host("more.games.example", {"games.example"}));
  // An option that is not given is no name.
  EXPECT_FALSE(is_allowed_host("", {""}));
  EXPECT_FALSE(is_allowed_host(":80", {""}));
}

TEST(HttpRules, the_key_of_a_websocket_is_16_bytes_in_base64) {
  EXPECT_TRUE(is_websocket_key("dGhlIHNhbXBsZSBub25jZQ=="));
  for (const char* key :
       {"", "x", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25jZR==", "dGhlIHNhbXBsZSBub25jZQ=x",
        "dGhlIHNhbXBsZSBub25jZQA=", "dGhlIHNhbXBsZSBub25jZQ== ", "dGhl IHNhbXBsZSBub25jZg=="}) {
    EXPECT_FALSE(is_websocket_key(key)) << key;
  }
}

TEST(HttpRules, an_origin_has_the_same_host_and_port) {
  EXPECT_TRUE(is_allowed_origin("", "den.local", {}));
  EXPECT_TRUE(is_allowed_origin("http://den.local:7654", "Den.local:7654", {}));
  EXPECT_TRUE(is_allowed_origin("https://den.local", "den.local", {}));
  EXPECT_FALSE(is_allowed_origin("http://den.local:7655", "den.local:7654", {}));
  EXPECT_FALSE(is_allowed_origin("http://evil.example", "den.local", {}));
  EXPECT_FALSE(is_allowed_origin("null", "den.local", {}));
  EXPECT_FALSE(is_allowed_origin("file://", "den.local", {}));
}

TEST(HttpRules, an_origin_may_be_another_server_of_the_lobby) {
  const LobbyAddresses lobby{"A.example:7654", "b.example:443", "[::1]:7654"};
  for (const char* origin : {"https://a.example:7654", "http://a.example:7654", "https://b.example",
                             "http://b.example:443", "https://[::1]:7654"}) {
    EXPECT_TRUE(is_allowed_origin(origin, "c.example:7654", lobby)) << origin;
  }
  for (const char* origin :
       {"https://a.example", "https://a.example:7655", "http://b.example",
        "https://evil.a.example:7654", "https://a.example:7654.evil", "null"}) {
    EXPECT_FALSE(is_allowed_origin(origin, "c.example:7654", lobby)) << origin;
  }
}

TEST(HttpRules, the_page_may_connect_to_the_servers_of_the_lobby) {
  using testing::HasSubstr;
  using testing::Not;
  EXPECT_THAT(safety_fields({}), HasSubstr("; connect-src 'self'; "));
  EXPECT_THAT(safety_fields({"a.example:1", "192.0.2.1:65535"}),
              HasSubstr("; connect-src 'self' ws://a.example:1 wss://a.example:1 "
                        "ws://192.0.2.1:65535 wss://192.0.2.1:65535; "));
  // Nothing that comes from the database ends the field or begins another source.
  for (const char* address : {"[::1]:7654", "a", "a:", ":1", "*:1", "a b:1", "a;b:1", "a:1\r\nX: 1",
                              "a\r\n:1", "a:1 *", "a:123456", "'self':1", ""}) {
    EXPECT_EQ(safety_fields({address}), safety_fields({})) << address;
  }
}

TEST(Site, puts_the_files_into_a_directory_that_changes_with_them) {
  const std::string long_text(1000, 'x');
  std::vector<EmbeddedFile> files{{"index.html", "<script src=\"files/page.js\"></script>"},
                                  {"page.js", long_text}};
  const auto path_in = [](const Site& site) {
    const std::string& page = site.find("/")->plain;
    const std::size_t begin = page.find('"') + 1;
    return page.substr(begin, page.find('"', begin) - begin);
  };
  const Site site(files);
  const std::string path = path_in(site);
  const Site::File* script = site.find(path);
  ASSERT_NE(script, nullptr) << path;
  EXPECT_EQ(script->type, "text/javascript; charset=utf-8");
  EXPECT_TRUE(script->is_immutable);
  EXPECT_EQ(script->plain, long_text);
  EXPECT_LT(script->gzip.size(), 100u);
  EXPECT_FALSE(site.find("/")->is_immutable);
  EXPECT_EQ(site.find("/page.js"), nullptr);
  EXPECT_EQ(site.find("/index.html"), nullptr);
  files[1].bytes = "other";
  EXPECT_NE(path_in(Site(files)), path);
}

TEST(Site, has_an_index_among_the_embedded_files) {
  const Site site(embedded_files());
  ASSERT_NE(site.find("/"), nullptr);
  EXPECT_THAT(site.find("/")->plain, ::testing::StartsWith("<!doctype html>"));
}

TEST(Site, has_each_embedded_script_and_style_in_the_page) {
  const Site site(embedded_files());
  const std::string& page = site.find("/")->plain;
  std::size_t files = 0;
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.name.ends_with(".html")) continue;
    ++files;
    EXPECT_THAT(page, ::testing::HasSubstr("/" + std::string(file.name) + "\"")) << file.name;
  }
  EXPECT_LT(files, 10U);  // The modules are joined.
}

}  // namespace
}  // namespace tictactoe::transport::web_tests
