#include "server/net/key_deriver.hpp"

#include <memory>
#include <utility>

namespace tictactoe::net {

void KeyDeriver::Task::run() {
  key = core::derive_key(*derive.request);
}

KeyDeriver::KeyDeriver(boost::asio::io_context& io, Answer on_answer)
    : worker_(io, "a password is checked", [on_answer = std::move(on_answer)](const Task& task) {
        on_answer(task.derive.id, task.key);
      }) {}

void KeyDeriver::derive(const core::DeriveKey& derive) {
  worker_.give(std::make_unique<Task>(Task{derive, {}}));
}

}  // namespace tictactoe::net
