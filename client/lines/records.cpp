#include "client/lines/records.hpp"

#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <iostream>
#include <vector>

#include "client/lines/inquiry.hpp"
#include "client/lines/listing.hpp"
#include "client/player/runner.hpp"
#include "client/terminal/output.hpp"
#include "client/words/board.hpp"
#include "client/words/lists.hpp"
#include "client/words/messages.hpp"
#include "client/words/replay_text.hpp"
#include "common/posix/file.hpp"
#include "common/record/notation.hpp"

namespace tictactoe::client {
namespace {

int fail(const std::string& reason) {
  std::cout << std::flush;
  std::cerr << "tictactoe: " << reason << "\n";
  return 1;
}

// Asks the server. False after saying what went wrong.
bool ask(const PlayOptions& play, Inquiry& inquiry) {
  boost::asio::io_context context(1);
  std::optional<Driver> driver;
  const auto update = [&] {
    inquiry.update(Clock::now());
    driver->update();
    if (inquiry.fault()) context.stop();
  };
  driver.emplace(context, inquiry.session(), connect_to(context, play.server, protection_for(play)),
                 IdentityKeeper(), update,
                 [](const std::string& note) { std::cerr << "tictactoe: " << note << "\n"; });
  update();
  context.run();
  if (inquiry.fault()->empty()) return true;
  fail(*inquiry.fault());
  return false;
}

Inquiry::Options options_for(const PlayOptions& play) {
  Inquiry::Options options;
  options.session.name = play.name;
  options.session.software = play.software;
  options.session.passwords.server = play.passwords.server;
  options.server = play.server.text;
  return options;
}

int print(const std::string& text) {
  std::cout << text;
  return 0;
}

// The result of `read` for each item.
template <class Items, class Read>
auto all_of(const Items& items, Read read) {
  std::vector<decltype(read(*items.begin()))> all;
  for (const auto& item : items) all.push_back(read(item));
  return all;
}

// Waits until the next move is to be shown; false if the person has seen enough.
bool wait_for_next() {
  std::cout << std::flush;
  std::string line;
  return std::getline(std::cin, line) && line != "q";
}

int show(const v1::GameRecord& game) {
  const bool person = isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
  Replay replay(game);
  if (!replay.fault().empty()) return fail(unreadable_game_text(replay.fault()));
  const Look look = Output().look();
  std::cout << summary_text(replay);
  if (person) std::cout << "Press Enter for the next move, or q and Enter to stop.\n";
  std::cout << "\n" << draw_board(replay.room(), look) << "\n";
  while (!replay.at_end()) {
    if (person && !wait_for_next()) return 0;
    replay.step();
    std::cout << move_text(replay) << "\n\n";
    std::cout << draw_board(replay.room(), look) << "\n";
  }
  std::cout << outcome_text(replay) << "\n" << std::flush;
  return std::cout ? 0 : 1;
}

// The games of a file; none after saying why.
std::vector<v1::GameRecord> read_games(const std::string& path) {
  const auto bytes = posix::read_file(path, record::max_file_bytes + 1);
  if (!bytes) {
    fail("The file " + path + " can't be read: " + posix::why_unreadable(path, errno) + ".");
    return {};
  }
  auto games = record::parse_games(*bytes);
  if (!games) {
    const record::Fault& fault = games.error();
    fail(path + (fault.line > 0 ? ", line " + std::to_string(fault.line) : "") + ": " +
         fault.sentence);
    return {};
  }
  if (games->empty()) fail("There is no game in the file " + path + ".");
  return std::move(*games);
}

}  // namespace

std::optional<v1::GameRecord> find_game(const PlayOptions& play, std::uint64_t id) {
  Inquiry::Options options = options_for(play);
  options.question.mutable_get_game()->set_id(id);
  Inquiry inquiry(std::move(options));
  if (!ask(play, inquiry)) return std::nullopt;
  if (!inquiry.game()) fail("There is no such game.");
  return inquiry.game();
}

std::optional<v1::GameRecord> find_game(const std::string& path) {
  std::vector<v1::GameRecord> games = read_games(path);
  if (games.size() == 1) return std::move(games.front());
  if (games.size() > 1) {
    fail("There are several games in " + path + ": --from needs a file with one game.");
  }
  return std::nullopt;
}

int show_history(const PlayOptions& play, const std::string& player, std::size_t limit, bool json) {
  Inquiry::Options options = options_for(play);
  options.question.mutable_list_games()->set_player(player);
  options.limit = limit;
  Inquiry inquiry(std::move(options));
  if (!ask(play, inquiry)) return 1;
  const v1::GameList& games = inquiry.games();
  if (json) return print(game_list_json(games) + "\n");
  return print(draw_game_table(all_of(games.games(), read_game)) +
               (games.more() ? "There are more: see --limit.\n" : ""));
}

int replay_game(const PlayOptions& play, std::uint64_t id) {
  const auto game = find_game(play, id);
  return game ? show(*game) : 1;
}

int replay_file(const std::string& path) {
  const auto games = read_games(path);
  if (games.empty()) return 1;
  for (const v1::GameRecord& game : games) {
    if (const int status = show(game); status != 0) return status;
  }
  return 0;
}

int export_game(const PlayOptions& play, std::uint64_t id) {
  const auto game = find_game(play, id);
  if (!game) return 1;
  const Replay replay(*game);
  if (!replay.fault().empty()) return fail(unreadable_game_text(replay.fault()));
  std::cout << record::write_game(*game) << std::flush;
  return std::cout ? 0 : 1;
}

}  // namespace tictactoe::client
