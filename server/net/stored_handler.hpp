// A completion handler that is kept in place until its operation ends.
#pragma once

#include <boost/system/error_code.hpp>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace tictactoe::net {

/// Holds any handler with the signature void(error_code, std::size_t), or nothing. Small handlers
/// take no memory of the heap. Move-only.
class StoredHandler {
 public:
  StoredHandler() = default;
  template <class Handler>
    requires(!std::is_same_v<Handler, StoredHandler>)
  explicit StoredHandler(Handler handler) {
    if constexpr (fits<Handler>) {
      ::new (static_cast<void*>(space_)) Handler(std::move(handler));
      operations_ = &operations_of<Handler>;
    } else {
      using Box = Boxed<Handler>;
      ::new (static_cast<void*>(space_)) Box{std::make_unique<Handler>(std::move(handler))};
      operations_ = &operations_of<Box>;
    }
  }
  StoredHandler(StoredHandler&& other) noexcept { take(other); }
  StoredHandler& operator=(StoredHandler&& other) noexcept {
    if (this != &other) {
      reset();
      take(other);
    }
    return *this;
  }
  ~StoredHandler() { reset(); }

  explicit operator bool() const { return operations_ != nullptr; }
  void operator()(const boost::system::error_code& error, std::size_t bytes) {
    operations_->call(space_, error, bytes);
  }

 private:
  using Error = boost::system::error_code;

  template <class Handler>
  struct Boxed {
    void operator()(const Error& error, std::size_t bytes) { (*handler)(error, bytes); }
    std::unique_ptr<Handler> handler;
  };

  struct Operations {
    void (*call)(void* handler, const Error& error, std::size_t bytes);
    void (*move)(void* from, void* to) noexcept;  // ends the life of `from`
    void (*destroy)(void* handler) noexcept;
  };

  static constexpr std::size_t size = 3 * sizeof(void*);
  template <class Handler>
  static constexpr bool fits = sizeof(Handler) <= size && alignof(Handler) <= alignof(void*) &&
                               std::is_nothrow_move_constructible_v<Handler>;

  template <class Handler>
  static constexpr Operations operations_of{
      [](void* handler, const Error& error, std::size_t bytes) {
        (*static_cast<Handler*>(handler))(error, bytes);
      },
      [](void* from, void* to) noexcept {
        ::new (to) Handler(std::move(*static_cast<Handler*>(from)));
        static_cast<Handler*>(from)->~Handler();
      },
      [](void* handler) noexcept { static_cast<Handler*>(handler)->~Handler(); }};

  void take(StoredHandler& other) {
    operations_ = std::exchange(other.operations_, nullptr);
    if (operations_ != nullptr) operations_->move(other.space_, space_);
  }
  void reset() {
    if (operations_ != nullptr) std::exchange(operations_, nullptr)->destroy(space_);
  }

  const Operations* operations_ = nullptr;
  alignas(void*) std::byte space_[size];
};

}  // namespace tictactoe::net
