#include "server/store/journal.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <array>
#include <atomic>
#include <csignal>
#include <future>

#include "tests/support/records.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tictactoe::store {
namespace {

using namespace test;
using namespace std::chrono_literals;
using testing::HasSubstr;

/// The thread that a journal posts to: this one, while it waits for something.
class Loop {
 public:
  Journal::Post post() {
    return [this](std::function<void()> job) {
      const std::lock_guard lock(mutex_);
      jobs_.push_back(std::move(job));
      wake_.notify_one();
    };
  }
  void run_until(const std::function<bool()>& done) {
    while (!done()) {
      std::unique_lock lock(mutex_);
      ASSERT_TRUE(wake_.wait_for(lock, 60s, [&] { return !jobs_.empty(); })) << "nothing happens";
      const auto job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      job();
    }
  }
  void run_what_is_there() {
    run_until([this] {
      const std::lock_guard lock(mutex_);
      return jobs_.empty();
    });
  }

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> jobs_;
};

/// What a journal has told.
struct Told {
  std::vector<std::uint64_t> durable;
  std::vector<Condition> conditions;
  std::string reason;

  Journal::Events events() {
    return {[this](std::uint64_t up_to) { durable.push_back(up_to); },
            [this](Condition now, const std::string& why) {
              conditions.push_back(now);
              reason = why;
            }};
  }
  bool is_durable(std::uint64_t sequence) const {
    return !durable.empty() && durable.back() >= sequence;
  }
};

std::unique_ptr<Database> open(const std::string& path) {
  auto database = Database::open(path);
  if (!database) throw std::runtime_error(database.error().reason);
  return *std::move(database);
}

std::string encoded(const Record& record) {
  return record.SerializeAsString();
}

std::uint64_t append(Journal& journal, std::string_view record) {
  return journal.append(std::span(&record, 1));
}

/// As many moves of one room as one likes.
class Moves {
 public:
  std::string next() {
    ++ply_;
    return encoded(ply_ == 0 ? room_record(1, "den") : move_record(1, ply_, ply_));
  }

 private:
  std::uint32_t ply_ = ~0u;
};

int saved_moves(const std::string& path) {
  const auto saved = open(path)->load();
  return saved && saved->rooms_size() > 0 ? saved->rooms(0).moves_size() : -1;
}

TEST(Journal, says_that_a_record_is_durable_once_it_is) {
  TemporaryFolder folder;
  Loop loop;
  Told told;
  Journal journal(open(folder / "journal.db"), {}, told.events(), loop.post());
  Moves moves;
  for (std::uint64_t sequence = 1; sequence <= 30; ++sequence) {
    ASSERT_EQ(append(journal, moves.next()), sequence);
    loop.run_until([&] { return told.is_durable(sequence); });
    ASSERT_EQ(saved_moves(folder / "journal.db"), static_cast<int>(sequence) - 1);
  }
}

TEST(Journal, commits_together_what_came_together) {
  TemporaryFolder folder;
  Loop loop;
  Told told;
  Journal journal(open(folder / "journal.db"), {}, told.events(), loop.post());
  Moves moves;
  // The thread is kept busy until all have come.
  std::promise<void> all_came;
  journal.ask([&](Database&) -> std::function<void()> {
    all_came.get_future().wait();
    return [] {};
  });
  constexpr std::uint64_t many = 10'000;
  for (std::uint64_t i = 0; i < many; ++i) append(journal, moves.next());
  loop.run_what_is_there();
  all_came.set_value();
  loop.run_until([&] { return told.is_durable(many); });
  // The first may have been taken before the question was.
  EXPECT_LE(told.durable.size(), 2u);
  EXPECT_TRUE(std::ranges::is_sorted(told.durable));
  EXPECT_EQ(saved_moves(folder / "journal.db"), static_cast<int>(many) - 1);
}

TEST(Journal, keeps_together_what_belongs_together) {
  TemporaryFolder folder;
  Loop loop;
  Told told;
  Journal journal(open(folder / "journal.db"), {}, told.events(), loop.post());
  std::uint64_t last = append(journal, encoded(room_record(1, "den")));
  loop.run_until([&] { return told.is_durable(last); });
  for (std::uint32_t ply = 1; ply < 2'000; ply += 2) {
    const std::string first = encoded(move_record(1, ply, 0));
    const std::string second = encoded(move_record(1, ply + 1, 0));
    last = journal.append(std::array<std::string_view, 2>{first, second});
    // Whatever has been committed by now, it is no half of a pair.
    if (ply % 100 == 1) {
      loop.run_what_is_there();
      ASSERT_EQ(saved_moves(folder / "journal.db") % 2, 0);
    }
  }
  EXPECT_EQ(last, 1'001u);
  loop.run_until([&] { return told.is_durable(last); });
  EXPECT_EQ(saved_moves(folder / "journal.db"), 2'000);
}

TEST(Journal, that_is_closed_has_recorded_everything) {
  TemporaryFolder folder;
  Loop loop;
  Told told;
  Moves moves;
  Journal journal(open(folder / "journal.db"), {}, told.events(), loop.post());
  for (int i = 0; i < 5'000; ++i) append(journal, moves.next());
  int answered = 0;
  for (int i = 0; i < 10; ++i) {
    journal.ask([&](Database&) { return [&] { ++answered; }; });
  }
  EXPECT_EQ(journal.close(), 0u);
  EXPECT_EQ(journal.close(), 0u);
  EXPECT_EQ(saved_moves(folder / "journal.db"), 4'999);
  EXPECT_EQ(std::filesystem::file_size(folder / "journal.db-wal"), 0u);
  loop.run_what_is_there();
  EXPECT_TRUE(told.is_durable(5'000));
  EXPECT_EQ(answered, 10);
}

TEST(Journal, answers_questions_from_what_was_recorded_before) {
  Loop loop;
  Told told;
  Journal journal(open(":memory:"), {}, told.events(), loop.post());
  append(journal, encoded(game_record("ann", "ben")));
  std::optional<int> found;
  ASSERT_TRUE(journal.ask([&](Database& database) {
    return [&, games = database.list_games(0, "ann", 10)->games_size()] { found = games; };
  }));
  loop.run_until([&] { return found.has_value(); });
  EXPECT_EQ(found, 1);
}

TEST(Journal, lets_no_more_questions_wait_than_it_should) {
  Loop loop;
  Told told;
  Journal journal(open(":memory:"), {.questions = 3}, told.events(), loop.post());
  std::promise<void> go_on;
  std::promise<void> is_busy;
  journal.ask([&](Database&) -> std::function<void()> {
    is_busy.set_value();
    go_on.get_future().wait();
    return [] {};
  });
  is_busy.get_future().wait();
  int answered = 0;
  const auto question = [&](Database&) { return [&] { ++answered; }; };
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(journal.ask(question));
  EXPECT_FALSE(journal.ask(question));
  go_on.set_value();
  loop.run_until([&] { return answered == 3; });
  EXPECT_TRUE(journal.ask(question));
  loop.run_until([&] { return answered == 4; });
}

// Trouble -----------------------------------------------------------------------------------------

/// While it lives, no file of this process can grow past so many bytes: a disk that is really full.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() { setrlimit(RLIMIT_FSIZE, &before_); }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
};

TEST(Journal, keeps_what_it_cannot_write_until_it_can) {
  TemporaryFolder folder;
  Loop loop;
  Told told;
  Moves moves;
  Journal journal(open(folder / "journal.db"), {.pause = 1ms}, told.events(), loop.post());
  std::uint64_t last = append(journal, moves.next());
  loop.run_until([&] { return told.is_durable(last); });
  for (int time = 1; time <= 3; ++time) {
    std::optional<FullDisk> full(std::in_place, 0);
    const std::uint64_t before = last;
    for (int i = 0; i < 1'000; ++i) last = append(journal, moves.next());
    loop.run_until([&] { return told.conditions.size() % 2 == 1; });
    EXPECT_EQ(told.conditions.back(), Condition::stalled);
    EXPECT_THAT(told.reason, HasSubstr("I/O"));
    for (int i = 0; i < 1'000; ++i) last = append(journal, moves.next());
    // Questions are answered meanwhile, and tries are not told of.
    for (int i = 0; i < 10; ++i) {
      bool answered = false;
      journal.ask([&](Database&) { return [&] { answered = true; }; });
      loop.run_until([&] { return answered; });
    }
    EXPECT_EQ(told.conditions.size(), 2u * static_cast<unsigned>(time) - 1);
    EXPECT_FALSE(told.is_durable(before + 1));
    full.reset();
    loop.run_until([&] { return told.is_durable(last); });
    loop.run_until([&] { return told.conditions.back() == Condition::well; });
  }
  EXPECT_EQ(journal.close(), 0u);
  EXPECT_EQ(saved_moves(folder / "journal.db"), 6'000);
}

TEST(Journal, that_is_closed_on_a_full_disk_says_how_much_is_lost) {
  TemporaryFolder folder;
  Loop loop;
  Told told;
  Moves moves;
  Journal journal(open(folder / "journal.db"), {.pause = 1h}, told.events(), loop.post());
  loop.run_until([&, first = append(journal, moves.next())] { return told.is_durable(first); });
  const FullDisk full(0);
  for (int i = 0; i < 7; ++i) append(journal, moves.next());
  EXPECT_EQ(journal.close(), 7u);
}

TEST(Journal, tries_once_more_when_it_is_closed) {
  TemporaryFolder folder;
  Loop loop;
  Told told;
  Moves moves;
  Journal journal(open(folder / "journal.db"), {.pause = 1h}, told.events(), loop.post());
  {
    const FullDisk full(0);
    append(journal, moves.next());
    loop.run_until([&] { return !told.conditions.empty(); });
  }
  for (int i = 0; i < 7; ++i) append(journal, moves.next());
  EXPECT_EQ(journal.close(), 0u);
  EXPECT_EQ(saved_moves(folder / "journal.db"), 7);
}

TEST(Journal, tells_when_the_disk_is_nearly_full_and_when_it_is_not_any_more) {
  Loop loop;
  Told told;
  Moves moves;
  std::atomic<std::uint64_t> free_bytes = 100;
  Journal journal(open(":memory:"),
                  {.low_bytes = 100, .free_bytes = [&] { return free_bytes.load(); }, .pause = 1ms},
                  told.events(), loop.post());
  const auto append_one = [&] {
    loop.run_until([&, last = append(journal, moves.next())] { return told.is_durable(last); });
  };
  append_one();
  free_bytes = 99;
  while (told.conditions.empty()) append_one();
  EXPECT_EQ(told.conditions.back(), Condition::low);
  free_bytes = 100;
  // By itself, without a record.
  loop.run_until([&] { return told.conditions.size() == 2; });
  EXPECT_EQ(told.conditions.back(), Condition::well);
}

TEST(Journal, is_stalled_while_too_much_waits) {
  Loop loop;
  Told told;
  Moves moves;
  Journal journal(open(":memory:"), {.waiting_bytes = 1'000}, told.events(), loop.post());
  std::promise<void> begun;
  std::promise<void> go_on;
  journal.ask([&](Database&) -> std::function<void()> {
    begun.set_value();
    go_on.get_future().wait();
    return [] {};
  });
  begun.get_future().wait();  // or a thread that starts late takes some of what follows first
  std::uint64_t last = 0;
  for (int i = 0; i < 500; ++i) last = append(journal, moves.next());
  loop.run_until([&] { return !told.conditions.empty(); });
  EXPECT_EQ(told.conditions.back(), Condition::stalled);
  EXPECT_THAT(told.reason, HasSubstr("slow"));
  go_on.set_value();
  loop.run_until([&] { return told.is_durable(last) && told.conditions.size() == 2; });
  EXPECT_THAT(told.conditions, testing::ElementsAre(Condition::stalled, Condition::well));
}

TEST(Journal, forgets_games_in_time) {
  TemporaryFolder folder;
  std::atomic<std::uint64_t> now = 1'000'000;
  auto database = Database::open(folder / "journal.db", {.unix_ms = [&] { return now.load(); }});
  ASSERT_TRUE(database);
  const std::vector<v1::GameRecord> games(2'500, finished_game("ann", "ben"));
  ASSERT_FALSE((*database)->add_games(games));
  Loop loop;
  Told told;
  Journal journal(*std::move(database), {.keep_games = 10s, .forget_every = 1ms}, told.events(),
                  loop.post());
  const auto count = [&] {
    std::optional<int> found;
    journal.ask([&](Database& file) {
      return [&, games = file.list_games(0, "", 10'000)->games_size()] { found = games; };
    });
    loop.run_until([&] { return found.has_value(); });
    return *found;
  };
  EXPECT_EQ(count(), 2'500);
  now += 10'001;
  while (count() > 0) {
  }
}

}  // namespace
}  // namespace tictactoe::store
