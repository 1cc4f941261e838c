// Connections that begin with an HTTP request.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "server/net/web_stream.hpp"

namespace tictactoe::net {

/// The transport that goes on with a connection over `stream`, from which `bytes` have been read.
/// See WebPeer for `must_encrypt`. The rest must outlive the connection unless it is_closed().
template <class Stream>
std::shared_ptr<Connection> begin_http(Shell& shell, WebContext& context, Stream& stream,
                                       std::string_view bytes, bool must_encrypt) {
  const auto session = std::make_shared<Session<WebStream<Stream>>>(shell, std::move(stream),
                                                                    context, bytes, must_encrypt);
  session->stream().attend(shell, session);
  return session;
}

}  // namespace tictactoe::net
