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

inline constexpr std::size_t max_outside_places = 4;
inline constexpr std::size_t max_outside_answer_bytes = 8192;
/// Time limit for the answer.
inline constexpr std::chrono::seconds outside_answer_time{3};

/// Fetches the links that the server's page offers to guests in other networks. Calls `done` once,
/// from a handler, with their places, HOST:PORT; with none if the server gives none or does not
/// answer. Releasing the result cancels the request.
std::shared_ptr<void> find_outside_places(
    boost::asio::io_context& context, const Address& server, const Protection& protection,
    std::function<void(const std::vector<std::string>& places)> done);

/// The places in an HTTP response: of its first max_outside_places links, those with this key.
std::vector<std::string> read_outside_places(std::string_view response,
                                             const std::optional<tls::Fingerprint>& key);

}  // namespace tictactoe::client
