#include "client/storage/known_servers.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "client/storage/file.hpp"
#include "common/posix/file.hpp"

namespace tictactoe::client {
namespace {

constexpr const char* no_folder = "neither HOME nor XDG_STATE_HOME is set";

std::string reason() {
  return std::generic_category().message(errno);
}

// The whole file.
struct Text {
  std::string bytes;
  bool is_whole = false;  // false: it can't be read, or is too long
};

// A file that does not exist is empty.
Text read_from(const std::string& path) {
  auto bytes = posix::read_file(path, max_known_bytes + 1);
  if (!bytes) return {{}, errno == ENOENT};
  const bool is_whole = bytes->size() <= max_known_bytes;
  return {*std::move(bytes), is_whole};
}

std::string_view without_end(std::string_view line) {
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r')) {
    line.remove_suffix(1);
  }
  return line;
}

// Calls `use` with the number and the text of each line, until it returns true.
template <class Use>
void for_each_line(std::string_view text, const Use& use) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (use(number, without_end(text.substr(0, end)))) return;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// A line as its address and the text of its key.
std::pair<std::string_view, std::string_view> split_line(std::string_view line) {
  const std::size_t space = std::min(line.find(' '), line.size());
  return {line.substr(0, space), line.substr(std::min(space + 1, line.size()))};
}

KnownServer find(const std::string& path, std::string_view text, std::string_view address,
                 const tls::Fingerprint& fingerprint) {
  KnownServer found;
  for_each_line(text, [&](std::size_t number, std::string_view line) {
    const auto [of, key] = split_line(line);
    if (of != address) return false;
    const auto kept = tls::fingerprint_from_text(key);
    found.place = path + ":" + std::to_string(number);
    found.state = !kept                  ? KnownServer::State::damaged
                  : *kept == fingerprint ? KnownServer::State::same
                                         : KnownServer::State::changed;
    return true;
  });
  return found;
}

std::string line_of(std::string_view address, const tls::Fingerprint& fingerprint) {
  return std::string(address) + " " + tls::to_text(fingerprint) + "\n";
}

// `text` with this key at the place of the first line of `address`, and no other line of it.
std::string replaced(std::string_view text, std::string_view address,
                     const tls::Fingerprint& fingerprint) {
  std::string lines;
  bool done = false;
  for_each_line(text, [&](std::size_t, std::string_view line) {
    if (split_line(line).first != address) {
      lines.append(line).append("\n");
    } else if (!std::exchange(done, true)) {
      lines.append(line_of(address, fingerprint));
    }
    return false;
  });
  return done ? lines : lines.append(line_of(address, fingerprint));
}

std::size_t count_lines(std::string_view text) {
  std::size_t count = 0;
  for_each_line(text, [&](std::size_t number, std::string_view) {
    count = number;
    return false;
  });
  return count;
}

}  // namespace

KnownServers::KnownServers(const std::string& folder)
    : path_(folder.empty() ? std::string() : folder + "/known_servers") {}

KnownServer KnownServers::check(std::string_view address,
                                const tls::Fingerprint& fingerprint) const {
  if (path_.empty()) return {};
  const Text text = read_from(path_);
  if (!text.is_whole) return {KnownServer::State::damaged, path_};
  return find(path_, text.bytes, address, fingerprint);
}

std::string KnownServers::add(std::string_view address, const tls::Fingerprint& fingerprint) const {
  return change([&](std::string& text) -> std::string {
    if (count_lines(text) >= max_known_servers) return "it is full";
    const KnownServer found = find(path_, text, address, fingerprint);
    if (found.state == KnownServer::State::same) return {};
    if (found.state != KnownServer::State::unknown) return "another key was stored in the meantime";
    // An editor may have left the last line without its end.
    if (!text.empty() && !text.ends_with('\n')) text += '\n';
    text += line_of(address, fingerprint);
    return {};
  });
}

std::string KnownServers::replace(std::string_view address,
                                  const tls::Fingerprint& fingerprint) const {
  return change([&](std::string& text) {
    text = replaced(text, address, fingerprint);
    return std::string();
  });
}

template <class Edit>
std::string KnownServers::change(const Edit& edit) const {
  if (path_.empty()) return no_folder;
  if (!make_private_folder(std::filesystem::path(path_).parent_path().string())) return reason();
  FileChange file(path_);
  if (!file.fault().empty()) return file.fault();
  const Text former = read_from(path_);
  if (!former.is_whole) return "it can't be read, or is too long";
  std::string text = former.bytes;
  std::string fault = edit(text);
  if (!fault.empty() || text == former.bytes) return fault;
  return file.replace(text);
}

std::optional<tls::Fingerprint> KnownServers::key_of(std::string_view wanted) const {
  std::optional<tls::Fingerprint> found;
  const Text text = path_.empty() ? Text() : read_from(path_);
  if (!text.is_whole) return found;
  for_each_line(text.bytes, [&](std::size_t, std::string_view line) {
    const auto [address, key] = split_line(line);
    if (address == wanted) found = tls::fingerprint_from_text(key);
    return found.has_value();
  });
  return found;
}

}  // namespace tictactoe::client
