// Files with passwords, as editors on other systems write them.
#include <gtest/gtest.h>

#include <fstream>

#include "common/program/password.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tictactoe::program::program_password_file_tests {
namespace {

class PasswordFileTest : public testing::Test {
 protected:
  PasswordRead read(const std::string& text) {
    std::ofstream(folder / "password", std::ios::binary) << text;
    return read_password_file(folder / "password");
  }

  test::TemporaryFolder folder;
};

TEST_F(PasswordFileTest, may_begin_with_a_byte_order_mark) {
  EXPECT_EQ(read("\xEF\xBB\xBFopen sesame\r\n").password, "open sesame");
  EXPECT_EQ(read("\xEF\xBB\xBFö").password, "ö");
  EXPECT_NE(read("\xEF\xBB\xBF\r\n").fault, "") << "nothing but the mark";
}

TEST_F(PasswordFileTest, must_be_utf_8) {
  for (const std::string& text :
       {std::string("caf\xE9\n"), std::string("\xFF\xFEo\0p\0\n\0", 8), std::string("o\0p\0e\0", 6),
        std::string("\xC3"), std::string("\xF8\x88\x80\x80\x80")}) {
    const PasswordRead password = read(text);
    EXPECT_NE(password.fault.find("UTF-8"), std::string::npos) << password.fault;
    EXPECT_EQ(password.password, "");
  }
}

}  // namespace
}  // namespace tictactoe::program::program_password_file_tests
