#include "server/net/websocket.hpp"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <deque>
#include <utility>

#include "common/wire/frame.hpp"
#include "server/net/websocket_fragments.hpp"
#include "server/net/websocket_memory.hpp"

namespace tictactoe::net {

namespace asio = boost::asio;
namespace beast = boost::beast;
using boost::system::error_code;

namespace {

constexpr std::string_view binary_form = "tictactoe.v1.protobuf";
constexpr std::string_view json_form = "tictactoe.v1.json";

// Neither is a ClientMessage, nor a length that any server allows.
constexpr std::string_view unreadable_body = "\xff";
constexpr std::string_view longest_length = "\xff\xff\xff\xff\x0f";

}  // namespace

std::string_view chosen_subprotocol(std::string_view offered) {
  for (const auto& name : beast::http::token_list(offered)) {
    if (name == binary_form) return binary_form;
    if (name == json_form) return json_form;
  }
  return {};
}

struct WebSocket::Parts {
  struct Text {
    std::string bytes;
    bool is_readable;  // not binary
  };

  Parts(asio::io_context& io, JsonMemo& memo) : beast(io, steps), json(memo) {}

  void read() {
    beast.async_read_some(asio::buffer(chunk), [this](const error_code& error, std::size_t count) {
      on_read(error, count);
    });
  }

  void on_read(const error_code& error, std::size_t count) {
    if (error) {
      // A peer that has said goodbye is not at fault.
      if (error != beast::websocket::error::closed) fail();
      return;
    }
    message.append(chunk.data(), count);
    if (beast.is_message_done()) deliver();
    read();
  }

  void deliver() {
    const bool is_readable = beast.got_text() == (form == MessageForm::json);
    if (form == MessageForm::json) {
      texts.push_back({std::exchange(message, {}), is_readable});
      return;
    }
    wire::append_frame(frames, is_readable ? std::string_view(message) : unreadable_body);
    std::string().swap(message);
  }
  void fail() {
    has_failed = true;
    if (texts.empty()) frames.append(longest_length);
  }

  void read_text() {
    const Text& text = texts.front();
    const auto request = text.is_readable ? request_from_json(text.bytes) : std::nullopt;
    wire::append_frame(frames, request ? std::string_view(*request) : unreadable_body);
    drop_text();
  }
  void drop_text() {
    texts.pop_front();
    if (texts.empty() && has_failed) frames.append(longest_length);
  }

  // A pong that answers nothing is no sign of life, or it would keep a connection for nothing.
  void note_control(beast::websocket::frame_type kind) {
    const bool is_answer = kind == beast::websocket::frame_type::pong && unanswered > 0;
    if (is_answer) --unanswered;
    if (!is_answer) ++controls.charged;
    if (is_answer || kind == beast::websocket::frame_type::ping) controls.is_alive = true;
  }

  // Of the raw protocol, to the peer.

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      if (left == 0) {
        length.push_back(bytes.front());
        bytes.remove_prefix(1);
        if ((static_cast<unsigned char>(length.back()) & 0x80U) != 0) continue;
        left = decoded_length();
        length.clear();
        if (left == 0) write_body({}, true);
        continue;
      }
      const std::string_view body = bytes.substr(0, left);
      bytes.remove_prefix(body.size());
      left -= body.size();
      write_body(body, left == 0);
    }
  }
  std::size_t decoded_length() const {
    std::size_t value = 0;
    for (std::size_t i = length.size(); i-- > 0;) {
      value = value << 7U | (static_cast<unsigned char>(length[i]) & 0x7fU);
    }
    return value;
  }

  void write_body(std::string_view body, bool is_last) {
    if (form == MessageForm::protobuf) return send(body, is_last);
    if (is_last && unsent.empty()) return send(json.to_json(body), true);
    unsent.append(body);
    if (is_last) send(json.to_json(std::exchange(unsent, {})), true);
  }
  void send(std::string_view bytes, bool is_last) {
    if (!beast.is_open()) return;
    error_code ignored;  // memory takes everything
    beast.write_some(is_last, asio::buffer(bytes.data(), bytes.size()), ignored);
  }

  WebSocketSteps steps;
  beast::websocket::stream<WebSocketMemory, false> beast;  // without compression
  JsonMemo& json;
  MessageForm form = MessageForm::protobuf;
  std::array<char, 512> chunk;
  std::string message;  // until it is whole
  std::string frames;
  std::deque<Text> texts;   // in JSON, whole, and after the frames
  bool has_failed = false;  // the peer has broken the rules
  WebSocketFragments fragments;
  Controls controls;
  std::size_t unanswered = 0;  // pings of this end
  std::string length;          // the bytes of it that have been written
  std::size_t left = 0;        // of the body that is being written
  std::string unsent;          // of it, in JSON
};

WebSocket::WebSocket(asio::io_context& io, const HttpRequest& request, std::string_view subprotocol,
                     std::size_t longest_message, JsonMemo& json)
    : parts_(std::make_unique<Parts>(io, json)) {
  namespace http = beast::http;
  Parts& parts = *parts_;
  parts.form = subprotocol == json_form ? MessageForm::json : MessageForm::protobuf;
  parts.beast.text(parts.form == MessageForm::json);
  parts.beast.auto_fragment(false);
  parts.beast.read_message_max(longest_message);
  parts.beast.control_callback([&parts](beast::websocket::frame_type kind, beast::string_view) {
    if (kind != beast::websocket::frame_type::close) parts.note_control(kind);
  });
  parts.beast.set_option(beast::websocket::stream_base::decorator(
      [name = std::string(subprotocol)](beast::websocket::response_type& response) {
        response.set(http::field::sec_websocket_protocol, name);
      }));
  http::request<http::empty_body> upgrade(http::verb::get, request.target, 11);
  upgrade.set(http::field::host, request.host);
  upgrade.set(http::field::upgrade, "websocket");
  upgrade.set(http::field::connection, "upgrade");
  upgrade.set(http::field::sec_websocket_key, request.key);
  upgrade.set(http::field::sec_websocket_version, request.version);
  error_code error;
  parts.beast.accept(upgrade, error);
  if (!error) parts.read();
}

WebSocket::~WebSocket() {
  parts_->steps.clear();
}

bool WebSocket::is_open() const {
  return parts_->beast.is_open();
}

void WebSocket::receive(std::string_view bytes) {
  WebSocketMemory& memory = parts_->beast.next_layer();
  parts_->fragments.receive(bytes);
  for (;;) {
    parts_->steps.run();
    if (bytes.empty() || !memory.is_reading()) return;
    memory.give(bytes);
  }
}

std::string& WebSocket::frames() {
  return parts_->frames;
}

bool WebSocket::has_text() const {
  return !parts_->texts.empty();
}

std::string_view WebSocket::text() const {
  return parts_->texts.front().bytes;
}

void WebSocket::read_text() {
  parts_->read_text();
}

void WebSocket::drop_text() {
  parts_->drop_text();
}

WebSocket::Controls WebSocket::take_controls() {
  parts_->controls.charged += parts_->fragments.take();
  return std::exchange(parts_->controls, {});
}

void WebSocket::write(std::string_view bytes) {
  parts_->write(bytes);
}

std::string& WebSocket::output() {
  return parts_->beast.next_layer().output;
}

std::size_t WebSocket::kept_bytes() const {
  return parts_->unsent.size() + parts_->beast.next_layer().output.size();
}

void WebSocket::ping() {
  if (!is_open() || !output().empty()) return;
  error_code ignored;  // memory takes everything
  parts_->beast.ping({}, ignored);
  ++parts_->unanswered;
}

void WebSocket::close() {
  if (!is_open()) return;
  parts_->beast.async_close(beast::websocket::close_code::normal, [](const error_code&) {});
  parts_->steps.run();
}

}  // namespace tictactoe::net
