#include "common/engines/confinement.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace tictactoe::engines {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t processor = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t processor = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t processor = 0;
#endif

/// Calls that are harmless with any arguments.
constexpr std::array harmless{
    // What is open.
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_pwrite64,
    SYS_close,
    SYS_lseek,
    SYS_fstat,
    SYS_dup,
    SYS_dup3,
    SYS_pipe2,
    SYS_ppoll,
    SYS_pselect6,
    SYS_eventfd2,
    SYS_epoll_create1,
    SYS_epoll_ctl,
    SYS_epoll_pwait,
    SYS_close_range,
    // Looking at files.
    SYS_newfstatat,
    SYS_statx,
    SYS_faccessat,
    SYS_readlinkat,
    SYS_getdents64,
    SYS_getcwd,
    SYS_chdir,
    SYS_statfs,
    SYS_fstatfs,
    // Memory.
    SYS_mmap,
    SYS_munmap,
    SYS_mprotect,
    SYS_mremap,
    SYS_madvise,
    SYS_brk,
    SYS_msync,
    SYS_mincore,
    // Threads and signals of its own.
    SYS_futex,
    SYS_set_tid_address,
    SYS_set_robust_list,
    SYS_rseq,
    SYS_membarrier,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_rt_sigtimedwait,
    SYS_sigaltstack,
    SYS_restart_syscall,
    SYS_exit,
    SYS_exit_group,
    SYS_execve,
    // Time, and what it is.
    SYS_nanosleep,
    SYS_clock_nanosleep,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_gettimeofday,
    SYS_times,
    SYS_getrusage,
    SYS_getpid,
    SYS_gettid,
    SYS_getppid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_uname,
    SYS_sysinfo,
    SYS_getrandom,
    SYS_getcpu,
#if defined(__x86_64__)
    // Older forms, which 64-bit ARM does not have.
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
    SYS_poll,
    SYS_select,
    SYS_dup2,
    SYS_pipe,
    SYS_epoll_wait,
    SYS_epoll_create,
    SYS_time,
    SYS_arch_prctl,
    SYS_getrlimit,
#endif
};

/// On sockets that are open already.
constexpr std::array on_sockets{SYS_connect,     SYS_bind,        SYS_sendto,     SYS_sendmsg,
                                SYS_recvfrom,    SYS_recvmsg,     SYS_setsockopt, SYS_getsockopt,
                                SYS_getsockname, SYS_getpeername, SYS_shutdown};

/// Of fcntl. Others have the kernel send signals to any process.
constexpr std::array<std::uint32_t, 6> harmless_commands{F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD,
                                                         F_SETFD, F_GETFL,         F_SETFL};

/// Where seccomp_data has the halves of an argument (both processors are little-endian).
constexpr std::size_t low_half(std::size_t argument) {
  return offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t);
}
constexpr std::size_t high_half(std::size_t argument) {
  return low_half(argument) + sizeof(std::uint32_t);
}

/// Builds the filter. Each test gives a verdict or continues with the next test.
class Filter {
 public:
  Filter() {
    load(offsetof(seccomp_data, arch));
    unless_equal(processor, SECCOMP_RET_KILL_PROCESS);
    load_call();
#if defined(__x86_64__)
    // The calls of x32 have the same architecture and other numbers.
    constexpr std::uint32_t x32 = 0x40000000;
    add(BPF_JMP | BPF_JGE | BPF_K, x32, 0, 1);
    verdict(refusal(ENOSYS));
#endif
  }

  /// Allows a call, whatever its arguments.
  void allow(long call) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1);
    verdict(SECCOMP_RET_ALLOW);
  }

  /// Allows a call if none of these bits is set in one of its arguments.
  void allow_without(long call, std::size_t argument, std::uint32_t bits, int error) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 4);
    load_argument(argument);
    add(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
    verdict(refusal(error));
    verdict(SECCOMP_RET_ALLOW);
  }

  /// Allows a call if all of these bits are set in one of its arguments.
  void allow_with(long call, std::size_t argument, std::uint32_t bits, int error) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 4);
    load_argument(argument);
    add(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0);
    verdict(refusal(error));
    verdict(SECCOMP_RET_ALLOW);
  }

  /// Allows a call if one of its arguments has that value.
  void allow_equal(long call, std::size_t argument, std::uint32_t value, int error) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 4);
    load_argument(argument);
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
    verdict(refusal(error));
    verdict(SECCOMP_RET_ALLOW);
  }

  /// Allows a call if these words of its data are zero.
  template <std::size_t count>
  void allow_if_zero(long call, const std::array<std::size_t, count>& offsets, int error) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0,
        static_cast<std::uint8_t>(2 * count + 2));
    for (std::size_t i = 0; i < count; ++i) {
      load(offsets.at(i));
      const std::size_t to_refusal = 2 * (count - i) - 1;
      add(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, static_cast<std::uint8_t>(to_refusal));
    }
    verdict(SECCOMP_RET_ALLOW);
    verdict(refusal(error));
  }

  /// Allows a call if one of its arguments is among these values.
  template <std::size_t count>
  void allow_among(long call, std::size_t argument, const std::array<std::uint32_t, count>& values,
                   int error) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0,
        static_cast<std::uint8_t>(count + 3));
    load_argument(argument);
    for (std::size_t i = 0; i < count; ++i) {
      add(BPF_JMP | BPF_JEQ | BPF_K, values.at(i), static_cast<std::uint8_t>(count - i), 0);
    }
    verdict(refusal(error));
    verdict(SECCOMP_RET_ALLOW);
  }

  /// Refuses a call with this error, after which programs continue.
  void refuse(long call, int error) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1);
    verdict(refusal(error));
  }

  std::vector<sock_filter> take() {
    // Programs fall back to older calls if a new one is unknown.
    verdict(refusal(ENOSYS));
    return std::move(program_);
  }

 private:
  static std::uint32_t refusal(int error) {
    return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error);
  }

  void add(int code, std::uint32_t value, std::uint8_t if_true = 0, std::uint8_t if_false = 0) {
    program_.push_back({static_cast<std::uint16_t>(code), if_true, if_false, value});
  }
  void load(std::size_t offset) {
    add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
  }
  void load_call() { load(offsetof(seccomp_data, nr)); }
  /// Flags and small numbers are in its lower half.
  void load_argument(std::size_t argument) { load(low_half(argument)); }
  void verdict(std::uint32_t value) { add(BPF_RET | BPF_K, value); }
  void unless_equal(std::uint32_t value, std::uint32_t otherwise) {
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
    verdict(otherwise);
  }

  std::vector<sock_filter> program_;
};

}  // namespace

bool can_confine() {
  return processor != 0 && ::prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
}

bool limit_threads(unsigned int max) {
  const rlimit value{max, max};
  return ::getuid() != 0 && ::unshare(CLONE_NEWUSER) == 0 && ::setrlimit(RLIMIT_NPROC, &value) == 0;
}

void leave_half_of_threads() {
  rlimit value{};
  if (::getrlimit(RLIMIT_NPROC, &value) != 0 || value.rlim_cur == RLIM_INFINITY) return;
  value.rlim_cur = value.rlim_max = value.rlim_cur / 2;
  ::setrlimit(RLIMIT_NPROC, &value);
}

bool can_limit_threads() {
  // NOLINTNEXTLINE(clang-analyzer-security.insecureAPI.vfork,bugprone-unsafe-functions)
  const pid_t child = ::vfork();
  if (child == 0) ::_exit(limit_threads(1) ? 0 : 1);
  int status = 1;
  while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return child > 0 && status == 0;
}

std::vector<sock_filter> confinement(bool network) {
  if (!can_confine()) return {};
  constexpr std::uint32_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
  Filter filter;
#if defined(__x86_64__)
  filter.allow_without(SYS_open, 1, writing, EACCES);
#endif
  filter.allow_without(SYS_openat, 2, writing, EACCES);
  filter.allow_with(SYS_clone, 0, CLONE_THREAD, EPERM);
  // Only the caller's own limits, and only to read them: root could set them higher.
  filter.allow_if_zero(SYS_prlimit64, std::array{low_half(0), low_half(2), high_half(2)}, EPERM);
  filter.allow_equal(SYS_prctl, 0, PR_SET_NAME, EPERM);
  filter.allow_among(SYS_fcntl, 1, harmless_commands, EPERM);
  filter.refuse(SYS_ioctl, ENOTTY);  // as Python expects of what is no terminal
  for (const long call : harmless) filter.allow(call);
  if (network) {
    filter.allow_equal(SYS_socket, 0, AF_INET, EACCES);
    for (const long call : on_sockets) filter.allow(call);
  }
  return filter.take();
}

bool confine(const std::vector<sock_filter>& filter) {
  if (filter.empty()) return false;
  // The kernel does not write to it, but its interface knows no const.
  auto* const first = const_cast<sock_filter*>(filter.data());  // NOLINT(*-const-cast)
  const sock_fprog program{static_cast<unsigned short>(filter.size()), first};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

}  // namespace tictactoe::engines
