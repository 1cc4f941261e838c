#include "common/engines/file_access.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>

namespace tictactoe::engines {

namespace fs = std::filesystem;

namespace {

// The header of Debian 12 knows only the first versions of this interface.
constexpr std::uint64_t execute = 1U << 0;
constexpr std::uint64_t write_file = 1U << 1;
constexpr std::uint64_t read_file = 1U << 2;
constexpr std::uint64_t read_folder = 1U << 3;
/// Accesses to files by the version of the interface, from 1; later versions add no others.
constexpr std::array<std::uint64_t, 5> accesses{(1U << 13) - 1, (1U << 14) - 1, (1U << 15) - 1,
                                                (1U << 15) - 1, (1U << 16) - 1};
constexpr int first_version_of_network = 4;
constexpr int first_version_of_scopes = 6;
constexpr std::uint64_t binding = 1;  // of TCP
constexpr std::uint64_t connecting = 2;
constexpr std::uint64_t all_scopes = 3;  // abstract Unix sockets and signals
constexpr std::uint32_t ask_version = 1;
constexpr int rule_of_path = 1;

struct RulesetAttributes {
  std::uint64_t files = 0;
  std::uint64_t network = 0;
  std::uint64_t scopes = 0;
};

struct [[gnu::packed]] PathAttributes {
  std::uint64_t allowed = 0;
  std::int32_t parent = -1;
};

int version() {
  return static_cast<int>(::syscall(SYS_landlock_create_ruleset, nullptr, 0, ask_version));
}

bool contains(const fs::path& folder, const fs::path& path) {
  return std::ranges::mismatch(folder, path).in1 == folder.end();
}

class Rules {
 public:
  explicit Rules(bool network) {
    const int known = version();
    RulesetAttributes attributes;
    attributes.files = accesses.at(std::min(static_cast<std::size_t>(known), accesses.size()) - 1);
    if (known >= first_version_of_network) {
      attributes.network = network ? binding : binding | connecting;
    }
    if (known >= first_version_of_scopes) attributes.scopes = all_scopes;
    // An older kernel takes the longer form, as what it does not know is zero.
    number_ = static_cast<int>(
        ::syscall(SYS_landlock_create_ruleset, &attributes, sizeof(attributes), 0));
    if (number_ < 0) throw std::system_error(errno, std::generic_category());
  }
  ~Rules() {
    if (number_ >= 0) ::close(number_);
  }
  Rules(const Rules&) = delete;
  Rules& operator=(const Rules&) = delete;

  /// What is in a folder, or a file. Ignores what does not exist.
  void allow(const fs::path& path, std::uint64_t access) const {
    const int parent = ::open(path.c_str(), O_PATH | O_CLOEXEC);
    if (parent < 0) return;
    struct stat found{};
    const bool is_folder = ::fstat(parent, &found) == 0 && S_ISDIR(found.st_mode);
    const PathAttributes attributes{is_folder ? access : access & ~read_folder, parent};
    const long added = ::syscall(SYS_landlock_add_rule, number_, rule_of_path, &attributes, 0);
    const int error = errno;
    ::close(parent);
    if (added != 0) throw std::system_error(error, std::generic_category());
  }

  int take() {
    const int taken = number_;
    number_ = -1;
    return taken;
  }

 private:
  int number_;
};

/// Whether an engine may have all that is in this folder because it lies there.
bool can_be_whole(const fs::path& folder, const std::vector<fs::path>& hidden) {
  static const std::array<fs::path, 13> of_all_users{"/dev", "/etc",  "/home", "/media", "/mnt",
                                                     "/opt", "/proc", "/root", "/run",   "/srv",
                                                     "/sys", "/tmp",  "/var"};
  const auto holds = [&](const fs::path& path) { return contains(folder, path); };
  return std::ranges::none_of(of_all_users, holds) && std::ranges::none_of(hidden, holds) &&
         folder.parent_path() != "/home";
}

constexpr std::array system_folders{"/usr", "/bin", "/lib", "/lib32", "/lib64", "/libx32"};

/// Its own folders and files.
std::vector<fs::path> own_paths(const std::vector<std::string>& words,
                                const std::vector<fs::path>& hidden) {
  std::error_code error;
  std::vector<fs::path> kept;
  kept.reserve(hidden.size());
  for (const fs::path& path : hidden) kept.push_back(fs::weakly_canonical(path, error));
  std::vector<fs::path> own;
  for (const std::string& word : words) {
    const fs::path path = fs::canonical(word, error);
    if (error || contains("/proc", path)) continue;
    const bool is_folder = fs::is_directory(path, error);
    const fs::path folder = is_folder ? path : path.parent_path();
    if (can_be_whole(folder, kept)) {
      own.push_back(folder);
    } else if (!is_folder) {
      own.push_back(path);
    }
  }
  return own;
}

}  // namespace

bool can_restrict_files() {
  return version() > 0;
}

int make_file_rules(const std::vector<std::string>& words, const std::vector<fs::path>& hidden,
                    bool network) {
  if (!can_restrict_files()) return -1;
  constexpr std::uint64_t reading = read_file | read_folder;
  Rules rules(network);
  for (const char* const folder : system_folders) rules.allow(folder, reading | execute);
  rules.allow("/etc/ld.so.cache", read_file);
  rules.allow("/etc/alternatives", reading | execute);
  rules.allow("/dev/null", read_file | write_file);
  rules.allow("/dev/urandom", read_file);
  // Of a file, the rules drop what is for folders.
  for (const fs::path& path : own_paths(words, hidden)) rules.allow(path, reading | execute);
  return rules.take();
}

std::string what_is_readable(const std::vector<std::string>& words,
                             const std::vector<fs::path>& hidden) {
  if (!can_restrict_files()) return "reads what the server can read";
  std::vector<std::string> paths(system_folders.begin(), system_folders.end());
  std::error_code error;
  std::erase_if(paths, [&](const std::string& path) { return !fs::exists(path, error); });
  for (const fs::path& path : own_paths(words, hidden)) {
    const bool is_known =
        std::ranges::any_of(paths, [&](const std::string& known) { return contains(known, path); });
    if (!is_known) paths.push_back(path);
  }
  std::string text = "reads only " + paths[0];
  for (std::size_t i = 1; i < paths.size(); ++i) {
    text += (i + 1 < paths.size() ? ", " : " and ") + paths[i];
  }
  return text;
}

bool restrict_files(int rules) {
  return ::syscall(SYS_landlock_restrict_self, rules, 0) == 0;
}

}  // namespace tictactoe::engines
