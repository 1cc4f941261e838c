// How much long tests do: everything in optimised builds, a sample under sanitizers.
#pragma once

namespace tictactoe::support {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#else
inline constexpr bool sanitized = false;
#endif

#if defined(__OPTIMIZE__)
inline constexpr bool optimised = true;
#else
inline constexpr bool optimised = false;
#endif

/// Whether tests do everything.
inline constexpr bool thorough = optimised && !sanitized;

/// The whole number, or an eighth of it.
constexpr int scaled(int number) {
  return thorough ? number : (number + 7) / 8;
}

}  // namespace tictactoe::support
