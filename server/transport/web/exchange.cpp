#include "server/transport/web/exchange.hpp"

#include <utility>

#include "common/qr/qr_code.hpp"
#include "server/transport/web/guest_address.hpp"

namespace tictactoe::transport {

namespace {

std::string_view path_of(const HttpRequest& request) {
  return std::string_view(request.target).substr(0, request.target.find('?'));
}

std::string_view query_of(const HttpRequest& request) {
  const std::size_t begin = request.target.find('?');
  return begin == std::string::npos ? std::string_view()
                                    : std::string_view(request.target).substr(begin + 1);
}

}  // namespace

std::string unavailable_response(bool is_head) {
  constexpr std::string_view sentence = "There are too many connections: try again later.\n";
  std::string response("HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n");
  response += "Retry-After: 10\r\nCache-Control: no-store\r\n";
  response += "Content-Type: text/plain; charset=utf-8\r\nContent-Length: ";
  response.append(std::to_string(sentence.size())).append("\r\n");
  response.append(safety_fields({})).append("\r\n");
  return is_head ? response : response.append(sentence);
}

void WebExchange::keep(std::string_view bytes) {
  if (!ends_) input_.append(bytes);
}

void WebExchange::sent(std::size_t count) {
  if (head_.empty()) {
    body_.remove_prefix(count);
  } else {
    head_.erase(0, count);
  }
}

void WebExchange::answer_next() {
  std::string_view rest = input_;
  while (!is_upgraded_ && output().empty() && !ends_ && !rest.empty()) {
    const HttpReader::State state = reader_.read(rest);
    if (state == HttpReader::State::request) {
      answer(reader_.request());
    } else if (state == HttpReader::State::too_long) {
      refuse("431 Request Header Fields Too Large", "That request is too long.");
    } else if (state == HttpReader::State::fault) {
      refuse("400 Bad Request", "That is not HTTP.");
    }
  }
  if (ends_) rest = {};
  input_.erase(0, input_.size() - rest.size());
}

void WebExchange::answer(const HttpRequest& request) {
  if (!peer_.pay()) {
    return refuse("429 Too Many Requests", "Too many requests: try again in a moment.",
                  "Retry-After: 1\r\n");
  }
  if (request.method == HttpRequest::Method::other) {
    return refuse("405 Method Not Allowed", "This server answers GET and HEAD.",
                  "Allow: GET, HEAD\r\n");
  }
  if (!request.target.starts_with('/')) {
    return refuse("400 Bad Request", "A path begins with a slash.");
  }
  if (request.has_body) return refuse("400 Bad Request", "A GET request can't have a body here.");
  if (!request.has_one_host || !is_allowed_host(request.host, context_.names)) {
    return refuse("421 Misdirected Request",
                  "This server is not known by that name. Its owner can allow it with "
                  "--public-address.");
  }
  if (peer_.must_encrypt()) return send_to_https(request);
  if (path_of(request) == "/ws") return upgrade(request);
  ends_ = !request.keeps_alive;
  if (path_of(request).starts_with("/join.")) return answer_invitation(request);
  answer_file(request);
}

void WebExchange::upgrade(const HttpRequest& request) {
  if (!request.wants_upgrade || request.method != HttpRequest::Method::get) {
    return refuse("426 Upgrade Required", "This path is for WebSockets.",
                  "Connection: Upgrade, close\r\nUpgrade: websocket\r\n");
  }
  if (!request.has_one_origin || !is_allowed_origin(request.origin, request.host, context_.lobby)) {
    return refuse("403 Forbidden", "Only this server's own page may connect to it.");
  }
  const std::string_view subprotocol = chosen_subprotocol(request.subprotocols);
  if (subprotocol.empty()) {
    return refuse("400 Bad Request",
                  "A WebSocket here has the subprotocol tictactoe.v1.protobuf or "
                  "tictactoe.v1.json.");
  }
  if (!request.is_http_1_1 || request.version != "13" || !is_websocket_key(request.key)) {
    return refuse("400 Bad Request", "This is not a request for a WebSocket of RFC 6455.",
                  "Sec-WebSocket-Version: 13\r\n");
  }
  head_ += "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n";
  head_.append("Sec-WebSocket-Accept: ").append(websocket_accept(request.key));
  head_.append("\r\nSec-WebSocket-Protocol: ").append(subprotocol).append("\r\n\r\n");
  form_ = form_of(subprotocol);
  is_upgraded_ = true;
}

// The same port also speaks TLS. The host has been checked, and no target contains a line end.
void WebExchange::send_to_https(const HttpRequest& request) {
  if (path_of(request) == "/ws") {
    return refuse("403 Forbidden", "This server accepts only encrypted WebSockets: use wss.");
  }
  refuse("307 Temporary Redirect", "This server accepts only encrypted connections.",
         "Location: https://" + request.host + request.target + "\r\n");
}

void WebExchange::answer_file(const HttpRequest& request) {
  const Site::File* file = context_.site.find(path_of(request));
  if (file == nullptr) return say("404 Not Found", "There is nothing here. The page is at /.");
  const bool is_compressed = request.accepts_gzip && !file->gzip.empty();
  const std::string& etag = is_compressed ? file->gzip_etag : file->etag;
  std::string fields("Cache-Control: ");
  fields += file->is_immutable ? "public, max-age=31536000, immutable" : "no-cache";
  fields.append("\r\nVary: Accept-Encoding\r\nETag: ").append(etag).append("\r\n");
  if (names_tag(request.if_none_match, etag)) {
    return respond("304 Not Modified", fields, {});
  }
  const std::string& body = is_compressed ? file->gzip : file->plain;
  if (is_compressed) fields += "Content-Encoding: gzip\r\n";
  fields.append("Content-Type: ").append(file->type);
  fields.append("\r\nContent-Length: ").append(std::to_string(body.size())).append("\r\n");
  respond("200 OK", fields, request.method == HttpRequest::Method::get ? body : std::string_view());
}

void WebExchange::answer_invitation(const HttpRequest& request) {
  const auto links =
      join_links(query_of(request), request.host, context_.invitations, peer_.is_encrypted());
  if (!links) return say("404 Not Found", "There is no such address. The page is at /.");
  if (path_of(request) == "/join.txt") {
    std::string lines;
    for (const std::string& link : *links) lines.append(lines.empty() ? "" : "\n").append(link);
    return say("200 OK", lines);
  }
  const auto code = links->empty() ? std::nullopt : qr::QrCode::of(without_key(links->front()));
  if (!code || path_of(request) != "/join.svg") {
    return say("404 Not Found", "Try /join.txt or, for shorter addresses, /join.svg.");
  }
  send("200 OK", {}, "image/svg+xml", qr::to_svg(*code));
}

void WebExchange::refuse(std::string_view status, std::string_view sentence,
                         std::string_view fields) {
  ends_ = true;
  say(status, sentence, fields);
}

void WebExchange::say(std::string_view status, std::string_view sentence, std::string_view fields) {
  send(status, fields, "text/plain; charset=utf-8", std::string(sentence) + '\n');
}

void WebExchange::send(std::string_view status, std::string_view fields, std::string_view type,
                       std::string_view body) {
  std::string all(fields);
  all.append("Cache-Control: no-store\r\nContent-Type: ").append(type);
  all.append("\r\nContent-Length: ").append(std::to_string(body.size())).append("\r\n");
  respond(status, all, {});
  if (reader_.request().method != HttpRequest::Method::head) head_.append(body);
}

void WebExchange::respond(std::string_view status, std::string_view fields, std::string_view body) {
  head_.append("HTTP/1.1 ").append(status).append("\r\n");
  if (ends_ && !fields.starts_with("Connection:")) head_ += "Connection: close\r\n";
  head_.append(fields).append(context_.safety).append("\r\n");
  body_ = body;
  has_answered_ = true;
}

}  // namespace tictactoe::transport
