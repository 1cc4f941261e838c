// One connection that speaks HTTP, without its I/O.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "server/net/http_request.hpp"
#include "server/net/http_rules.hpp"
#include "server/net/json_converter.hpp"
#include "server/net/json_form.hpp"
#include "server/net/site.hpp"
#include "server/net/web_peer.hpp"
#include "server/net/websocket.hpp"

namespace tictactoe::net {

/// What the HTTP connections of one server share. Must outlive them while they are open.
struct WebContext {
  /// See the members.
  WebContext(boost::asio::io_context& on, std::size_t longest)
      : io(on), frame_bytes(longest), converter(on) {}

  boost::asio::io_context& io;
  std::size_t frame_bytes;  ///< longest message from a client, in either form
  Site site{embedded_files()};
  PublicNames names;
  std::string guests;  ///< address for others; see guest_address()
  JsonMemo json;
  JsonConverter converter;
  WebSocketList open;  ///< those that get pings
};

/// The response for connections of which there are too many.
std::string unavailable_response(bool is_head);

/// Turns what the peer sends into responses, and from an upgrade on into frames of the raw
/// protocol. Answers one request at a time: as long as it is no WebSocket and output() is not
/// empty, or has_requests(), nothing has to be received. Its path is `/ws`. It has one of the
/// subprotocols, and its page, if any, is this server's. `/join.txt` is the address of the page for
/// others, and `/join.svg` its QR code; see join_address().
class WebExchange {
 public:
  /// Both must outlive it.
  WebExchange(WebContext& context, WebPeer& peer) : context_(context), peer_(peer) {}

  void receive(std::string_view bytes);
  /// Whether a request was answered. If output() is empty and no requests wait, the peer has nothing
  /// to expect.
  bool has_answered() const { return has_answered_; }
  /// Whether requests wait that came before the last answer was sent.
  bool has_requests() const { return websocket_ == nullptr && !ends_ && !input_.empty(); }
  /// Answers the next of them. Requires that output() is empty.
  void answer_next() { answer_requests(); }

  bool is_websocket() const { return websocket_ != nullptr; }
  /// If it is one.
  WebSocket& websocket() { return *websocket_; }

  /// The next bytes for the peer; not all of them if they do not lie together.
  std::string_view output() const {
    if (websocket_ != nullptr) return std::string_view(websocket_->output()).substr(sent_);
    return head_.empty() ? body_ : head_;
  }
  /// The first `count` bytes of output() were sent.
  void sent(std::size_t count);
  /// After the output the sending side is to be shut. What the peer sends then is discarded.
  bool wants_end() const { return ends_; }

 private:
  static constexpr std::size_t kept_capacity = std::size_t{4} * 1024;

  void answer_requests();
  void answer(const HttpRequest& request);
  void send_to_https(const HttpRequest& request);
  void answer_file(const HttpRequest& request);
  void answer_invitation(const HttpRequest& request);
  void upgrade(const HttpRequest& request);
  void refuse_websocket();
  /// Refuses the request, and ends with that.
  void refuse(std::string_view status, std::string_view sentence, std::string_view fields = {});
  void say(std::string_view status, std::string_view sentence, std::string_view fields = {});
  /// With a body that is not kept anywhere else, and that nobody caches.
  void send(std::string_view status, std::string_view fields, std::string_view type,
            std::string_view body);
  void respond(std::string_view status, std::string_view fields, std::string_view body);

  WebContext& context_;
  WebPeer& peer_;
  HttpReader reader_;
  std::string input_;  // requests that came before the answer was sent
  std::string head_;   // to be sent before the body; also with short bodies
  std::string_view body_;
  std::unique_ptr<WebSocket> websocket_;
  std::size_t sent_ = 0;  // of its output
  bool has_answered_ = false;
  bool ends_ = false;
};

}  // namespace tictactoe::net
