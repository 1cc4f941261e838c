// tictactoe: the console client. Options in, exit status out.
#include <google/protobuf/stubs/logging.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "client/console/shell.hpp"
#include "common/wire/text.hpp"

namespace {

using namespace tictactoe;

constexpr int bad_options = 2;

std::string default_name() {
  const char* const user = std::getenv("USER");
  if (user == nullptr || *user == '\0' || wire::check_text(user).fault) return "player";
  // As much of it as servers take by default.
  constexpr std::size_t longest = 24;
  return std::string(wire::first_code_points(user, longest));
}

std::string name_fault(const std::string& name) {
  if (name.empty()) return "--name: the name is empty";
  if (wire::check_text(name).fault) return "--name: not UTF-8, or with control characters in it";
  return {};
}

int report(const std::vector<std::string>& problems) {
  for (const std::string& problem : problems) std::cerr << "tictactoe: " << problem << "\n";
  std::cerr << "Run with --help for the options.\n";
  return bad_options;
}

int run(int argc, char** argv) {
  console::Shell::Options options;
  options.name = default_name();
  options.software = "tictactoe " TICTACTOE_VERSION;
  std::string server = "localhost:" + std::to_string(console::default_port);

  CLI::App app("Plays tic-tac-toe on a server, typed or from a script on standard input.",
               "tictactoe");
  app.set_version_flag("--version", options.software);
  app.add_option("--server", server, "Where the server is; [IPV6]:PORT works as well")
      ->type_name("HOST[:PORT]")
      ->default_str(server);
  app.add_option("--name", options.name, "How you want to be called")
      ->type_name("NAME")
      ->default_str(options.name);
  app.add_option("--command", options.commands,
                 "A line to begin with, as if it were typed; may be given several times")
      ->type_name("LINE")
      ->allow_extra_args(false);
  app.add_flag("--plain", options.plain, "No colour, no prompt");
  app.footer(
      "Type `help` once it runs. Exit status: 0 after `quit` or the end of input, 1 where\n"
      "the server can't be reached or is lost, 2 for bad options or a refused name.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return 0;
  } catch (const CLI::CallForVersion&) {
    std::cout << options.software << "\n";
    return 0;
  } catch (const CLI::ParseError& error) {
    return report({error.what()});
  }

  std::vector<std::string> problems;
  console::AddressRead address = console::parse_address(server);
  if (!address.fault.empty()) problems.push_back("--server " + server + ": " + address.fault);
  if (std::string fault = name_fault(options.name); !fault.empty()) problems.push_back(fault);
  if (!problems.empty()) return report(problems);
  // Protobuf writes what it can't parse to standard error; the conversation tells of it already.
  google::protobuf::SetLogHandler(nullptr);
  options.server = std::move(address.address);
  return console::Shell(std::move(options)).run();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    console::fill_standard_streams();
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "tictactoe: " << error.what() << "\n";
    return 1;
  }
}
