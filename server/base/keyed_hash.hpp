// A hash whose collisions can't be computed without its key.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tictactoe::server {

using HashKey = std::array<std::uint64_t, 2>;

namespace sip {

struct State {
  std::uint64_t a, b, c, d;

  void round() {
    a += b;
    b = std::rotl(b, 13) ^ a;
    a = std::rotl(a, 32);
    c += d;
    d = std::rotl(d, 16) ^ c;
    a += d;
    d = std::rotl(d, 21) ^ a;
    c += b;
    b = std::rotl(b, 17) ^ c;
    c = std::rotl(c, 32);
  }
  void take(std::uint64_t word) {
    d ^= word;
    round();
    round();
    a ^= word;
  }
};

}  // namespace sip

/// SipHash-2-4 (Aumasson and Bernstein, https://www.aumasson.jp/siphash/siphash.pdf). Without the
/// key, nobody can find two texts with the same hash better than by chance (2^-64). O(bytes).
inline std::uint64_t keyed_hash(const HashKey& key, std::string_view text) {
  sip::State state{key[0] ^ 0x736f6d6570736575U, key[1] ^ 0x646f72616e646f6dU,
                   key[0] ^ 0x6c7967656e657261U, key[1] ^ 0x7465646279746573U};
  constexpr std::size_t word_bytes = 8;
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    word |= std::uint64_t{static_cast<unsigned char>(text[i])} << (i % word_bytes * 8);
    if (i % word_bytes + 1 < word_bytes) continue;
    state.take(word);
    word = 0;
  }
  state.take(word | std::uint64_t{text.size()} << 56U);
  state.c ^= 0xffU;
  for (int i = 0; i < 4; ++i) state.round();
  return state.a ^ state.b ^ state.c ^ state.d;
}

}  // namespace tictactoe::server
