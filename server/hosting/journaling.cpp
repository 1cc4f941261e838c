#include "server/hosting/journaling.hpp"

#include <spdlog/spdlog.h>

#include <boost/asio/post.hpp>
#include <utility>

namespace tictactoe::hosting {

namespace {

v1::ServerMessage refusal(v1::Error::Code code, const std::string& sentence) {
  v1::ServerMessage message;
  message.mutable_error()->set_code(code);
  message.mutable_error()->set_message(sentence);
  return message;
}

v1::ServerMessage unreadable(const store::Fault& fault) {
  spdlog::error("can't read the records of games: {}", fault.reason);
  return refusal(v1::Error::CODE_GAME_NOT_FOUND, "That can't be read from the server's records.");
}

v1::ServerMessage answer_to(const v1::ClientMessage& request, std::size_t games_per_list,
                            store::Database& database) {
  v1::ServerMessage message;
  if (request.has_list_games()) {
    auto list = database.list_games(request.list_games().before(), request.list_games().player(),
                                    games_per_list);
    if (!list) return unreadable(list.error());
    *message.mutable_game_list() = *std::move(list);
    return message;
  }
  auto game = database.game(request.get_game().id());
  if (!game) return unreadable(game.error());
  if (!game->has_value()) {
    return refusal(v1::Error::CODE_GAME_NOT_FOUND,
                   "There is no game " + std::to_string(request.get_game().id()) +
                       " among the records. `history` lists those that there are.");
  }
  *message.mutable_game_found()->mutable_game() = **std::move(game);
  return message;
}

// Says it once a change, and to the host.
void tell(net::Server& server, store::Condition condition, const std::string& reason) {
  switch (condition) {
    case store::Condition::well:
      spdlog::info("the journal can be written as it should again");
      return server.recording(core::Recording::well);
    case store::Condition::low:
      spdlog::warn("{}: no new games until there is more space", reason);
      return server.recording(core::Recording::low);
    case store::Condition::stalled:
      spdlog::error("can't write the journal ({}): games stand still until that works", reason);
      return server.recording(core::Recording::stalled);
  }
}

}  // namespace

store::Result<std::unique_ptr<Journaling>> Journaling::start(
    boost::asio::io_context& io, net::Server& server, const core::Limits& limits, Settings settings,
    const std::function<void(const std::string&)>& warn) {
  auto folder = store::Folder::claim(settings.folder);
  if (!folder) return folder.error();
  store::Database::Settings reading;
  reading.kept_chat = static_cast<std::uint32_t>(limits.kept_chat);
  auto opened = store::open_journal(*folder, reading, [&](const journal::v1::Saved& saved) {
    for (const core::RestoreReport::Refused& refused : server.restore(saved).refused) {
      const bool is_player = refused.kind == core::RestoreReport::Kind::player;
      warn("The journal's " + std::string(is_player ? "player " : "room ") +
           std::to_string(refused.id) + " was left out: " + refused.why);
    }
    return true;
  });
  if (!opened) return opened.error();
  if (!opened->warning.empty()) warn(opened->warning);
  settings.writing.keep_games = settings.keep_games;
  settings.writing.free_bytes = [file = folder->journal()] { return store::free_bytes(file); };
  std::unique_ptr<Journaling> journaling(new Journaling(io, server, limits, *std::move(folder),
                                                        std::move(opened->database),
                                                        std::move(settings.writing)));
  server.record_with(*journaling);
  return journaling;
}

Journaling::Journaling(boost::asio::io_context& io, net::Server& server, const core::Limits& limits,
                       store::Folder folder, std::unique_ptr<store::Database> database,
                       store::Journal::Settings settings)
    : io_(io),
      games_per_list_(limits.games_per_list),
      folder_(std::move(folder)),
      journal_(std::move(database), std::move(settings),
               {[&server](std::uint64_t record) { server.durable(record); },
                [&server](store::Condition condition, const std::string& reason) {
                  tell(server, condition, reason);
                }},
               [&io](std::function<void()> job) { boost::asio::post(io, std::move(job)); }) {}

std::uint64_t Journaling::append(std::span<const std::string_view> records) {
  return journal_.append(records);
}

void Journaling::look_up(const core::LookUp& question,
                         std::function<void(v1::ServerMessage)> answer) {
  const bool asked = journal_.ask(
      [request = question.request, answer, limit = games_per_list_](store::Database& database) {
        return [answer, message = answer_to(request, limit, database)] { answer(message); };
      });
  if (asked) return;
  boost::asio::post(io_, [answer = std::move(answer)] {
    answer(
        refusal(v1::Error::CODE_RATE_LIMITED, "Too many ask for records. Try again in a while."));
  });
}

}  // namespace tictactoe::hosting
