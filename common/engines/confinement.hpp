// Restricts what the process of an engine may do.
#pragma once

#include <linux/filter.h>

#include <vector>

namespace tictactoe::engines {

/// Whether this kernel filters system calls.
bool can_confine();

/// Whether the system can limit the threads of one engine, in a user namespace of its own. It can't
/// if this process runs as root, which has no limit, or may not create namespaces. Starts a
/// process for a moment.
bool can_limit_threads();

/// Limits the threads of the calling process, which must have one thread, for its lifetime. Safe
/// between vfork and exec. Returns false if can_limit_threads() does.
bool limit_threads(unsigned int max);

/// For systems without such namespaces. The calling process can start a thread only while its user
/// has fewer than half of the processes and threads allowed (RLIMIT_NPROC), so that this program
/// keeps the other half. Safe between vfork and exec. No effect if there is no such limit.
void leave_half_of_threads();

/// A filter of system calls for one process and its threads: it may compute, use its memory, read
/// files, and read and write what it has open. It may not create processes, sockets or files, open
/// files for writing, change the file system, or affect other processes. With `network` it may also
/// use sockets of IPv4. Refused calls fail with EPERM, EACCES or ENOSYS, so that programs can
/// continue without them. Empty if can_confine() is false or the processor is neither x86-64 nor
/// 64-bit ARM.
std::vector<sock_filter> confinement(bool network = false);

/// Applies a filter to the calling thread for its lifetime, also after it executes another program.
/// Safe between fork and exec. Returns false if the system refuses.
bool confine(const std::vector<sock_filter>& filter);

}  // namespace tictactoe::engines
