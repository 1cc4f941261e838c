// One connection that speaks HTTP, without its I/O.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "server/net/http_request.hpp"
#include "server/net/http_rules.hpp"
#include "server/net/site.hpp"

namespace tictactoe::net {

/// What the HTTP connections of one server share. Must outlive them while they are open.
struct WebContext {
  Site site{embedded_files()};
  PublicNames names;
};

/// The connection as its exchange sees it.
class WebPeer {
 public:
  /// Charges for a request. Returns false if the peer has too few tokens.
  virtual bool pays() = 0;

 protected:
  ~WebPeer() = default;
};

/// Turns what the peer sends into responses. Answers one request at a time: as long as output() is
/// not empty, nothing has to be received.
class WebExchange {
 public:
  /// Both must outlive it.
  WebExchange(const WebContext& context, WebPeer& peer) : context_(context), peer_(peer) {}

  void receive(std::string_view bytes);

  /// The next bytes for the peer; not all of them if they do not lie together.
  std::string_view output() const { return head_.empty() ? body_ : head_; }
  /// The first `count` bytes of output() were sent.
  void sent(std::size_t count);
  /// After the output the sending side is to be shut. What the peer sends then is discarded.
  bool wants_end() const { return ends_; }

 private:
  void answer_requests();
  void answer(const HttpRequest& request);
  void answer_file(const HttpRequest& request);
  /// Refuses the request, and ends with that.
  void refuse(std::string_view status, std::string_view sentence, std::string_view fields = {});
  void say(std::string_view status, std::string_view sentence, std::string_view fields = {});
  void respond(std::string_view status, std::string_view fields, std::string_view body);

  const WebContext& context_;
  WebPeer& peer_;
  HttpReader reader_;
  std::string input_;  // requests that came before the answer was sent
  std::string head_;   // to be sent before the body; also with short bodies
  std::string_view body_;
  bool ends_ = false;
};

}  // namespace tictactoe::net
