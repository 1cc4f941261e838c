// A program's file of options, in TOML: a key for each option, and a section for each command.
#pragma once

#include <CLI/CLI.hpp>
#include <istream>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tictactoe::program {

/// Reads the file for CLI11. Sets the options itself, so that each mistake is reported with the
/// file and the line. The command line and the environment take precedence over the file. An option
/// keeps its default if its value in the file is wrong.
class ConfigFile : public CLI::ConfigTOML {
 public:
  /// Declares the option --config of a program. Its default, which may be missing, is `usual`;
  /// empty: none. `app` must outlive the result.
  static std::shared_ptr<ConfigFile> declare(CLI::App& app, const std::string& usual,
                                             const std::string& description);

  /// `app` must outlive it.
  explicit ConfigFile(CLI::App& app) : app_(app) {}

  /// Called by CLI11, at most once. Returns an empty list, because it has set the options itself.
  std::vector<CLI::ConfigItem> from_config(std::istream& nothing) const override;

  /// Every mistake in the file, each as a sentence that begins with its place.
  const std::vector<std::string>& problems() const { return problems_; }
  /// The file; empty if none was read.
  const std::string& path() const { return path_; }
  /// "FILE, line 3: " if the value of this option ("--name") is from the file; otherwise empty.
  std::string place_of(const std::string& option) const;

 private:
  struct Reader;

  std::string read(const std::string& path);

  CLI::App& app_;
  bool is_read_ = false;
  std::string path_;
  std::string text_;
  std::string fault_;  // why it can't be read
  mutable std::vector<std::string> problems_;
  mutable std::map<std::string, std::string> places_;  // by option
};

}  // namespace tictactoe::program
