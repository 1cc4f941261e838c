#include "tests/siege/seeker.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "common/wire/discovery.hpp"
#include "tests/bench/load/failure.hpp"
#include "tictactoe/v1/discovery.pb.h"

namespace tictactoe::siege {
namespace {

std::string longest_query() {
  v1::DiscoveryQuery query;
  query.set_magic(wire::discovery_query_magic);
  query.set_version(wire::discovery_version);
  query.set_nonce(1);
  // Its length takes two bytes.
  constexpr std::size_t field = 3;
  query.set_padding(std::string(wire::max_discovery_bytes - query.ByteSizeLong() - field, 0));
  return query.SerializeAsString();
}

}  // namespace

Seeker::Seeker(std::uint32_t from, const sockaddr_in& to)
    : socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)),
      query_(longest_query()) {
  sockaddr_in own{};
  own.sin_family = AF_INET;
  own.sin_addr.s_addr = htonl(from);
  if (socket_ < 0 || ::bind(socket_, reinterpret_cast<sockaddr*>(&own), sizeof(own)) != 0 ||
      ::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof(to)) != 0) {
    if (socket_ >= 0) ::close(socket_);
    throw load::Failure("There is no UDP socket to ask for servers.");
  }
}

Seeker::~Seeker() {
  ::close(socket_);
}

void Seeker::ask() {
  // Lost queries are repeated, whatever the reason.
  [[maybe_unused]] const auto sent = ::send(socket_, query_.data(), query_.size(), 0);
}

std::uint64_t Seeker::answers() {
  std::array<char, wire::max_discovery_bytes> space{};
  std::uint64_t count = 0;
  while (::recv(socket_, space.data(), space.size(), 0) > 0) ++count;
  return count;
}

}  // namespace tictactoe::siege
