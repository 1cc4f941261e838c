// Fuzz targets, and a reader of a fuzzer's bytes as a program: numbers and texts, in the order of
// the calls.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string_view>
#include <utility>

namespace tictactoe::fuzz {

/// Never runs dry: after the end come zeros and empty texts.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size)
      : rest_(reinterpret_cast<const char*>(data), size) {}

  bool empty() const { return rest_.empty(); }
  std::uint8_t byte() {
    if (rest_.empty()) return 0;
    const auto first = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return first;
  }
  std::uint8_t below(unsigned bound) { return static_cast<std::uint8_t>(byte() % bound); }
  std::uint16_t word() {
    const unsigned high = byte();
    return static_cast<std::uint16_t>(high << 8 | byte());
  }
  /// Its length is a word that comes before.
  std::string_view text() {
    const std::string_view all = rest_.substr(std::min<std::size_t>(2, rest_.size()));
    const std::size_t length = std::min<std::size_t>(word(), all.size());
    rest_ = all.substr(length);
    return all.substr(0, length);
  }
  std::string_view rest() { return std::exchange(rest_, {}); }

 private:
  std::string_view rest_;
};

/// Ends the process with a message if the condition is false, which a fuzzer reports.
inline void require(bool holds, const char* otherwise) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", otherwise);
  std::abort();
}

}  // namespace tictactoe::fuzz

namespace tictactoe::fuzz {

using Target = void (*)(const std::uint8_t* data, std::size_t size);

/// The targets of this program, by name.
inline std::map<std::string_view, Target>& targets() {
  static std::map<std::string_view, Target> all;
  return all;
}

}  // namespace tictactoe::fuzz

/// Defines the target `name`, which must be the name of its file, and of its folder in corpus/.
#define FUZZ_TARGET(name, data, size)                               \
  static void run_##name(const std::uint8_t*, std::size_t);         \
  [[maybe_unused]] static const bool name##_is_known =              \
      tictactoe::fuzz::targets().emplace(#name, run_##name).second; \
  static void run_##name([[maybe_unused]] const std::uint8_t* data, \
                         [[maybe_unused]] std::size_t size)
