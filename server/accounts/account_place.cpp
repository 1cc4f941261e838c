#include "server/accounts/account_place.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <memory>
#include <sstream>
#include <system_error>
#include <utility>

#include "common/posix/file.hpp"
#include "common/posix/retried.hpp"
#include "common/text/hex.hpp"
#include "common/wire/text.hpp"
#include "server/journal/owner.hpp"
#include "server/limits/parse.hpp"
#include "server/transport/system_token.hpp"

namespace tictactoe::app {

namespace {

constexpr std::chrono::seconds between_looks{1};
constexpr std::size_t max_file_bytes = std::size_t{16} << 20;

std::optional<server::Login> parse(const std::string& line) {
  std::istringstream words(line);
  std::string id;
  std::string scheme;
  std::string salt;
  std::string key;
  server::Login login;
  server::KeyCost& cost = login.key.cost;
  words >> id >> scheme >> cost.log2_n >> cost.r >> cost.p >> salt >> key;
  words.ignore(1);
  std::getline(words, login.name);
  const auto id_bytes = text::from_hex(id);
  const auto salt_bytes = text::from_hex(salt);
  const auto key_bytes = text::from_hex(key);
  if (!words || scheme != "scrypt" || !id_bytes || id_bytes->empty() || !salt_bytes || !key_bytes) {
    return std::nullopt;
  }
  login.id = *id_bytes;
  login.key.salt = *salt_bytes;
  login.key.key = *key_bytes;
  const auto name = server::parse_player_name(login.name, server::Limits{});
  if (!name || *name != login.name || !server::is_acceptable(login.key)) return std::nullopt;
  return login;
}

std::string line_of(const server::Login& login) {
  std::ostringstream line;
  const server::KeyCost& cost = login.key.cost;
  line << text::to_hex(login.id) << " scrypt " << cost.log2_n << ' ' << cost.r << ' ' << cost.p
       << ' ' << text::to_hex(login.key.salt) << ' ' << text::to_hex(login.key.key) << ' '
       << login.name << '\n';
  return line.str();
}

std::string reason() {
  return std::generic_category().message(errno);
}

/// Other processes that change the file wait as long as it lives.
class Lock {
 public:
  explicit Lock(const std::filesystem::path& path)
      : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    if (file_ >= 0) is_held_ = posix::retried([&] { return ::flock(file_, LOCK_EX); }) == 0;
  }
  ~Lock() {
    if (file_ >= 0) ::close(file_);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  bool is_held() const { return is_held_; }

 private:
  int file_;
  bool is_held_ = false;
};

}  // namespace

server::Login make_login(const std::string& name, const std::string& password) {
  const server::Token salt = transport::system_token();
  const server::Token id = transport::system_token();
  server::Login login;
  login.name = name;
  login.id = server::bytes_of(id);
  login.key.salt = server::bytes_of(salt);
  login.key.key = server::derive_key({password, login.key});
  return login;
}

// The file ----------------------------------------------------------------------------------------

OrSentence<std::vector<server::Login>> AccountFile::read_in(
    const std::filesystem::path& place) const {
  const std::string shown = path().string();
  const std::filesystem::path used = place / accounts_file_name;
  std::vector<server::Login> logins;
  const auto text = posix::read_file(used.string(), max_file_bytes + 1);
  if (!text) {
    const int error = errno;
    // A link to nothing may lead to a disk that is not mounted.
    std::error_code ignored;
    const bool is_absent = error == ENOENT || error == ENOTDIR;
    if (is_absent && !std::filesystem::is_symlink(used, ignored)) return logins;
    return "Can't read " + shown + ": " + posix::why_unreadable(shown, error) + ".";
  }
  if (text->size() > max_file_bytes) return shown + ": there are too many accounts.";
  std::istringstream file(*text);
  std::size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    if (++number == 1) line = std::string(wire::without_byte_order_mark(line));
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty() || line.front() == '#') continue;
    auto login = parse(line);
    if (!login) return shown + ":" + std::to_string(number) + ": that is not an account.";
    if (logins.size() >= max_accounts) return shown + ": there are too many accounts.";
    logins.push_back(*std::move(login));
  }
  return logins;
}

std::optional<std::string> AccountFile::change(const Change& change) {
  const records::AsOwner owner(folder_);
  std::error_code error;
  std::filesystem::create_directories(owner.place(), error);
  if (!error) error = posix::sync_name(folder_.string());
  if (error) return "Can't write in " + folder_.string() + ": " + error.message() + ".";
  const Lock lock(owner.place() / "accounts.lock");
  if (!lock.is_held()) return "Can't write in " + folder_.string() + ": " + reason() + ".";
  auto logins = read_in(owner.place());
  if (!logins) return logins.error();
  if (auto refused = change(*logins)) return refused;
  return write_in(owner.place(), *logins);
}

std::optional<std::string> AccountFile::write_in(const std::filesystem::path& place,
                                                 const std::vector<server::Login>& logins) const {
  std::string text;
  for (const server::Login& login : logins) text += line_of(login);
  const std::error_code fault = posix::replace_file((place / accounts_file_name).string(), text);
  if (!fault) return std::nullopt;
  return "Can't write " + path().string() + ": " + fault.message() + ".";
}

OrSentence<std::optional<std::vector<server::Login>>> AccountFile::read_changes() {
  auto logins = read();
  if (!logins) return logins.error();
  return std::optional(*std::move(logins));
}

bool AccountFile::may_have_changed() {
  struct stat status{};
  std::string seen = "none";
  if (::stat(path().c_str(), &status) == 0) {
    seen = std::to_string(status.st_ino) + " " + std::to_string(status.st_size) + " " +
           std::to_string(status.st_mtim.tv_sec) + "." + std::to_string(status.st_mtim.tv_nsec);
  }
  return seen != std::exchange(seen_, seen);
}

// Watching ----------------------------------------------------------------------------------------

AccountWatch::AccountWatch(boost::asio::io_context& io, std::shared_ptr<AccountPlace> place,
                           OnChange on_change, std::function<void(const std::string&)> complain)
    : place_(std::move(place)),
      on_change_(std::move(on_change)),
      complain_(std::move(complain)),
      looks_(io, "reading accounts", between_looks, [this] { return look(); }) {}

void AccountWatch::start() {
  look()();
  looks_.start();
}

void AccountWatch::stop() {
  looks_.stop();
}

std::function<void()> AccountWatch::look() {
  if (!place_->may_have_changed()) return [] {};
  auto read = place_->read_changes();
  const auto found = std::make_shared<Found>(std::nullopt);
  if (!read) {
    *found = read.error();
  } else if (*read) {
    *found = std::optional<server::Logins>(**std::move(read));
  }
  return [this, found] { deliver(*found); };
}

void AccountWatch::deliver(Found& found) {
  if (!found) {
    if (found.error() != std::exchange(complaint_, found.error())) complain_(complaint_);
    return;
  }
  complaint_.clear();
  if (*found) on_change_(**std::move(found));
}

}  // namespace tictactoe::app
