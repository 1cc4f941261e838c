// How others join a server, as the server itself says.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/net/invitation.hpp"
#include "client/net/protection.hpp"

namespace tictactoe::client {

inline constexpr std::size_t max_outside_links = 4;
inline constexpr std::size_t max_join_answer_bytes = 8192;
/// Time limit for the answer.
inline constexpr std::chrono::seconds join_answer_time{3};

/// Finds out how others join `server`, whose key is `key`: asks it for the links that its page
/// offers to guests. Players on the same network join at the address that the person typed or, if
/// the server is on this machine, at the addresses that it names. Calls `done` once, from a
/// handler, also if the server does not answer. Releasing the result cancels the search.
std::shared_ptr<void> find_invitation(boost::asio::io_context& context, const Address& server,
                                      const Protection& protection,
                                      const std::optional<tls::Fingerprint>& key,
                                      std::function<void(const Invitation&)> done);

/// The bodies of consecutive HTTP responses; empty for those that failed.
std::vector<std::string_view> bodies_of(std::string_view responses);
/// The addresses of other machines in a list of links: HOST, or HOST:PORT if the port is not the
/// default one.
std::vector<std::string> addresses_in(std::string_view links);
/// The https links in a list, at most max_outside_links. A link with a key must have the `key` of
/// the server. Behind a proxy that terminates TLS, links have none.
std::vector<std::string> outside_links_in(std::string_view links,
                                          const std::optional<tls::Fingerprint>& key);

}  // namespace tictactoe::client
