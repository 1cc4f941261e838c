// Games as text: what common/record/README.md promises, and that nothing else is taken.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "common/record/notation.hpp"

namespace tictactoe::record::record_tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The block marked ```games.
std::string example() {
  std::ifstream file(TICTACTOE_SOURCE_DIR "/common/record/README.md");
  std::string games;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) {
      inside = line == "```games";
    } else if (inside) {
      games.append(line).append("\n");
    }
  }
  return games;
}

std::vector<v1::GameRecord> parsed(const std::string& file) {
  auto games = parse_games(file);
  if (games) return *games;
  ADD_FAILURE() << games.error().line << ": " << games.error().sentence << "\n" << file;
  return {};
}

/// One game of 3 x 3 with these tags beside those it needs, and these moves.
std::string game(const std::string& tags, const std::string& moves) {
  return tags +
         "[Rules \"3x3x3\"]\n[Result \"1-0\"]\n"
         "[Termination \"resigned\"]\n" +
         moves + "\n";
}

Fault refused(const std::string& file) {
  const auto games = parse_games(file);
  if (!games) return games.error();
  ADD_FAILURE() << "taken: " << file;
  return {};
}

std::string refusal(const std::string& tags, const std::string& moves = "1-0") {
  return refused(game(tags, moves)).sentence;
}

TEST(Record, example_of_the_documentation) {
  const auto games = parsed(example());
  ASSERT_EQ(games.size(), 2u);
  EXPECT_EQ(games[0].id(), 17u);
  EXPECT_EQ(games[0].room(), "duel");
  EXPECT_EQ(games[0].ended_unix_ms(), 1'779'048'909'250u);
  EXPECT_EQ(games[0].x().name(), "alice");
  EXPECT_EQ(games[0].x().kind(), v1::Occupant::KIND_PERSON);
  EXPECT_EQ(games[0].o().name(), "Bob \"the fox\" O'Neill");
  EXPECT_EQ(games[0].time().game_ms(), 60'000u);
  EXPECT_EQ(games[0].time().increment_ms(), 2'000u);
  EXPECT_EQ(games[0].starter(), v1::MARK_X);
  EXPECT_THAT(games[0].moves(), ElementsAre(4, 0, 2, 6, 3, 1, 5));
  EXPECT_THAT(games[0].move_ms(), ElementsAre(1250, 875, 2000, 3400, 4125, 1050, 300));
  EXPECT_EQ(games[0].outcome().winner(), v1::MARK_X);
  EXPECT_EQ(games[0].outcome().reason(), v1::Outcome::REASON_LINE);
  EXPECT_EQ(games[1].o().kind(), v1::Occupant::KIND_AI);
  EXPECT_EQ(games[1].o().ai_level(), "strong");
  EXPECT_EQ(games[1].rules().rows(), 15u);
  EXPECT_EQ(games[1].rules().k(), 5u);
  EXPECT_TRUE(games[1].rules().exact());
  EXPECT_FALSE(games[1].has_time());
  EXPECT_EQ(games[1].starter(), v1::MARK_O);
  EXPECT_THAT(games[1].moves(), ElementsAre(7 * 15 + 7, 8 * 15 + 8, 8 * 15 + 7));
  EXPECT_EQ(games[1].outcome().reason(), v1::Outcome::REASON_RESIGNED);
}

TEST(Record, example_is_written_as_it_was_read) {
  std::string written;
  for (const auto& game : parsed(example())) written += write_game(game);
  const auto again = parsed(written);
  const auto games = parsed(example());
  ASSERT_EQ(again.size(), games.size());
  for (std::size_t i = 0; i < games.size(); ++i) {
    EXPECT_EQ(again[i].ShortDebugString(), games[i].ShortDebugString());
  }
}

TEST(Record, what_is_written) {
  v1::GameRecord game;
  game.set_room("a \\ b");
  game.mutable_x()->set_kind(v1::Occupant::KIND_PERSON);
  game.mutable_x()->set_name("ann");
  game.mutable_o()->set_kind(v1::Occupant::KIND_OPEN);
  game.mutable_rules()->set_rows(2);
  game.mutable_rules()->set_cols(1000);
  game.mutable_rules()->set_k(7);
  game.mutable_time()->set_move_ms(1'500);
  game.set_starter(v1::MARK_O);
  game.set_ended_unix_ms(951'782'400'001);
  for (const std::uint32_t move : {0u, 1999u, 26u}) game.add_moves(move);
  for (const std::uint32_t time : {0u, 1u, 4294967295u}) game.add_move_ms(time);
  game.mutable_outcome()->set_reason(v1::Outcome::REASON_AGREED);
  EXPECT_EQ(write_game(game), R"([Room "a \\ b"]
[Date "2000-02-29T00:00:00.001Z"]
[X "ann"]
[OType "open"]
[Rules "2x1000x7"]
[TimeControl "1.500/move"]
[Starter "O"]
[Result "1/2-1/2"]
[Termination "agreed"]

1. a1 {0} all2 {0.001} 2. aa1 {4294967.295} 1/2-1/2

)");
  EXPECT_EQ(parsed(write_game(game)).at(0).ShortDebugString(), game.ShortDebugString());
}

TEST(Record, lines_of_moves_are_short) {
  v1::GameRecord game;
  game.mutable_rules()->set_rows(1000);
  game.mutable_rules()->set_cols(1000);
  game.mutable_rules()->set_k(1000);
  for (std::uint32_t i = 0; i < 10'000; ++i) game.add_moves(999'999 - i);
  std::istringstream lines(write_game(game));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u);
  EXPECT_EQ(parsed(write_game(game)).at(0).moves_size(), 10'000);
}

TEST(Record, what_could_act_on_a_terminal_is_never_written) {
  v1::GameRecord game;
  game.mutable_rules()->set_rows(3);
  game.mutable_rules()->set_cols(3);
  game.mutable_rules()->set_k(3);
  game.set_room("x\033[2J\n[Id \"666\"]");
  game.mutable_x()->set_name(std::string(2 * max_text, 'n'));
  const auto games = parsed(write_game(game));
  ASSERT_EQ(games.size(), 1u);
  EXPECT_EQ(games[0].id(), 0u);
  EXPECT_EQ(games[0].room(), "x\uFFFD[2J\uFFFD[Id \"666\"]");
  EXPECT_EQ(games[0].x().name().size(), max_text);
}

TEST(Record, what_may_vary) {
  EXPECT_TRUE(parsed("").empty());
  EXPECT_TRUE(parsed("\n \t\r\n; nothing\n").empty());
  const auto games = parsed("  [Event  \"unknown tag\"] ; remark\r\n" +
                            game("[X \"a]\\b;\\\"\"]\r\n", "1.b2{1}A1{ 2.5 }") +
                            "\n; between\n\n2. c3 {0.01}\n1-0 " + "; the end\n" +
                            "[Rules \"3x3x3\"]\n[Result \"0-1\"]\n[Termination \"time\"]\n0-1");
  ASSERT_EQ(games.size(), 2u);
  EXPECT_EQ(games[0].x().name(), "a]b;\"");
  EXPECT_THAT(games[0].moves(), ElementsAre(4, 0, 8));
  EXPECT_THAT(games[0].move_ms(), ElementsAre(1000, 2500, 10));
  EXPECT_EQ(games[1].moves_size(), 0);
  EXPECT_EQ(games[1].outcome().reason(), v1::Outcome::REASON_TIME);
}

std::string fault_of_file(std::string_view file) {
  const auto games = parse_games(file);
  return games ? "" : std::to_string(games.error().line) + " " + games.error().sentence;
}

TEST(Record, files_of_other_programs_are_named) {
  const std::string rest = " That can't be read: only games as `tictactoe export` writes them can.";
  for (const char* const sgf : {"(;GM[4]FF[4]SZ[15];B[hh];W[gg])", "\xEF\xBB\xBF\r\n ( ; GM[4])"}) {
    EXPECT_EQ(fault_of_file(sgf), "1 This is a game in SGF (Smart Game Format)." + rest);
  }
  EXPECT_EQ(fault_of_file("Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n"),
            "1 This is a game in PSQ, as Piskvork writes it." + rest);
  EXPECT_EQ(fault_of_file("\xFFRenLib\xFF\x03\x04"), "1 This is a library of RenLib." + rest);
  EXPECT_EQ(fault_of_file("<?xml version=\"1.0\"?><database>"), "1 This is an XML file." + rest);
  for (const char* const pgn :
       {"[Event \"Cup\"]\n[Site \"here\"]\n[White \"a\"]\n[Black \"b\"]\n\n1. e4 e5 1-0\n",
        "[White \"a\"]\n"}) {
    EXPECT_EQ(fault_of_file(pgn), "1 This is a game of chess in PGN." + rest);
  }
  EXPECT_EQ(fault_of_file(" {\"moves\": [1, 2]}"), "1 This is a JSON file." + rest);
  EXPECT_EQ(fault_of_file("[{\"moves\": 1}]"), "1 This is a JSON file." + rest);
  EXPECT_EQ(fault_of_file("[\n  1, 2]"), "1 This is a JSON file." + rest);
  EXPECT_EQ(fault_of_file("id,x,o,winner\n1,ann,bob,ann\n"), "1 This is a table (CSV)." + rest);
  EXPECT_EQ(fault_of_file("id;x;o\r\n1;ann;bob\r\n"), "1 This is a table (CSV)." + rest);
  EXPECT_EQ(fault_of_file("<!DOCTYPE html><title>x</title>"),
            "1 This is a web page (HTML)." + rest);
  EXPECT_EQ(fault_of_file("%PDF-1.7\n"), "1 This is a PDF file." + rest);
  const std::string unpack = " Unpack it first.";
  EXPECT_EQ(fault_of_file("\x1F\x8B\x08"), "1 This is a file compressed by gzip." + unpack);
  EXPECT_EQ(fault_of_file("PK\x03\x04"), "1 This is a ZIP archive." + unpack);
  EXPECT_EQ(fault_of_file("BZh91AY"), "1 This is a file compressed by bzip2." + unpack);
  EXPECT_EQ(fault_of_file("\xFD"
                          "7zXZ"),
            "1 This is a file compressed by xz." + unpack);
  EXPECT_EQ(fault_of_file("\x28\xB5\x2F\xFD"), "1 This is a file compressed by zstd." + unpack);
  EXPECT_EQ(fault_of_file(std::string_view("SQLite format 3\0", 16)),
            "1 This is a database, such as journal.db. That can't be read: `tictactoe-server copy` "
            "copies the records of a server.");
  EXPECT_EQ(fault_of_file(std::string_view("\x7F"
                                           "ELF\0\1",
                                           6)),
            "1 This is not a text file." + rest);
  EXPECT_EQ(fault_of_file(std::string_view("b2\n\0", 4)), "1 This is not a text file." + rest);
  EXPECT_EQ(
      fault_of_file("dear diary\n"),
      "1 \"dear\" belongs to no game. Games begin with tags, as in [Rules \"3x3x3\"]; only games "
      "as `tictactoe export` writes them can be read.");
  EXPECT_EQ(fault_of_file(std::string_view("\xFF\xFE[\0R\0", 6)),
            "1 This is text in UTF-16. Save it as UTF-8.");
  EXPECT_EQ(fault_of_file(std::string_view("\xFE\xFF\0[\0R", 6)),
            "1 This is text in UTF-16. Save it as UTF-8.");
}

TEST(Record, a_byte_order_mark_is_skipped) {
  const std::string marked = "\xEF\xBB\xBF" + example();
  ASSERT_TRUE(parse_games(marked));
  EXPECT_EQ(parse_games(marked)->size(), parse_games(example())->size());
}

// As `cat` puts files of editors together.
TEST(Record, a_byte_order_mark_may_begin_any_line) {
  const std::string marked = "\xEF\xBB\xBF" + example();
  ASSERT_TRUE(parse_games(marked + marked));
  EXPECT_EQ(parse_games(marked + marked)->size(), 2 * parse_games(example())->size());
  EXPECT_THAT(refused("[X \"a\"] \xEF\xBB\xBF\n").sentence, HasSubstr("A tag is"));
}

TEST(Record, faults_name_their_line) {
  EXPECT_EQ(refused("; one\n\n[Rules \"3x3\"]\n").line, 3u);
  EXPECT_EQ(refused(game("", "b2\n;\nd1 1-0")).line, 6u);
  EXPECT_EQ(refused(game("", "1-0") + game("[Id \"x\"]\n", "1-0")).line, 5u);
  EXPECT_EQ(refused("[Id \"1\"]").line, 1u);
}

TEST(Record, tags_that_are_refused) {
  EXPECT_THAT(refusal("[Id \"-1\"]\n"), HasSubstr("number of a game"));
  EXPECT_THAT(refusal("[Id \"18446744073709551616\"]\n"), HasSubstr("number of a game"));
  EXPECT_THAT(refusal("[X \"a\"]\n[X \"b\"]\n"), HasSubstr("twice"));
  EXPECT_THAT(refusal("[X \"a\xFF\"]\n"), HasSubstr("UTF-8"));
  EXPECT_THAT(refusal("[Foo \"a\033\"]\n"), HasSubstr("control"));
  EXPECT_THAT(refusal("[X \"" + std::string(max_text + 1, 'a') + "\"]\n"), HasSubstr("256"));
  EXPECT_THAT(refusal("[XType \"cat\"]\n"), HasSubstr("\"cat\""));
  EXPECT_THAT(refusal("[Starter \"Y\"]\n"), HasSubstr("starter"));
  for (const char* tag : {"[X]", "[X \"a]", "[X \"a\"", "[\"a\"]", "[X a]", "[X \"a\"] b2", "[",
                          "[X \"a\\\"]", "[X \"a\" \"b\"]", "[X \"a\"][O \"b\"]"}) {
    EXPECT_THAT(refusal(std::string(tag) + "\n"), HasSubstr("A tag is")) << tag;
  }
  for (const char* time : {"", "5", "5/", "/move", "5+", "+5", "1+2+3", "5 /move", "-1/move",
                           "1.2345/move", "1./move", "4294967.296/move", "99999999999+0"}) {
    EXPECT_THAT(refusal("[TimeControl \"" + std::string(time) + "\"]\n"), HasSubstr("300+2"))
        << time;
  }
  for (const char* date :
       {"", "2026-05-17", "2026-02-29T00:00:00.000Z", "2026-13-01T00:00:00.000Z",
        "2026-05-17T24:00:00.000Z", "2026-05-17T20:60:00.000Z", "2026-05-17T20:15:60.000Z",
        "1969-12-31T23:59:59.999Z", "2026-05-17 20:15:09.250Z", "2026-05-17T20:15:09.25xZ"}) {
    EXPECT_THAT(refusal("[Date \"" + std::string(date) + "\"]\n"), HasSubstr("date")) << date;
  }
  for (const char* rules :
       {"", "3", "3x3", "3x3x", "x3x3", "0x3x3", "3x3x3x3", "1001x3x3", "3x1001x3", "3x3x1001",
        "3 x 3 x 3", "3x3x3 Exact", " exact", "99999999999x3x3"}) {
    EXPECT_THAT(refused("[Rules \"" + std::string(rules) + "\"]\n").sentence,
                HasSubstr("each from 1 to 1000, as in \"15x15x5\""))
        << rules;
  }
  EXPECT_THAT(refused("[Result \"2-0\"]\n").sentence, HasSubstr("not a result"));
  EXPECT_THAT(refused("[Termination \"rain\"]\n").sentence, HasSubstr("\"rain\""));
}

TEST(Record, moves_that_are_refused) {
  EXPECT_THAT(refusal("", "b0 1-0"), HasSubstr("neither a cell"));
  EXPECT_THAT(refusal("", "\033[2J 1-0"), HasSubstr("\"\uFFFD[2J\""));
  EXPECT_THAT(refusal("", "22 1-0"), HasSubstr("neither a cell"));
  EXPECT_THAT(refusal("", "d1 1-0"), HasSubstr("3 x 3"));
  EXPECT_THAT(refusal("", "a4 1-0"), HasSubstr("3 x 3"));
  EXPECT_THAT(refusal("", "a1 a1 a1 a1 a1 a1 a1 a1 a1 a1 1-0"), HasSubstr("more moves"));
  EXPECT_THAT(refusal("", "2. a1 1-0"), HasSubstr("\"2\""));
  EXPECT_THAT(refusal("", "1. a1 1. b1 1-0"), HasSubstr("\"1\""));
  EXPECT_THAT(refusal("", ". a1 1-0"), HasSubstr("number"));
  EXPECT_THAT(refusal("", "{1} a1 1-0"), HasSubstr("follows its move"));
  EXPECT_THAT(refusal("", "a1 {1} {2} 1-0"), HasSubstr("follows its move"));
  EXPECT_THAT(refusal("", "a1 b1 {1} 1-0"), HasSubstr("every move"));
  EXPECT_THAT(refusal("", "a1 {1} b1 1-0"), HasSubstr("Either every move"));
  EXPECT_THAT(refusal("", "a1 {1} b1 c1 {1} 1-0"), HasSubstr("Either every move"));
  EXPECT_THAT(refusal("", "a1 {x} 1-0"), HasSubstr("seconds"));
  EXPECT_THAT(refusal("", "a1 {1 1-0"), HasSubstr("brace"));
  EXPECT_THAT(refusal("", "a1 0-1"), HasSubstr("differs from the tag"));
  EXPECT_THAT(refusal("", "a1"), HasSubstr("incomplete"));
  EXPECT_THAT(refusal("", "1-0 a1"), HasSubstr("belongs to no game"));
  EXPECT_THAT(refusal("", "a1\n[X \"late\"]"), HasSubstr("1/2-1/2"));
  EXPECT_THAT(refused("a1").sentence, HasSubstr("Rules"));
  EXPECT_THAT(refused("[Rules \"3x3x3\"]\n1-0").sentence, HasSubstr("Result"));
}

TEST(Record, limits_of_a_file) {
  EXPECT_EQ(parsed(std::string(max_line_bytes, ' ')).size(), 0u);
  EXPECT_THAT(refused("\n;" + std::string(max_line_bytes, ' ')).sentence, HasSubstr("4096"));
  std::string longest;
  while (longest.size() < max_file_bytes) longest += std::string(max_line_bytes - 1, ' ') + '\n';
  ASSERT_EQ(longest.size(), max_file_bytes);
  EXPECT_TRUE(parse_games(longest));
  const auto too_long = refused(longest + '\n');
  EXPECT_EQ(too_long.line, 0u);
  EXPECT_THAT(too_long.sentence, HasSubstr("64 MiB"));
  std::string many;
  for (std::size_t i = 0; i < max_games; ++i) many += game("", "1-0");
  EXPECT_EQ(parsed(many).size(), max_games);
  EXPECT_THAT(refused(many + game("", "1-0")).sentence, HasSubstr("100000"));
}

}  // namespace
}  // namespace tictactoe::record::record_tests
