// Runs the tests of a program. RapidCheck draws the same cases each time, unless RC_PARAMS says
// otherwise. Ends with status 77, after a line for each, if some were skipped and none failed, so
// that CTest shows it, and with 1 if there was no test to run: a filter was mistyped.
#include <gmock/gmock.h>

#include <cstdlib>
#include <iostream>
#include <string_view>

namespace {

class Skips : public testing::EmptyTestEventListener {
 public:
  bool any() const { return any_; }

 private:
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (result.skipped()) reason_ = result.message();
  }
  void OnTestEnd(const testing::TestInfo& test) override {
    if (!test.result()->Skipped()) return;
    any_ = true;
    std::cout << "SKIPPED " << test.test_suite_name() << '.' << test.name() << ": " << reason_
              << '\n';
  }

  bool any_ = false;
  std::string reason_;
};

/// The first part of a program that is divided has the first test, if there is any.
bool is_first_shard() {
  const char* const index = std::getenv("GTEST_SHARD_INDEX");
  return index == nullptr || std::string_view(index) == "0";
}

}  // namespace

int main(int argc, char** argv) {
  setenv("RC_PARAMS", "seed=1", 0);
  testing::InitGoogleMock(&argc, argv);
  auto* const skips = new Skips;  // owned by GoogleTest
  testing::UnitTest::GetInstance()->listeners().Append(skips);
  if (const int failed = RUN_ALL_TESTS(); failed != 0) return failed;
  if (!testing::GTEST_FLAG(list_tests) && is_first_shard() &&
      testing::UnitTest::GetInstance()->test_to_run_count() == 0) {
    std::cerr << "no test to run\n";
    return 1;
  }
  return skips->any() ? 77 : 0;
}
