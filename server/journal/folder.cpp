#include "server/journal/folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <utility>

#include "common/text/utc.hpp"

namespace tictactoe::records {

namespace fs = std::filesystem;

namespace {

// A journal and the files that SQLite keeps beside it.
constexpr std::array suffixes{"", "-wal", "-shm"};

Fault unusable(std::string reason) {
  return {Fault::Kind::unusable, std::move(reason)};
}

std::string reason_of(int error) {
  return std::strerror(error);
}

bool is_there(const std::string& path) {
  std::error_code ignored;  // a later rename reports it
  return fs::exists(path, ignored);
}

// Creates the folder and its missing parents; these with the usual mode, as mkdir(1) does.
std::error_code make(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return {};
  error.clear();  // it says that there is none
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (error) return error;
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return {errno, std::generic_category()};
  return posix::sync_name(path.string());
}

}  // namespace

Result<Folder> Folder::claim(const fs::path& path, const fs::path& place) {
  const std::string shown = path.string();
  if (const std::error_code error = make(place)) {
    return unusable("Can't create the folder " + shown + ": " + error.message() + ".");
  }
  const int lock = ::open((place / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0) return unusable("Can't write in " + shown + ": " + reason_of(errno) + ".");
  if (::flock(lock, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    ::close(lock);
    if (error == EWOULDBLOCK) {
      return Fault{Fault::Kind::in_use, "Another server keeps its journal in " + shown + "."};
    }
    return unusable("Can't lock " + shown + ": " + reason_of(error) + ".");
  }
  return Folder(path, lock);
}

Folder::Folder(Folder&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

Folder::~Folder() {
  if (lock_ >= 0) ::close(lock_);
}

bool Folder::has_only_a_log() const {
  return !is_there(journal()) && is_there(journal() + "-wal");
}

Result<std::string> Folder::move_away(std::chrono::system_clock::time_point now) {
  const auto seconds = static_cast<std::uint64_t>(std::chrono::system_clock::to_time_t(now));
  const std::string base = journal() + ".damaged-" + text::utc(seconds, "%Y%m%dT%H%M%SZ");
  const auto is_taken = [](const std::string& name) {
    for (const char* suffix : suffixes) {
      if (is_there(name + suffix)) return true;
    }
    return false;
  };
  std::string name = base;
  for (int copy = 2; is_taken(name); ++copy) name = base + "-" + std::to_string(copy);
  // The database first: SQLite never reads a log without it. If this process ends in between, the
  // next start moves the log away.
  for (const char* suffix : suffixes) {
    const std::string from = journal() + suffix;
    if (is_there(from) && std::rename(from.c_str(), (name + suffix).c_str()) != 0) {
      return unusable("Can't rename " + from + ": " + reason_of(errno) + ".");
    }
  }
  return name;
}

std::uint64_t free_bytes(const std::string& file) {
  struct statvfs status{};
  if (::statvfs(file.c_str(), &status) != 0) return std::numeric_limits<std::uint64_t>::max();
  return std::uint64_t{status.f_bavail} * status.f_frsize;
}

}  // namespace tictactoe::records
