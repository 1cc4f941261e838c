#include "tests/cost/heap.hpp"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

std::size_t allocation_count = 0;
std::size_t held_bytes = 0;
std::size_t peak_held_bytes = 0;

void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  held_bytes += malloc_usable_size(memory);
  peak_held_bytes = std::max(peak_held_bytes, held_bytes);
  return memory;
}

void release(void* memory) noexcept {
  if (memory != nullptr) held_bytes -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

// The linker puts this in the place of aligned_alloc, for this program's own code and for Asio's.
// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
extern "C" void* __real_aligned_alloc(std::size_t alignment, std::size_t size);
extern "C" void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocation_count;
  return __real_aligned_alloc(alignment, size);
}
// NOLINTEND(bugprone-reserved-identifier)

// The forms for arrays and nothrow end here, too.
void* operator new(std::size_t size) {
  ++allocation_count;
  return counted(std::malloc(size));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  ++allocation_count;
  const auto unit = static_cast<std::size_t>(alignment);
  return counted(__real_aligned_alloc(unit, (size + unit - 1) / unit * unit));
}
void operator delete(void* memory) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t /*size*/) noexcept {
  release(memory);
}
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  release(memory);
}

namespace tictactoe::cost {

std::size_t allocations() {
  return allocation_count;
}
std::size_t held() {
  return held_bytes;
}
std::size_t peak_held() {
  return peak_held_bytes;
}
void reset_peak_held() {
  peak_held_bytes = held_bytes;
}

}  // namespace tictactoe::cost
