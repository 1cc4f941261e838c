// Writes valid inputs for every fuzz target: what its corpus begins with.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "client/net/servers_found.hpp"
#include "common/record/notation.hpp"
#include "common/wire/discovery.hpp"
#include "common/wire/frame.hpp"
#include "tests/simulation/simulation.hpp"
#include "tests/support/websocket_bytes.hpp"
#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::fuzz {
namespace {

// A simulation whose journal keeps what passes through it.
class Listening final : public simulation::Journal {
 public:
  explicit Listening(const core::Limits& limits) : journal_(limits) {}
  void apply(const store::Batch& batch, std::uint64_t last_sequence,
             std::uint64_t unix_ms) override {
    store::for_each_record(batch.bytes(), [&](std::string_view record) {
      all.emplace_back(record);
      return true;
    });
    journal_.apply(batch, last_sequence, unix_ms);
    saved.push_back(journal_.load());
  }
  journal::v1::Saved load() override { return journal_.load(); }
  v1::ServerMessage look_up(const core::LookUp& question) override {
    return journal_.look_up(question);
  }

  std::vector<std::string> all;
  std::vector<journal::v1::Saved> saved;

 private:
  simulation::MemoryJournal journal_;
};

class Writer {
 public:
  explicit Writer(std::filesystem::path folder) : folder_(std::move(folder)) {}
  void write(const std::string& target, const std::string& bytes) {
    std::filesystem::create_directories(folder_ / target);
    std::ofstream(folder_ / target / ("seed-" + std::to_string(++count_)), std::ios::binary)
        << bytes;
  }

 private:
  std::filesystem::path folder_;
  int count_ = 0;
};

std::string word(std::size_t number) {
  return {static_cast<char>(number >> 8U), static_cast<char>(number)};
}

std::string text(const std::string& bytes) {
  return word(bytes.size()) + bytes;
}

void write_frames(Writer& out) {
  for (const unsigned size : {0U, 1U, 5U, 127U, 128U, 300U}) {
    std::string bytes;
    for (int i = 0; i < 3; ++i) wire::append_frame(bytes, std::string(size, 'x'));
    out.write("frames", word(1000) + text(std::string(3, '\1')) + bytes);
    out.write("frames", word(100) + text("") + bytes);
  }
  out.write("frames", word(1000) + text("") + std::string(6, '\xff'));
}

void write_journals(Writer& out) {
  simulation::Plan plan = simulation::Plan::from_seed(5);
  plan.requests = 600;
  plan.clients = 6;
  auto journal = std::make_unique<Listening>(plan.server.limits);
  Listening& heard = *journal;
  simulation::Simulation simulation(plan, std::move(journal));
  simulation.run();
  for (std::size_t i = 0; i < heard.saved.size(); i += heard.saved.size() / 12) {
    out.write("saved", heard.saved[i].SerializeAsString());
  }
  std::vector<std::string> games;
  std::string records;
  for (std::size_t i = 0; i < heard.all.size(); ++i) {
    if (i % 7 == 0) records += '\7';
    records += text(heard.all[i]);
    journal::v1::Record record;
    if (record.ParseFromString(heard.all[i]) && record.has_game_finished()) {
      games.push_back(record::write_game(record.game_finished()));
    }
    if (records.size() < 1500) continue;
    out.write("records", std::exchange(records, {}));
    if (i > 400) break;
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(games.size(), 8); ++i) {
    out.write("notation", games[i] + (i % 2 == 0 ? "" : games[i / 2]));
  }
}

void write_client(Writer& out) {
  v1::ServerMessage welcome;
  welcome.mutable_welcome()->set_protocol_version(1);
  welcome.mutable_welcome()->set_player_name("fuzz");
  welcome.mutable_welcome()->set_token(std::string(16, 't'));
  welcome.mutable_welcome()->mutable_limits()->set_client_frame_bytes(4096);
  v1::ServerMessage room;
  v1::RoomSnapshot& snapshot = *room.mutable_snapshot();
  snapshot.set_name("den");
  snapshot.mutable_rules()->set_rows(3);
  snapshot.mutable_rules()->set_cols(3);
  snapshot.mutable_rules()->set_k(3);
  snapshot.set_revision(7);
  snapshot.set_your_seat(v1::MARK_X);
  for (v1::Occupant* occupant : {snapshot.mutable_x(), snapshot.mutable_o()}) {
    occupant->set_kind(v1::Occupant::KIND_PERSON);
    occupant->set_name("fuzz");
  }
  snapshot.set_phase(v1::PHASE_PLAYING);
  snapshot.set_game(1);
  snapshot.set_starter(v1::MARK_X);
  snapshot.set_turn(v1::MARK_X);
  snapshot.mutable_clocks()->set_x_ms(5000);
  std::vector<v1::ServerMessage> news(10);
  for (v1::ServerMessage& message : news) {
    message.mutable_update()->set_revision(8);
    message.mutable_update()->set_phase(v1::PHASE_PLAYING);
    message.mutable_update()->set_turn(v1::MARK_O);
  }
  v1::MovePlayed& played = *news[0].mutable_update()->mutable_move_played();
  played.set_mark(v1::MARK_X);
  played.mutable_cell()->set_row(1);
  played.set_ply(1);
  news[1].mutable_update()->mutable_draw_offered()->set_by(v1::MARK_O);
  news[2].mutable_update()->mutable_takeback_asked()->set_by(v1::MARK_O);
  news[3].mutable_update()->mutable_chat_said()->set_text("hello");
  news[4].mutable_update()->mutable_game_ended()->mutable_outcome()->set_winner(v1::MARK_O);
  news[5].mutable_update()->mutable_seat_changed()->set_seat(v1::MARK_O);
  news[6].mutable_notice()->set_kind(v1::Notice::KIND_DRAINING);
  news[7].mutable_error()->set_code(v1::Error::CODE_STALE_MOVE);
  *news[7].mutable_error()->mutable_state() = snapshot;
  v1::GameRecord& game = *news[8].mutable_game_list()->add_games();
  game.set_id(3);
  *game.mutable_rules() = snapshot.rules();
  *game.mutable_x() = snapshot.x();
  *game.mutable_o() = snapshot.o();
  *news[9].mutable_game_found()->mutable_game() = game;
  for (const char options : {'\0', '\1', '\2', '\12'}) {
    for (const v1::ServerMessage& message : news) {
      out.write("client", std::string(1, options) + '\6' + '\3' +
                              text(welcome.SerializeAsString()) + '\0' + text("play") + '\3' +
                              text(room.SerializeAsString()) + '\0' + text("b2") + '\2' +
                              text(message.SerializeAsString()) + '\0' + text("say well") + '\4' +
                              word(3000) + '\5' + '\4' + word(500) + '\6');
    }
  }
}

void write_discovery(Writer& out) {
  client::ServersFound found;
  const std::string query = found.ask(1);
  v1::DiscoveryAnswer answer;
  answer.set_magic(wire::discovery_answer_magic);
  answer.set_version(wire::discovery_version);
  answer.set_nonce(1);
  answer.set_server_id(5);
  v1::ServerInfo& info = *answer.mutable_server();
  info.set_name("den");
  info.set_software("tictactoe-server 0.1.0");
  info.set_port(7654);
  info.add_protocol_versions(1);
  for (const std::size_t rooms : {0U, 1U, 4U, 16U}) {
    while (static_cast<std::size_t>(info.listed_size()) < rooms) {
      info.set_open_rooms(info.open_rooms() + 2);
      v1::OpenRoom& room = *info.add_listed();
      room.set_name("\x1b[2Jduel");
      room.mutable_rules()->set_rows(15);
      room.mutable_rules()->set_cols(15);
      room.mutable_rules()->set_k(5);
    }
    const std::string short_query = query.substr(0, 16) + "\"\x40" + std::string(64, '0');
    const std::string from = {'\1', static_cast<char>(rooms)};
    const std::string said = '\2' + std::string("\5") + text(info.SerializeAsString()) + from;
    out.write("discovery", '\0' + text(short_query) + from + '\1' +
                               text(answer.SerializeAsString()) + from + said + '\3' + word(600) +
                               '\0' + text(query) + from + '\4' + from);
    out.write("discovery", said + '\3' + word(3000) + said);
  }
}

std::string text_of(const std::string& bytes) {
  return word(bytes.size()) + bytes;
}

void write_web(Writer& out) {
  const std::string get = "GET / HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n";
  const std::string head = "HEAD / HTTP/1.0\r\nHost: [::1]:7654\r\n\r\n";
  const std::string upgrade = test::upgrade_request("tictactoe.v1.json");
  const std::string other = test::upgrade_request("", "Origin: http://evil.example\r\n");
  for (const std::string& bytes :
       {get, get + get + head, upgrade, other, std::string("POST / HTTP/1.1\r\n\r\n"),
        "GET / HTTP/1.1\r\nX: " + std::string(9000, 'x')}) {
    out.write("http", '\5' + text_of(word(7) + word(2)) + bytes);
  }
  const std::string hello =
      R"({"requestId": "1", "hello": {"protocolVersions": [1], "name": "ann", "token": "AAAA"}})";
  const std::string move = R"({"request_id": 2, "move": {"cell": {"row": 1}, "unknown": [{}]}})";
  using test::encoded;
  using test::Opcode;
  const std::string receive("\3");
  for (const std::string& bytes :
       {encoded({Opcode::text, hello}) + encoded({Opcode::ping, "x"}),
        encoded({Opcode::text, hello.substr(0, 9), false}) + encoded({Opcode::pong, ""}) +
            encoded({Opcode::more, hello.substr(9)}),
        encoded({Opcode::binary, "\x08\x01"}), encoded({Opcode::text, "\xff"}),
        encoded({Opcode::text, hello}, false), encoded({Opcode::close, "\x03\xe8"}),
        encoded({Opcode::binary, std::string(5000, 'x')})}) {
    const std::string answer = '\2' + text_of("\x08\x01\x32\x00") + word(2);
    out.write("websocket", '\1' + receive + text_of(bytes) + answer + std::string(1, '\0'));
    out.write("websocket", '\0' + answer + receive + text_of(bytes) + '\1');
  }
  for (const std::string& text :
       {hello, move, std::string("{nonsense"), std::string(200, '['), std::string("{}"),
        std::string("\x08\x01\x3a\x04\x08\x03\x10\x02")}) {
    out.write("json", text);
  }
}

void write_host(Writer& out) {
  simulation::Random random(1);
  for (int i = 0; i < 12; ++i) {
    // Mostly requests that make sense: a random program is a valid one.
    std::string program;
    for (int step = 0; step < 80; ++step) {
      program += static_cast<char>(random.percent(90) ? 31 : random.below(32));
      program += random.bytes(6);
    }
    out.write("host", program);
  }
}

void write_screen(Writer& out) {
  simulation::Random random(2);
  for (int i = 0; i < 10; ++i) {
    // Connects, is welcomed, and then anything.
    std::string program = std::string("\2\7\3\0", 4) + text("alice") + '\1';
    for (int step = 0; step < 60; ++step) program += random.bytes(8);
    out.write("screen", program);
  }
}

}  // namespace
}  // namespace tictactoe::fuzz

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "Usage: fuzz_seeds FOLDER\n";
    return 2;
  }
  tictactoe::fuzz::Writer out(argv[1]);
  tictactoe::fuzz::write_frames(out);
  tictactoe::fuzz::write_journals(out);
  tictactoe::fuzz::write_client(out);
  tictactoe::fuzz::write_host(out);
  tictactoe::fuzz::write_discovery(out);
  tictactoe::fuzz::write_web(out);
  tictactoe::fuzz::write_screen(out);
}
