// FairQueue behaves like a plain list of all items.

// Before rapidcheck/gtest.h, which needs it.
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "server/limits/fair_queue.hpp"
#include "server/thinking/ai_pool.hpp"

namespace tictactoe::server::fair_queue_tests {
namespace {

using thinking::AiPool;

/// All items in the order in which they came.
class Model {
 public:
  struct Item {
    Origin from;
    std::uint64_t number;
    std::size_t weight;
  };
  using Numbers = std::set<std::uint64_t>;

  void push(Origin from, std::uint64_t number, std::size_t weight = 1) {
    // What is known of a network or an address lasts while it has items.
    if (weight_of_network(from.network) == 0) {
      last_addresses_.erase(from.network);
      since_networks_[from.network] = number;
    }
    if (weight_of(from) == 0) since_[from] = number;
    items.push_back({from, number, weight});
  }
  /// The next item, but for those of networks and addresses that can't go.
  std::optional<std::uint64_t> pop(const Numbers& networks = {}, const Numbers& addresses = {}) {
    for (std::size_t tries = numbers_of_networks().size(); tries > 0; --tries) {
      last_network_ = next(numbers_of_networks(), last_network_);
      if (networks.contains(last_network_)) continue;
      const Numbers in_network = addresses_of(last_network_);
      for (std::size_t left = in_network.size(); left > 0; --left) {
        auto& last = last_addresses_[last_network_];
        last = next(in_network, last);
        if (!addresses.contains(last)) return remove(first({last, last_network_}));
      }
    }
    return std::nullopt;
  }
  std::uint64_t remove(std::uint64_t number) {
    std::erase_if(items, [&](const Item& item) { return item.number == number; });
    return number;
  }

  std::size_t weight_of_network(std::uint64_t network) const {
    std::size_t weight = 0;
    for (const Item& item : items) weight += item.from.network == network ? item.weight : 0;
    return weight;
  }
  std::size_t weight_of(Origin from) const {
    std::size_t weight = 0;
    for (const Item& item : items) weight += item.from == from ? item.weight : 0;
    return weight;
  }
  Origin heaviest() const {
    const Numbers all = numbers_of_networks();
    return heaviest_in(*std::ranges::max_element(all, {}, [&](std::uint64_t network) {
      return std::pair(weight_of_network(network), 0 - since_networks_.at(network));
    }));
  }
  Origin heaviest_in(std::uint64_t network) const {
    const Numbers all = addresses_of(network);
    const auto most = std::ranges::max_element(all, {}, [&](std::uint64_t address) {
      const Origin from{address, network};
      return std::pair(weight_of(from), 0 - since_.at(from));
    });
    return {*most, network};
  }
  std::uint64_t first(Origin from) const { return sorted(from).front().number; }
  std::uint64_t last(Origin from) const { return sorted(from).back().number; }

  std::vector<Item> items;

 private:
  static std::uint64_t next(const Numbers& all, std::uint64_t last) {
    const auto above = all.upper_bound(last);
    return above == all.end() ? *all.begin() : *above;
  }
  Numbers numbers_of_networks() const {
    Numbers networks;
    for (const Item& item : items) networks.insert(item.from.network);
    return networks;
  }
  Numbers addresses_of(std::uint64_t network) const {
    Numbers addresses;
    for (const Item& item : items) {
      if (item.from.network == network) addresses.insert(item.from.address);
    }
    return addresses;
  }
  std::vector<Item> sorted(Origin from) const {
    std::vector<Item> own;
    for (const Item& item : items) {
      if (item.from != from) continue;
      own.insert(std::ranges::upper_bound(own, item.weight, std::greater(), &Item::weight), item);
    }
    return own;
  }

  std::uint64_t last_network_ = 0;
  std::map<std::uint64_t, std::uint64_t> last_addresses_;  // by network
  std::map<std::uint64_t, std::uint64_t> since_networks_;
  std::map<Origin, std::uint64_t> since_;
};

Origin origin(std::uint8_t value) {
  const std::uint64_t network = 1 + value % 3;
  return {10 * network + value / 3 % 3, network};
}

/// A queue of numbers of items, and its model.
class Pair {
 public:
  void take(std::uint8_t what, std::uint8_t with) {
    switch (what % 8) {
      case 0:
      case 1:
      case 2:
        return push(with);
      case 3:
        RC_ASSERT(queue_.pop() == model_.pop());
        return;
      case 4:
        return pop_if(with);
      case 5:
        return reweigh(with);
      case 6:
        return erase(with);
      default:
        return pop_last();
    }
  }
  void check() const {
    RC_ASSERT(queue_.empty() == model_.items.empty());
    RC_ASSERT(queue_.size() == model_.items.size());
    std::size_t weight = 0;
    for (const Model::Item& item : model_.items) weight += item.weight;
    RC_ASSERT(queue_.weight() == weight);
    for (std::uint8_t i = 0; i < 9; ++i) {
      const Origin from = origin(i);
      RC_ASSERT(queue_.weight_of_network(from.network) == model_.weight_of_network(from.network));
      RC_ASSERT(queue_.weight_of(from) == model_.weight_of(from));
      if (queue_.weight_of(from) > 0) RC_ASSERT(queue_.first(from) == model_.first(from));
      if (queue_.weight_of_network(from.network) == 0) continue;
      RC_ASSERT(queue_.heaviest_in(from.network) == model_.heaviest_in(from.network));
    }
    if (!queue_.empty()) RC_ASSERT(queue_.heaviest() == model_.heaviest());
  }
  void end() {
    while (!queue_.empty()) RC_ASSERT(queue_.pop() == model_.pop());
    RC_ASSERT(!queue_.pop());
    RC_ASSERT(queue_.size() == 0u && queue_.weight() == 0u);
  }

 private:
  void push(std::uint8_t with) {
    const std::size_t weight = with < 128 ? 1 : 1 + with % 4;
    ++last_;
    RC_ASSERT(queue_.push(origin(with), last_, weight) == last_);
    model_.push(origin(with), last_, weight);
  }
  void pop_if(std::uint8_t with) {
    const Model::Numbers networks{std::uint64_t{with} % 4};
    const Model::Numbers addresses{origin(with).address, origin(with / 2).address};
    const auto from = [this](std::uint64_t number) {
      return std::ranges::find(model_.items, number, &Model::Item::number)->from;
    };
    const auto popped =
        queue_.pop_if([&](std::uint64_t item) { return !networks.contains(from(item).network); },
                      [&](std::uint64_t item) { return !addresses.contains(from(item).address); });
    RC_ASSERT(popped == model_.pop(networks, addresses));
  }
  void reweigh(std::uint8_t with) {
    if (model_.items.empty()) return;
    Model::Item& item = model_.items[with % model_.items.size()];
    const std::size_t after = 1 + with % 5;
    queue_.reweigh(item.from, item.number, item.weight, after);
    item.weight = after;
  }
  void erase(std::uint8_t with) {
    if (model_.items.empty()) return;
    const Model::Item item = model_.items[with % model_.items.size()];
    queue_.erase(item.from, item.number, item.weight);
    model_.remove(item.number);
  }
  void pop_last() {
    if (model_.items.empty()) return;
    const Origin heaviest = queue_.heaviest();
    const std::uint64_t last = model_.last(heaviest);
    RC_ASSERT(queue_.pop_last(heaviest) == last);
    model_.remove(last);
  }

  FairQueue<std::uint64_t> queue_;
  Model model_;
  std::uint64_t last_ = 0;
};

RC_GTEST_PROP(FairQueue, is_that_of_the_model,
              (const std::vector<std::pair<std::uint8_t, std::uint8_t>>& steps)) {
  Pair pair;
  for (const auto& [what, with] : steps) {
    pair.take(what, with);
    pair.check();
  }
  pair.end();
}

// Every thought on this board is one slice.
RC_GTEST_PROP(AiPool, answers_networks_in_turns, (const std::vector<std::uint8_t>& steps)) {
  AiPool pool{AiLimits{}};
  Model model;
  std::uint64_t rooms = 0;
  const auto slice = [&] {
    auto task = pool.next();
    RC_ASSERT((task == nullptr) == model.items.empty());
    if (!task) return;
    task->run(100);
    pool.finish(std::move(task));
    const auto answers = pool.take_answers();
    RC_ASSERT(answers.size() == 1u);
    RC_ASSERT(answers[0].id.room == model.pop());
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
    model.push({think.network, think.network}, rooms);
  }
  while (!model.items.empty()) slice();
  RC_ASSERT(pool.queued() == 0u);
}

}  // namespace
}  // namespace tictactoe::server::fair_queue_tests
