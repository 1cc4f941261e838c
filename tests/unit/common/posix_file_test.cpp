// Files that are replaced: links, what survives a crash, and limits on their size.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "common/posix/file.hpp"
#include "tests/support/temporary_folder.hpp"

namespace {

std::vector<std::string> synced;  // paths

}  // namespace

// Instead of that of the C library.
extern "C" int fsync(int file) {
  std::error_code ignored;
  synced.push_back(
      std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(file), ignored).string());
  return static_cast<int>(::syscall(SYS_fsync, file));
}

namespace tictactoe::posix::posix_file_tests {
namespace {

namespace fs = std::filesystem;

class FileReplacement : public testing::Test {
 protected:
  FileReplacement() {
    fs::create_directory(folder.path() / "elsewhere");
    synced.clear();
  }
  static std::string text_of(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  const test::TemporaryFolder folder;
  const fs::path name = folder.path() / "name";
  const fs::path elsewhere = folder.path() / "elsewhere" / "file";
};

TEST_F(FileReplacement, follows_a_link) {
  for (const fs::path& to : {elsewhere, fs::path("elsewhere/file")}) {
    std::ofstream(elsewhere) << "old";
    fs::create_symlink(to, name);
    EXPECT_EQ(target_of(name), elsewhere.string());
    EXPECT_EQ(replace_file(name, "new"), std::error_code());
    EXPECT_TRUE(fs::is_symlink(name));
    EXPECT_EQ(text_of(elsewhere), "new");
    fs::remove(name);
  }
}

TEST_F(FileReplacement, follows_links_of_links_to_a_file_that_is_missing) {
  fs::create_directory_symlink("elsewhere", folder.path() / "data");
  fs::create_symlink("data/file", folder.path() / "second");
  fs::create_symlink("second", name);
  EXPECT_EQ(replace_file(name, "new"), std::error_code());
  EXPECT_EQ(fs::read_symlink(name), "second");
  EXPECT_EQ(text_of(elsewhere), "new");
}

TEST_F(FileReplacement, does_not_go_round_in_circles) {
  fs::create_symlink("other", name);
  fs::create_symlink("name", folder.path() / "other");
  EXPECT_EQ(target_of(name), name.string());
}

TEST_F(FileReplacement, reaches_the_disk_with_its_name) {
  EXPECT_EQ(replace_file(name, "new"), std::error_code());
  EXPECT_EQ(synced, (std::vector<std::string>{name.string() + ".new", folder.path().string()}));
}

TEST_F(FileReplacement, changes_nothing_if_the_caller_objects) {
  std::ofstream(name) << "old";
  const auto refuse = [](int) {
    errno = EBUSY;
    return false;
  };
  EXPECT_EQ(replace_file(name, "new", refuse), std::errc::device_or_resource_busy);
  EXPECT_EQ(text_of(name), "old");
  EXPECT_FALSE(fs::exists(name.string() + ".new"));
}

TEST_F(FileReplacement, fails_at_the_limit_of_a_size_instead_of_ending_the_process) {
  std::ofstream(name) << "old";
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  fail_at_size_limit();
  const rlimit small{1000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::error_code fault = replace_file(name, std::string(2000, 'x'));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(fault, std::errc::file_too_large);
  EXPECT_EQ(text_of(name), "old");
  std::signal(SIGXFSZ, SIG_DFL);
}

}  // namespace
}  // namespace tictactoe::posix::posix_file_tests
