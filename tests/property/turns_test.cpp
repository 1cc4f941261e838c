// Addresses take turns, as in a model that remembers everything that was ever taken.

// Before rapidcheck/gtest.h, which needs it.
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "server/core/ai_pool.hpp"
#include "server/core/turns.hpp"

namespace tictactoe::core::turns_tests {
namespace {

/// One list of all items in the order in which they came.
class Model {
 public:
  struct Item {
    std::uint64_t address;
    std::uint64_t number;
  };

  void push(std::uint64_t address, std::uint64_t number) { items_.push_back({address, number}); }
  /// The oldest item of the next address above the last one, or of the lowest.
  Item take() {
    std::uint64_t chosen = 0;
    bool found = false;
    for (const bool above : {true, false}) {
      for (const Item& item : items_) {
        if (above && item.address <= last_) continue;
        if (!found || item.address < chosen) chosen = item.address;
        found = true;
      }
      if (found) break;
    }
    last_ = chosen;
    const auto oldest = std::ranges::find(items_, chosen, &Item::address);
    const Item taken = *oldest;
    items_.erase(oldest);
    return taken;
  }
  bool empty() const { return items_.empty(); }

 private:
  std::vector<Item> items_;
  std::uint64_t last_ = 0;
};

RC_GTEST_PROP(Turns, are_those_of_the_model, (const std::vector<std::uint8_t>& steps)) {
  Turns<std::uint64_t> turns;
  Model model;
  std::uint64_t number = 0;
  const auto take = [&] {
    const std::uint64_t address = turns.take_turn();
    const std::uint64_t item = turns.pop(address);
    const Model::Item expected = model.take();
    RC_ASSERT(address == expected.address);
    RC_ASSERT(item == expected.number);
  };
  for (const std::uint8_t step : steps) {
    RC_ASSERT(turns.empty() == model.empty());
    if (step % 3 == 0 && !model.empty()) {
      take();
    } else {
      turns.push(1 + step % 5, ++number);
      model.push(1 + step % 5, number);
    }
  }
  while (!model.empty()) take();
  RC_ASSERT(turns.empty() && turns.size() == 0u && turns.addresses() == 0u);
}

// Every thought on this board is one slice.
RC_GTEST_PROP(AiPool, answers_addresses_in_turns, (const std::vector<std::uint8_t>& steps)) {
  AiPool pool{AiLimits{}};
  Model model;
  std::uint64_t rooms = 0;
  const auto slice = [&] {
    auto task = pool.next();
    RC_ASSERT((task == nullptr) == model.empty());
    if (!task) return;
    task->run(100);
    pool.finish(std::move(task));
    const auto answers = pool.take_answers();
    RC_ASSERT(answers.size() == 1u);
    RC_ASSERT(answers[0].id.room == model.take().number);
  };
  for (const std::uint8_t step : steps) {
    if (step % 3 == 0) {
      slice();
      continue;
    }
    Think think;
    think.id = {++rooms, 1};
    think.network = 1 + step % 5;
    think.level = ai::Level::random;
    think.moves = std::make_shared<const std::vector<rules::Cell>>();
    pool.think(think);
    model.push(think.network, rooms);
  }
  while (!model.empty()) slice();
  RC_ASSERT(pool.queued() == 0u);
}

}  // namespace
}  // namespace tictactoe::core::turns_tests
