#include "client/storage/identity.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "client/storage/file.hpp"
#include "common/posix/file.hpp"
#include "common/program/folders.hpp"
#include "common/text/hex.hpp"

namespace tictactoe::client {
namespace {

constexpr std::string_view head = "tictactoe identity 1\ntoken ";
constexpr mode_t owner_only = S_IRUSR | S_IWUSR;

std::string reason(int error) {
  return std::generic_category().message(error);
}

// A text as part of a file's name: what would separate its parts, or hide the file, is written %XX.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    const bool special = character == '/' || character == '%' || character == '@' || byte < 0x20;
    if (special || (character == '.' && result.empty())) {
      result += '%' + text::to_hex({&character, 1});
    } else {
      result.push_back(character);
    }
  }
  return result;
}

// The token in a file's text; nothing if the file is of another kind.
std::optional<std::string> read_token(std::string_view text) {
  if (!text.starts_with(head) || !text.ends_with('\n')) return std::nullopt;
  text.remove_prefix(head.size());
  text.remove_suffix(1);
  if (text.size() != 2 * token_bytes) return std::nullopt;
  return text::from_hex(text);
}

// Makes the folder. Why it can't be used; empty if it can.
std::string prepare_folder(const std::string& folder) {
  if (!make_private_folder(folder)) return reason(errno);
  struct stat found{};
  if (stat(folder.c_str(), &found) != 0) return reason(errno);
  if (!S_ISDIR(found.st_mode)) return "it is not a folder";
  if (found.st_uid != geteuid()) return "it belongs to another user";
  if ((found.st_mode & 077U) != 0 && chmod(folder.c_str(), S_IRWXU) != 0) return reason(errno);
  return {};
}

// The result of an attempt to take a slot.
struct Slot {
  enum class State { taken, busy, failed };
  State state = State::failed;
  int file = -1;
  std::string token;
  std::string fault;  ///< why it failed, or why what the file held is not used
};

bool is_still_there(const std::string& path, const struct stat& opened) {
  struct stat found{};
  return lstat(path.c_str(), &found) == 0 && found.st_dev == opened.st_dev &&
         found.st_ino == opened.st_ino;
}

// Looks at a file that is open and locked: its token, or why it is not used.
void read_identity(Slot& slot, const struct stat& opened) {
  if (opened.st_uid != geteuid()) {
    slot.fault = "it belongs to another user";
  } else if ((opened.st_mode & 077U) != 0) {
    slot.fault = "other users could have read it";
  } else if (opened.st_size > 0) {  // an empty one has had no token yet
    std::array<char, max_identity_bytes + 1> bytes{};
    const ssize_t count = pread(slot.file, bytes.data(), bytes.size(), 0);
    const auto size = static_cast<std::size_t>(count > 0 ? count : 0);
    auto token = size <= max_identity_bytes ? read_token({bytes.data(), size}) : std::nullopt;
    if (token) slot.token = std::move(*token);
    if (!token) slot.fault = "it is damaged";
  }
}

// Opens and locks; busy if a running client has it.
Slot try_slot(const std::string& path) {
  constexpr int tries = 100;  // another client may replace the file between our steps
  for (int i = 0; i < tries; ++i) {
    Slot slot;
    slot.file =
        open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, owner_only);
    struct stat opened{};
    if (slot.file < 0 || fstat(slot.file, &opened) != 0 || !S_ISREG(opened.st_mode)) {
      slot.fault = slot.file < 0 ? reason(errno) : "it is not a regular file";
      if (slot.file >= 0) ::close(slot.file);
      return slot;
    }
    if (flock(slot.file, LOCK_EX | LOCK_NB) != 0) {
      slot.state = errno == EWOULDBLOCK ? Slot::State::busy : Slot::State::failed;
      slot.fault = reason(errno);
      ::close(slot.file);
      return slot;
    }
    if (is_still_there(path, opened)) {
      slot.state = Slot::State::taken;
      futimens(slot.file, nullptr);  // used now
      read_identity(slot, opened);
      return slot;
    }
    ::close(slot.file);
  }
  return {Slot::State::busy, -1, {}, {}};
}

// The slot. A file that can't be used is replaced by a new one, unless it is elsewhere: somebody
// has made a link to it, and it may be anything.
Slot take_slot(const std::string& path, bool is_elsewhere, std::string& note) {
  Slot slot = try_slot(path);
  if (slot.state == Slot::State::busy || slot.fault.empty()) return slot;
  const std::string fault = slot.fault;
  const bool removed = !is_elsewhere && unlink(path.c_str()) == 0;
  if (slot.state == Slot::State::taken) ::close(slot.file);
  if (!removed) return {Slot::State::failed, -1, {}, fault};
  note =
      "The identity in " + path + " can't be used: " + fault + ". It was replaced with a new one.";
  return try_slot(path);
}

// Makes room for one more file. What a running client has locked stays.
void prune(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code ignored;  // what can't be looked at, or removed, stays
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    // Other files are not identities.
    if (entry.path().filename().string().find('@') == std::string::npos) continue;
    files.emplace_back(entry.last_write_time(ignored), entry.path());
  }
  if (files.size() < max_identities) return;
  std::sort(files.begin(), files.end());
  std::size_t excess = files.size() - (max_identities - 1);
  for (const auto& [used, path] : files) {
    if (excess == 0) return;
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) continue;
    if (flock(file, LOCK_EX | LOCK_NB) == 0 && unlink(path.c_str()) == 0) --excess;
    ::close(file);
  }
}

}  // namespace

std::string state_folder() {
  return program::user_folder("XDG_STATE_HOME", ".local/state").value_or("");
}

std::string identity_name(std::string_view server, std::string_view name) {
  return escaped(name) + "@" + escaped(server);
}

Identity::Identity(Identity&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      token_(std::move(other.token_)) {}

Identity& Identity::operator=(Identity&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(file_, other.file_);
  std::swap(token_, other.token_);
  return *this;
}

Identity::~Identity() {
  if (file_ < 0) return;
  // A file that never had a token is removed while it is still locked.
  if (token_.empty()) unlink(path_.c_str());
  close();
}

void Identity::close() {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
}

std::string Identity::save(std::string_view token) {
  const std::string text = std::string(head) + text::to_hex(token) + "\n";
  int locked = -1;
  // Locked before it gets its name, so that there is no moment in which the slot looks free. Only
  // the owner of the slot's lock writes here.
  const std::error_code fault = posix::replace_file(path_, text, [&locked](int file) {
    locked = fcntl(file, F_DUPFD_CLOEXEC, 0);
    return locked >= 0 && flock(locked, LOCK_EX | LOCK_NB) == 0;
  });
  if (fault) {
    if (locked >= 0) ::close(locked);
    return fault.message();
  }
  close();
  file_ = locked;
  token_ = token;
  return {};
}

IdentityOpened open_identity(const std::string& folder, const std::string& file) {
  const auto not_kept = [](const std::string& why) {
    return IdentityOpened{{}, "You won't be able to return to your seat after quitting: " + why};
  };
  if (folder.empty()) return not_kept("neither HOME nor XDG_STATE_HOME is set.");
  if (const std::string fault = prepare_folder(folder); !fault.empty()) {
    return not_kept(folder + " can't be used (" + fault + ").");
  }
  const std::string base = folder + "/" + file;
  prune(folder);
  std::string note;
  for (int number = 1; number <= max_slots; ++number) {
    const std::string name = number == 1 ? base : base + "." + std::to_string(number);
    const std::string path = posix::target_of(name);
    Slot slot = take_slot(path, path != name, note);
    if (slot.state == Slot::State::busy) continue;
    if (slot.state == Slot::State::failed) {
      return not_kept(path + " can't be used (" + slot.fault + ").");
    }
    return {Identity(path, slot.file, std::move(slot.token)), std::move(note)};
  }
  return not_kept("too many clients with that name are running on this machine.");
}

}  // namespace tictactoe::client
