#include "client/engine/tournament.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <iomanip>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "client/engine/commands.hpp"
#include "client/engine/deadline.hpp"
#include "common/engines/player.hpp"
#include "common/posix/file.hpp"
#include "common/record/notation.hpp"
#include "common/rules/game.hpp"

namespace tictactoe::engine {

using rules::Cell;
using rules::Game;
using rules::Mark;
using rules::Status;
using std::chrono::milliseconds;

namespace {

/// Points of the player of X, in halves, and why the game ended if it was not by the rules.
struct Played {
  int half_points = 1;
  std::string fault;
};

/// A new file of whole games.
class GamesFile {
 public:
  /// Returns null if the file exists or can't be created, with the reason in errno.
  static std::unique_ptr<GamesFile> create(const std::string& path) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return file < 0 ? nullptr : std::unique_ptr<GamesFile>(new GamesFile(file));
  }
  ~GamesFile() { ::close(file_); }
  GamesFile(const GamesFile&) = delete;
  GamesFile& operator=(const GamesFile&) = delete;

  /// Returns false on failure, with the reason in errno. Leaves no part of the game then.
  bool add(const std::string& game) {
    if (posix::write_all(file_, game)) {
      size_ += static_cast<off_t>(game.size());
      return true;
    }
    const int error = errno;
    static_cast<void>(::ftruncate(file_, size_));  // otherwise a reader names the torn game
    errno = error;
    return false;
  }

 private:
  explicit GamesFile(int file) : file_(file) {}

  int file_;
  off_t size_ = 0;
};

class Tournament {
 public:
  Tournament(const Streams& streams, const TournamentOptions& options)
      : streams_(streams),
        options_(options),
        results_(options.players.size(), std::vector<PairResults>(options.players.size())) {}

  int run() {
    if (!options_.output.empty()) {
      games_ = GamesFile::create(options_.output);
      if (!games_) {
        complain(errno, "");
        return 1;
      }
    }
    const bool is_whole = play_all();
    if (results_[0][1].count() > 0) report();
    return is_whole ? 0 : 1;
  }

 private:
  /// All play the first opening, then all the second, so that what has been played is fair at any
  /// time. Returns false, after a sentence, if the games can't be written.
  bool play_all() {
    for (int pair = 0; pair < options_.games / 2; ++pair) {
      const std::vector<Cell> opening = make_opening(pair);
      for (std::size_t a = 0; a < options_.players.size(); ++a) {
        for (std::size_t b = a + 1; b < options_.players.size(); ++b) {
          if (!play_pair(a, b, opening)) return false;
        }
      }
    }
    return true;
  }

  void complain(int error, const char* consequence) const {
    streams_.err << "tictactoe-engine: can't write " << options_.output << ": "
                 << std::generic_category().message(error) << consequence << '\n';
  }

  /// Random marks near the middle, of both sides in turn, that decide nothing yet. The same for
  /// every two players.
  std::vector<Cell> make_opening(int pair) const {
    std::mt19937_64 random(options_.seed + static_cast<std::uint64_t>(pair));
    constexpr int tries = 100;
    for (int i = 0; i < tries; ++i) {
      Game game(options_.rules);
      std::vector<Cell> near = cells_near_the_middle();
      std::ranges::shuffle(near, random);
      near.resize(std::min(near.size(), static_cast<std::size_t>(options_.opening)));
      for (const Cell cell : near) {
        if (game.status() == Status::ongoing) game.play(cell);
      }
      if (game.status() == Status::ongoing) return near;
    }
    return {};
  }

  std::vector<Cell> cells_near_the_middle() const {
    constexpr int distance = 2;
    const Cell middle{(options_.rules.rows - 1) / 2, (options_.rules.cols - 1) / 2};
    std::vector<Cell> cells;
    for (int row = middle.row - distance; row <= middle.row + distance; ++row) {
      for (int col = middle.col - distance; col <= middle.col + distance; ++col) {
        if (options_.rules.contains({row, col})) cells.push_back({row, col});
      }
    }
    return cells;
  }

  /// Returns false, after a sentence, if a game can't be written.
  bool play_pair(std::size_t a, std::size_t b, const std::vector<Cell>& opening) {
    int half_points = 0;
    for (const auto& [x, o] : {std::pair(a, b), std::pair(b, a)}) {
      Game game(options_.rules);
      for (const Cell cell : opening) game.play(cell);
      const Played played = play(x, o, game);
      half_points += x == a ? played.half_points : 2 - played.half_points;
      ++played_;
      const char* const result = played.half_points == 2   ? "1-0"
                                 : played.half_points == 0 ? "0-1"
                                                           : "1/2-1/2";
      streams_.err << "game " << played_ << " of " << total() << ": " << name(x) << " - " << name(o)
                   << ' ' << result << (played.fault.empty() ? "" : ", ") << played.fault << '\n'
                   << std::flush;
      if (games_ && !games_->add(record::write_game(record_of(game, x, o, played)))) {
        complain(errno, "; the tournament ends here");
        return false;
      }
    }
    results_[a][b].add(half_points);
    results_[b][a] = results_[a][b].reversed();
    return true;
  }

  Played play(std::size_t x, std::size_t o, Game& game) {
    const std::array players{make(x, game), make(o, game)};
    Played played;
    while (game.status() == Status::ongoing) {
      const std::size_t mover = game.to_move() == Mark::x ? 0 : 1;
      const ai::Choice choice = choose(mover == 0 ? x : o, *players[mover]);
      if (!choice.engine_fault.empty()) {
        // Who gives no legal move in time has lost.
        played = {mover == 0 ? 0 : 2, choice.engine_fault};
        break;
      }
      game.play(choice.cell);
      for (const auto& player : players) player->played(choice.cell);
    }
    if (game.winner() != Mark::none) played.half_points = game.winner() == Mark::x ? 2 : 0;
    return played;
  }

  ai::Choice choose(std::size_t number, ai::Player& player) const {
    ai::Budget budget;
    if (options_.limits.nodes != 0) budget.nodes = options_.limits.nodes;
    // Graded levels play alike on all machines.
    if (player.quick() || ai::is_graded(options_.players[number].level)) {
      return player.choose(budget);
    }
    // Engines keep the time themselves, and have as much again for a busy machine.
    const Deadline deadline(std::chrono::duration<double>(options_.limits.seconds));
    budget.stop = deadline.token();
    return player.choose(budget);
  }

  std::unique_ptr<ai::Player> make(std::size_t number, const Game& game) const {
    const Competitor& player = options_.players[number];
    if (!player.engine) {
      // A seed of its own: with one for all games, a level would overlook the same things in each.
      const std::uint64_t seed = options_.seed + played_ * options_.players.size() + number;
      return ai::make_player(player.level, game, seed);
    }
    engines::Limits limits;
    limits.move_time = milliseconds(static_cast<int>(options_.limits.seconds * 1'000));
    limits.patience = 2 * limits.move_time + std::chrono::seconds(2);
    limits.confined = false;
    const auto report = [this](const std::string& sentence) { streams_.err << sentence << '\n'; };
    return std::make_unique<Untimed>(
        engines::make_engine_player(*player.engine, limits, game, report));
  }

  /// An engine that is asked without the budget: it has limits of its own.
  class Untimed final : public ai::Player {
   public:
    explicit Untimed(std::unique_ptr<ai::Player> engine) : engine_(std::move(engine)) {}
    void played(Cell cell) override { engine_->played(cell); }
    void undone() override { engine_->undone(); }
    bool quick() const override { return true; }
    ai::Choice choose(const ai::Budget& /*budget*/) override { return engine_->choose({}); }
    std::size_t memory() const override { return engine_->memory(); }

   private:
    std::unique_ptr<ai::Player> engine_;
  };

  v1::GameRecord record_of(const Game& game, std::size_t x, std::size_t o,
                           const Played& played) const {
    v1::GameRecord record;
    record.mutable_rules()->set_rows(static_cast<std::uint32_t>(options_.rules.rows));
    record.mutable_rules()->set_cols(static_cast<std::uint32_t>(options_.rules.cols));
    record.mutable_rules()->set_k(static_cast<std::uint32_t>(options_.rules.k));
    record.mutable_rules()->set_exact(!options_.rules.overline_wins);
    for (const auto& [number, seat] :
         {std::pair(x, record.mutable_x()), std::pair(o, record.mutable_o())}) {
      seat->set_kind(v1::Occupant::KIND_AI);
      seat->set_name(name(number));
      seat->set_ai_level(name(number));
    }
    record.set_starter(v1::MARK_X);
    for (const Cell cell : game.moves()) {
      record.add_moves(static_cast<std::uint32_t>(cell.row * options_.rules.cols + cell.col));
    }
    v1::Outcome& outcome = *record.mutable_outcome();
    outcome.set_winner(played.half_points == 2   ? v1::MARK_X
                       : played.half_points == 0 ? v1::MARK_O
                                                 : v1::MARK_NONE);
    outcome.set_reason(!played.fault.empty()         ? v1::Outcome::REASON_FORFEIT
                       : game.winner() != Mark::none ? v1::Outcome::REASON_LINE
                                                     : v1::Outcome::REASON_BOARD_FULL);
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    record.set_ended_unix_ms(
        static_cast<std::uint64_t>(std::chrono::duration_cast<milliseconds>(now).count()));
    return record;
  }

  /// The table, the best first, and each two players against each other.
  void report() {
    std::vector<std::size_t> order(options_.players.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::vector<PairResults> sums(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (const PairResults& against : results_[i]) {
        for (std::size_t points = 0; points < against.pairs.size(); ++points) {
          sums[i].pairs[points] += against.pairs[points];
        }
      }
    }
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
      const double more = sums[a].points() - sums[b].points();
      return more != 0 ? more > 0 : a < b;
    });
    const auto line = [&](const std::string& who, const PairResults& results) {
      streams_.out << std::left << std::setw(34) << who << std::right << std::setw(7) << std::fixed
                   << std::setprecision(1) << results.points() << " of " << std::setw(4)
                   << 2 * results.count() << "  Elo " << text(elo(results)) << '\n';
    };
    for (const std::size_t i : order) line(name(i) + " against all", sums[i]);
    if (order.size() == 2) return;
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (std::size_t j = i + 1; j < order.size(); ++j) {
        line(name(order[i]) + " against " + name(order[j]), results_[order[i]][order[j]]);
      }
    }
  }

  const std::string& name(std::size_t number) const { return options_.players[number].name; }
  std::size_t total() const {
    const std::size_t players = options_.players.size();
    return static_cast<std::size_t>(options_.games) * players * (players - 1) / 2;
  }

  Streams streams_;
  TournamentOptions options_;
  /// By both players' numbers, seen from the first.
  std::vector<std::vector<PairResults>> results_;
  std::unique_ptr<GamesFile> games_;  // null: the games are not kept
  std::size_t played_ = 0;
};

}  // namespace

int tournament(const Streams& streams, const TournamentOptions& options) {
  return Tournament(streams, options).run();
}

}  // namespace tictactoe::engine
