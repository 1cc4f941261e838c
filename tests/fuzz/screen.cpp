// Any server, any person, any window: the full screen is always drawn whole, holds nothing that
// acts on a terminal, and keeps a bounded amount of what it is told.
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "client/screen/app.hpp"
#include "common/wire/frame.hpp"
#include "common/wire/text.hpp"
#include "tests/fuzz/session.hpp"

namespace tictactoe::fuzz {
namespace {

using client::milliseconds;

// Messages that get one further than chance would: a corpus grows from these.
v1::ServerMessage likely_message(Input& input) {
  v1::ServerMessage message;
  switch (input.below(6)) {
    case 0: {
      v1::Welcome& welcome = *message.mutable_welcome();
      welcome.set_protocol_version(1);
      welcome.set_player_name(std::string(wire::printable(input.text())));
      welcome.mutable_limits()->set_client_frame_bytes(4096);
      welcome.mutable_limits()->add_ai_levels("suggester");
      break;
    }
    case 1: {
      v1::RoomSnapshot& room = *message.mutable_snapshot();
      room.set_name(std::string(wire::printable(input.text())));
      room.mutable_rules()->set_rows(1 + input.word() % 1200U);
      room.mutable_rules()->set_cols(1 + input.word() % 1200U);
      room.mutable_rules()->set_k(input.below(9));
      room.set_your_seat(static_cast<v1::Mark>(input.below(3)));
      room.set_phase(static_cast<v1::Phase>(input.below(4)));
      room.set_turn(static_cast<v1::Mark>(input.below(3)));
      room.set_starter(static_cast<v1::Mark>(input.below(3)));
      room.mutable_x()->set_kind(static_cast<v1::Occupant::Kind>(input.below(3)));
      room.mutable_o()->set_kind(static_cast<v1::Occupant::Kind>(input.below(3)));
      for (int moves = input.below(20); moves > 0; --moves) room.add_moves(input.word());
      if (input.below(2) == 1) room.mutable_clocks()->set_x_ms(input.word());
      break;
    }
    case 2: {
      v1::RoomUpdate& update = *message.mutable_update();
      update.set_revision(input.byte());
      update.set_phase(static_cast<v1::Phase>(input.below(4)));
      update.set_turn(static_cast<v1::Mark>(input.below(3)));
      update.mutable_move_played()->set_mark(static_cast<v1::Mark>(input.below(3)));
      update.mutable_move_played()->mutable_cell()->set_row(input.byte());
      update.mutable_move_played()->mutable_cell()->set_col(input.byte());
      update.mutable_move_played()->set_ply(input.byte());
      break;
    }
    case 3:
      for (int rooms = input.below(40); rooms > 0; --rooms) {
        message.mutable_room_list()->add_rooms()->set_name(
            std::string(wire::printable(input.text())));
      }
      break;
    case 4: {
      v1::GameRecord& game = *message.mutable_game_found()->mutable_game();
      game.mutable_rules()->set_rows(1 + input.byte());
      game.mutable_rules()->set_cols(1 + input.byte());
      game.mutable_rules()->set_k(3);
      game.set_starter(v1::MARK_X);
      for (int moves = input.below(30); moves > 0; --moves) game.add_moves(input.byte());
      break;
    }
    default:
      for (int games = input.below(40); games > 0; --games) {
        message.mutable_game_list()->add_games()->set_id(input.word());
      }
      message.mutable_game_list()->set_more(input.below(2) == 1);
  }
  return message;
}

class Person {
 public:
  explicit Person(Input& input) : input_(input), app_(options(input.byte())) {}

  void run() {
    while (!input_.empty() && !app_.ending()) {
      step();
      app_.happened(now_);
      if (app_.talk_is_over()) app_.forget_talk();
      static_cast<void>(app_.start().take_choice());
      static_cast<void>(app_.take_wishes());
      look();
    }
  }

 private:
  static screen::App::Options options(std::uint8_t bits) {
    screen::App::Options options;
    options.name = "fuzz";
    options.ascii = (bits & 1U) != 0;
    options.choose = (bits & 2U) != 0;
    if ((bits & 4U) != 0) options.commands = {"play", "ai"};
    return options;
  }

  void step() {
    switch (input_.below(10)) {
      case 0:
      case 1:
        return press(input_.text());
      case 2: {
        v1::ServerMessage message;
        if (!message.ParseFromString(std::string(input_.text()))) return;
        message.set_request_id(input_.below(2) == 1 ? last_request_ : 0);
        return deliver(message);
      }
      case 3:
      case 4: {
        v1::ServerMessage message = likely_message(input_);
        message.set_request_id(input_.below(2) == 1 ? last_request_ : 0);
        return deliver(message);
      }
      case 5:
        return app_.resized({input_.byte(), input_.below(120)});
      case 6:
        now_ += milliseconds(10 * input_.word());
        if (app_.talk()) app_.talk()->deadline_reached(now_);
        return;
      case 7:
        return connect();
      case 8: {
        const screen::Mouse::Action action = static_cast<screen::Mouse::Action>(input_.below(3));
        return app_.point({action, {input_.byte(), input_.byte()}}, now_);
      }
      default:
        if (app_.talk()) app_.talk()->connection_lost("gone", now_);
    }
  }

  void press(std::string_view bytes) {
    std::vector<screen::Input> inputs = reader_.feed(bytes);
    if (reader_.wait()) {
      for (const screen::Input& input : reader_.end_of_sequence()) inputs.push_back(input);
    }
    for (const screen::Input& input : inputs) app_.take(input, now_);
  }

  void connect() {
    if (!app_.talk()) {
      client::Session::Options talk;
      talk.name = "fuzz";
      talk.patience = std::chrono::seconds(60);
      app_.begin(std::move(talk), {"testhost"});
    }
    if (app_.talk()->link() == client::Session::Link::connecting &&
        app_.talk()->wants_connection()) {
      app_.talk()->connected(now_);
    }
  }

  void deliver(const v1::ServerMessage& message) {
    if (!app_.talk() || app_.talk()->link() == client::Session::Link::connecting) return;
    std::string frame;
    wire::append_frame(frame, message.SerializeAsString());
    fuzz::deliver(*app_.talk(), frame, now_);
  }

  void look() {
    const screen::Scene scene = app_.draw(now_);
    const screen::Size size = scene.picture.size();
    for (int y = 0; y < size.height; ++y) {
      int columns = 0;
      for (int x = 0; x < size.width; ++x) {
        const screen::Glyph& glyph = scene.picture.at({x, y});
        if (glyph.letter == 0) continue;
        columns += screen::columns_of(glyph.letter);
        std::string text;
        screen::append_utf8(text, glyph.letter);
        require(wire::check_text(text).fault != wire::TextFault::control_character,
                "something that acts on a terminal");
      }
      require(columns == size.width, "a row that is too short, or too long");
    }
    require(!wire::check_text(app_.title()).fault, "a title that acts on a terminal");
    require(!scene.cursor || (scene.cursor->x >= 0 && scene.cursor->x < size.width &&
                              scene.cursor->y >= 0 && scene.cursor->y < size.height),
            "a cursor off the screen");
    if (!app_.talk()) return;
    require(!app_.talk()->rooms() || app_.talk()->rooms()->size() <= client::max_listed_rooms,
            "too many rooms");
    require(!app_.talk()->games() || app_.talk()->games()->size() <= client::max_listed_games,
            "too many games");
    last_request_ = last_request(app_.talk()->take_bytes(), last_request_);
  }

  Input& input_;
  screen::App app_;
  client::KeyReader reader_;
  client::Time now_{std::chrono::hours(1)};
  std::uint64_t last_request_ = 0;
};

}  // namespace
}  // namespace tictactoe::fuzz

FUZZ_TARGET(screen, data, size) {
  tictactoe::fuzz::Input input(data, size);
  tictactoe::fuzz::Person(input).run();
}
