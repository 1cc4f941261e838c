// Runs the tests of a program. RapidCheck draws the same cases each time, unless RC_PARAMS says
// otherwise. Ends with status 77, after a line for each, if some were skipped and none failed, so
// that CTest shows it.
#include <gmock/gmock.h>

#include <cstdlib>
#include <iostream>

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

}  // namespace

int main(int argc, char** argv) {
  setenv("RC_PARAMS", "seed=1", 0);
  testing::InitGoogleMock(&argc, argv);
  auto* const skips = new Skips;  // owned by GoogleTest
  testing::UnitTest::GetInstance()->listeners().Append(skips);
  if (const int failed = RUN_ALL_TESTS(); failed != 0) return failed;
  return skips->any() ? 77 : 0;
}
