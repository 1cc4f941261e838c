// Memory for one asynchronous operation at a time, inside the object that starts it.
#pragma once

#include <array>
#include <cstddef>
#include <new>

namespace tictactoe::net {

/// Space for the state of one pending operation, so that starting it does not call the heap. What
/// does not fit, or comes while the space is taken, is on the heap.
class HandlerMemory {
 public:
  HandlerMemory() = default;
  HandlerMemory(const HandlerMemory&) = delete;
  HandlerMemory& operator=(const HandlerMemory&) = delete;

  void* allocate(std::size_t size) {
    if (is_taken_ || size > space_.size()) return ::operator new(size);
    is_taken_ = true;
    return space_.data();
  }
  void deallocate(void* memory) {
    if (memory == space_.data()) {
      is_taken_ = false;
    } else {
      ::operator delete(memory);
    }
  }

 private:
  // A read of an Asio socket takes 136 bytes; operations of other streams take more.
  static constexpr std::size_t space_size = 160;

  alignas(std::max_align_t) std::array<std::byte, space_size> space_;
  bool is_taken_ = false;
};

/// The allocator that Asio finds with a handler. The memory must outlive what is allocated.
template <class T>
class HandlerAllocator {
 public:
  using value_type = T;

  explicit HandlerAllocator(HandlerMemory& memory) : memory_(&memory) {}
  template <class U>
  HandlerAllocator(const HandlerAllocator<U>& other) noexcept : memory_(other.memory_) {}

  T* allocate(std::size_t count) const {
    return static_cast<T*>(memory_->allocate(sizeof(T) * count));
  }
  void deallocate(T* memory, std::size_t /*count*/) const { memory_->deallocate(memory); }

  template <class U>
  bool operator==(const HandlerAllocator<U>& other) const noexcept {
    return memory_ == other.memory_;
  }

 private:
  template <class>
  friend class HandlerAllocator;
  HandlerMemory* memory_;
};

}  // namespace tictactoe::net
