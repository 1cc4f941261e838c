#include "common/program/mistakes.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "common/program/config_file.hpp"
#include "common/program/wording.hpp"

namespace tictactoe::program {
namespace {

std::shared_ptr<ConfigFile> file_of(const CLI::App& app) {
  return std::dynamic_pointer_cast<ConfigFile>(app.get_config_formatter());
}

class Mistakes {
 public:
  void add(const CLI::ParseError& error) { add(in_words(error)); }
  void add(std::string mistake) {
    if (std::ranges::find(all_, mistake) == all_.end()) all_.push_back(std::move(mistake));
  }

  template <class Act>
  void attempt(Act act) {
    try {
      act();
    } catch (const CLI::ParseError& error) {
      add(error);
    }
  }

  const std::vector<std::string>& all() const { return all_; }

 private:
  std::vector<std::string> all_;
};

// A missing value ends the parsing before the file is read.
void read_file(const CLI::App& app, Mistakes& mistakes) {
  const auto file = file_of(app);
  const CLI::Option* const path = app.get_config_ptr();
  if (!file || file->is_read() || path->empty()) return;
  mistakes.attempt([&] { static_cast<void>(file->from_file(path->results().front())); });
}

bool has_unknown_command(const CLI::App& app) {
  const auto words = app.remaining();
  return app.get_subcommands().empty() && !app.get_subcommands({}).empty() && !words.empty() &&
         !words.front().starts_with('-');
}

// In the order in which CLI11 looks for them.
void check(CLI::App& app, Mistakes& mistakes) {
  for (CLI::Option* const option : app.get_options()) {
    if (option->empty() || option->get_callback_run()) continue;
    mistakes.attempt([&] { option->run_callback(); });
  }
  for (CLI::Option* const option : app.get_options()) {
    if (option->empty()) {
      if (option->get_required()) mistakes.add(CLI::RequiredError(option->get_name()));
      continue;
    }
    for (const CLI::Option* needed : option->get_needs()) {
      if (needed->empty()) {
        mistakes.add(CLI::RequiresError(option->get_name(), needed->get_name()));
      }
    }
    for (const CLI::Option* other : option->get_excludes()) {
      // Each of the two excludes the other.
      if (!other->empty() && option->get_name() < other->get_name()) {
        mistakes.add(CLI::ExcludesError(option->get_name(), other->get_name()));
      }
    }
  }
  if (has_unknown_command(app)) {
    mistakes.add(unknown_command(app, app.remaining().front()));
  } else {
    for (std::string& sentence : unknown_arguments(app)) mistakes.add(std::move(sentence));
  }
  for (CLI::App* const command : app.get_subcommands()) check(*command, mistakes);
}

}  // namespace

std::string unknown_command(const CLI::App& app, const std::string& word) {
  std::string known;
  for (const CLI::App* const command : app.get_subcommands({})) {
    known.append(known.empty() ? "" : ", ").append(command->get_name());
  }
  return "unknown command \"" + printable(word) + "\"; there are: " + known;
}

std::vector<std::string> mistakes_of(CLI::App& app, const CLI::ParseError& first) {
  Mistakes mistakes;
  // The arguments after an unknown command belong to it.
  if (has_unknown_command(app) && app.remaining().size() > 1) {
    return {unknown_command(app, app.remaining().front())};
  }
  // These are found again: options that exclude each other in one order, unknown arguments, and
  // what is required, unless it is a command and there is an unknown one.
  const bool is_found_again =
      dynamic_cast<const CLI::ExcludesError*>(&first) != nullptr ||
      dynamic_cast<const CLI::ExtrasError*>(&first) != nullptr ||
      (dynamic_cast<const CLI::RequiredError*>(&first) != nullptr && has_unknown_command(app));
  if (!is_found_again) mistakes.add(first);
  read_file(app, mistakes);
  check(app, mistakes);
  std::vector<std::string> all = mistakes_of_file(app);
  all.insert(all.end(), mistakes.all().begin(), mistakes.all().end());
  return all;
}

std::vector<std::string> mistakes_of_file(const CLI::App& app) {
  const auto file = file_of(app);
  return file ? file->problems() : std::vector<std::string>();
}

}  // namespace tictactoe::program
