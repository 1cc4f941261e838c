// The process of an engine, and the lines that go to it and come from it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "common/engines/command.hpp"

namespace tictactoe::engines {

/// What an engine may take.
struct Limits {
  /// The time of a move that it is told, and the time after which it is not waited for any more.
  std::chrono::milliseconds turn{700};
  std::chrono::milliseconds patience{1'000};
  /// The time to load and to answer START, which the protocol does not count as a turn's.
  std::chrono::milliseconds start{30'000};
  /// Bytes; it is told three quarters of it.
  std::size_t memory = std::size_t{256} << 20;
  /// Whether the system keeps it to that memory, and refuses it to create processes, sockets and
  /// files, see confinement.hpp, and to open files beside its own, see file_access.hpp. Otherwise
  /// it may do what this process may.
  bool confined = true;
  /// Files and folders that a confined engine gets no access to because they lie near its own.
  // NOLINTNEXTLINE(readability-redundant-member-init): so that callers can leave it out
  std::vector<std::filesystem::path> hidden = {};
};

/// Owns the process and its group: they end, with SIGKILL, when this object does. Its standard
/// error is thrown away, and its environment has only PATH and LANG. It is stopped (SIGSTOP) while
/// pause() holds. Not thread-safe; may be handed from thread to thread. SIGPIPE must be ignored.
class Process {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Throws std::system_error if no process can be started, as for want of descriptors: three are
  /// held, and none is opened later. A file that can't be executed ends the process with status 127
  /// instead.
  Process(const Command& command, const Limits& limits);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Lines to it, and the next line from it, without its end. Wait until `until`, or until `stop`
  /// is requested. A line has at most 4 KiB, and all that comes until quiet() at most 256 KiB.
  /// False or nothing if it failed: see fault().
  bool send(std::string_view lines, Time until, const std::stop_token& stop);
  std::optional<std::string> receive(Time until, const std::stop_token& stop);

  /// What went wrong, to follow the engine's name in a sentence: "gave no answer in time".
  const std::string& fault() const { return fault_; }
  /// Whether the last send() or receive() only ran out of time or was stopped: it can be repeated.
  bool is_late() const { return is_late_; }

  /// The next answer is counted from here.
  void quiet() { received_ = 0; }
  void pause();
  void resume();

 private:
  enum class Awaited : bool { readable, writable };
  /// False after the time, at the stop, and if the system fails.
  bool await(Awaited what, Time until, const std::stop_token& stop);
  bool fail(std::string fault);
  std::string how_it_ended();

  pid_t process_ = -1;
  int to_ = -1;
  int from_ = -1;
  int stopped_ = -1;  // an event: the stop of a wait was requested
  std::string rest_;  // of what was read
  std::size_t received_ = 0;
  std::string fault_;
  bool is_late_ = false;
};

}  // namespace tictactoe::engines
