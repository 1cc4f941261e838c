#include "tests/simulation/hostile.hpp"

#include <algorithm>

#include "common/wire/frame.hpp"

namespace tictactoe::simulation {

using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

/// By Malice.
struct Habit {
  std::size_t lines;  // connections at once
  Time stays;         // how long each of them stays
  bool reads;
};
constexpr std::array<Habit, malices> habits{{
    {3, milliseconds(500), true},
    {12, seconds(60), false},
    {2, milliseconds(60), true},
    {3, milliseconds(40), true},
    {3, milliseconds(100), true},
    {6, seconds(30), true},
    {40, seconds(3), true},
    {6, seconds(30), true},
    {6, seconds(30), true},
    {4, seconds(30), true},
    {2, milliseconds(100), true},
}};

constexpr Time between_acts = milliseconds(15);

}  // namespace

Hostile::Hostile(World& world, std::uint32_t number, Malice malice, Random random)
    : world_(world), number_(number), malice_(malice), random_(random) {}

void Hostile::start() {
  world_.agenda.in(random_.around(between_acts), [this] {
    if (world_.finishing) return;
    if (world_.listens[0]) act();
    start();
  });
}

void Hostile::act() {
  const Time now = world_.agenda.now();
  const Habit& habit = habits[static_cast<std::size_t>(malice_)];
  std::erase_if(lines_, [&](const Line& line) {
    if (now < line.closes_at) return false;
    world_.network.client_closes(line.link);
    return true;
  });
  if (lines_.size() < habit.lines) {
    open();
    lines_.back().closes_at = now + habit.stays;
  }
  for (const Line& line : lines_) annoy(line.link);
}

void Hostile::open() {
  const Link link = world_.network.connect(*this, number_);
  lines_.push_back({link, Time(0)});
  read_.clear();
  if (!habits[static_cast<std::size_t>(malice_)].reads) {
    world_.network.stall(link, world_.agenda.now() + std::chrono::hours(1));
  }
  if (malice_ != Malice::connects) greet(link);
}

// With letters that look like those of the honest clients' names, or can't be seen.
std::string Hostile::imitated_name() {
  constexpr std::array<std::string_view, 4> imitations{"\u0441lient", "client\u200d", "cl\u0456ent",
                                                       "client\u3164"};
  return std::string(imitations[random_.below(imitations.size())]) +
         std::to_string(random_.below(world_.plan.clients));
}

void Hostile::greet(Link link) {
  v1::ClientMessage message;
  message.mutable_hello()->add_protocol_versions(1);
  message.mutable_hello()->set_name(malice_ == Malice::imitates ? imitated_name() : unused_name());
  if (malice_ == Malice::reconnects) message.mutable_hello()->set_token(token_);
  ask(link, message);
  v1::ClientMessage enter;
  if (malice_ == Malice::abandons || malice_ == Malice::pesters || malice_ == Malice::ends_games) {
    enter.mutable_create_room()->set_name(unused_name());
    if (malice_ == Malice::abandons) {
      enter.mutable_create_room()->mutable_options()->set_away(v1::AWAY_HOLD);
    }
    ask(link, enter);
    enter.mutable_add_ai()->set_level("random");
    ask(link, enter);
    enter.mutable_move()->mutable_cell();
    ask(link, enter);
    if (malice_ == Malice::pesters) {
      enter.mutable_watch_lobby();
      ask(link, enter);
    }
  } else if (malice_ == Malice::chats || malice_ == Malice::never_reads) {
    enter.mutable_watch_room()->set_name(world_.some_room(random_));
    ask(link, enter);
  }
}

void Hostile::annoy(Link link) {
  constexpr int at_once = 4;
  v1::ClientMessage message;
  for (int i = 0; i < at_once; ++i) {
    switch (malice_) {
      case Malice::guesses:
        message.mutable_watch_room()->set_name(world_.some_room(random_));
        message.mutable_watch_room()->set_password("guess " +
                                                   std::to_string(random_.below(10'000)));
        break;
      case Malice::never_reads:
        message.mutable_list_rooms();
        break;
      case Malice::reconnects:
        message.mutable_list_players();
        break;
      case Malice::chats:
        message.mutable_chat()->set_text(std::string(100, 'z'));
        break;
      case Malice::asks_for_lists:
        if (i % 2 == 0) {
          message.mutable_list_games();
        } else {
          message.mutable_get_game()->set_id(1 + random_.below(20));
        }
        break;
      case Malice::pesters:
        pester(i, message);
        break;
      case Malice::ends_games:
        end_game(i, message);
        break;
      case Malice::makes_players:
      case Malice::abandons:
      case Malice::connects:
      case Malice::imitates:
        return;
    }
    ask(link, message);
  }
}

void Hostile::pester(int step, v1::ClientMessage& message) {
  if (step % 3 == 0) {
    message.mutable_invite()->set_player("client" +
                                         std::to_string(random_.below(world_.plan.clients)));
  } else if (step % 3 == 1) {
    message.mutable_say_in_lobby()->set_text("everybody read this");
  } else {
    message.mutable_hint();
  }
}

void Hostile::end_game(int step, v1::ClientMessage& message) {
  if (step % 2 == 0) {
    message.mutable_resign();
  } else {
    message.mutable_rematch();
  }
}

void Hostile::ask(Link link, v1::ClientMessage message) {
  message.set_request_id(++requests_);
  std::string bytes;
  wire::append_frame(bytes, message.SerializeAsString());
  world_.network.client_sends(link, bytes);
}

// Only the token matters.
void Hostile::got(Link link, std::string_view bytes) {
  if (malice_ != Malice::reconnects || !token_.empty()) return;
  if (lines_.empty() || lines_.back().link != link) return;
  read_ += bytes;
  std::string_view rest = read_;
  const wire::NextFrame next = wire::take_frame(rest, world_.plan.server.limits.server_frame_bytes);
  v1::ServerMessage message;
  if (next.state == wire::NextFrame::State::frame &&
      message.ParseFromArray(next.body.data(), static_cast<int>(next.body.size()))) {
    token_ = message.welcome().token();
  }
}

void Hostile::heard_end(Link link) {
  std::erase_if(lines_, [&](const Line& line) { return line.link == link; });
}

void Hostile::finish() {
  for (const Line& line : lines_) world_.network.client_closes(line.link);
  lines_.clear();
}

}  // namespace tictactoe::simulation
