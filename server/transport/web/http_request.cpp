#include "server/transport/web/http_request.hpp"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

namespace tictactoe::transport {

namespace http = boost::beast::http;
using boost::system::error_code;

using HeadParser = http::request_parser<http::empty_body>;

struct HttpReader::Parser {
  Parser() { beast.header_limit(max_head_bytes); }
  HeadParser beast;
};

HttpReader::HttpReader() = default;
HttpReader::~HttpReader() = default;
HttpReader::HttpReader(HttpReader&&) noexcept = default;
HttpReader& HttpReader::operator=(HttpReader&&) noexcept = default;

namespace {

HttpRequest::Method method_of(http::verb verb) {
  if (verb == http::verb::get) return HttpRequest::Method::get;
  return verb == http::verb::head ? HttpRequest::Method::head : HttpRequest::Method::other;
}

// "gzip;q=0" is a refusal.
bool accepts_gzip(std::string_view codings) {
  for (const auto& [name, parameters] : http::ext_list(codings)) {
    if (!boost::beast::iequals(name, "gzip")) continue;
    for (const auto& [key, value] : parameters) {
      if (boost::beast::iequals(key, "q")) return value.find_first_of("123456789") != value.npos;
    }
    return true;
  }
  return false;
}

// Lines of one header are one list (RFC 9110, 5.3), of which Beast sees only the first line.
std::string list_of(const http::fields& head, http::field name) {
  std::string list;
  const auto [first, end] = head.equal_range(name);
  for (auto line = first; line != end; ++line) {
    if (!list.empty()) list += ", ";
    list += std::string_view(line->value());
  }
  return list;
}

// "den.example:" means the same as "den.example" (RFC 3986, 6.2.3).
std::string without_empty_port(std::string host) {
  if (host.ends_with(':')) host.pop_back();
  return host;
}

HttpRequest request_of(const HeadParser& parser) {
  const auto& head = parser.get();
  const auto has = [&](http::field name, std::string_view token) {
    const std::string list = list_of(head, name);
    return http::token_list(list).exists(token);
  };
  HttpRequest request;
  request.method = method_of(head.method());
  request.target = std::string(head.target());
  request.host = without_empty_port(std::string(head[http::field::host]));
  request.has_one_host = head.count(http::field::host) == 1;
  request.origin = std::string(head[http::field::origin]);
  request.has_one_origin = head.count(http::field::origin) <= 1;
  request.if_none_match = list_of(head, http::field::if_none_match);
  request.accepts_gzip = accepts_gzip(list_of(head, http::field::accept_encoding));
  request.has_body = parser.chunked() || parser.content_length().value_or(0) > 0;
  request.is_http_1_1 = head.version() == 11;
  request.keeps_alive = request.is_http_1_1 ? !has(http::field::connection, "close")
                                            : has(http::field::connection, "keep-alive");
  request.wants_upgrade =
      has(http::field::upgrade, "websocket") && has(http::field::connection, "upgrade");
  request.key = std::string(head[http::field::sec_websocket_key]);
  request.version = std::string(head[http::field::sec_websocket_version]);
  request.subprotocols = list_of(head, http::field::sec_websocket_protocol);
  return request;
}

}  // namespace

HttpReader::State HttpReader::read(std::string_view& bytes) {
  if (parser_ == nullptr) parser_ = std::make_unique<Parser>();
  // The parser must get the part that it has not consumed again, in one piece.
  const std::size_t before = kept_.size();
  kept_.append(bytes.substr(0, max_head_bytes + 1 - std::min(before, max_head_bytes)));
  error_code error;
  const std::size_t taken = parser_->beast.put(boost::asio::buffer(kept_), error);
  const bool is_whole = parser_->beast.is_header_done();
  if (error == http::error::header_limit || (!is_whole && kept_.size() > max_head_bytes)) {
    return State::too_long;
  }
  // A body is an error for this parser, but the request is judged by its head.
  if (error && error != http::error::need_more && !is_whole) return State::fault;
  if (!is_whole) {
    bytes = {};
    kept_.erase(0, taken);
    return State::need_more;
  }
  bytes.remove_prefix(taken > before ? taken - before : 0);
  request_ = request_of(parser_->beast);
  std::string().swap(kept_);
  parser_.reset();
  return State::request;
}

}  // namespace tictactoe::transport
