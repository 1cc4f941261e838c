#include "server/admin/metrics_server.hpp"

#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <charconv>
#include <utility>

namespace tictactoe::admin {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr std::size_t max_scrapers = 16;
constexpr std::uint32_t max_head_bytes = 8 * 1024;
constexpr std::chrono::seconds max_exchange_time{5};
constexpr server::Rate scrape_rate{.per_second = 10, .burst = 20};
constexpr const char* exposition = "text/plain; version=0.0.4; charset=utf-8";
constexpr const char* plain_text = "text/plain; charset=utf-8";

}  // namespace

std::optional<tcp::endpoint> parse_endpoint(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  const bool in_brackets = host.starts_with('[') && host.ends_with(']');
  if (in_brackets) host = host.substr(1, host.size() - 2);
  std::uint16_t number = 0;
  const auto [end, fault] = std::from_chars(port.begin(), port.end(), number);
  error_code error;
  const asio::ip::address address = host == "localhost" ? asio::ip::address_v4::loopback()
                                    : colon == 0        ? asio::ip::address_v6::any()
                                                        : asio::ip::make_address(host, error);
  const bool needs_brackets = address.is_v6() && colon != 0;
  if (error || fault != std::errc() || end != port.end() || needs_brackets != in_brackets) {
    return std::nullopt;
  }
  return tcp::endpoint(address, number);
}

/// One connection. Its handlers own it.
struct MetricsServer::Exchange {
  Exchange(transport::TcpSocket socket, std::shared_ptr<std::set<Exchange*>> all)
      : stream(std::move(socket)), open(std::move(all)) {
    open->insert(this);
    parser.header_limit(max_head_bytes);
    parser.body_limit(0);
  }
  ~Exchange() { open->erase(this); }
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  beast::basic_stream<tcp, asio::io_context::executor_type> stream;
  beast::flat_buffer buffer{std::size_t{2} * max_head_bytes};
  http::request_parser<http::empty_body> parser;
  http::response<http::string_body> response;
  std::shared_ptr<std::set<Exchange*>> open;
};

MetricsServer::MetricsServer(asio::io_context& io, Sources sources)
    : sources_(std::move(sources)),
      listener_(io, [this](transport::TcpSocket socket,
                           const asio::ip::address& /*peer*/) { accept(std::move(socket)); }),
      scrapes_(scrape_rate, {}),
      open_(std::make_shared<std::set<Exchange*>>()) {}

transport::Listening MetricsServer::listen(const tcp::endpoint& endpoint) {
  return listener_.listen(endpoint.address().to_string(), endpoint.port());
}

void MetricsServer::stop() {
  listener_.close();
  for (Exchange* exchange : *open_) exchange->stream.close();
}

void MetricsServer::accept(transport::TcpSocket socket) {
  if (open_->size() >= max_scrapers) return;
  const auto exchange = std::make_shared<Exchange>(std::move(socket), open_);
  exchange->stream.expires_after(max_exchange_time);
  http::async_read_header(exchange->stream, exchange->buffer, exchange->parser,
                          [this, exchange](const error_code& fault, std::size_t) {
                            if (!fault) answer(exchange);
                          });
}

// The connection ends with the exchange, when its last handler releases it.
void MetricsServer::answer(const std::shared_ptr<Exchange>& exchange) {
  fill_in(*exchange);
  http::async_write(exchange->stream, exchange->response,
                    [exchange](const error_code& /*whatever it is, it is over*/, std::size_t) {
                      error_code ignored;
                      exchange->stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
                    });
}

void MetricsServer::fill_in(Exchange& exchange) {
  const auto& request = exchange.parser.get();
  auto& response = exchange.response;
  response.version(request.version());
  response.keep_alive(false);
  response.set(http::field::content_type, plain_text);
  response.set(http::field::cache_control, "no-store");
  const std::string_view target = request.target();
  const std::string_view path = target.substr(0, target.find('?'));
  const bool is_head = request.method() == http::verb::head;
  if (!is_head && request.method() != http::verb::get) {
    response.result(http::status::method_not_allowed);
    response.set(http::field::allow, "GET, HEAD");
  } else if (path == "/metrics") {
    if (scrapes_.take(scrape_rate, 1, std::chrono::steady_clock::now())) {
      response.set(http::field::content_type, exposition);
      response.body() = sources_.metrics();
    } else {
      response.result(http::status::too_many_requests);
    }
  } else if (path == "/healthz") {
    response.body() = "ok\n";
  } else if (path == "/readyz") {
    const std::string reason = sources_.not_ready();
    if (!reason.empty()) response.result(http::status::service_unavailable);
    response.body() = (reason.empty() ? "ready" : reason) + "\n";
  } else {
    response.result(http::status::not_found);
    response.body() = "/metrics, /healthz, /readyz\n";
  }
  response.prepare_payload();
  if (is_head) response.body().clear();
}

}  // namespace tictactoe::admin
