#include "client/storage/file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/temporary_folder.hpp"

namespace tictactoe::client {
namespace {

namespace fs = std::filesystem;

TEST(File, is_replaced_as_a_whole_and_for_its_owner_alone) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "servers";
  EXPECT_EQ(replace_file(path, "a long text"), "");
  EXPECT_EQ(replace_file(path, "short"), "");
  EXPECT_EQ(read_limited(path, 100), "short");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1) << "nothing is left over";
}

TEST(File, that_another_program_is_writing_is_left_alone) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "servers";
  std::ofstream(path + ".new") << "half of ano";
  EXPECT_EQ(replace_file(path, "text"), "");
  EXPECT_EQ(read_limited(path + ".new", 100), "half of ano");
}

TEST(File, that_cannot_be_replaced_leaves_nothing_and_says_why) {
  const test::TemporaryFolder folder;
  EXPECT_NE(replace_file(folder / "none/servers", "text"), "");
  fs::create_directories(folder / "servers/full");
  EXPECT_NE(replace_file(folder / "servers", "text"), "");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST(File, is_read_up_to_a_limit) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "servers";
  EXPECT_EQ(read_limited(path, 10), "");
  ASSERT_EQ(replace_file(path, "0123456789"), "");
  EXPECT_EQ(read_limited(path, 4), "0123");
}

}  // namespace
}  // namespace tictactoe::client
