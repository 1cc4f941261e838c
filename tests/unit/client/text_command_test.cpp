// What a person types, and how it is completed; times.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "client/session/retry_plan.hpp"
#include "client/words/command.hpp"
#include "client/words/completion.hpp"
#include "client/words/time.hpp"
#include "tests/support/console_harness.hpp"

namespace tictactoe::client::text_command_tests {
namespace {

using ::testing::HasSubstr;

v1::ClientMessage request(const std::string& line) {
  const Command command = parse_command(line);
  if (const auto* mistake = std::get_if<Mistake>(&command)) ADD_FAILURE() << line << mistake->text;
  const auto* message = std::get_if<v1::ClientMessage>(&command);
  EXPECT_NE(message, nullptr) << line;
  return message != nullptr ? *message : v1::ClientMessage();
}

std::string text(const std::string& line) {
  return request(line).ShortDebugString();
}

std::string mistake(const std::string& line) {
  const Command command = parse_command(line);
  const auto* mistake = std::get_if<Mistake>(&command);
  EXPECT_NE(mistake, nullptr) << line << " was taken";
  return mistake != nullptr ? mistake->text : "";
}

std::optional<Cell> place(const std::string& line) {
  const Command command = parse_command(line);
  const auto* place = std::get_if<PlaceMark>(&command);
  return place != nullptr ? std::optional(place->cell) : std::nullopt;
}

TEST(Command, requests_without_arguments) {
  EXPECT_EQ(text("play"), "play { }");
  EXPECT_EQ(text("rooms"), "list_rooms { }");
  EXPECT_EQ(text("hint"), "hint { }");
  EXPECT_EQ(text("rematch"), "rematch { }");
  EXPECT_EQ(text("leave"), "leave_room { }");
  EXPECT_EQ(text(" \t PLAY\t "), "play { }");
}

TEST(Command, arguments_that_a_command_does_not_take_are_refused) {
  for (const char* name : {"play", "rooms", "hint", "rematch", "leave", "help", "quit", "wait"}) {
    EXPECT_THAT(mistake(std::string(name) + " now"), HasSubstr("takes no arguments")) << name;
  }
}

TEST(Command, local_ones) {
  EXPECT_TRUE(std::holds_alternative<ShowHelp>(parse_command("help")));
  EXPECT_TRUE(std::holds_alternative<Quit>(parse_command("quit")));
  EXPECT_TRUE(std::holds_alternative<WaitForEnd>(parse_command("wait")));
  EXPECT_TRUE(std::holds_alternative<ShowBoard>(parse_command("board")));
  EXPECT_TRUE(std::holds_alternative<NoCommand>(parse_command("")));
  EXPECT_TRUE(std::holds_alternative<NoCommand>(parse_command("  \t ")));
  EXPECT_TRUE(std::holds_alternative<NoCommand>(parse_command("# a comment")));
  const Command board = parse_command("board c12");
  EXPECT_EQ(std::get<ShowBoard>(board).around, (Cell{11, 2}));
}

TEST(Command, moves_count_from_one) {
  EXPECT_EQ(place("1 1"), (Cell{0, 0}));
  EXPECT_EQ(place("2 3"), (Cell{1, 2}));
  EXPECT_EQ(place("b3"), (Cell{2, 1}));
  EXPECT_EQ(place("B3"), (Cell{2, 1}));
  EXPECT_EQ(place("z1"), (Cell{0, 25}));
  EXPECT_EQ(place("aa10"), (Cell{9, 26}));
  EXPECT_EQ(place("all1000"), (Cell{999, 999}));
  EXPECT_EQ(place("4294967295 1"), (Cell{4294967294, 0}));
}

TEST(Command, what_is_no_move_is_refused) {
  for (const char* line : {"0 1", "1 0", "1", "1 2 3", "1 x", "1 -2", "4294967296 1"}) {
    EXPECT_THAT(mistake(line), HasSubstr("ROW COL")) << line;
  }
  for (const char* line :
       {"b0", "b", "b-1", "abcd1", "b3x", "3b", "+1 1", "b3 4", "-1 2", "b99999999999"}) {
    EXPECT_FALSE(place(line)) << line;
    EXPECT_FALSE(mistake(line).empty());
  }
}

TEST(Command, that_has_a_number_is_taken_for_a_move_that_is_none) {
  for (const char* line : {"1", "2,2", "2, 2", "2\uFF0C2", "\uFF12\u30012", "(2,2)", "2;2", "2.2",
                           "2-2", "2x2", "b,2", "3b", "b0", "+1 1", "r2c2"}) {
    EXPECT_EQ(
        mistake(line),
        "A move is a row and a column, both counted from 1. Type: ROW COL, such as 2 3, or c2")
        << line;
  }
}

TEST(Command, unknown_ones_point_at_help) {
  EXPECT_THAT(mistake("dance"), HasSubstr("`dance`"));
  EXPECT_THAT(mistake("dance"), HasSubstr("help"));
  EXPECT_LT(mistake(std::string(4000, 'a')).size(), 200U);
}

TEST(Command, create) {
  EXPECT_EQ(text("create den"), "create_room { name: \"den\" }");
  EXPECT_EQ(text("create den 5"), "create_room { name: \"den\" rules { rows: 5 cols: 5 k: 5 } }");
  EXPECT_EQ(text("create den 15x15"),
            "create_room { name: \"den\" rules { rows: 15 cols: 15 k: 15 } }");
  EXPECT_EQ(text("create den 15X20x5 exact"),
            "create_room { name: \"den\" rules { rows: 15 cols: 20 k: 5 exact: true } }");
  EXPECT_EQ(text("create \"my den\" password 5 5"),
            "create_room { name: \"my den\" rules { rows: 5 cols: 5 k: 5 } password: \"5\" }");
  EXPECT_EQ(text("create den exact"),
            "create_room { name: \"den\" rules { rows: 3 cols: 3 k: 3 exact: true } }");
  EXPECT_EQ(text("create 5"), "create_room { name: \"5\" }");
  EXPECT_EQ(text("create \"\""), "create_room { }");  // the server says what is wrong with it
}

TEST(Command, create_with_seat_clock_and_away) {
  EXPECT_EQ(text("create den o"), "create_room { name: \"den\" seat: MARK_O }");
  EXPECT_EQ(text("create den clock 5m"),
            "create_room { name: \"den\" options { time { game_ms: 300000 } } }");
  EXPECT_EQ(text("create den clock 5m+3s x 5"),
            "create_room { name: \"den\" rules { rows: 5 cols: 5 k: 5 } seat: MARK_X "
            "options { time { game_ms: 300000 increment_ms: 3000 } } }");
  EXPECT_EQ(text("create den clock 30s/MOVE"),
            "create_room { name: \"den\" options { time { move_ms: 30000 } } }");
  EXPECT_EQ(text("create den away hold"),
            "create_room { name: \"den\" options { away: AWAY_HOLD } }");
  EXPECT_EQ(text("create den away ai 2m password 5m clock 1m30s"),
            "create_room { name: \"den\" password: \"5m\" options { time { game_ms: 90000 } "
            "away: AWAY_AI grace_ms: 120000 } }");
  EXPECT_EQ(text("create den unlisted password pw"),
            "create_room { name: \"den\" password: \"pw\" options { unlisted: true } }");
  EXPECT_EQ(text("create den open-seats"),
            "create_room { name: \"den\" options { open_ai_seats: true } }");
  EXPECT_EQ(text("create den from 12 after 7 o"),
            "create_room { name: \"den\" seat: MARK_O options { from { game: 12 moves: 7 } } }");
  for (const char* position : {"", " 12", " 12 after", " twelve after 7", " 12 before 7"}) {
    EXPECT_THAT(mistake(std::string("create den from") + position), HasSubstr("after 7 moves"));
  }
  EXPECT_EQ(text("create unlisted"), "create_room { name: \"unlisted\" }");
  EXPECT_THAT(mistake("join den unlisted"), HasSubstr("is not expected"));
  EXPECT_EQ(text("create den away forfeit 0s"),
            "create_room { name: \"den\" options { grace_ms: 0 } }");
  EXPECT_EQ(text("create clock"), "create_room { name: \"clock\" }");
  for (const char* clock : {"", " 5", " 5m+", " +3s", " 30s/turn", " /move", " 5m+3s+1s", " soon",
                            " 99999999h", " \"\""}) {
    EXPECT_THAT(mistake(std::string("create den clock") + clock), HasSubstr("30s/move")) << clock;
  }
  EXPECT_THAT(mistake("create den away"), HasSubstr("`forfeit`"));
  EXPECT_THAT(mistake("create den away for ever"), HasSubstr("`forfeit`"));
  EXPECT_THAT(mistake("create den away ai soon"), HasSubstr("`soon` is not expected"));
  EXPECT_THAT(mistake("join den clock 5m"), HasSubstr("`clock` is not expected"));
}

TEST(Command, offers) {
  EXPECT_EQ(text("resign"), "resign { }");
  EXPECT_EQ(text("draw"), "offer_draw { }");
  EXPECT_EQ(text("takeback"), "ask_takeback { }");
  EXPECT_EQ(text("decline"), "decline { }");
  for (const char* name : {"resign", "draw", "takeback", "decline"}) {
    EXPECT_THAT(mistake(std::string(name) + " now"), HasSubstr("takes no arguments")) << name;
  }
}

TEST(Command, records) {
  EXPECT_EQ(text("history"), "list_games { }");
  EXPECT_EQ(text("history \"al ice\""), "list_games { player: \"al ice\" }");
  EXPECT_EQ(text("replay 18446744073709551615"), "get_game { id: 18446744073709551615 }");
  EXPECT_THAT(mistake("history a b"), HasSubstr("Unexpected argument"));
  for (const char* line :
       {"replay", "replay x", "replay 1 2", "replay -1", "replay 18446744073709551616"}) {
    EXPECT_THAT(mistake(line), HasSubstr("replay NUMBER")) << line;
  }
}

TEST(Command, create_refuses_what_it_does_not_understand) {
  EXPECT_THAT(mistake("create"), HasSubstr("needs a name"));
  for (const char* size : {"5x", "x5", "5x5x5x5", "5xx5", "-5", "5.5", "99999999999", "five",
                           "5x 5", "5 5", "5x5x5x5x5x5x5x5x5x5"}) {
    EXPECT_THAT(mistake(std::string("create den ") + size),
                HasSubstr("create NAME [SIZE] [exact] [x|o] [password PW]"))
        << size;
  }
  EXPECT_THAT(mistake("create den password"), HasSubstr("password is missing"));
}

TEST(Command, join_and_watch) {
  EXPECT_EQ(text("join den"), "join_room { name: \"den\" }");
  EXPECT_EQ(text("join den O"), "join_room { name: \"den\" seat: MARK_O }");
  EXPECT_EQ(text("join x x password \"a b\""),
            "join_room { name: \"x\" seat: MARK_X password: \"a b\" }");
  EXPECT_EQ(text("watch \"a \\\"b\\\" \\\\\""), "watch_room { name: \"a \\\"b\\\" \\\\\" }");
  EXPECT_THAT(mistake("join"), HasSubstr("join NAME"));
  EXPECT_THAT(mistake("join my den"), HasSubstr("quotes"));
  EXPECT_THAT(mistake("watch den x"), HasSubstr("watch NAME"));
  EXPECT_THAT(mistake("join \"den"), HasSubstr("quote"));
  EXPECT_THAT(mistake("join \"den\\"), HasSubstr("quote"));
}

TEST(Command, ai) {
  EXPECT_EQ(text("ai"), "add_ai { }");
  EXPECT_EQ(text("ai o"), "add_ai { seat: MARK_O }");
  EXPECT_EQ(text("ai strong"), "add_ai { level: \"strong\" }");
  EXPECT_EQ(text("ai X strong"), "add_ai { seat: MARK_X level: \"strong\" }");
  EXPECT_EQ(text("noai"), "remove_ai { }");
  EXPECT_EQ(text("noai x"), "remove_ai { seat: MARK_X }");
  EXPECT_THAT(mistake("ai x strong more"), HasSubstr("Unexpected argument"));
  EXPECT_THAT(mistake("noai y"), HasSubstr("noai [x|o]"));
}

TEST(Command, chat_is_taken_as_it_is) {
  EXPECT_EQ(request("say  \"hi\"  there ").chat().text(), "\"hi\"  there");
  EXPECT_EQ(request("say it's \"open").chat().text(), "it's \"open");
  EXPECT_EQ(request("say gr\xC3\xBC\xC3\x9F").chat().text(), "gr\xC3\xBC\xC3\x9F");
  EXPECT_THAT(mistake("say"), HasSubstr("say TEXT"));
  EXPECT_THAT(mistake("say   "), HasSubstr("say TEXT"));
}

TEST(Command, lines_that_are_no_text_are_refused) {
  EXPECT_THAT(mistake("say \xFF"), HasSubstr("UTF-8"));
  EXPECT_EQ(
      mistake("\x1B[A"),
      "Line ignored: it contains the control character U+001B (an arrow key?). Type it again.");
  EXPECT_EQ(mistake(std::string("say a\0b", 7)),
            "Line ignored: it contains the control character U+0000. Type it again.");
  for (const char* line : {"b\u200B2", "say b\u200B2", "join \"d\u200Ben\""}) {
    EXPECT_EQ(mistake(line),
              "Line ignored: it contains the invisible character U+200B. Type it again.");
  }
  EXPECT_THAT(mistake("b\uFEFF2"), HasSubstr("the invisible character U+FEFF"));
  EXPECT_THAT(mistake("b\U000E00412"), HasSubstr("the invisible character U+E0041"));
  EXPECT_THAT(mistake("say " + std::string(max_line_bytes, 'a')), HasSubstr("longer than"));
  EXPECT_EQ(request("say " + std::string(max_line_bytes - 4, 'a')).chat().text().size(),
            max_line_bytes - 4);
}

TEST(Help, fits_a_terminal) {
  std::istringstream lines(help_text());
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(line.size(), 80U) << line;
  EXPECT_LE(count, 23);
}

TEST(Help, has_its_purposes_in_a_column) {
  const std::string play = "\n  play" + std::string(29, ' ') + "take an open seat";
  EXPECT_THAT(help_text(), HasSubstr(play));
  // Its usage is longer than the first column.
  EXPECT_THAT(help_text(), HasSubstr("\n" + std::string(35, ' ') + "create a room"));
}

TEST(Notation, names_and_parses_every_column) {
  for (std::uint32_t col = 0; col < 18278; ++col) {
    const Cell cell{col / 3, col};
    ASSERT_EQ(parse_cell_name(cell_name(cell)), cell) << cell_name(cell);
  }
  EXPECT_EQ(column_name(26), "aa");
  EXPECT_EQ(column_name(701), "zz");
  EXPECT_EQ(column_name(702), "aaa");
  EXPECT_EQ(column_name(4294967295), "mwlqkwv");
  EXPECT_EQ(cell_name({4294967295, 0}), "a4294967296");
}

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::vector<std::string> known = {"den", "Duel", "the den", "d\"q", "strong", "bob", "Bo B"};

std::vector<std::string> words(std::string_view before) {
  return complete(before, known).words;
}

TEST(Completion, of_commands) {
  EXPECT_THAT(words("re"), ElementsAre("resign ", "rematch ", "replay "));
  EXPECT_THAT(words("  WAT"), ElementsAre("watch "));
  EXPECT_THAT(words(""), Contains("play "));
  EXPECT_THAT(words("dance"), IsEmpty());
}

TEST(Completion, of_names) {
  EXPECT_THAT(words("join d"), ElementsAre("den ", "Duel ", "\"d\\\"q\" "));
  EXPECT_THAT(words("watch th"), ElementsAre("\"the den\" "));
  EXPECT_THAT(words("watch \"the d"), ElementsAre("\"the den\" "));
  EXPECT_EQ(complete("watch \"the d", known).begin, 6U);
  EXPECT_THAT(words("join \"d\\"), ElementsAre("den ", "Duel ", "\"d\\\"q\" "));
  EXPECT_EQ(complete("join \"d\\", known).begin, 5U);
  EXPECT_THAT(words("ai o st"), ElementsAre("strong "));
  EXPECT_THAT(words("invite b"), ElementsAre("bob ", "\"Bo B\" "));
}

TEST(KnownNames, are_the_players_of_lists_room_and_chat_but_not_the_own_name) {
  testing::Harness harness(false);
  harness.enter(testing::snapshot("chat { from: 'fay' text: 'hi' }"));
  harness.typed("players");
  harness.answer(harness.only_request(),
                 "player_list { players { name: 'alice' } players { name: 'dan' } }");
  harness.typed("members");
  harness.answer(harness.only_request(), "member_list { x { } watchers: 'eve' }");
  EXPECT_THAT(known_names(harness.session()), ElementsAre("bob", "dan", "eve", "fay"));
}

TEST(KnownNames, are_the_names_that_a_server_lists) {
  testing::Harness harness(false);
  EXPECT_THAT(known_names(harness.session()), IsEmpty());
  harness.answer(harness.only_request(),
                 "welcome { protocol_version: 1 limits { ai_levels: 'suggester' } }");
  harness.typed("rooms");
  harness.answer(harness.only_request(), "room_list { rooms { name: 'b\"ox' } }");
  EXPECT_THAT(known_names(harness.session()), ElementsAre("b\"ox", "suggester"));
}

TEST(KnownNames, have_nothing_that_acts_on_a_terminal_and_no_name_that_is_too_long) {
  testing::Harness harness(false);
  harness.answer(harness.only_request(),
                 "welcome { protocol_version: 1 limits { ai_levels: '\\033c' ai_levels: 'good' "
                 "ai_levels: '' } }");
  harness.typed("rooms");
  harness.answer(harness.only_request(),
                 "room_list { rooms { name: '\\033]52;c;eA==\\007' } rooms { name: 'den' } "
                 "rooms { name: '\xE2\x80\xAE' } rooms { name: '" +
                     std::string(5000, 'a') + "' } }");
  EXPECT_THAT(known_names(harness.session()), ElementsAre("den", "good"));
}

TEST(Duration, is_read) {
  EXPECT_EQ(parse_duration("30s"), 30'000U);
  EXPECT_EQ(parse_duration("5m"), 300'000U);
  EXPECT_EQ(parse_duration("1h30m"), 5'400'000U);
  EXPECT_EQ(parse_duration("2D"), 172'800'000U);
  EXPECT_EQ(parse_duration("1d2h3m4s"), 93'784'000U);
  EXPECT_EQ(parse_duration("90s"), 90'000U);
  EXPECT_EQ(parse_duration("0s"), 0U);
}

TEST(Duration, other_text_is_refused) {
  for (const char* text : {"", "5", "m", "5x", "5m3", "3s5m", "5m5m", "-5m", "5.5m", " 5m", "5m ",
                           "5 m", "4294967296s", "50d", "99999999999999999999s"}) {
    EXPECT_FALSE(parse_duration(text)) << text;
  }
  EXPECT_TRUE(parse_duration("49d"));
}

TEST(Duration, is_told_in_words) {
  EXPECT_EQ(duration_text(milliseconds(0)), "0 s");
  EXPECT_EQ(duration_text(milliseconds(-5)), "0 s");
  EXPECT_EQ(duration_text(milliseconds(480)), "0.5 s");
  EXPECT_EQ(duration_text(milliseconds(9'960)), "10.0 s");
  EXPECT_EQ(duration_text(milliseconds(15'000)), "15 s");
  EXPECT_EQ(duration_text(milliseconds(60'000)), "1 min");
  EXPECT_EQ(duration_text(milliseconds(90'000)), "1 min 30 s");
  EXPECT_EQ(duration_text(milliseconds(7'200'000)), "2 h");
  EXPECT_EQ(duration_text(milliseconds(90'000'000)), "1 day 1 h");
  EXPECT_EQ(duration_text(milliseconds(2'592'000'000)), "30 days");
}

TEST(Clock, is_shown_in_whole_seconds_that_have_begun) {
  EXPECT_EQ(clock_text(milliseconds(0)), "0:00");
  EXPECT_EQ(clock_text(milliseconds(-1'000)), "0:00");
  EXPECT_EQ(clock_text(milliseconds(1)), "0:01");
  EXPECT_EQ(clock_text(milliseconds(271'001)), "4:32");
  EXPECT_EQ(clock_text(milliseconds(300'000)), "5:00");
  EXPECT_EQ(clock_text(milliseconds(3'723'000)), "1:02:03");
  EXPECT_EQ(clock_text(milliseconds(4'294'967'295)), "1193:02:48");
}

TEST(Retry, never_means_never) {
  RetryPlan plan(std::chrono::seconds(0), 1);
  EXPECT_FALSE(plan.next(Time()));
}

TEST(Retry, differs_from_seed_to_seed) {
  RetryPlan one(std::chrono::seconds(60), 1);
  RetryPlan other(std::chrono::seconds(60), 2);
  EXPECT_NE(one.next(Time()), other.next(Time()));
}

// Letters and digits that look like others
// ---------------------------------------------------------

TEST(LookAlike, cells_are_read_as_they_look) {
  for (const char* typed : {
           "\u0441\u0032",          // Cyrillic es
           "\uFF43\uFF12",          // full-width
           "\u0441\u0662",          // Arabic digit
           "c\u06F2",               // Persian digit
           "c\u0968",               // Devanagari digit
           "\U0001D41C\U0001D7D0",  // mathematical bold
           "\u03F22",               // Greek lunate sigma
           "\u0421\u0032",          // Cyrillic capital
           "\uFF12\u3000\uFF13",    // full-width, with a full-width blank
           "2\u00A03",              // no-break space
       }) {
    const auto cell = place(typed);
    ASSERT_TRUE(cell) << typed;
    EXPECT_EQ(cell->row, 1U) << typed;
    EXPECT_EQ(cell->col, 2U) << typed;
  }
}

TEST(LookAlike, words_numbers_and_sizes_are_too) {
  EXPECT_EQ(text("\u0440lay"), "play { }");
  EXPECT_EQ(text("\uFF50\uFF4C\uFF41\uFF59"), "play { }");
  EXPECT_EQ(text("hint"), "hint { }");
  EXPECT_EQ(text("create den 15\u044515\u04455"), text("create den 15x15x5")) << "Cyrillic ha";
  EXPECT_EQ(text("create den \uFF19\u00D7\uFF19"), text("create den 9x9")) << "a times sign";
  EXPECT_EQ(text("create den clock \u0665m+\uFF13s"), text("create den clock 5m+3s"));
  EXPECT_EQ(text("create den away ai \u0662m"), text("create den away ai 2m"));
  EXPECT_EQ(text("create den from \uFF11\uFF12 after \u0667"), text("create den from 12 after 7"));
  EXPECT_EQ(text("ai \u043E \u0663"), text("ai o 3"));
  EXPECT_EQ(text("join den \u0445"), text("join den x"));
  EXPECT_EQ(text("replay \uFF17"), text("replay 7"));
  const Command board = parse_command("board \u04412");
  ASSERT_TRUE(std::holds_alternative<ShowBoard>(board));
  EXPECT_TRUE(std::get<ShowBoard>(board).around);
}

TEST(LookAlike, names_and_chat_stay_as_they_are) {
  EXPECT_EQ(request("join \u0441\u0430\u0441").join_room().name(), "\u0441\u0430\u0441");
  EXPECT_EQ(request("say \u04412 \uFF12").chat().text(), "\u04412 \uFF12");
  EXPECT_EQ(request("history \uFF41nn").list_games().player(), "\uFF41nn");
  EXPECT_EQ(request("join den password \u0441").join_room().password(), "\u0441");
  EXPECT_EQ(request("create \"x\u3000y\"").create_room().name(), "x\u3000y");
}

TEST(LookAlike, of_nothing_is_said_to_be_of_another_alphabet) {
  EXPECT_EQ(mistake("\u04382"),
            "Unknown command `\u04382`: \u0438 is Cyrillic. Switch the keyboard to Latin letters, "
            "or type `help` for the list.");
  EXPECT_THAT(mistake("\u03B82"), HasSubstr("is Greek"));
  EXPECT_THAT(mistake("\u05D02"), HasSubstr("is Hebrew"));
  EXPECT_EQ(mistake("foo"), "Unknown command `foo`. Type `help` for the list.");
}

}  // namespace
}  // namespace tictactoe::client::text_command_tests
