#include "server/thinking/ai_pool.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>

#include "common/rules/game.hpp"

namespace tictactoe::thinking {

using server::AiLevel;
using server::Think;
using server::ThoughtId;
using server::Time;
using Purpose = Think::Purpose;

namespace {

std::size_t bytes_of(const Think& think) {
  return think.moves->size() * sizeof(rules::Cell);
}

bool is_hint(const Think& think) {
  return think.purpose == Purpose::hint;
}

AiPlayerId player_of(const Think& think) {
  return {think.id.room, think.level};
}

}  // namespace

std::unique_ptr<ai::Player> make_own_player(const AiLevel& level, const rules::Game& empty,
                                            std::uint64_t seed) {
  return ai::make_player(level.level, empty, seed);
}

// Tasks -------------------------------------------------------------------------------------------

void AiTask::run(std::uint64_t nodes) {
  freed_.clear();
  if (!has_thought_) return;
  if (!player_) {
    const rules::Game empty(think_.rules, think_.starter);
    player_ = make_player_(think_.level, empty, think_.seed);
  }
  for (; to_undo_ > 0; --to_undo_) player_->undone();
  for (; followed_ < think_.moves->size(); ++followed_) player_->played((*think_.moves)[followed_]);
  if (think_.purpose == Purpose::trial) {
    if (player_->is_ready()) choice_ = ai::Choice{.cell = {}, .engine_fault = player_->problem()};
  } else if (nodes <= 1 || player_->is_ready()) {  // a choice with a single node waits for nothing
    choice_ = player_->choose({.nodes = nodes, .stop = stop_});
  }
  bytes_ = player_->memory();
}

// Thoughts ----------------------------------------------------------------------------------------

// A single thought has a place, however long its game is.
bool AiPool::has_place(const Think& think) const {
  const std::size_t bytes = bytes_of(think);
  if (queued_.thoughts >= limits_.queued_thoughts ||
      (queued_.thoughts > 0 && queued_.bytes + bytes > limits_.queued_bytes)) {
    return false;
  }
  const auto own = queued_by_network_.find(think.network);
  return own == queued_by_network_.end() ||
         (own->second.thoughts < limits_.queued_thoughts_per_network &&
          own->second.bytes + bytes <= limits_.queued_bytes_per_network);
}

Time AiPool::due_of(const Think& think, Time now, std::chrono::milliseconds time) {
  if (!think.level.engine.empty()) return Time::max();
  constexpr int patience = 10;
  return now + (ai::is_graded(think.level.level) ? patience * time : time);
}

void AiPool::think(const Think& think, Time due) {
  if (!has_place(think)) {
    answers_.push_back({think.id, std::nullopt});
    return;
  }
  const AiPlayerId id = player_of(think);
  Entry& entry = entries_[id];
  Thought& thought = entry.thoughts.emplace_back();
  thought.think = think;
  thought.due = due;
  if (due != Time::max()) due_.emplace(due, think.id);
  entry.network = think.network;
  for (Queued* queued : {&queued_, &queued_by_network_[think.network]}) {
    ++queued->thoughts;
    queued->bytes += bytes_of(think);
  }
  if (entry.thoughts.size() == 1) make_ready(id);
  update(id);
  if (think.purpose == Purpose::move) hurry_hints(id.room);
}

void AiPool::hurry_hints(std::uint64_t room) {
  auto entry = entries_.lower_bound({room, ai::Level{}});
  for (; entry != entries_.end() && entry->first.room == room; ++entry) {
    for (Thought& thought : entry->second.thoughts) {
      if (is_hint(thought.think)) thought.stop.request_stop();
    }
  }
}

AiPool::Thought* AiPool::find(ThoughtId id) {
  auto entry = entries_.lower_bound({id.room, ai::Level{}});
  for (; entry != entries_.end() && entry->first.room == id.room; ++entry) {
    for (Thought& thought : entry->second.thoughts) {
      if (thought.think.id == id && !thought.cancelled) return &thought;
    }
  }
  return nullptr;
}

void AiPool::hurry(Time now) {
  for (; !due_.empty() && due_.begin()->first <= now; due_.erase(due_.begin())) {
    if (Thought* thought = find(due_.begin()->second)) thought->stop.request_stop();
  }
}

void AiPool::cancel(ThoughtId id) {
  Thought* thought = find(id);
  if (thought == nullptr) return;
  thought->stop.request_stop();
  thought->cancelled = true;
  const AiPlayerId player = player_of(thought->think);
  Entry& entry = entries_.at(player);
  if (thought->begun && entry.lent) return;  // it ends with its task
  const auto index =
      std::ranges::find(entry.thoughts, id, [](const Thought& each) { return each.think.id; }) -
      entry.thoughts.begin();
  pop(entry, static_cast<std::size_t>(index));
  if (entry.thoughts.empty()) end_ready(entry);
  update(player);
}

std::vector<AiPlayerId> AiPool::players_of(std::uint64_t room) const {
  std::vector<AiPlayerId> players;
  auto entry = entries_.lower_bound({room, ai::Level{}});
  for (; entry != entries_.end() && entry->first.room == room; ++entry) {
    players.push_back(entry->first);
  }
  return players;
}

void AiPool::release(std::uint64_t room) {
  for (const AiPlayerId& id : players_of(room)) {
    auto found = entries_.find(id);
    for (std::size_t i = found->second.thoughts.size(); i > 0; --i) {
      cancel(found->second.thoughts[i - 1].think.id);
      found = entries_.find(id);
      if (found == entries_.end()) break;
    }
    if (found == entries_.end()) continue;
    if (found->second.lent) {
      found->second.released = true;
    } else {
      free_player(found->second);
      update(id);
    }
  }
}

void AiPool::stop() {
  std::vector<std::uint64_t> rooms;
  rooms.reserve(entries_.size());
  for (const auto& [id, entry] : entries_) rooms.push_back(id.room);
  for (const std::uint64_t room : rooms) release(room);
  answers_.clear();
}

void AiPool::answer(Entry& entry, const ai::Choice& choice) {
  const Thought& thought = entry.thoughts.front();
  if (!thought.cancelled) answers_.push_back({thought.think.id, choice});
}

void AiPool::pop(Entry& entry, std::size_t index) {
  const auto thought = entry.thoughts.begin() + static_cast<std::ptrdiff_t>(index);
  const auto own = queued_by_network_.find(entry.network);
  for (Queued* queued : {&queued_, &own->second}) {
    --queued->thoughts;
    queued->bytes -= bytes_of(thought->think);
  }
  if (own->second.thoughts == 0) queued_by_network_.erase(own);
  due_.erase({thought->due, thought->think.id});
  entry.thoughts.erase(thought);
}

// Slices ------------------------------------------------------------------------------------------

std::unique_ptr<AiTask> AiPool::next() {
  auto task = std::unique_ptr<AiTask>(new AiTask(make_player_));
  take_freed(*task);
  bool found = false;
  while (!found && !ready_.empty()) {
    const AiPlayerId next = *ready_.pop();
    entries_.at(next).place = 0;
    const AiPlayerId id = first_of_room(next);
    Entry& entry = entries_.at(id);
    found = entry.thoughts.front().begun || begin(id, *task);
    found ? lend(entry, *task) : no_memory_.push_back(id);
    update(id);
  }
  for (const AiPlayerId& id : no_memory_) make_ready(id);
  no_memory_.clear();
  if (!found) take_freed(*task);
  if (!found && task->freed_.empty()) return nullptr;
  return task;
}

AiPlayerId AiPool::first_of_room(const AiPlayerId& next) {
  const Entry& entry = entries_.at(next);
  if (!is_hint(entry.thoughts.front().think)) return next;
  auto other = entries_.lower_bound({next.room, ai::Level{}});
  for (; other != entries_.end() && other->first.room == next.room; ++other) {
    auto& [id, move] = *other;
    if (move.lent || move.thoughts.empty() || is_hint(move.thoughts.front().think)) continue;
    if (std::ranges::find(no_memory_, id) != no_memory_.end()) continue;
    end_ready(move);
    make_ready(next);
    return id;
  }
  return next;
}

std::size_t AiPool::shared_plies(const Entry& entry, const Think& think) {
  if (!entry.player) return 0;
  const auto ends = std::ranges::mismatch(*entry.position, *think.moves);
  return static_cast<std::size_t>(ends.in1 - entry.position->begin());
}

// A player that has grown too large after many takebacks starts anew.
bool AiPool::begin(const AiPlayerId& id, AiTask& task) {
  Entry& entry = entries_.at(id);
  const Think& think = entry.thoughts.front().think;
  const std::size_t limit = std::min(limits_.room_bytes, limits_.total_bytes);
  std::size_t plies = entry.plies_ever + think.moves->size() - shared_plies(entry, think);
  if (entry.player && max_memory(think, plies) > limit) {
    free_player(entry);
    plies = think.moves->size();
  }
  const std::size_t needed = max_memory(think, plies);
  assert(needed <= limit);
  if (!make_place(id, needed, task)) return false;
  bytes_ += needed - entry.bytes;
  entry.bytes = needed;
  entry.plies_ever = plies;
  entry.thoughts.front().begun = true;
  return true;
}

std::size_t AiPool::max_memory(const Think& think, std::size_t plies) const {
  const std::size_t own = ai::max_memory(think.level.level, think.rules, plies) +
                          ai::max_choice_memory(think.level.level, think.rules);
  return think.level.engine.empty() ? own : own + limits_.engine_bytes;
}

// What the task frees is free before the player grows.
bool AiPool::make_place(const AiPlayerId& id, std::size_t needed, AiTask& task) {
  const Entry& entry = entries_.at(id);
  for (const AiPlayerId& other : players_of(id.room)) {
    if (other_bytes_in_room(id) + needed <= limits_.room_bytes) break;
    Entry& found = entries_.at(other);
    if (other == id || !can_be_evicted(found)) continue;
    free_player(found);
    update(other);
  }
  if (other_bytes_in_room(id) + needed > limits_.room_bytes) return false;
  take_freed(task);
  while (bytes_ - task.freed_bytes_ - entry.bytes + needed > limits_.total_bytes) {
    const auto evicted = least_needed();
    if (!evicted) return false;
    free_player(entries_.at(*evicted));
    update(*evicted);
    take_freed(task);
  }
  return true;
}

// Players whose thoughts have not begun can be evicted as well. Otherwise thoughts could wait for
// each other's memory for ever.
std::optional<AiPlayerId> AiPool::least_needed() const {
  if (!idle_.empty()) return idle_.begin()->second;
  for (auto tried = no_memory_.rbegin(); tried != no_memory_.rend(); ++tried) {
    if (can_be_evicted(entries_.at(*tried))) return *tried;
  }
  std::pair<std::size_t, std::uint64_t> most;
  std::optional<AiPlayerId> found;
  for (const auto& [id, entry] : entries_) {
    if (entry.place == 0 || !can_be_evicted(entry)) continue;
    const std::pair rank(ready_.weight_of_network(entry.network), entry.place);
    if (rank <= most) continue;
    most = rank;
    found = id;
  }
  return found;
}

std::size_t AiPool::other_bytes_in_room(const AiPlayerId& id) const {
  std::size_t bytes = 0;
  auto entry = entries_.lower_bound({id.room, ai::Level{}});
  for (; entry != entries_.end() && entry->first.room == id.room; ++entry) {
    if (entry->first.level != id.level) bytes += entry->second.bytes;
  }
  return bytes;
}

void AiPool::lend(Entry& entry, AiTask& task) {
  const Thought& thought = entry.thoughts.front();
  task.has_thought_ = true;
  task.think_ = thought.think;
  task.stop_ = thought.stop.get_token();
  task.followed_ = shared_plies(entry, thought.think);
  task.to_undo_ = entry.player ? entry.position->size() - task.followed_ : 0;
  task.player_ = std::move(entry.player);
  entry.lent = true;
}

void AiPool::finish(std::unique_ptr<AiTask> task) {
  assert(task->freed_.empty());
  bytes_ -= task->freed_bytes_;
  if (!task->has_thought_) return;
  const AiPlayerId id = player_of(task->think_);
  Entry& entry = entries_.at(id);
  entry.lent = false;
  entry.player = std::move(task->player_);
  entry.position = task->think_.moves;
  finish_thought(entry, *task);
  if (!entry.thoughts.empty()) make_ready(id);
  update(id);
}

void AiPool::finish_thought(Entry& entry, AiTask& task) {
  const Thought& thought = entry.thoughts.front();
  if (!task.choice_ && !thought.cancelled) return;  // the player is not ready yet
  // Memory reserved for the thought and not used is free again.
  bytes_ -= entry.bytes - std::min(entry.bytes, task.bytes_);
  entry.bytes = std::min(entry.bytes, task.bytes_);
  if (task.choice_) answer(entry, *task.choice_);
  pop(entry, 0);
  if (std::exchange(entry.released, false)) free_player(entry);
}

// Players -----------------------------------------------------------------------------------------

void AiPool::free_player(Entry& entry) {
  if (entry.player) to_free_.push_back(std::move(entry.player));
  to_free_bytes_ += std::exchange(entry.bytes, 0);
  entry.position.reset();
  entry.plies_ever = 0;
}

void AiPool::take_freed(AiTask& task) {
  std::ranges::move(to_free_, std::back_inserter(task.freed_));
  to_free_.clear();
  task.freed_bytes_ += std::exchange(to_free_bytes_, 0);
}

void AiPool::make_ready(const AiPlayerId& id) {
  Entry& entry = entries_.at(id);
  entry.place = ready_.push({entry.network, entry.network}, id);
}

void AiPool::end_ready(Entry& entry) {
  const std::uint64_t place = std::exchange(entry.place, 0);
  if (place != 0) ready_.erase({entry.network, entry.network}, place);
}

void AiPool::update(const AiPlayerId& id) {
  const auto found = entries_.find(id);
  Entry& entry = found->second;
  if (entry.used != 0) idle_.erase(std::exchange(entry.used, 0));
  if (entry.lent || !entry.thoughts.empty()) return;
  if (entry.player) {
    entry.used = ++uses_;
    idle_.emplace(entry.used, id);
  } else {
    entries_.erase(found);
  }
}

}  // namespace tictactoe::thinking
