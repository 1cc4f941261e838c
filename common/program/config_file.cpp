#include "common/program/config_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

// Errors are results, with their line.
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "common/posix/file.hpp"
#include "common/program/wording.hpp"

namespace tictactoe::program {
namespace {

bool is_set(const std::string& variable) {
  const char* const value = variable.empty() ? nullptr : std::getenv(variable.c_str());
  return value != nullptr && *value != '\0';
}

// A value as the command line would have it; nothing for tables, lists and dates.
std::optional<std::string> text_of(const toml::node& value) {
  if (const auto* const text = value.as_string()) return text->get();
  if (const auto* const truth = value.as_boolean()) return truth->get() ? "true" : "false";
  if (const auto* const number = value.as_integer()) return std::to_string(number->get());
  if (!value.is_floating_point()) return std::nullopt;
  std::ostringstream text;
  text << **value.as_floating_point();
  return text.str();
}

// The elements of a list, or else the value alone; nothing if any is no text, number or truth.
std::optional<std::vector<std::string>> texts_of(const toml::node& value) {
  std::vector<std::string> texts;
  const auto add = [&](const toml::node& node) {
    const std::optional<std::string> text = text_of(node);
    if (text) texts.push_back(*text);
    return text.has_value();
  };
  if (const auto* const list = value.as_array()) {
    return std::ranges::all_of(*list, add) ? std::optional(texts) : std::nullopt;
  }
  return add(value) ? std::optional(texts) : std::nullopt;
}

}  // namespace

struct ConfigFile::Reader {
  const ConfigFile& config;
  std::string path;

  std::string place(const toml::source_position& position) const {
    return path + ", line " + std::to_string(position.line) + ": ";
  }

  void complain(const toml::source_position& position, const std::string& what) const {
    config.problems_.push_back(printable(place(position) + what));
  }

  void read(const toml::table& table, CLI::App& app) const {
    std::vector<std::pair<const toml::key*, const toml::node*>> items;
    for (const auto& [key, value] : table) items.emplace_back(&key, &value);
    // A table is sorted by its keys.
    std::ranges::sort(items, {}, [](const auto& item) { return item.first->source().begin.line; });
    for (const auto& [key, value] : items) read_item(*key, *value, app);
  }

  void read_item(const toml::key& key, const toml::node& value, CLI::App& app) const {
    const std::string name(key.str());
    const bool of_program = &app == &config.app_;
    if (const auto* const section = value.as_table(); section && of_program) {
      read_section(key, *section);
    } else if (CLI::Option* const option = app.get_option_no_throw("--" + name)) {
      set(*option, key, value);
    } else {
      const std::string command = of_program ? "" : " " + app.get_name();
      const std::string where = of_program ? "" : " in the section [" + app.get_name() + "]";
      complain(key.source().begin, "there is no option \"" + name + "\"" + where + "; `" +
                                       config.app_.get_name() + command + " --help` lists them");
    }
  }

  void read_section(const toml::key& key, const toml::table& section) const {
    std::string known;
    for (CLI::App* const command : config.app_.get_subcommands([](CLI::App*) { return true; })) {
      if (command->get_name() == key.str()) return read(section, *command);
      known.append(known.empty() ? "" : ", ").append("[" + command->get_name() + "]");
    }
    complain(key.source().begin, "there is no section [" + std::string(key.str()) +
                                     "]; write options before the first section, or in one of " +
                                     known);
  }

  void set(CLI::Option& option, const toml::key& key, const toml::node& value) const {
    const toml::source_position position = key.source().begin;
    const std::string name(key.str());
    const auto texts = texts_of(value);
    if (!option.get_configurable()) {
      return complain(position, "\"" + name + "\" works only on the command line: remove it here");
    }
    const bool flag = option.get_expected_min() == 0;
    if (flag && !value.is_boolean()) return complain(position, name + " must be true or false");
    if (!flag && (!texts || texts->empty() || value.is_boolean())) {
      return complain(position, name + " needs a value, such as " + name + " = \"...\"");
    }
    if (!option.empty() || is_set(option.get_envname())) return;
    try {
      for (const std::string& text : *texts) {
        option.add_result(flag ? option.get_flag_value(name, text) : text);
      }
      if (!flag) option.run_callback();
      config.places_["--" + name] = place(position);
    } catch (const CLI::ParseError& error) {
      option.clear();
      complain(position, in_words(error));
    }
  }
};

std::shared_ptr<ConfigFile> ConfigFile::declare(CLI::App& app, const std::string& usual,
                                                const std::string& description) {
  const auto file = std::make_shared<ConfigFile>(app);
  app.config_formatter(file);
  app.set_config("--config", usual, description)
      ->type_name("FILE")
      ->transform([made = file.get()](const std::string& path) { return made->read(path); });
  return file;
}

// Returns the file for CLI11 to read: an empty one, because CLI11 waits for the writer of a pipe
// and has no reasons. CLI11 calls this more than once.
std::string ConfigFile::read(const std::string& path) {
  constexpr std::size_t max_bytes = std::size_t{1} << 20;
  if (!std::exchange(is_read_, true)) {
    auto text = posix::read_file(path, max_bytes + 1);
    if (!text) {
      fault_ = posix::why_unreadable(path, errno);
    } else if (text->size() > max_bytes) {
      fault_ = "it has more than 1 MiB";
    } else {
      path_ = path;
      text_ = *std::move(text);
    }
  }
  if (fault_.empty()) return "/dev/null";
  // The usual file may be missing. Newer versions of CLI11 count it as given.
  if (path == app_.get_config_ptr()->get_default_str()) return {};
  throw CLI::ValidationError(printable("Can't read " + path + ": " + fault_ + "."));
}

std::vector<CLI::ConfigItem> ConfigFile::from_config(std::istream& /*nothing*/) const {
  const Reader reader{*this, path_};
  const toml::parse_result parsed = toml::parse(text_);
  if (parsed) {
    reader.read(parsed.table(), app_);
  } else {
    const toml::parse_error& error = parsed.error();
    reader.complain(error.source().begin,
                    std::string(error.description()) + ". Write options as in name = \"alice\"");
  }
  return {};
}

std::string ConfigFile::place_of(const std::string& option) const {
  const auto place = places_.find(option);
  return place == places_.end() ? std::string() : place->second;
}

}  // namespace tictactoe::program
