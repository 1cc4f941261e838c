// The accounts of a server: names with passwords, in a file beside the journal or in its database.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/system/result.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/people/logins.hpp"
#include "server/worker/periodic.hpp"

namespace tictactoe::app {

/// Maximum number of accounts of one server.
inline constexpr std::size_t max_accounts = 10'000;

template <class T>
using OrSentence = boost::system::result<T, std::string>;

/// Where the accounts are stored. All functions may block. Not thread-safe.
class AccountPlace {
 public:
  AccountPlace() = default;
  AccountPlace(const AccountPlace&) = default;
  AccountPlace& operator=(const AccountPlace&) = default;
  virtual ~AccountPlace() = default;

  virtual OrSentence<std::vector<server::Login>> read() = 0;
  /// Like read(), but returns nothing if no account has changed since the last call.
  virtual OrSentence<std::optional<std::vector<server::Login>>> read_changes() = 0;
  /// Whether read_changes() might return something. Remembers what it has seen.
  virtual bool may_have_changed() = 0;
  /// Reads the accounts, calls `change`, and writes them if that returns nothing; otherwise returns
  /// its sentence. Processes that change the accounts wait for each other.
  using Change = std::function<std::optional<std::string>(std::vector<server::Login>&)>;
  virtual std::optional<std::string> change(const Change& change) = 0;
};

inline constexpr const char* accounts_file_name = "accounts";

/// The file `accounts` in the directory of the journal. It has a line for each account with its id
/// (see server::Login), the cost, salt and key of its password (see server::PasswordKey), and its
/// name. Bytes are in hexadecimal:
///
///       57e0... scrypt 14 8 1 0f3a... 9c41... ann
///
/// Lines that begin with # are comments, which the next change removes. The file is replaced
/// atomically: a reader sees it either before or after a change. It may be a symbolic link, which
/// stays one; a link to nothing can't be read.
class AccountFile final : public AccountPlace {
 public:
  explicit AccountFile(const std::filesystem::path& folder) : folder_(folder) {}

  /// In the order of the file; none if there is no file.
  OrSentence<std::vector<server::Login>> read() override { return read_in(folder_); }
  /// Like read(), by a path of the directory that this process can use, see
  /// records::AsOwner::place(). Sentences name the usual one.
  OrSentence<std::vector<server::Login>> read_in(const std::filesystem::path& place) const;
  OrSentence<std::optional<std::vector<server::Login>>> read_changes() override;
  bool may_have_changed() override;
  /// Creates a missing directory. Root acts as its owner, whose server must be able to read the
  /// file.
  std::optional<std::string> change(const Change& change) override;

  std::filesystem::path path() const { return folder_ / accounts_file_name; }

 private:
  std::optional<std::string> write_in(const std::filesystem::path& place,
                                      const std::vector<server::Login>& logins) const;

  std::filesystem::path folder_;
  std::string seen_;  // the state of the file when last seen
};

/// Checks the accounts every second, and reads them if they may have changed. Uses its own thread,
/// so that a file system that hangs does not stop the server.
class AccountWatch {
 public:
  using OnChange = std::function<void(server::Logins)>;

  /// Calls `complain` with a sentence if the accounts can't be read, once for the same sentence in
  /// a row. The accounts then stay as they were.
  AccountWatch(boost::asio::io_context& io, std::shared_ptr<AccountPlace> place, OnChange on_change,
               std::function<void(const std::string&)> complain);

  /// Reads the accounts, then checks them every second.
  void start();
  void stop();

 private:
  using Found = OrSentence<std::optional<server::Logins>>;

  /// Runs on the thread, except the first time. Returns what is left for the loop.
  std::function<void()> look();
  void deliver(Found& found);

  const std::shared_ptr<AccountPlace> place_;  // used by the thread once it runs
  OnChange on_change_;
  std::function<void(const std::string&)> complain_;
  std::string complaint_;  // the last complaint
  worker::Periodic looks_;
};

/// A login with this password, under a random salt.
server::Login make_login(const std::string& name, const std::string& password);

}  // namespace tictactoe::app
