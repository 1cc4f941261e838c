// The process of an engine, and the lines exchanged with it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "common/engines/command.hpp"
#include "common/engines/launcher.hpp"

namespace tictactoe::engines {

/// Limits of an engine, or of another program that needs the same confinement.
struct Limits {
  /// The time per move that the engine is given, and how long its move is waited for.
  std::chrono::milliseconds move_time{700};
  std::chrono::milliseconds patience{1'000};
  /// The time to load and to answer START, which the protocol does not count as part of a move.
  std::chrono::milliseconds start{30'000};
  /// In bytes. The engine is given three quarters of it.
  std::size_t memory = std::size_t{256} << 20;
  /// Whether the system enforces the memory limit, refuses new processes, sockets and files (see
  /// confinement.hpp), and restricts the files that can be opened (see file_access.hpp). Otherwise
  /// the engine may do what this process may.
  bool confined = true;
  /// Whether a confined program may use IPv4 sockets. Engines need none.
  bool network = false;
  /// Files and folders near its own to which a confined engine gets no access.
  // NOLINTNEXTLINE(readability-redundant-member-init): so that callers can leave it out
  std::vector<std::filesystem::path> hidden = {};
  /// Whose priority the process gets. Null: that of the thread that starts it.
  std::shared_ptr<Launcher> launcher = {};  // NOLINT(readability-redundant-member-init)
};

/// Owns the process and its group: they end, with SIGKILL, when this object does. Of its standard
/// error only the last line is kept, and its environment has only PATH and LANG. It is stopped
/// (SIGSTOP) while pause() holds. Not thread-safe; may be handed from thread to thread. SIGPIPE
/// must be ignored.
class Process {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Throws std::system_error if no process can be started, for lack of descriptors for example, or
  /// if the file can't be executed. Holds four descriptors, and opens none later.
  Process(const Command& command, const Limits& limits);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Send lines, or receive the next line without its end. Wait until `until`, or until `stop` is
  /// requested. A line has at most 4 KiB, and all lines until quiet() together at most 256 KiB.
  /// Return false or nothing on failure, see fault().
  bool send(std::string_view lines, Time until, const std::stop_token& stop);
  std::optional<std::string> receive(Time until, const std::stop_token& stop);

  /// The rest of a sentence that begins with the engine's name: "gave no answer in time".
  const std::string& fault() const { return fault_; }
  /// Whether the last send() or receive() only ran out of time or was stopped: it can be repeated.
  bool is_late() const { return is_late_; }
  /// Whether a send() or receive() failed because the process has ended.
  bool has_ended() const { return process_ < 0; }
  /// The last line of its standard error so far that is not blank, at most 256 bytes of it.
  const std::string& last_error() const { return error_.empty() ? former_error_ : error_; }

  /// Begins to count the bytes of the next answer.
  void quiet() { received_ = 0; }
  void pause();
  void resume();

 private:
  enum class Awaited : bool { readable, writable };
  /// Returns false if the time is over, if stopped, and if the system fails.
  bool await(Awaited what, Time until, const std::stop_token& stop);
  bool fail(std::string fault);
  /// Reads what is there of its standard error.
  void read_errors();
  std::string how_it_ended();

  pid_t process_ = -1;
  int to_ = -1;
  int from_ = -1;
  int errors_ = -1;
  int stopped_ = -1;  // an eventfd: the wait must stop
  std::string rest_;  // of what was read
  std::size_t received_ = 0;
  std::string error_;         // the line of standard error in progress
  std::string former_error_;  // the last whole one that is not blank
  bool errors_end_ = false;   // its standard error is closed
  std::string fault_;
  bool is_late_ = false;
};

}  // namespace tictactoe::engines
