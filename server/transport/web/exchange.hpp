// One HTTP connection, without its I/O.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/transport/shell/json_form.hpp"
#include "server/transport/shell/slice_queue.hpp"
#include "server/transport/web/guest_address.hpp"
#include "server/transport/web/http_request.hpp"
#include "server/transport/web/http_rules.hpp"
#include "server/transport/web/peer.hpp"
#include "server/transport/web/site.hpp"
#include "server/transport/web/websocket.hpp"

namespace tictactoe::transport {

/// What the HTTP connections of one server share. Must outlive its open connections.
struct WebContext {
  explicit WebContext(boost::asio::io_context& io) : requests(io, requests_at_once) {}

  /// HTTP requests that are answered in one slice of the event loop. One takes up to 0.1 ms.
  static constexpr std::size_t requests_at_once = 8;

  Site site{embedded_files()};
  PublicNames names;
  LobbyAddresses lobby;  ///< empty if this server is alone; see Server::set_servers
  std::string safety = safety_fields(lobby);
  Invitations invitations;
  JsonMemo json;
  std::string space;    ///< payload of a WebSocket frame, until the next one
  WebSocketList open;   ///< WebSockets that get pings
  SliceQueue requests;  ///< connections with requests
};

/// The response to a connection that is refused because there are too many.
std::string unavailable_response(bool is_head);

/// Turns the bytes of the peer into responses, one request at a time: the caller receives nothing
/// while output() is not empty or has_requests() is true.
///
/// A request for a WebSocket has the path `/ws`, offers one of the subprotocols and, if it has an
/// origin, comes from this server's page. `/join.txt` is the address of the page for others, and
/// `/join.svg` its QR code; see join_addresses().
class WebExchange {
 public:
  /// Both must outlive it.
  WebExchange(WebContext& context, WebPeer& peer) : context_(context), peer_(peer) {}

  /// Takes bytes from the peer, for answer_next().
  void keep(std::string_view bytes);
  /// Whether a request was answered. If output() is empty and no requests wait, the peer expects
  /// nothing.
  bool has_answered() const { return has_answered_; }
  /// Whether requests wait that arrived before the last answer was sent.
  bool has_requests() const { return !is_upgraded_ && !ends_ && !input_.empty(); }
  /// Answers the next request. Requires an empty output().
  void answer_next();

  /// Whether the connection becomes a WebSocket once the last response is sent.
  bool is_upgraded() const { return is_upgraded_; }
  /// The form of the WebSocket's messages.
  MessageForm form() const { return form_; }
  /// Returns the bytes that arrived after the upgrade.
  std::string take_rest() { return std::move(input_); }

  /// The next bytes for the peer. More may follow.
  std::string_view output() const { return head_.empty() ? body_ : head_; }
  /// The first `count` bytes of output() were sent.
  void sent(std::size_t count);
  /// Whether to shut the sending side after the output. Later bytes are discarded.
  bool wants_end() const { return ends_; }

 private:
  void answer(const HttpRequest& request);
  void send_to_https(const HttpRequest& request);
  void answer_file(const HttpRequest& request);
  void answer_invitation(const HttpRequest& request);
  void upgrade(const HttpRequest& request);
  /// Refuses the request and ends the exchange.
  void refuse(std::string_view status, std::string_view sentence, std::string_view fields = {});
  void say(std::string_view status, std::string_view sentence, std::string_view fields = {});
  /// Sends a copy of the body. Caches must not keep the response.
  void send(std::string_view status, std::string_view fields, std::string_view type,
            std::string_view body);
  void respond(std::string_view status, std::string_view fields, std::string_view body);

  WebContext& context_;
  WebPeer& peer_;
  HttpReader reader_;
  std::string input_;  // requests that arrived before the answer was sent
  std::string head_;   // sent before body_; contains short bodies
  std::string_view body_;
  bool is_upgraded_ = false;
  MessageForm form_ = MessageForm::protobuf;
  bool has_answered_ = false;
  bool ends_ = false;
};

}  // namespace tictactoe::transport
