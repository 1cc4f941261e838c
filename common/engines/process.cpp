#include "common/engines/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <system_error>
#include <utility>
#include <vector>

#include "common/engines/confinement.hpp"
#include "common/engines/file_access.hpp"

namespace tictactoe::engines {

namespace {

constexpr std::size_t max_line = 4096;
constexpr std::size_t max_received = std::size_t{256} << 10;
constexpr std::size_t max_error = 256;
constexpr std::int64_t max_wait = 60'000;  // of poll, in milliseconds

/// All that the child needs, made before it is, because it must not allocate.
struct Launch {
  std::vector<char*> arguments;
  int in = -1;
  int out = -1;
  int errors = -1;
  bool confined = true;
  rlim_t memory = 0;
  int file_rules = -1;
  std::vector<sock_filter> filter;
  volatile int error = 0;  // set by a child that can't execute the program
};

bool limit(int resource, rlim_t max) {
  const rlimit value{max, max};
  return ::setrlimit(static_cast<__rlimit_resource_t>(resource), &value) == 0;
}

/// All but the filter of system calls, after which the child can do no more than an engine can.
bool restrict_child(const Launch& launch) {
  constexpr rlim_t files = 64;
  constexpr unsigned int threads = 64;
  if (!limit_threads(threads)) leave_half_of_threads();  // of this the caller has warned
  // The rules need their descriptor, which is closed after this.
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  if (launch.file_rules >= 0 && !restrict_files(launch.file_rules)) return false;
  return limit(RLIMIT_AS, launch.memory) && limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, 0) &&
         limit(RLIMIT_NOFILE, files);
}

/// In the child, which shares the parent's memory until it executes the program: system calls only.
[[noreturn]] void run_child(Launch& launch) {
  static char path[] = "PATH=/usr/local/bin:/usr/bin:/bin";
  static char language[] = "LANG=C.UTF-8";
  static std::array<char*, 3> environment{path, language, nullptr};
  sigset_t none;
  ::sigemptyset(&none);
  const bool ready =
      ::setsid() >= 0 && ::dup2(launch.in, STDIN_FILENO) >= 0 &&
      ::dup2(launch.out, STDOUT_FILENO) >= 0 && ::dup2(launch.errors, STDERR_FILENO) >= 0 &&
      (!launch.confined || restrict_child(launch)) && ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 &&
      ::close_range(STDERR_FILENO + 1, ~0U, 0) == 0 && ::signal(SIGPIPE, SIG_DFL) != SIG_ERR &&
      ::sigprocmask(SIG_SETMASK, &none, nullptr) == 0 &&
      (launch.filter.empty() || confine(launch.filter));
  if (ready) ::execve(launch.arguments[0], launch.arguments.data(), environment.data());
  launch.error = errno;
  ::_exit(1);
}

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {
    if (number < 0) throw std::system_error(errno, std::generic_category());
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor reads;
  Descriptor writes;
};

Pipe make_pipe() {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category());
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

void make_nonblocking(int descriptor) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  ::fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
}

/// A process that executes the program. vfork, unlike fork, does not copy the tables of a large
/// server's memory, for which its other threads would wait. It returns once the program runs, or
/// once the child has said in `launch` why it does not.
pid_t start(Launch& launch) {
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  // No handler may run in the child.
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  // NOLINTNEXTLINE(clang-analyzer-security.insecureAPI.vfork,bugprone-unsafe-functions)
  const pid_t child = ::vfork();
  if (child == 0) run_child(launch);
  const int error = child < 0 ? errno : launch.error;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (error == 0) return child;
  while (child > 0 && ::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  throw std::system_error(error, std::generic_category());
}

}  // namespace

Process::Process(const Command& command, const Limits& limits) {
  std::vector<std::string> words = command.words;
  Pipe in = make_pipe();
  Pipe out = make_pipe();
  Pipe errors = make_pipe();
  Launch launch;
  for (std::string& word : words) launch.arguments.push_back(word.data());
  launch.arguments.push_back(nullptr);
  launch.in = in.reads.number();
  launch.out = out.writes.number();
  launch.errors = errors.writes.number();
  launch.confined = limits.confined;
  launch.memory = static_cast<rlim_t>(limits.memory);
  if (limits.confined) launch.filter = confinement(limits.network);
  const Descriptor file_rules =
      limits.confined && can_restrict_files()
          ? Descriptor(make_file_rules(command.words, limits.hidden, limits.network))
          : Descriptor();
  launch.file_rules = file_rules.number();
  Descriptor stopped(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (limits.launcher) {
    limits.launcher->run([&] { process_ = start(launch); });
  } else {
    process_ = start(launch);
  }
  stopped_ = stopped.release();
  to_ = in.writes.release();
  from_ = out.reads.release();
  errors_ = errors.reads.release();
  for (const int descriptor : {to_, from_, errors_}) make_nonblocking(descriptor);
}

Process::~Process() {
  ::close(to_);
  ::close(from_);
  ::close(errors_);
  ::close(stopped_);
  if (process_ < 0) return;
  ::kill(-process_, SIGKILL);  // its group, see run_child()
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool Process::fail(std::string fault) {
  fault_ = std::move(fault);
  is_late_ = false;
  return false;
}

std::string Process::how_it_ended() {
  // Its output has ended, but perhaps not yet the process.
  ::kill(-process_, SIGKILL);
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  read_errors();
  if (WIFEXITED(status)) return "exited with status " + std::to_string(WEXITSTATUS(status));
  if (WTERMSIG(status) == SIGKILL) return "has ended";
  return "was killed by signal " + std::to_string(WTERMSIG(status));
}

// The last line says what went wrong. A line that goes on is kept at its begin.
void Process::read_errors() {
  std::array<char, 4096> buffer;
  ssize_t read = 0;
  while ((read = ::read(errors_, buffer.data(), buffer.size())) > 0) {
    for (const char letter : std::string_view(buffer.data(), static_cast<std::size_t>(read))) {
      if (letter != '\n' && letter != '\r') {
        if (error_.size() < max_error) error_ += letter;
      } else if (error_.find_first_not_of(" \t") == std::string::npos) {
        error_.clear();
      } else {
        former_error_ = std::exchange(error_, {});
      }
    }
    // Others wait for this thread, however much it writes.
    if (static_cast<std::size_t>(read) < buffer.size()) return;
  }
  errors_end_ = read == 0;
}

bool Process::await(Awaited what, Time until, const std::stop_token& stop) {
  std::uint64_t former = 0;  // a stop of another wait
  static_cast<void>(::read(stopped_, &former, sizeof(former)));
  const std::stop_callback wake(stop, [this] {
    const std::uint64_t one = 1;
    static_cast<void>(::write(stopped_, &one, sizeof(one)));
  });
  const bool reads = what == Awaited::readable;
  std::array<pollfd, 3> watched{
      pollfd{reads ? from_ : to_, static_cast<short>(reads ? POLLIN : POLLOUT), 0},
      pollfd{stopped_, POLLIN, 0}, pollfd{errors_end_ ? -1 : errors_, POLLIN, 0}};
  while (true) {
    using std::chrono::milliseconds;
    // On a busy machine this thread gets its turn late. What was there by then counts.
    const bool stops = stop.stop_requested();
    const auto left = std::chrono::ceil<milliseconds>(until - std::chrono::steady_clock::now());
    const auto wait = stops ? 0 : std::clamp<std::int64_t>(left.count(), 0, max_wait);
    const int ready = ::poll(watched.data(), watched.size(), static_cast<int>(wait));
    if (ready < 0 && errno != EINTR) return fail("can't be waited for");
    if (ready > 0 && watched[2].revents != 0) {
      read_errors();
      if (errors_end_) watched[2].fd = -1;
    }
    if (ready > 0 && watched[0].revents != 0) return true;
    if (left.count() <= 0 || stops) {
      fail("gave no answer in time");
      is_late_ = true;
      return false;
    }
  }
}

bool Process::send(std::string_view lines, Time until, const std::stop_token& stop) {
  is_late_ = false;
  while (!lines.empty()) {
    const ssize_t sent = ::write(to_, lines.data(), lines.size());
    if (sent > 0) {
      lines.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN) {
      if (!await(Awaited::writable, until, stop)) return false;
    } else if (errno != EINTR) {
      return fail(how_it_ended());
    }
  }
  return true;
}

std::optional<std::string> Process::receive(Time until, const std::stop_token& stop) {
  is_late_ = false;
  std::array<char, 4096> buffer;
  while (true) {
    const std::size_t end = rest_.find('\n');
    if (end != std::string::npos) {
      std::string line = rest_.substr(0, end);
      rest_.erase(0, end + 1);
      while (line.ends_with('\r') || line.ends_with(' ')) line.pop_back();
      return line;
    }
    if (rest_.size() > max_line || received_ > max_received) {
      fail("wrote too much");
      return std::nullopt;
    }
    if (!await(Awaited::readable, until, stop)) return std::nullopt;
    const ssize_t read = ::read(from_, buffer.data(), buffer.size());
    if (read == 0 || (read < 0 && errno != EAGAIN && errno != EINTR)) {
      fail(how_it_ended());
      return std::nullopt;
    }
    if (read < 0) continue;
    rest_.append(buffer.data(), static_cast<std::size_t>(read));
    received_ += static_cast<std::size_t>(read);
  }
}

void Process::pause() {
  if (process_ > 0) ::kill(-process_, SIGSTOP);
}

void Process::resume() {
  if (process_ > 0) ::kill(-process_, SIGCONT);
}

}  // namespace tictactoe::engines
