// Asks a server how players in other networks reach it.
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

#include "client/net/address.hpp"
#include "client/net/protection.hpp"

namespace tictactoe::client {

inline constexpr std::size_t max_outside_links = 4;
inline constexpr std::size_t max_outside_answer_bytes = 8192;
/// Time limit for the answer.
inline constexpr std::chrono::seconds outside_answer_time{3};

/// Fetches the links that the server's page offers to guests in other networks. Calls `done` once,
/// from a handler; with no links if the server gives none or does not answer. Releasing the result
/// cancels the request.
std::shared_ptr<void> find_outside_links(
    boost::asio::io_context& context, const Address& server, const Protection& protection,
    std::function<void(const std::vector<std::string>& links)> done);

/// The https links in an HTTP response, at most max_outside_links. A link with a key must have the
/// `key` of the server. Behind a proxy that ends TLS, links have none.
std::vector<std::string> read_outside_links(std::string_view response,
                                            const std::optional<tls::Fingerprint>& key);

}  // namespace tictactoe::client
