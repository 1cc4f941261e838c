// Writes arbitrary records to the store, a commit at a time: the store takes them, and what it
// returns can be read.
#include <memory>
#include <string>

#include "common/wire/frame.hpp"
#include "server/host/host.hpp"
#include "server/records/sqlite/store.hpp"
#include "tests/fuzz/input.hpp"

FUZZ_TARGET(records, data, size) {
  using namespace tictactoe;
  auto opened = records::SqliteStore::open(":memory:");
  fuzz::require(opened.has_value(), "no database in memory");
  records::SqliteStore& database = **opened;
  const auto owned = database.own(records::local_stream);
  fuzz::require(owned.has_value(), "a new stream can't be owned");
  records::StreamPosition position = *owned;
  fuzz::Input input(data, size);
  while (!input.empty()) {
    records::Batch batch;
    for (unsigned left = input.below(8); left > 0 && !input.empty(); --left) {
      journal::v1::Record record;
      const std::string_view bytes = input.text();
      // The store requires records that are well-formed, not records that make sense.
      if (!record.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) continue;
      if (record.record_case() == journal::v1::Record::RECORD_NOT_SET) continue;
      batch.add(record.SerializeAsString());
    }
    if (batch.empty()) continue;
    records::StreamPosition other = position;
    ++other.sequence;
    const auto fenced = database.append(records::local_stream, other, other.sequence + 1, batch);
    fuzz::require(fenced && *fenced == records::AppendOutcome::fenced,
                  "an append with another sequence number was not fenced");
    const auto appended =
        database.append(records::local_stream, position, position.sequence + 1, batch);
    fuzz::require(appended.has_value(), "a database in memory can't be written");
    fuzz::require(*appended == records::AppendOutcome::durable, "the owner of a stream was fenced");
    ++position.sequence;
    const auto loaded = database.load(records::local_stream);
    fuzz::require(loaded.has_value(), "what was recorded can't be loaded");
    server::Config config;
    config.keeps_records = true;
    server::Host host(config, 1, [] { return server::Token{}; });
    host.restore(*loaded, server::Time(std::chrono::hours(1)));
  }
  const auto reader = database.open_reader();
  fuzz::require(reader.has_value(), "no reader");
  const auto games = (*reader)->list_games(0, "", 100, 0);
  if (!games) return;
  for (const v1::GameRecord& game : games->games()) {
    const auto found = (*reader)->game(game.id(), 0);
    fuzz::require(found && found->has_value(), "a game that is listed can't be found");
  }
}
