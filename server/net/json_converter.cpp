#include "server/net/json_converter.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <chrono>
#include <utility>

namespace tictactoe::net {

namespace asio = boost::asio;

namespace {

using Counts = std::unordered_map<std::uint64_t, std::size_t>;

std::size_t count_of(const Counts& counts, std::uint64_t key) {
  const auto found = counts.find(key);
  return found == counts.end() ? 0 : found->second;
}

void release_one(Counts& counts, std::uint64_t key) {
  const auto found = counts.find(key);
  if (--found->second == 0) counts.erase(found);
}

}  // namespace

void JsonConverter::Task::run() {
  json = json_from_message(conversion->body);
}

std::size_t JsonConverter::HashOfEnds::operator()(std::string_view body) const {
  constexpr std::size_t end_bytes = 64;
  const std::size_t count = std::min(end_bytes, body.size());
  const std::hash<std::string_view> hash;
  return hash(body.substr(0, count)) ^ hash(body.substr(body.size() - count)) << 1U ^ body.size();
}

JsonConverter::JsonConverter(asio::io_context& io)
    : io_(io), worker_(io, "a message is converted", [this](Task& task) { converted(task); }) {}

std::uint64_t JsonConverter::convert(core::Origin origin, std::string body, Done done) {
  std::string_view message = body;
  const std::uint64_t request_id = take_request_id(message);
  const std::shared_ptr<Conversion> conversion = conversion_of(message, origin);
  if (conversion == nullptr) return 0;
  const std::uint64_t id = ++last_id_;
  receivers_.try_emplace(id, Receiver{origin, request_id, conversion, std::move(done)});
  if (conversion->json != nullptr) {
    answer_later(id);
    return id;
  }
  conversion->receivers.insert(id);
  if (!conversion->has_begun) {
    waiting_.push(origin, id);
    start_next();
  }
  return id;
}

std::shared_ptr<JsonConverter::Conversion> JsonConverter::conversion_of(std::string_view body,
                                                                        core::Origin origin) {
  if (const auto found = by_body_.find(body); found != by_body_.end()) return found->second;
  if (!has_place(origin)) {
    refused_.note(std::chrono::steady_clock::now(), [](std::uint64_t times) {
      spdlog::warn("{} connections were cut off: too many long messages for them wait to be JSON",
                   times);
    });
    return nullptr;
  }
  charge(origin);
  auto conversion = std::make_shared<Conversion>();
  conversion->body = body;
  conversion->origin = origin;
  by_body_.emplace(conversion->body, conversion);
  return conversion;
}

bool JsonConverter::has_place(core::Origin origin) const {
  return count_of(of_address_, origin.address) < most_of_address &&
         count_of(of_network_, origin.network) < most_of_network;
}

void JsonConverter::charge(core::Origin origin) {
  ++of_address_[origin.address];
  ++of_network_[origin.network];
}

void JsonConverter::release(core::Origin origin) {
  release_one(of_address_, origin.address);
  release_one(of_network_, origin.network);
}

void JsonConverter::cancel(std::uint64_t id) {
  const auto found = receivers_.find(id);
  if (found == receivers_.end()) return;
  const Receiver receiver = std::move(found->second);
  receivers_.erase(found);
  waiting_.erase(receiver.origin, id);
  Conversion& conversion = *receiver.conversion;
  conversion.receivers.erase(id);
  if (conversion.has_begun || !conversion.receivers.empty()) return;
  release(conversion.origin);
  by_body_.erase(conversion.body);
}

void JsonConverter::stop() {
  worker_.cancel();
  receivers_.clear();
}

void JsonConverter::start_next() {
  if (is_running_ || worker_.is_cancelled()) return;
  const auto anybody = [](std::uint64_t /*id*/) { return true; };
  while (const auto next = waiting_.pop_first(anybody, anybody)) {
    const auto receiver = receivers_.find(*next);
    // Another receiver of the same message may have had its turn before.
    if (receiver == receivers_.end() || receiver->second.conversion->has_begun) continue;
    const std::shared_ptr<Conversion>& conversion = receiver->second.conversion;
    conversion->has_begun = true;
    is_running_ = true;
    ++conversions_;
    return worker_.give(std::make_unique<Task>(Task{conversion, {}}));
  }
}

void JsonConverter::converted(Task& task) {
  is_running_ = false;
  Conversion& conversion = *task.conversion;
  conversion.json = std::make_shared<const std::string>(std::move(task.json));
  release(conversion.origin);
  for (const std::uint64_t receiver : std::exchange(conversion.receivers, {})) {
    answer_later(receiver);
  }
  keep(std::move(task.conversion));
  start_next();
}

void JsonConverter::keep(std::shared_ptr<Conversion> conversion) {
  const auto size = [](const Conversion& of) { return of.body.size() + of.json->size(); };
  if (size(*conversion) > most_kept_bytes) return (void)by_body_.erase(conversion->body);
  kept_bytes_ += size(*conversion);
  kept_.push_back(std::move(conversion));
  while (kept_bytes_ > most_kept_bytes) {
    kept_bytes_ -= size(*kept_.front());
    by_body_.erase(kept_.front()->body);
    kept_.pop_front();
  }
}

void JsonConverter::answer_later(std::uint64_t receiver) {
  answers_.push_back(receiver);
  if (!std::exchange(answers_are_due_, true)) asio::post(io_, [this] { answer_some(); });
}

// A message for all watchers of a room has many receivers.
void JsonConverter::answer_some() {
  constexpr int at_once = 64;
  answers_are_due_ = false;
  for (int i = 0; i < at_once && !answers_.empty(); ++i) {
    const auto found = receivers_.find(answers_.front());
    answers_.pop_front();
    if (found == receivers_.end()) continue;
    const Receiver receiver = std::move(found->second);
    receivers_.erase(found);
    receiver.done({json_beginning(receiver.request_id), receiver.conversion->json});
  }
  if (answers_.empty() || std::exchange(answers_are_due_, true)) return;
  asio::post(io_, [this] { answer_some(); });
}

}  // namespace tictactoe::net
