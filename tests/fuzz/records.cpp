// Any records into the database, a commit at a time: it takes them or says why not, and what it
// gives back can be read.
#include <memory>
#include <string>

#include "common/wire/frame.hpp"
#include "server/core/host.hpp"
#include "server/store/database.hpp"
#include "tests/fuzz/input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tictactoe;
  auto opened = store::Database::open(":memory:");
  fuzz::require(opened.has_value(), "no database in memory");
  store::Database& database = **opened;
  fuzz::Input input(data, size);
  while (!input.empty()) {
    store::Batch batch;
    for (unsigned left = input.below(8); left > 0 && !input.empty(); --left) {
      journal::v1::Record record;
      const std::string_view bytes = input.text();
      // The database is promised records that are well-formed, not records that make sense.
      if (!record.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) continue;
      if (record.record_case() == journal::v1::Record::RECORD_NOT_SET) continue;
      batch.add(record.SerializeAsString());
    }
    if (batch.empty()) continue;
    const auto before = database.load();
    const auto fault = database.apply(batch);
    const auto after = database.load();
    if (!before || !after) continue;  // damaged by records that make no sense, and says so
    if (fault) {
      fuzz::require(before->SerializeAsString() == after->SerializeAsString(),
                    "a commit that failed has done something");
    }
    core::Config config;
    config.keeps_records = true;
    core::Host host(config, 1, [] { return core::Token{}; });
    host.restore(*after, core::Time(std::chrono::hours(1)));
  }
  const auto games = database.list_games(0, "", 100);
  if (!games) {
    fuzz::require(!database.load(), games.error().reason.c_str());
    return 0;
  }
  for (const v1::GameRecord& game : games->games()) {
    const auto found = database.game(game.id());
    fuzz::require(found && found->has_value(), "a game that is listed and not there");
  }
  return 0;
}
