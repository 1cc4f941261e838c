#include "client/storage/known_servers.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include "client/storage/file.hpp"
#include "common/posix/file.hpp"
#include "common/wire/text.hpp"

namespace tictactoe::client {
namespace {

constexpr const char* no_folder = "neither HOME nor XDG_STATE_HOME is set";

std::string reason() {
  return std::generic_category().message(errno);
}

using Lines = std::vector<std::string>;

// Nothing if the file can't be read, or is too long. A file that does not exist is empty.
std::optional<Lines> read_from(const std::string& path) {
  const auto bytes = posix::read_file(path, max_known_bytes + 1);
  if (!bytes) return errno == ENOENT ? std::optional(Lines()) : std::nullopt;
  if (bytes->size() > max_known_bytes) return std::nullopt;
  Lines lines;
  std::istringstream stream{std::string(wire::without_byte_order_mark(*bytes))};
  for (std::string line; std::getline(stream, line);) {
    line.erase(line.find_last_not_of(" \t\r") + 1);
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string_view address_in(std::string_view line) {
  return line.substr(0, line.find(' '));
}

std::optional<tls::Fingerprint> key_in(std::string_view line) {
  return tls::fingerprint_from_text(line.substr(std::min(line.find(' '), line.size() - 1) + 1));
}

KnownServer find(const std::string& path, const Lines& lines, std::string_view address,
                 const tls::Fingerprint& fingerprint) {
  const auto line = std::ranges::find(lines, address, address_in);
  if (line == lines.end()) return {};
  const auto kept = key_in(*line);
  const auto state = !kept                  ? KnownServer::State::damaged
                     : *kept == fingerprint ? KnownServer::State::same
                                            : KnownServer::State::changed;
  return {state, path + ":" + std::to_string(line - lines.begin() + 1)};
}

std::string line_of(std::string_view address, const tls::Fingerprint& fingerprint) {
  return std::string(address) + " " + tls::to_text(fingerprint);
}

}  // namespace

KnownServers::KnownServers(const std::string& folder)
    : path_(folder.empty() ? std::string() : folder + "/known_servers") {}

KnownServer KnownServers::check(std::string_view address,
                                const tls::Fingerprint& fingerprint) const {
  if (path_.empty()) return {};
  const auto lines = read_from(path_);
  if (!lines) return {KnownServer::State::damaged, path_};
  return find(path_, *lines, address, fingerprint);
}

std::string KnownServers::add(std::string_view address, const tls::Fingerprint& fingerprint) const {
  return change([&](Lines& lines) -> std::string {
    if (lines.size() >= max_known_servers) return "it is full";
    const auto state = find(path_, lines, address, fingerprint).state;
    if (state == KnownServer::State::same) return {};
    if (state != KnownServer::State::unknown) return "another key was stored in the meantime";
    lines.push_back(line_of(address, fingerprint));
    return {};
  });
}

std::string KnownServers::replace(std::string_view address,
                                  const tls::Fingerprint& fingerprint) const {
  return change([&](Lines& lines) {
    const auto at = std::ranges::find(lines, address, address_in) - lines.begin();
    std::erase_if(lines, [&](const std::string& line) { return address_in(line) == address; });
    lines.insert(lines.begin() + at, line_of(address, fingerprint));
    return std::string();
  });
}

template <class Edit>
std::string KnownServers::change(const Edit& edit) const {
  if (path_.empty()) return no_folder;
  if (!make_private_folder(std::filesystem::path(path_).parent_path().string())) return reason();
  FileChange file(path_);
  if (!file.fault().empty()) return file.fault();
  const auto former = read_from(path_);
  if (!former) return "it can't be read, or is too long";
  Lines lines = *former;
  std::string fault = edit(lines);
  if (!fault.empty() || lines == *former) return fault;
  std::string text;
  for (const std::string& line : lines) text.append(line).append("\n");
  return file.replace(text);
}

}  // namespace tictactoe::client
