// Backups of a server's directory, and what is put back from them.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "server/journal/backup.hpp"
#include "server/records/sqlite/store.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tictactoe::records::store_backup_tests {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> companions{"accounts", "tls.pem"};

class Backup : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(data);
    ASSERT_TRUE(SqliteStore::open((data / "journal.db").string()));
    write(data / "accounts", "ann's");
    write(data / "tls.pem", "the key");
    write(data / "lock", "not a part of it");
  }
  static void write(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }
  static std::string text_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static mode_t mode_of(const fs::path& path) {
    struct stat status{};
    EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
    return status.st_mode & 0777U;
  }
  Result<Restored> put_back() { return restore(file, other, companions); }

  test::TemporaryFolder folder;
  const fs::path data = folder.path() / "data";
  const fs::path other = folder.path() / "other";
  const fs::path file = folder.path() / "backup";
};

TEST_F(Backup, has_all_that_a_server_needs) {
  ASSERT_TRUE(back_up(data, file, companions));
  EXPECT_EQ(mode_of(file), 0600u);
  const auto restored = put_back();
  ASSERT_TRUE(restored) << restored.error().reason;
  EXPECT_EQ(restored->companions, (std::vector<std::string>{"accounts", "tls.pem"}));
  EXPECT_EQ(text_of(other / "accounts"), "ann's");
  EXPECT_EQ(text_of(other / "tls.pem"), "the key");
  for (const char* name : {"accounts", "tls.pem", "journal.db"}) {
    EXPECT_EQ(mode_of(other / name), 0600u) << name;
  }
  EXPECT_EQ(text_of(other / "journal.db").find("the key"), std::string::npos);
}

TEST_F(Backup, of_a_server_without_accounts_has_none) {
  fs::remove(data / "accounts");
  ASSERT_TRUE(back_up(data, file, companions));
  const auto restored = put_back();
  ASSERT_TRUE(restored);
  EXPECT_EQ(restored->companions, std::vector<std::string>{"tls.pem"});
  EXPECT_FALSE(fs::exists(other / "accounts"));
}

TEST_F(Backup, replaces_no_other_accounts_and_no_other_key) {
  ASSERT_TRUE(back_up(data, file, companions));
  fs::create_directory(other);
  write(other / "tls.pem", "another key");
  const auto refused = put_back();
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().reason.find("tls.pem differs from the backup"), std::string::npos)
      << refused.error().reason;
  EXPECT_EQ(text_of(other / "tls.pem"), "another key");
  EXPECT_FALSE(fs::exists(other / "accounts"));
  EXPECT_FALSE(fs::exists(other / "journal.db"));
  write(other / "tls.pem", "the key");
  EXPECT_TRUE(put_back());
}

TEST_F(Backup, is_put_back_after_a_restore_that_was_interrupted) {
  ASSERT_TRUE(back_up(data, file, companions));
  fs::create_directory(other);
  write(other / "journal.db.restoring", "half of a journal");
  const auto restored = put_back();
  ASSERT_TRUE(restored) << restored.error().reason;
  EXPECT_FALSE(fs::exists(other / "journal.db.restoring"));
}

TEST_F(Backup, of_an_older_version_has_the_journal_alone) {
  ASSERT_TRUE(back_up(data, file, {}));
  {
    SqliteDatabase older(file.string(), SQLITE_OPEN_READWRITE);
    older.run_script("DROP TABLE companions");
  }
  const auto restored = put_back();
  ASSERT_TRUE(restored) << restored.error().reason;
  EXPECT_TRUE(restored->companions.empty());
}

TEST_F(Backup, that_was_forged_writes_no_file_of_another_name) {
  ASSERT_TRUE(back_up(data, file, companions));
  {
    SqliteDatabase forged(file.string(), SQLITE_OPEN_READWRITE);
    forged.run_script("INSERT INTO companions VALUES ('../evil', 'x'), ('lock', 'x')");
  }
  ASSERT_TRUE(put_back());
  EXPECT_FALSE(fs::exists(folder.path() / "evil"));
  EXPECT_EQ(text_of(other / "lock"), "");
}

TEST_F(Backup, by_root_follows_no_link_of_the_servers_user) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to act as another user";
  const fs::path secret = folder.path() / "secret";
  write(secret, "root's");
  ASSERT_EQ(::chmod(secret.c_str(), 0600), 0);
  fs::remove(data / "tls.pem");
  fs::create_symlink(secret, data / "tls.pem");
  constexpr uid_t nobody = 65'534;
  ASSERT_EQ(::chown(folder.path().c_str(), nobody, nobody), 0);
  for (const fs::path& path : {data, data / "accounts", data / "journal.db"}) {
    ASSERT_EQ(::chown(path.c_str(), nobody, nobody), 0);
  }
  EXPECT_FALSE(back_up(data, file, companions));
  fs::remove(data / "tls.pem");
  ASSERT_TRUE(back_up(data, file, companions));
  ASSERT_TRUE(put_back());
  for (const auto& entry : fs::directory_iterator(other)) {
    struct stat status{};
    ASSERT_EQ(::lstat(entry.path().c_str(), &status), 0);
    EXPECT_EQ(status.st_uid, nobody) << entry.path();
  }
}

}  // namespace
}  // namespace tictactoe::records::store_backup_tests
