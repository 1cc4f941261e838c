// Frames, and texts that people may send.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "common/wire/frame.hpp"
#include "common/wire/text.hpp"

namespace tictactoe::wire::wire_tests {
namespace {

TEST(ByteOrderMark, is_skipped_at_the_begin_only) {
  EXPECT_EQ(without_byte_order_mark("\xEF\xBB\xBF"
                                    "a\xEF\xBB\xBF"),
            "a\xEF\xBB\xBF");
  EXPECT_EQ(without_byte_order_mark("\xEF\xBB"), "\xEF\xBB");
  EXPECT_EQ(without_byte_order_mark("a"), "a");
  EXPECT_EQ(without_byte_order_mark(""), "");
}

using testing::ElementsAre;
using State = NextFrame::State;

constexpr std::size_t limit = 4096;

std::string frame(std::string_view body) {
  std::string out;
  append_frame(out, body);
  return out;
}

struct Read {
  std::vector<std::string> bodies;
  std::optional<FrameFault> fault;
};

/// Feeds `bytes` in pieces of the given sizes (the last repeats), as reads of a socket would.
Read read_all(FrameReader& reader, std::string_view bytes, const std::vector<std::size_t>& pieces) {
  Read read;
  for (std::size_t i = 0; !bytes.empty(); ++i) {
    const auto space = reader.prepare();
    EXPECT_FALSE(space.empty());
    const std::size_t count =
        std::min({bytes.size(), space.size(), pieces[std::min(i, pieces.size() - 1)]});
    std::copy_n(bytes.begin(), count, space.begin());
    bytes.remove_prefix(count);
    reader.commit(count);
    NextFrame next;
    while ((next = reader.next()).state == State::frame) read.bodies.emplace_back(next.body);
    if (next.state == State::fault) {
      read.fault = next.fault;
      return read;
    }
  }
  return read;
}

TEST(Varint, has_seven_bits_a_byte_and_the_least_significant_first) {
  const auto varint = [](std::uint64_t value) {
    std::string out;
    append_varint(out, value);
    return out;
  };
  EXPECT_EQ(varint(0), std::string(1, '\0'));
  EXPECT_EQ(varint(127), "\x7F");
  EXPECT_EQ(varint(128), "\x80\x01");
  EXPECT_EQ(varint(300), "\xAC\x02");
  EXPECT_EQ(varint(UINT64_MAX), "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01");
}

TEST(Frame, prefix_and_body_make_one_frame) {
  std::string out = "before";
  append_frame(out, "ab", "cde");
  EXPECT_EQ(out,
            "before\x05"
            "abcde");
}

TEST(FrameReader, finds_frames_however_the_bytes_are_split) {
  std::mt19937 random(1);
  std::vector<std::string> sent{"",
                                "a",
                                std::string(127, 'b'),
                                std::string(128, 'c'),
                                "",
                                std::string(511, 'd'),
                                std::string(limit, 'e'),
                                "f"};
  std::string bytes;
  for (const std::string& body : sent) bytes += frame(body);
  for (std::size_t first = 1; first <= bytes.size(); ++first) {
    FrameReader reader(limit);
    const Read read = read_all(reader, bytes, {first, bytes.size()});
    ASSERT_EQ(read.bodies, sent) << "split after byte " << first;
    ASSERT_FALSE(read.fault);
  }
  for (const std::size_t piece : {1u, 2u, 3u, 7u, 512u, 513u}) {
    FrameReader reader(limit);
    ASSERT_EQ(read_all(reader, bytes, {piece}).bodies, sent) << "pieces of " << piece;
  }
}

TEST(FrameReader, takes_a_body_of_the_limit_and_refuses_one_more_byte) {
  FrameReader reader(limit);
  EXPECT_EQ(read_all(reader, frame(std::string(limit, 'x')), {9999}).bodies.size(), 1u);
  EXPECT_EQ(read_all(reader, frame(std::string(limit + 1, 'x')), {9999}).fault,
            FrameFault::too_long);
}

TEST(FrameReader, judges_a_length_before_it_makes_room_for_the_body) {
  FrameReader reader(1u << 30);
  std::string announced;
  append_varint(announced, (1u << 30) + 1);
  EXPECT_EQ(read_all(reader, announced, {1}).fault, FrameFault::too_long);
  EXPECT_LE(reader.prepare().size(), 512u);
}

TEST(FrameReader, holds_no_more_than_a_read_while_frames_are_small) {
  FrameReader reader(limit);
  for (int round = 0; round < 100; ++round) {
    ASSERT_EQ(read_all(reader, frame("small"), {3}).bodies.size(), 1u);
    ASSERT_LE(reader.prepare().size(), 512u);
  }
  ASSERT_EQ(read_all(reader, frame(std::string(limit, 'x')), {100}).bodies.size(), 1u);
  EXPECT_EQ(reader.prepare().size(), 512u) << "memory of a large frame was kept";
}

TEST(FrameReader, gives_up_on_a_length_that_does_not_end) {
  for (const std::size_t piece : {1u, 2u, 6u}) {
    FrameReader reader(limit);
    EXPECT_EQ(read_all(reader, "\x80\x80\x80\x80\x80\x01", {piece}).fault, FrameFault::bad_length);
  }
}

TEST(FrameReader, waits_for_the_rest_of_a_length) {
  FrameReader reader(limit);
  const Read read = read_all(reader, "\x80\x80\x80\x80", {1});
  EXPECT_TRUE(read.bodies.empty());
  EXPECT_FALSE(read.fault);
}

TEST(FrameReader, reads_a_length_that_is_written_longer_than_needed) {
  FrameReader reader(limit);
  EXPECT_THAT(read_all(reader, std::string("\x82\x80\x80\x80\x00hi", 7), {1}).bodies,
              ElementsAre("hi"));
}

TEST(FrameReader, does_not_take_a_length_that_overflows_for_a_small_one) {
  FrameReader reader(limit);
  // 2^32 + 1 in five bytes.
  EXPECT_EQ(read_all(reader, "\x81\x80\x80\x80\x10z", {9}).fault, FrameFault::too_long);
}

TEST(FrameReader, stays_at_a_fault_and_gives_what_came_before_it) {
  FrameReader reader(limit);
  const Read read =
      read_all(reader, frame("good") + "\xFF\xFF\xFF\xFF\xFF\xFF" + frame("lost"), {99});
  EXPECT_THAT(read.bodies, ElementsAre("good"));
  EXPECT_EQ(read.fault, FrameFault::bad_length);
  for (int i = 0; i < 2000; ++i) {
    const auto space = reader.prepare();
    ASSERT_FALSE(space.empty());
    reader.commit(space.size());
    ASSERT_EQ(reader.next().state, State::fault);
  }
}

TEST(Text, counts_code_points) {
  EXPECT_EQ(check_text("").code_points, 0u);
  EXPECT_EQ(check_text("Zo\u00EB").code_points, 3u);
  EXPECT_EQ(check_text("\u4E09\u76EE").code_points, 2u);
  EXPECT_EQ(check_text("\U0001F600!").code_points, 2u);
  EXPECT_FALSE(check_text("Zo\u00EB \u4E09 \U0001F600").fault);
}

TEST(Text, refuses_what_is_not_utf8) {
  for (const std::string_view bad : {
           "\x80",              // continuation without a lead
           "a\xC3",             // ends too early
           "\xC0\xAF",          // overlong slash
           "\xE0\x80\xAF",      // the same in three bytes
           "\xED\xA0\x80",      // a surrogate
           "\xF4\x90\x80\x80",  // past the last code point
           "\xF0\x80\x80\x80",  // overlong in four
           "\xFF",
       }) {
    EXPECT_EQ(check_text(bad).fault, TextFault::not_utf8);
  }
}

TEST(Text, refuses_what_acts_on_a_terminal) {
  for (const std::string_view bad : {
           std::string_view("\0", 1),
           std::string_view("\n"),
           std::string_view("a\tb"),
           std::string_view("\x1B[2J"),
           std::string_view("\x7F"),
           std::string_view("\u009B2J"),   // the C1 form of ESC [
           std::string_view("\u202Eabc"),  // right-to-left override
           std::string_view("\u2028"),
           std::string_view("\u200B"),
           std::string_view("\uFEFF"),
       }) {
    EXPECT_EQ(check_text(bad).fault, TextFault::control_character);
  }
}

TEST(Text, is_said_to_have_what_it_is_refused_for) {
  EXPECT_EQ(fault_text("plain"), "");
  EXPECT_EQ(fault_text("\xFF\n"), "is not UTF-8 text");
  EXPECT_EQ(fault_text("a\x1B[2J\u200B"), "contains the control character U+001B");
  EXPECT_EQ(fault_text("\u009B"), "contains the control character U+009B");
  EXPECT_EQ(fault_text("a\u200Bb\n"), "contains the invisible character U+200B");
  EXPECT_EQ(fault_text("\U000E0041"), "contains the invisible character U+E0041");
}

TEST(Text, every_byte_string_is_made_printable) {
  EXPECT_EQ(printable("plain \u00EB"), "plain \u00EB");
  EXPECT_EQ(printable("a\x1B[2Jb\xFF"), "a\uFFFD[2Jb\uFFFD");
  // Every pair of bytes, at the end of a text and in the middle of it.
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string pair{static_cast<char>(first), static_cast<char>(second)};
      ASSERT_FALSE(check_text(printable(pair)).fault) << first << " " << second;
      ASSERT_FALSE(check_text(printable(pair + "x")).fault) << first << " " << second;
    }
  }
}

TEST(Text, that_is_invisible_is_not_visible_text) {
  for (const std::string_view nothing :
       {"", "   ", "\u00A0", "\u3000", "\u2003", "\u2800", "\u115F", "\u034F", "\u0301\u0301"}) {
    EXPECT_FALSE(check_text(nothing).visible) << nothing;
  }
  for (const std::string_view something : {"a", " a", "e\u0301", "\u4E09", "\U0001F600"}) {
    EXPECT_TRUE(check_text(something).visible) << something;
  }
}

TEST(Text, is_cut_between_code_points) {
  EXPECT_EQ(first_code_points("Zo\u00EBs", 3), "Zo\u00EB");
  EXPECT_EQ(first_code_points("ab", 5), "ab");
  EXPECT_EQ(first_code_points("ab", 0), "");
}

}  // namespace
}  // namespace tictactoe::wire::wire_tests
