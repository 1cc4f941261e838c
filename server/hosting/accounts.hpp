// The accounts of a server: names with passwords, in a file beside the journal.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/result.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "server/core/logins.hpp"
#include "server/net/worker_thread.hpp"

namespace tictactoe::hosting {

/// Most accounts of one server.
inline constexpr std::size_t most_accounts = 10'000;

template <class T>
using OrSentence = boost::system::result<T, std::string>;

/// The file `accounts` in the directory of the journal: a line for each account, with its id (see
/// core::Login), the cost, the salt and the key of its password (see core::PasswordKey), and its
/// name. Bytes are in hexadecimal:
///
///     57e0... scrypt 14 8 1 0f3a... 9c41... ann
///
/// A line of an older version has no id: then it is the name, from which that version made the
/// account's reader numbers. Lines that begin with # are comments, which are lost with the next
/// change. The file is replaced as a whole, so that a reader sees it before or after a change.
class AccountFile {
 public:
  explicit AccountFile(const std::filesystem::path& folder) : folder_(folder) {}

  /// In the order of the file; none if there is no file.
  OrSentence<std::vector<core::Login>> read() const;
  /// Reads, calls `change`, and writes if that returns nothing; otherwise returns its sentence.
  /// Processes that change the file wait for each other. Makes the directory if there is none.
  using Change = std::function<std::optional<std::string>(std::vector<core::Login>&)>;
  std::optional<std::string> change(const Change& change) const;

  std::filesystem::path path() const { return folder_ / "accounts"; }

 private:
  std::optional<std::string> write(const std::vector<core::Login>& logins) const;

  std::filesystem::path folder_;
};

/// Reads the file again soon after it was changed, on a thread of its own. It starts with the first
/// change; if the system has no thread to spare, the loop reads the file.
class AccountWatch {
 public:
  using OnChange = std::function<void(core::Logins)>;

  /// `complain` gets a sentence if the file can't be read; the accounts stay as they were then.
  AccountWatch(boost::asio::io_context& io, AccountFile file, OnChange on_change,
               std::function<void(const std::string&)> complain);

  /// Reads the file before it returns, and looks at it again from now on, every second.
  void start();
  void stop();

 private:
  /// One reading of the file.
  struct Task {
    void run();
    AccountFile file;
    OrSentence<core::Logins> logins;
  };

  bool has_changed();
  void look_again();
  bool start_thread();
  void await_task();
  void deliver(Task& task);

  AccountFile file_;
  OnChange on_change_;
  std::function<void(const std::string&)> complain_;
  boost::asio::steady_timer timer_;
  net::LoopWaker waker_;
  std::optional<net::WorkerThread<Task>> thread_;  // from the first change on
  bool stopped_ = false;
  std::string seen_;  // what the file system said of the file
};

/// A new password's key, with a random salt.
core::Login make_login(const std::string& name, const std::string& password);

}  // namespace tictactoe::hosting
