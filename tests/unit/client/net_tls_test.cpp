// Connections over TLS to servers with known, new and changed keys.
#include <gtest/gtest.h>

#include <array>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <thread>

#include "client/net/connection.hpp"
#include "client/storage/known_servers.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/tls_files.hpp"

namespace tictactoe::client::net_tls_tests {
namespace {

namespace ssl = boost::asio::ssl;
using boost::asio::ip::tcp;
using boost::system::error_code;
using ::testing::Test;

/// One connection of a client, to a server in the same thread.
class ClientTls : public Test {
 protected:
  ClientTls() : acceptor_(context_, {boost::asio::ip::address_v4::loopback(), 0}) {
    use_key("first");
  }
  ~ClientTls() override {
    while (Lookup::any_running()) std::this_thread::yield();
  }

  void use_key(const std::string& name) {
    const test::TlsFiles files(folder_.path(), name, 3600);
    server_tls_.emplace(ssl::context::tls_server);
    server_tls_->use_certificate_chain_file(files.certificate);
    server_tls_->use_private_key_file(files.key, ssl::context::pem);
    key_ = *tls::fingerprint_of(*SSL_CTX_get0_certificate(server_tls_->native_handle()));
  }

  std::shared_ptr<TcpConnection> create(const Protection& protection,
                                        milliseconds timeout = connect_timeout) {
    address_ = "127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port());
    const Address address{"127.0.0.1", acceptor_.local_endpoint().port(), address_};
    return TcpConnection::create(context_, address, protection, Lookup::resolve_by_system, timeout);
  }
  Protection protection() const { return {true, folder_ / "state", true, {}}; }

  /// Connects to a server with TLS. The server says "hi" and hears what the client says.
  Connection::Opened meet(const Protection& protection) {
    const auto client = create(protection);
    std::optional<Connection::Opened> opened;
    std::string got;
    std::array<char, 64> space{};
    client->open([&](const Connection::Opened& what) {
      opened = what;
      if (!what.fault.empty()) return client->close();
      client->write("my password");
      client->read(space, [&](std::size_t count, const std::string&) {
        got.assign(space.data(), count);
        client->close();
      });
    });
    std::array<char, 64> heard{};
    heard_.clear();
    tcp::socket socket(context_);
    ssl::stream<tcp::socket&> server(socket, *server_tls_);
    acceptor_.async_accept(socket, [&](const error_code&) {
      server.async_handshake(ssl::stream_base::server, [&](const error_code& error) {
        if (error) return;
        server.async_read_some(boost::asio::buffer(heard),
                               [&](const error_code& failed, std::size_t count) {
                                 if (failed) return;
                                 heard_.assign(heard.data(), count);
                                 boost::asio::async_write(server, boost::asio::buffer("hi", 2),
                                                          [](const error_code&, std::size_t) {});
                               });
      });
    });
    context_.restart();
    context_.run();
    EXPECT_EQ(got, opened->fault.empty() ? "hi" : "");
    return *opened;
  }

  std::string known() const {
    std::ostringstream text;
    text << std::ifstream(folder_ / "state/known_servers").rdbuf();
    return text.str();
  }

  test::TemporaryFolder folder_;
  boost::asio::io_context context_;
  tcp::acceptor acceptor_;
  std::optional<ssl::context> server_tls_;
  tls::Fingerprint key_{};
  std::string address_;
  std::string heard_;
};

TEST_F(ClientTls, keeps_the_key_of_a_new_server_and_says_so_once) {
  const auto first = meet(protection());
  EXPECT_EQ(first.fault, "");
  EXPECT_EQ(first.note,
            "First connection to " + address_ + ". Its key is " + tls::to_text(key_) + ".");
  EXPECT_EQ(known(), address_ + " " + tls::to_text(key_) + "\n");
  EXPECT_EQ(heard_, "my password");
  const auto second = meet(protection());
  EXPECT_EQ(second.fault, "");
  EXPECT_EQ(second.note, "");
}

TEST_F(ClientTls, says_nothing_to_a_server_whose_key_has_changed) {
  meet(protection());
  const std::string before = known();
  use_key("second");
  const auto opened = meet(protection());
  EXPECT_TRUE(opened.is_refused);
  EXPECT_NE(opened.fault.find("remove the line " + (folder_ / "state/known_servers:1.")),
            std::string::npos)
      << opened.fault;
  EXPECT_NE(opened.fault.find(tls::to_text(key_)), std::string::npos);
  EXPECT_EQ(heard_, "");
  EXPECT_EQ(known(), before);
}

TEST_F(ClientTls, a_named_key_replaces_the_one_of_before_and_this_is_said_once) {
  meet(protection());
  use_key("second");
  Protection named = protection();
  named.required_key = key_;
  const auto opened = meet(named);
  EXPECT_EQ(opened.fault, "");
  EXPECT_EQ(opened.note, "Replaced the stored key of " + address_ + " with the one you gave.");
  EXPECT_EQ(known(), address_ + " " + tls::to_text(key_) + "\n");
  EXPECT_EQ(heard_, "my password");
  EXPECT_EQ(meet(protection()).note, "") << "it is known now";
  EXPECT_EQ(meet(protection()).fault, "");
}

TEST_F(ClientTls, a_guest_who_names_the_key_replaces_nothing) {
  meet(protection());
  const std::string before = known();
  use_key("second");
  Protection named = protection();
  named.required_key = key_;
  named.keeps = false;
  EXPECT_EQ(meet(named).fault, "");
  EXPECT_EQ(known(), before);
}

TEST_F(ClientTls, keeps_nothing_for_a_guest) {
  Protection guest = protection();
  guest.keeps = false;
  EXPECT_NE(meet(guest).note, "");
  EXPECT_EQ(known(), "");
  Protection of_lobby = guest;
  of_lobby.lobby_key = key_;
  EXPECT_EQ(meet(of_lobby).fault, "");
  EXPECT_EQ(known(), "");
  meet(protection());
  use_key("second");
  EXPECT_TRUE(meet(guest).is_refused);
}

TEST_F(ClientTls, says_nothing_to_a_server_without_the_key_that_the_person_or_the_lobby_names) {
  Protection named = protection();
  named.required_key = tls::Fingerprint{};
  Protection lobby = protection();
  lobby.lobby_key = tls::Fingerprint{};
  for (const Protection& wrong : {named, lobby}) {
    EXPECT_TRUE(meet(wrong).is_refused);
    EXPECT_EQ(heard_, "");
    EXPECT_EQ(known(), "") << "nobody has proven to have it";
  }
  named.required_key = key_;
  EXPECT_EQ(meet(named).fault, "");
}

TEST_F(ClientTls, keeps_the_key_that_the_person_or_the_lobby_names_without_a_note) {
  Protection named = protection();
  named.required_key = key_;
  Protection lobby = protection();
  lobby.lobby_key = key_;
  for (const Protection& verified : {named, lobby}) {
    std::filesystem::remove(folder_ / "state/known_servers");
    const auto opened = meet(verified);
    EXPECT_EQ(opened.fault, "");
    EXPECT_EQ(opened.note, "");
    EXPECT_EQ(known(), address_ + " " + tls::to_text(key_) + "\n");
    EXPECT_EQ(meet(protection()).note, "") << "it is known now";
  }
}

TEST_F(ClientTls, a_lobby_can_have_no_known_key_replaced) {
  meet(protection());
  const std::string before = known();
  use_key("second");
  Protection lobby = protection();
  lobby.lobby_key = key_;
  EXPECT_TRUE(meet(lobby).is_refused);
  EXPECT_EQ(heard_, "");
  EXPECT_EQ(known(), before);
}

/// Opens a connection to a server that another one has named.
class Elsewhere : public ClientTls {
 protected:
  Connection::Opened open(const Protection& protection, const std::string& address,
                          const std::string& key) {
    v1::ServerAddress server;
    server.set_address(address);
    server.set_key(key);
    const Connect connect = connect_to(context_, {"127.0.0.1", 1, "127.0.0.1:1"}, protection);
    const auto client = connect(&server);
    std::optional<Connection::Opened> opened;
    client->open([&](const Connection::Opened& what) {
      opened = what;
      client->close();
    });
    context_.restart();
    while (!opened && context_.run_one() > 0) {
    }
    return opened.value_or(Connection::Opened{});
  }
};

TEST_F(Elsewhere, is_not_connected_to_if_everybody_on_the_way_could_read) {
  for (const std::string& key : {std::string(), std::string("short"), std::string(33, 'k')}) {
    const auto opened = open(protection(), "localhost:9", key);
    EXPECT_TRUE(opened.is_refused);
    EXPECT_NE(opened.fault.find("localhost:9. Nothing was sent there: its key is missing"),
              std::string::npos)
        << opened.fault;
  }
}

TEST_F(Elsewhere, is_not_connected_to_if_that_is_no_address) {
  for (const char* address : {"a b", "host:99999", "[::1", "host\x1b[2J:7", "http://host/"}) {
    for (const Protection& with : {protection(), no_protection()}) {
      const auto opened = open(with, address, std::string(32, 'k'));
      EXPECT_TRUE(opened.is_refused) << address;
      EXPECT_EQ(opened.fault.find('\x1b'), std::string::npos);
    }
  }
}

TEST_F(Elsewhere, is_connected_to_without_tls_if_the_person_wants_none) {
  const std::string address = "127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port());
  for (const std::string& key : {std::string(), std::string(32, 'k')}) {
    EXPECT_EQ(open(no_protection(), address, key).fault, "");
  }
}

TEST_F(Elsewhere, a_connection_that_is_closed_at_once_reports_nothing) {
  v1::ServerAddress server;
  server.set_address("a b");
  const auto client = connect_to(context_, {}, protection())(&server);
  client->open([](const Connection::Opened&) { ADD_FAILURE(); });
  client->close();
  context_.run();
}

TEST_F(ClientTls, says_what_to_do_about_a_server_that_is_full_or_has_none) {
  const auto fault = [&](std::string_view answer) {
    const auto client = create(protection());
    std::optional<Connection::Opened> opened;
    client->open([&](const Connection::Opened& what) {
      opened = what;
      client->close();
    });
    tcp::socket server(context_);
    acceptor_.async_accept(server, [&](const error_code&) {
      boost::asio::async_write(server, boost::asio::buffer(answer),
                               [](const error_code&, std::size_t) {});
    });
    context_.restart();
    context_.run();
    EXPECT_FALSE(opened->is_refused) << "it may only be full";
    return opened->fault;
  };
  const std::string clear_text = fault("\x06\x08\x01\x02\x03\x04\x05");
  EXPECT_NE(clear_text.find("does not speak TLS"), std::string::npos) << clear_text;
  EXPECT_NE(clear_text.find("--no-tls"), std::string::npos);
  EXPECT_EQ(fault(std::string_view("\x15\x03\x03\x00\x02\x02\x50", 7)),
            "it has too many connections: try again later");
}

TEST_F(ClientTls, does_not_wait_for_ever_for_a_handshake) {
  const auto client = create(protection(), milliseconds(1));
  std::optional<Connection::Opened> opened;
  client->open([&](const Connection::Opened& what) { opened = what; });
  tcp::socket server(context_);
  acceptor_.async_accept(server, [](const error_code&) {});
  while (!opened) context_.run_one();
  EXPECT_EQ(opened->fault, "no answer");
  EXPECT_FALSE(opened->is_refused);
}

TEST_F(ClientTls, can_be_closed_during_the_handshake) {
  const auto client = create(protection());
  client->open([](const Connection::Opened&) { ADD_FAILURE(); });
  tcp::socket server(context_);
  std::array<char, 1> space{};
  acceptor_.async_accept(server, [&](const error_code&) {
    server.async_read_some(boost::asio::buffer(space),
                           [&](const error_code&, std::size_t) { client->close(); });
  });
  context_.run();
}

}  // namespace
}  // namespace tictactoe::client::net_tls_tests
