// What an engine's process may ask of the system.
#pragma once

#include <linux/filter.h>

#include <vector>

namespace tictactoe::engines {

/// Whether this kernel filters system calls.
bool can_confine();

/// Whether the system counts the threads of one engine: in a user namespace of its own. Not if this
/// process runs as root, whose threads no limit concerns, and not if it may create no namespaces.
/// Starts a process for a moment.
bool can_limit_threads();

/// Lets the calling process, which must have one thread, have at most so many threads, for ever.
/// Safe between vfork and exec. False if can_limit_threads() is.
bool limit_threads(unsigned int max);

/// Without such namespaces: lets the calling process have another thread only while its user has
/// less than half of the processes and threads that it may have (RLIMIT_NPROC), so that the other
/// half is left to this program. Safe between vfork and exec. Does nothing if that has no limit.
void leave_half_of_threads();

/// A filter of system calls for one process and its threads: it may compute, use its memory, read
/// files, and read and write what it has open. It may not create processes, sockets or files, open
/// files for writing, change the file system, or do anything to other processes. What is refused
/// fails with EPERM, EACCES or ENOSYS, so that programs can go on without it. Empty if
/// can_confine() is false or the processor is not known here (x86-64 and 64-bit ARM are).
std::vector<sock_filter> confinement();

/// Applies a filter to the calling thread, for ever, also after it executes another program. Safe
/// between fork and exec. False if the system refuses.
bool confine(const std::vector<sock_filter>& filter);

}  // namespace tictactoe::engines
