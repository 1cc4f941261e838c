// What libFuzzer calls. The environment variable FUZZ_TARGET names the target.
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/input.hpp"

namespace {

tictactoe::fuzz::Target target = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* const name = std::getenv("FUZZ_TARGET");
  const auto& all = tictactoe::fuzz::targets();
  if (const auto found = all.find(name == nullptr ? "" : name); found != all.end()) {
    target = found->second;
    return 0;
  }
  std::fprintf(stderr, "FUZZ_TARGET must name one of:");
  for (const auto& [known, unused] : all) std::fprintf(stderr, " %s", known.data());
  std::fprintf(stderr, "\n");
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  target(data, size);
  return 0;
}
