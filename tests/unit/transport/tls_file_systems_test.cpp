// The server's key on file systems that can do less than others, and on one that hangs.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "server/transport/tls/identity.hpp"
#include "tests/support/temporary_folder.hpp"

namespace {
bool has_no_links = false;        // as FAT and exFAT
bool has_no_permissions = false;  // as these, unless they are mounted with a umask
}  // namespace

// In place of the system's.
extern "C" int link(const char* from, const char* to) noexcept {
  if (!has_no_links) return ::linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
  errno = EPERM;
  return -1;
}
extern "C" int fstat(int file, struct stat* status) noexcept {
  const int result = ::fstatat(file, "", status, AT_EMPTY_PATH);
  if (has_no_permissions) status->st_mode |= 0055U;
  return result;
}

namespace tictactoe::transport::tls_file_systems_tests {
namespace {

class TlsFileSystemsTest : public testing::Test {
 protected:
  void TearDown() override { has_no_links = has_no_permissions = false; }

  test::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / tls_file_name;
};

TEST_F(TlsFileSystemsTest, a_key_can_be_kept_without_links) {
  has_no_links = true;
  const auto made = own_tls_identity(folder.path());
  ASSERT_TRUE(made) << made.error();
  const auto again = own_tls_identity(folder.path());
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(again->fingerprint, made->fingerprint);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST_F(TlsFileSystemsTest, a_key_that_others_could_read_is_not_kept) {
  has_no_permissions = true;
  const auto made = own_tls_identity(folder.path());
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().find("exFAT"), std::string::npos) << made.error();
  EXPECT_NE(made.error().find("umask=077"), std::string::npos) << made.error();
  EXPECT_FALSE(std::filesystem::exists(file));
}

}  // namespace
}  // namespace tictactoe::transport::tls_file_systems_tests
