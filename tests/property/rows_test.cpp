// The rows of a store against a plain model of the same records, after any commits and any kills
// between them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_store.hpp"

namespace tictactoe::records::rows_tests {
namespace {

using namespace test;

void expect_same(const Saved& found, const Ledger& ledger) {
  std::string difference;
  google::protobuf::util::MessageDifferencer differencer;
  differencer.ReportDifferencesToString(&difference);
  if (!differencer.Compare(saved_by(ledger), found)) RC_FAIL(difference);
}

RC_GTEST_PROP(Rows, are_what_a_model_makes_of_the_records,
              (const std::vector<std::uint64_t>& choices)) {
  const TemporaryFolder folder;
  RandomRecords records;
  auto store = std::make_unique<TestStore>(folder / "journal.db");
  Batch batch;
  for (const std::uint64_t choice : choices) {
    batch.add(records.next(choice / 16).SerializeAsString());
    if (choice % 16 < 12) continue;
    RC_ASSERT(!store->append(batch));
    batch.clear();
    if (choice % 16 < 15) continue;
    // As after a kill.
    store = std::make_unique<TestStore>(folder / "journal.db");
    expect_same(store->saved(), records.ledger());
  }
  RC_ASSERT(!store->append(batch));
  expect_same(store->saved(), records.ledger());
  RC_ASSERT(store->list_games(0, "", 10'000).games_size() ==
            static_cast<int>(records.ledger().games().size()));
}

}  // namespace
}  // namespace tictactoe::records::rows_tests
