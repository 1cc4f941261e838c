#include "server/journal/journal.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <array>
#include <atomic>
#include <csignal>
#include <thread>

#include "tests/support/journal_harness.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tictactoe::records::store_journal_tests {
namespace {

using namespace test;
using namespace std::chrono_literals;
using testing::HasSubstr;

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
  SlowStream slow(folder / "journal.db");
  SlowStore& store = *slow.store;
  Journal journal(std::move(slow.stream), {}, told.events(), loop.post());
  Moves moves;
  store.pause();
  constexpr std::uint64_t many = 10'000;
  for (std::uint64_t i = 0; i < many; ++i) append(journal, moves.next());
  loop.run_what_is_there();
  store.resume();
  loop.run_until([&] { return told.is_durable(many); });
  EXPECT_EQ(store.appends, 1);
  EXPECT_THAT(told.durable, testing::ElementsAre(many));
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
  EXPECT_EQ(journal.close(), 0u);
  EXPECT_EQ(journal.close(), 0u);
  EXPECT_EQ(saved_moves(folder / "journal.db"), 4'999);
  EXPECT_EQ(std::filesystem::file_size(folder / "journal.db-wal"), 0u);
  loop.run_what_is_there();
  EXPECT_TRUE(told.is_durable(5'000));
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
  Journal journal(open(folder / "journal.db"), {.queue = {.pause = 1ms}}, told.events(),
                  loop.post());
  std::uint64_t last = append(journal, moves.next());
  loop.run_until([&] { return told.is_durable(last); });
  for (int time = 1; time <= 3; ++time) {
    std::optional<FullDisk> full(std::in_place, 0);
    const std::uint64_t before = last;
    for (int i = 0; i < 1'000; ++i) last = append(journal, moves.next());
    loop.run_until([&] { return told.healths.size() % 2 == 1; });
    EXPECT_EQ(told.healths.back(), Health::stalled);
    EXPECT_THAT(told.reason, HasSubstr("I/O"));
    for (int i = 0; i < 1'000; ++i) last = append(journal, moves.next());
    // Retries are not reported.
    const std::uint64_t tries = journal.figures().tries;
    while (journal.figures().tries < tries + 3) std::this_thread::yield();
    loop.run_what_is_there();
    EXPECT_EQ(told.healths.size(), 2u * static_cast<unsigned>(time) - 1);
    EXPECT_FALSE(told.is_durable(before + 1));
    full.reset();
    loop.run_until([&] { return told.is_durable(last); });
    loop.run_until([&] { return told.healths.back() == Health::good; });
  }
  EXPECT_EQ(journal.close(), 0u);
  EXPECT_EQ(saved_moves(folder / "journal.db"), 6'000);
}

TEST(Journal, that_is_closed_on_a_full_disk_says_how_much_is_lost) {
  TemporaryFolder folder;
  Loop loop;
  Told told;
  Moves moves;
  Journal journal(open(folder / "journal.db"), {.queue = {.pause = 1h}}, told.events(),
                  loop.post());
  loop.run_until([&, first = append(journal, moves.next())] { return told.is_durable(first); });
  const FullDisk full(0);
  for (int i = 0; i < 7; ++i) append(journal, moves.next());
  EXPECT_EQ(journal.close(), 7u);
}

TEST(Journal, tells_when_the_disk_is_nearly_full_and_when_it_is_not_any_more) {
  TemporaryFolder folder;
  Loop loop;
  Told told;
  Moves moves;
  std::atomic<std::uint64_t> free_bytes = 100;
  Journal journal(
      open(folder / "journal.db"),
      {.queue = {.low_bytes = 100, .pause = 1ms}, .free_bytes = [&] { return free_bytes.load(); }},
      told.events(), loop.post());
  const auto append_one = [&] {
    loop.run_until([&, last = append(journal, moves.next())] { return told.is_durable(last); });
  };
  append_one();
  free_bytes = 99;
  while (told.healths.empty()) append_one();
  EXPECT_EQ(told.healths.back(), Health::low_space);
  free_bytes = 100;
  // By itself, without a record.
  loop.run_until([&] { return told.healths.size() == 2; });
  EXPECT_EQ(told.healths.back(), Health::good);
}

TEST(Journal, stops_recording_once_another_server_owns_the_stream) {
  TemporaryFolder folder;
  Loop loop;
  Told told;
  Moves moves;
  Journal journal(open(folder / "journal.db"), {}, told.events(), loop.post());
  loop.run_until([&, first = append(journal, moves.next())] { return told.is_durable(first); });
  const OwnedStream other = open(folder / "journal.db");
  append(journal, moves.next());
  loop.run_until([&] { return !told.healths.empty(); });
  EXPECT_EQ(told.healths.back(), Health::fenced);
  EXPECT_THAT(told.reason, HasSubstr("another server"));
  append(journal, moves.next());
  EXPECT_EQ(journal.close(), 2u);
  EXPECT_EQ(other.store->load(local_stream)->rooms(0).moves_size(), 0);
}

// Beside the commits ------------------------------------------------------------------------------

TEST(Journal, deletes_games_in_time) {
  TemporaryFolder folder;
  std::atomic<std::uint64_t> now = 1'000'000;
  SqliteStore::Settings settings;
  settings.unix_ms = [&] { return now.load(); };
  OwnedStream stream = open(folder / "journal.db", settings);
  const std::vector<v1::GameRecord> games(500, finished_game("ann", "ben"));
  ASSERT_FALSE(stream.store->add_games(games));
  const auto reader = std::move(stream.reader);
  Loop loop;
  Told told;
  Journal journal(std::move(stream),
                  {.queue = {.delete_every = 1ms}, .keep_games = 10s, .unix_ms = settings.unix_ms},
                  told.events(), loop.post());
  const auto count = [&] { return reader->list_games(0, "", 10'000, 0)->games_size(); };
  EXPECT_EQ(count(), 500);
  now += 10'001;
  while (count() > 0) {
  }
}

// A program that reads must not delay the end of a server.
TEST(Journal, ends_at_once_while_another_program_reads) {
  TemporaryFolder folder;
  Loop loop;
  Told told;
  Journal journal(open(folder / "journal.db"), {}, told.events(), loop.post());
  append(journal, encoded(player_record(1, "ann")));
  loop.run_until([&] { return told.is_durable(1); });
  SqliteDatabase reader(folder / "journal.db", SQLITE_OPEN_READWRITE);
  reader.run_script("BEGIN");
  EXPECT_EQ(reader.number_of("SELECT count(*) FROM players"), 1u);
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(journal.close(), 0u);
  EXPECT_LT(std::chrono::steady_clock::now() - began, 4s) << "a transaction waits for 5 s";
}

}  // namespace
}  // namespace tictactoe::records::store_journal_tests
