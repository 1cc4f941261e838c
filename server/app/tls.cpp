#include "server/app/tls.hpp"

#include <spdlog/spdlog.h>

#include <chrono>
#include <filesystem>
#include <iostream>

#include "server/logging/logging.hpp"

namespace tictactoe::app {

namespace {

// The server's own key even if it keeps no records: clients know the server by it.
transport::TlsIdentityRead own_without_journal(const ServerOptions& options) {
  const auto folder = options.data_folder();
  std::string fault = "HOME is not set";
  if (folder) {
    std::error_code ignored;  // writing reports it
    std::filesystem::create_directories(*folder, ignored);
    auto own = transport::own_tls_identity(*folder);
    if (own) return own;
    fault = own.error();
  }
  spdlog::warn(
      "the TLS key is new and can't be stored, so after a restart clients will refuse this "
      "server: {}",
      fault);
  return transport::temporary_tls_identity();
}

}  // namespace

Tls::Tls(boost::asio::io_context& io, transport::Server& server, const ServerOptions& options)
    : server_(server),
      options_(options),
      renewal_(io, "renewing a certificate", std::chrono::hours(24),
               [this, folder = options.data_folder()]() -> std::function<void()> {
                 auto read = transport::own_tls_identity(folder.value_or(std::filesystem::path()));
                 return [this, read = std::move(read)] {
                   // Not a temporary key, or one that somebody has put there: players know the
                   // server by its own.
                   if (read && read->fingerprint == fingerprint_) use(*read);
                 };
               }) {}

transport::TlsIdentityRead Tls::read() const {
  if (!options_.tls_key.empty()) {
    return transport::read_tls_identity(options_.tls_certificate, options_.tls_key);
  }
  if (options_.no_journal || !options_.store_url.empty()) return own_without_journal(options_);
  return transport::own_tls_identity(*options_.data_folder());  // which the journal has made
}

bool Tls::start() {
  const auto identity = read();
  if (!identity) {
    complain(identity.error());
    return false;
  }
  use(*identity);
  if (options_.require_tls || options_.internet) server_.require_tls();
  if (options_.allow_plain_http && options_.internet) {
    spdlog::warn("--allow-plain-http has no effect with --internet");
  } else if (options_.allow_plain_http) {
    server_.allow_plain_http();
  }
  // A key that is not stored ends with the process.
  if (options_.tls_key.empty() && options_.data_folder()) renewal_.start();
  return true;
}

void Tls::use(const transport::TlsIdentity& identity) {
  if (!identity.warning.empty()) spdlog::warn("{}", identity.warning);
  fingerprint_ = identity.fingerprint;
  server_.use_tls(identity);
}

void Tls::print_key() const {
  std::cout << "the server's key is " << tls::to_text(fingerprint_) << '\n' << std::flush;
}

std::optional<transport::TlsIdentityRead> Tls::read_again() const {
  if (options_.tls_key.empty()) return std::nullopt;
  return read();
}

void Tls::use_again(const transport::TlsIdentity& identity) {
  use(identity);
  spdlog::info("reloaded the certificate; the server's key is {}", tls::to_text(fingerprint_));
}

void Tls::stop() {
  renewal_.stop();
}

}  // namespace tictactoe::app
