#include "server/app/journaling.hpp"

#include <spdlog/spdlog.h>

#include <boost/asio/post.hpp>
#include <functional>
#include <utility>
#include <vector>

#include "server/game/start_position.hpp"

namespace tictactoe::app {

namespace {

constexpr std::size_t max_waiting_reads = 1'000;

v1::ServerMessage refusal(v1::Error::Code code, const std::string& sentence) {
  v1::ServerMessage message;
  message.mutable_error()->set_code(code);
  message.mutable_error()->set_message(sentence);
  return message;
}

v1::ServerMessage unreadable(const records::Fault& fault, transport::LimitedLog& log) {
  log.note(std::chrono::steady_clock::now(), [&](std::uint64_t times) {
    spdlog::error("can't read the records of games ({} times): {}", times, fault.reason);
  });
  return refusal(v1::Error::CODE_GAME_NOT_FOUND, "The server can't read that from its records.");
}

v1::ServerMessage answer_to(const server::LookUp& question, std::size_t games_per_list,
                            records::RecordReader& reader, transport::LimitedLog& log) {
  const v1::ClientMessage& request = question.request;
  v1::ServerMessage message;
  if (request.has_list_games()) {
    auto list = reader.list_games(request.list_games().before(), request.list_games().player(),
                                  games_per_list, question.reader);
    if (!list) return unreadable(list.error(), log);
    *message.mutable_game_list() = *std::move(list);
    return message;
  }
  const std::uint64_t id = server::game_asked_for(request);
  auto game = reader.game(id, question.reader);
  if (!game) return unreadable(game.error(), log);
  if (!game->has_value()) {
    return refusal(v1::Error::CODE_GAME_NOT_FOUND,
                   "There is no game " + std::to_string(id) + " in the records.");
  }
  *message.mutable_game_found()->mutable_game() = **std::move(game);
  return message;
}

// Rooms and players that the server can't restore are gone: it records that first.
void warn_of(const server::RestoreReport& report, const std::string& store,
             const std::function<void(const std::string&)>& warn) {
  constexpr std::size_t max_lines = 20;
  std::size_t lines = 0;
  for (const server::RestoreReport::Refused& refused : report.refused) {
    if (++lines > max_lines) break;
    const bool is_player = refused.kind == server::RestoreReport::Kind::player;
    warn((is_player ? "Forgot player " : "Closed room ") + std::to_string(refused.id) + " of " +
         store + ": " + refused.why);
  }
  if (lines > max_lines) {
    warn("Forgot or closed " + std::to_string(report.refused.size() - max_lines) + " more.");
  }
}

}  // namespace

records::Result<std::unique_ptr<Journaling>> Journaling::start(
    boost::asio::io_context& io, transport::Server& server, const server::Limits& limits,
    records::OpenedStore opened, Settings settings,
    const std::function<void(const std::string&)>& warn) {
  const server::RestoreReport report = server.shell().restore(opened.saved);
  warn_of(report, opened.name, warn);
  for (const std::string& warning : opened.warnings) warn(warning);
  opened.saved.Clear();
  settings.writing.keep_games = settings.keep_games;
  settings.writing.free_bytes = opened.free_bytes;
  std::unique_ptr<Journaling> journaling(
      new Journaling(io, server, limits, std::move(opened), std::move(settings.writing)));
  Journaling& self = *journaling;
  server.shell().record_with({std::bind_front(&records::Journal::append, &self.journal_),
                              std::bind_front(&Journaling::look_up, &self)});
  return journaling;
}

Journaling::Journaling(boost::asio::io_context& io, transport::Server& server,
                       const server::Limits& limits, records::OpenedStore opened,
                       records::Journal::Settings settings)
    : io_(io),
      end_timer_(io),
      games_per_list_(limits.games_per_list),
      max_answer_bytes_(limits.server_frame_bytes),
      lock_(std::move(opened.lock)),
      reader_(std::move(opened.stream.reader)),
      journal_(std::move(opened.stream), std::move(settings),
               {[&server](std::uint64_t sequence) { server.shell().durable(sequence); },
                [this, &server](records::Health health, const std::string& reason) {
                  report_health(server, health, reason);
                }},
               [&io](std::function<void()> job) { boost::asio::post(io, std::move(job)); }),
      reads_(io, {.what = "reading records", .max_waiting = max_waiting_reads}) {}

void Journaling::report_health(transport::Server& server, records::Health health,
                               const std::string& reason) {
  health_ = health;
  switch (health) {
    case records::Health::good:
      spdlog::info("the journal can be written again");
      return server.shell().set_journal_health(server::JournalHealth::good);
    case records::Health::low_space:
      spdlog::warn("{}: no new games until there is more space", reason);
      return server.shell().set_journal_health(server::JournalHealth::low_space);
    case records::Health::stalled:
      spdlog::error("can't write the journal ({}): games are paused until it can be written again",
                    reason);
      return server.shell().set_journal_health(server::JournalHealth::stalled);
    case records::Health::fenced:
      // Nothing more may be announced: what waits will never be recorded.
      spdlog::critical("{}: stopping this server", reason);
      return io_.stop();
    case records::Health::failed:
      spdlog::critical("can't write the journal ({}): stopping this server", reason);
      return server.shell().fail(
          "The server's disk has failed, so the server is shutting down. Your last move may be "
          "lost.",
          [this] {
            // As long as peers have to read that.
            end_timer_.expires_after(std::chrono::seconds(1));
            end_timer_.async_wait([this](const boost::system::error_code&) { io_.stop(); });
          });
  }
}

void Journaling::look_up(const server::LookUp& question,
                         std::function<void(server::LookUpAnswer)> answer) {
  const bool asked = reads_.give(
      [this, question] {
        return server::encode_answer(answer_to(question, games_per_list_, *reader_, unreadable_),
                                     max_answer_bytes_);
      },
      answer);
  if (asked) return;
  boost::asio::post(io_, [answer = std::move(answer), max_bytes = max_answer_bytes_] {
    answer(server::encode_answer(
        refusal(v1::Error::CODE_RATE_LIMITED,
                "Too many requests for records are waiting. Try again later."),
        max_bytes));
  });
}

std::uint64_t Journaling::close() {
  reads_.join();
  return journal_.close();
}

}  // namespace tictactoe::app
