// A value on the heap.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace tictactoe::rules {

/// Takes the space of one pointer, so that a large alternative does not enlarge a variant. Copying
/// copies the value. A moved-from object can only be assigned to or destroyed.
template <class T>
class Boxed {
 public:
  explicit Boxed(T value) : value_(std::make_unique<T>(std::move(value))) {}
  Boxed(const Boxed& other) : Boxed(*other) {}
  Boxed(Boxed&&) noexcept = default;
  Boxed& operator=(const Boxed& other) { return *this = Boxed(other); }
  Boxed& operator=(Boxed&&) noexcept = default;
  ~Boxed() = default;

  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }

  /// Bytes held on the heap, of the value and by it.
  std::size_t memory() const { return sizeof(T) + value_->memory(); }

 private:
  std::unique_ptr<T> value_;
};

/// The value itself, boxed or not.
template <class T>
T& unboxed(T& value) {
  return value;  // NOLINT(bugprone-return-const-ref-from-parameter): it is never a temporary
}
template <class T>
T& unboxed(Boxed<T>& value) {
  return *value;
}
template <class T>
const T& unboxed(const Boxed<T>& value) {
  return *value;
}

}  // namespace tictactoe::rules
