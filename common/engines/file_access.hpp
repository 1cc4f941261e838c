// Restricts the files that the process of an engine may open.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tictactoe::engines {

/// Whether this kernel restricts the files of a process (Landlock, Linux 5.13 and later).
bool can_restrict_files();

/// A ruleset of Landlock for the engine with this command. The engine can read and execute what is
/// in /usr, /bin and /lib*, the folder of its program, and the folders that its command names, by
/// themselves or by a file in them. It can read /etc/ld.so.cache, /etc/alternatives and
/// /dev/urandom, and use /dev/null. Any other access fails with EACCES, and the engine can't
/// look at other processes. In a folder that contains a hidden path, in a person's home, and in
/// shared folders of the system such as /opt, it has access only to the file that the command
/// names.
///
/// From Linux 6.7 it can't use TCP either; with `network` it may connect.
///
/// Returns a descriptor, which the caller closes; -1 if can_restrict_files() is false. Throws
/// std::system_error if the kernel refuses.
int make_file_rules(const std::vector<std::string>& words,
                    const std::vector<std::filesystem::path>& hidden, bool network = false);

/// The rest of a sentence about the program: "reads only /usr, /bin and /opt/robo".
std::string what_is_readable(const std::vector<std::string>& words,
                             const std::vector<std::filesystem::path>& hidden);

/// Applies the rules to the calling thread for its lifetime, also after it executes another
/// program. Requires PR_SET_NO_NEW_PRIVS. Safe between fork and exec. Returns false if the system
/// refuses.
bool restrict_files(int rules);

}  // namespace tictactoe::engines
