#include "client/terminal/line_input.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "client/net/address.hpp"

namespace tictactoe::client {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(LineSplitter, CutsAtNewlinesHoweverTheBytesCome) {
  LineSplitter splitter(100);
  EXPECT_THAT(splitter.feed("one\ntwo\r\n\nth"), ElementsAre("one", "two", ""));
  EXPECT_THAT(splitter.feed("ree"), IsEmpty());
  EXPECT_THAT(splitter.feed("\n"), ElementsAre("three"));
  splitter.feed("rest");
  EXPECT_EQ(splitter.take_rest(), "rest");
  EXPECT_EQ(splitter.take_rest(), "");
}

TEST(LineSplitter, KeepsOneByteTooManyOfALongLine) {
  LineSplitter splitter(5);
  for (int i = 0; i < 1000; ++i) EXPECT_THAT(splitter.feed("xxxx"), IsEmpty());
  EXPECT_THAT(splitter.feed("\nshort\n"), ElementsAre("xxxxxx", "short"));
}

TEST(LineEditor, ErasesWholeCharactersAndWords) {
  LineEditor editor(100);
  editor.feed("say gr\xC3\xBC\x7F");
  EXPECT_EQ(editor.content(), "say gr");
  editor.feed("\x17");
  EXPECT_EQ(editor.content(), "say ");
  editor.feed("\x15\x7F\x17");
  EXPECT_EQ(editor.content(), "");
  EXPECT_THAT(editor.feed("ok\r"), ElementsAre("ok"));
}

TEST(LineEditor, SwallowsKeysThatItDoesNotKnow) {
  LineEditor editor(100);
  editor.feed("a\x1B[C\x1B[3~\x1BOP\x1B[1;5D\x01\x1Bx\x02");
  editor.feed("\x1B");
  editor.feed("[");
  editor.feed("D\tb");
  EXPECT_EQ(editor.content(), "a b");
}

TEST(LineEditor, RecallsEarlierLines) {
  LineEditor editor(100);
  editor.feed("one\rtwo\rtwo\r\r");
  editor.feed("\x1B[A");
  EXPECT_EQ(editor.content(), "two");
  editor.feed("\x1B[A\x1B[A\x1B[A");
  EXPECT_EQ(editor.content(), "one");
  editor.feed("\x1B[B\x1B[B\x1B[B");
  EXPECT_EQ(editor.content(), "");
  for (int i = 0; i < 1000; ++i) editor.feed(std::to_string(i) + "\r");
  for (int i = 0; i < 1000; ++i) editor.feed("\x1B[A");
  EXPECT_EQ(editor.content(), std::to_string(1000 - LineEditor::max_history));
}

TEST(LineEditor, EndsOnlyOnAnEmptyLine) {
  LineEditor editor(100);
  editor.feed("a\x04");
  EXPECT_FALSE(editor.ended());
  editor.feed("\x7F\x04");
  EXPECT_TRUE(editor.ended());
}

TEST(LineEditor, IsBounded) {
  LineEditor editor(5);
  editor.feed(std::string(1000, 'x') + std::string(1000, '\t'));
  EXPECT_EQ(editor.content().size(), 6U);
}

TEST(Address, IsReadInAllItsForms) {
  const auto expect = [](const char* text, const char* host, int port) {
    const AddressRead read = parse_address(text);
    EXPECT_EQ(read.fault, "") << text;
    EXPECT_EQ(read.address.host, host) << text;
    EXPECT_EQ(read.address.port, port) << text;
  };
  expect("localhost", "localhost", default_port);
  expect("example.org:1", "example.org", 1);
  expect("192.0.2.1:65535", "192.0.2.1", 65535);
  expect("[2001:db8::1]:80", "2001:db8::1", 80);
  expect("[2001:db8::1]", "2001:db8::1", default_port);
  expect("2001:db8::1", "2001:db8::1", default_port);
  expect("fe80::1%eth0", "fe80::1%eth0", default_port);
}

TEST(Address, MistakesAreTold) {
  for (const char* text : {"", ":1", "[]:1", "host:", "host:0", "host:65536", "host:-1", "host:x",
                           "[::1", "[::1]1", "[::1]:", "host: 1"}) {
    EXPECT_NE(parse_address(text).fault, "") << text;
  }
}

}  // namespace
}  // namespace tictactoe::client
