// What every record store does.
#include <gmock/gmock.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/text/utc.hpp"
#include "server/records/postgres/store.hpp"
#include "server/records/sqlite/store.hpp"
#include "tests/simulation/shared_sessions.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/temporary_postgres.hpp"
#include "tests/support/test_store.hpp"

namespace tictactoe::records::store_conformance_tests {
namespace {

using namespace test;
using testing::ElementsAre;

enum class Kind : std::uint8_t { sqlite, postgres, simulated };

class AnyStore : public testing::TestWithParam<Kind> {
 protected:
  AnyStore() { clear(); }

  void clear() {
    if (GetParam() == Kind::postgres) postgres().clear();
    folder_.emplace();
    simulated_.reset();
  }
  std::unique_ptr<AnyTestStore> open(std::uint32_t kept_chat = 20) {
    return std::make_unique<AnyTestStore>(open_any(kept_chat));
  }

 private:
  Result<std::unique_ptr<RecordStore>> open_any(std::uint32_t kept_chat) {
    switch (GetParam()) {
      case Kind::sqlite: {
        SqliteStore::Settings settings;
        settings.kept_chat = kept_chat;
        return as_any(SqliteStore::open(*folder_ / "journal.db", settings));
      }
      case Kind::postgres: {
        PostgresStore::Settings settings;
        settings.kept_chat = kept_chat;
        return as_any(PostgresStore::open(postgres().url(), settings));
      }
      case Kind::simulated:
        if (!simulated_) {
          simulated_.emplace(simulation::SharedStore::Settings{.kept_chat = kept_chat,
                                                               .unix_ms = text::system_unix_ms});
        }
        return std::unique_ptr<RecordStore>(
            std::make_unique<simulation::SharedRecords>(*simulated_, line_));
    }
    return Fault{};
  }

  std::optional<TemporaryFolder> folder_;
  std::optional<simulation::SharedStore> simulated_;  // outlives its connections
  simulation::StoreLine line_;
};

/// Those that are kept: nothing of the simulated one is deleted or imported.
class KeptStore : public AnyStore {};

TEST_P(AnyStore, has_nothing_saved_when_it_is_new) {
  EXPECT_TRUE(same(open()->saved(), Saved()));
}

TEST_P(AnyStore, keeps_every_kind_of_record) {
  Record room = room_record(7, "den");
  room.mutable_room()->mutable_password_key()->set_key(std::string("\0\xFF", 2));
  room.mutable_room()->mutable_x()->set_player(3);
  room.mutable_room()->mutable_score()->set_draws(2);
  const std::vector<Record> records{player_record(3, "ann"),
                                    player_record(4, "ben"),
                                    player_record(5, "späť \U0001F600"),
                                    forgotten_record(4),
                                    room,
                                    room_record(9, "hall"),
                                    move_record(7, 1, 4),
                                    move_record(7, 2, 999'999),
                                    chat_record(7, ""),
                                    chat_record(7, "hi"),
                                    room_record(8, "gone"),
                                    move_record(8, 1, 0),
                                    chat_record(8, "bye"),
                                    closed_record(8),
                                    move_record(7, 3, 1),
                                    undone_record(7, 1),
                                    game_record("ann", "ben")};
  ASSERT_FALSE(open()->append(batch_of(records)));

  Ledger ledger;
  for (const Record& record : records) ledger.apply(record);
  const auto database = open();
  const Saved saved = database->saved();
  EXPECT_TRUE(same(saved, ledger.saved())) << saved.DebugString();
  EXPECT_EQ(saved.players_size(), 2);
  EXPECT_EQ(saved.rooms(0).moves_size(), 1);
  EXPECT_EQ(database->list_games(0, "", 10).games_size(), 1);
}

TEST_P(AnyStore, returns_numbers_of_any_size) {
  const std::uint64_t huge = ~0ull;
  const auto database = open();
  Record move = move_record(huge, 1, ~0u);
  move.mutable_move()->set_spent_ms(~0u);
  move.mutable_move()->set_time_left_ms(~0u);
  ASSERT_FALSE(
      database->append(batch_of({player_record(huge, "ann"), room_record(huge, "den"), move})));
  const Saved saved = database->saved();
  EXPECT_EQ(saved.players(0).id(), huge);
  EXPECT_EQ(saved.rooms(0).moves(0).SerializeAsString(), move.move().SerializeAsString());
}

TEST_P(AnyStore, keeps_the_latest_lines_of_a_chat) {
  const auto database = open(3);
  std::vector<Record> records{room_record(1, "den"), room_record(2, "hall")};
  for (int line = 0; line < 10; ++line) {
    records.push_back(chat_record(1, std::to_string(line)));
    if (line < 2) records.push_back(chat_record(2, std::to_string(line)));
  }
  ASSERT_FALSE(database->append(batch_of(records)));
  const Saved saved = database->saved();
  ASSERT_EQ(saved.rooms(0).chat_size(), 3);
  EXPECT_EQ(saved.rooms(0).chat(0).text(), "7");
  EXPECT_EQ(saved.rooms(0).chat(2).text(), "9");
  EXPECT_EQ(saved.rooms(1).chat_size(), 2);
}

TEST_P(AnyStore, equals_the_ledger) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    clear();
    RandomRecords records(seed);
    auto database = open();
    for (int round = 0; round < 30; ++round) {
      Batch batch;
      for (int left = round; left > 0; --left) batch.add(records.next().SerializeAsString());
      ASSERT_FALSE(database->append(batch));
      if (round % 7 == 0) {
        database.reset();
        database = open();
      }
      ASSERT_TRUE(same(database->saved(), saved_by(records.ledger())));
    }
    const auto games = static_cast<int>(records.ledger().games().size());
    EXPECT_EQ(database->list_games(0, "", 1'000).games_size(), games);
  }
}

TEST_P(AnyStore, keeps_the_highest_revision_of_closed_rooms) {
  for (const std::uint64_t revision : {5u, 900u, 30u}) {
    const auto database = open();
    Record closed = closed_record(1);
    closed.set_closed_revision(revision);
    ASSERT_FALSE(database->append({room_record(1, "den"), closed}));
  }
  EXPECT_EQ(open()->saved().last_revision(), 900u);
}

TEST_P(AnyStore, keeps_its_server_id) {
  const std::uint64_t id = open()->get().server_id();
  EXPECT_NE(id, 0u);
  EXPECT_EQ(open()->get().server_id(), id);
}

// Streams -----------------------------------------------------------------------------------------

TEST_P(AnyStore, fences_an_earlier_owner) {
  const auto first = open();
  ASSERT_FALSE(first->append({room_record(1, "den")}));
  const auto second = open();
  EXPECT_EQ(second->position().epoch, first->position().epoch + 1);
  EXPECT_EQ(second->position().sequence, 1u);
  const auto fault = first->append({move_record(1, 1, 0)});
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->reason, "fenced");
  EXPECT_EQ(second->saved().rooms(0).moves_size(), 0);
  ASSERT_FALSE(second->append({move_record(1, 1, 0)}));
  EXPECT_EQ(second->saved().rooms(0).moves_size(), 1);
}

TEST_P(AnyStore, fences_an_append_at_another_sequence_number) {
  const auto database = open();
  const StreamPosition start = database->position();
  const auto append_at = [&](std::uint64_t sequence) {
    return *database->get().append(local_stream, {start.epoch, sequence}, sequence + 2,
                                   batch_of({player_record(sequence + 1, "ann")}));
  };
  EXPECT_EQ(append_at(0), AppendOutcome::durable);
  EXPECT_EQ(append_at(0), AppendOutcome::fenced);
  EXPECT_EQ(append_at(1), AppendOutcome::fenced);
  EXPECT_EQ(append_at(3), AppendOutcome::fenced);
  EXPECT_EQ(database->get().own(local_stream)->sequence, 2u);
  EXPECT_EQ(database->saved().players_size(), 1);
}

TEST_P(AnyStore, keeps_streams_apart) {
  const auto database = open();
  constexpr StreamId other = 7;
  const StreamPosition position = *database->get().own(other);
  ASSERT_FALSE(database->append({player_record(1, "ann"), room_record(1, "den")}));
  Record closed = closed_record(3);
  closed.set_closed_revision(50);
  ASSERT_EQ(*database->get().append(other, position, 1,
                                    batch_of({player_record(2, "ben"), room_record(2, "hall"),
                                              move_record(2, 1, 4), chat_record(2, "hi"), closed})),
            AppendOutcome::durable);
  ASSERT_FALSE(database->append({move_record(1, 1, 0)}));
  const Saved mine = database->saved();
  EXPECT_EQ(mine.players_size(), 1);
  EXPECT_EQ(mine.rooms_size(), 1);
  EXPECT_EQ(mine.last_revision(), 0u);
  const Saved theirs = *database->get().load(other);
  ASSERT_EQ(theirs.rooms_size(), 1);
  EXPECT_EQ(theirs.rooms(0).room().name(), "hall");
  EXPECT_EQ(theirs.rooms(0).moves_size(), 1);
  EXPECT_EQ(theirs.rooms(0).chat_size(), 1);
  EXPECT_EQ(theirs.players(0).name(), "ben");
  EXPECT_EQ(theirs.last_revision(), 50u);
}

// Private games -----------------------------------------------------------------------------------

Record private_game(const std::string& x, const std::string& o, std::uint64_t x_reader,
                    std::uint64_t o_reader) {
  Record record = game_record(x, o);
  record.mutable_readers()->set_x(x_reader);
  record.mutable_readers()->set_o(o_reader);
  return record;
}

TEST_P(AnyStore, shows_private_games_to_those_who_played) {
  const std::vector<Record> games{
      game_record("ann", "ben"),                 // 1
      private_game("ann", "ben", 11, 22),        // 2
      private_game("cat", "dan", 33, 44),        // 3
      private_game("eve", "ann", ~0ull, 11),     // 4
      private_game("ann", "AI (random)", 11, 0)  // 5
  };
  {
    const auto database = open();
    for (const Record& game : games) ASSERT_FALSE(database->append({game}));
    const auto listed = [&](ReaderNumber reader, const std::string& player = "",
                            std::uint64_t before = 0, std::size_t limit = 10) {
      std::vector<std::uint64_t> ids;
      const v1::GameList page = database->list_games(before, player, limit, reader);
      for (const v1::GameRecord& game : page.games()) {
        ids.push_back(game.id());
        EXPECT_EQ(game.moves_size(), 0);
      }
      return ids;
    };
    EXPECT_THAT(listed(0), ElementsAre(1));
    EXPECT_THAT(listed(11), ElementsAre(5, 4, 2, 1));
    EXPECT_THAT(listed(22), ElementsAre(2, 1));
    EXPECT_THAT(listed(33), ElementsAre(3, 1));
    EXPECT_THAT(listed(~0ull), ElementsAre(4, 1));
    EXPECT_THAT(listed(55), ElementsAre(1));
    EXPECT_THAT(listed(0, "ann"), ElementsAre(1));
    EXPECT_THAT(listed(0, "cat"), ElementsAre());
    EXPECT_THAT(listed(11, "ann"), ElementsAre(5, 4, 2, 1));
    EXPECT_THAT(listed(11, "ben"), ElementsAre(2, 1));
    EXPECT_THAT(listed(22, "ann"), ElementsAre(2, 1));
    EXPECT_THAT(listed(33, "cat"), ElementsAre(3));
    EXPECT_THAT(listed(11, "cat"), ElementsAre());
    EXPECT_THAT(listed(11, "", 0, 2), ElementsAre(5, 4));
    EXPECT_THAT(listed(11, "", 4, 2), ElementsAre(2, 1));
    EXPECT_TRUE(database->list_games(0, "", 2, 11).more());
    EXPECT_FALSE(database->list_games(4, "", 2, 11).more());
    for (const ReaderNumber reader : {0ull, 11ull, 22ull, 33ull, 44ull, ~0ull}) {
      EXPECT_GT(database->game(1, reader)->moves_size(), 0);
      EXPECT_EQ(database->game(2, reader).has_value(), reader == 11 || reader == 22);
      EXPECT_EQ(database->game(3, reader).has_value(), reader == 33 || reader == 44);
      EXPECT_EQ(database->game(4, reader).has_value(), reader == 11 || reader == ~0ull);
      EXPECT_EQ(database->game(5, reader).has_value(), reader == 11);
    }
  }
}

TEST_P(KeptStore, deletes_old_games_and_adds_games) {
  const auto database = open();
  ASSERT_FALSE(database->append({game_record("ann", "cat")}));
  ASSERT_FALSE(database->get().finish());
  EXPECT_FALSE(*database->get().delete_games_before(1'000));
  EXPECT_TRUE(database->game(1));
  EXPECT_FALSE(*database->get().delete_games_before(~0ull >> 1));
  EXPECT_FALSE(database->game(1));
  const std::vector<v1::GameRecord> games{finished_game("eve", "dan")};
  ASSERT_FALSE(database->get().add_games(games));
  EXPECT_EQ(database->list_games(0, "dan", 10).games(0).id(), 2u);
}

std::string name_of(const testing::TestParamInfo<Kind>& store) {
  switch (store.param) {
    case Kind::sqlite:
      return "SQLite";
    case Kind::postgres:
      return "PostgreSQL";
    case Kind::simulated:
      return "Simulated";
  }
  return {};
}

INSTANTIATE_TEST_SUITE_P(, AnyStore, testing::Values(Kind::sqlite, Kind::postgres, Kind::simulated),
                         name_of);
INSTANTIATE_TEST_SUITE_P(, KeptStore, testing::Values(Kind::sqlite, Kind::postgres), name_of);

}  // namespace
}  // namespace tictactoe::records::store_conformance_tests
