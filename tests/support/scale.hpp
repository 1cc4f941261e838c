// How much long tests do: a sample in the gate and under sanitizers, everything in `./run test
// all`.
#pragma once

#include <cstdlib>

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

#if defined(__has_feature)
#if __has_feature(undefined_behavior_sanitizer)
#define TICTACTOE_UBSAN
#endif
#endif
/// Whether UndefinedBehaviorSanitizer runs, which opens a pipe to see if the memory of an object
/// can be read, and takes a failure for a broken object.
#ifdef TICTACTOE_UBSAN
inline constexpr bool needs_descriptors = true;
#else
inline constexpr bool needs_descriptors = false;
#endif

/// Whether the code under test is optimised. A test's own code never is.
#ifdef TICTACTOE_OPTIMISED
inline constexpr bool optimised = true;
#else
inline constexpr bool optimised = false;
#endif

/// Whether tests do everything: if the environment variable TICTACTOE_THOROUGH is set.
inline const bool thorough = !sanitized && std::getenv("TICTACTOE_THOROUGH") != nullptr;

/// The whole number, or an eighth of it.
inline int scaled(int number) {
  return thorough ? number : (number + 7) / 8;
}

}  // namespace tictactoe::support
