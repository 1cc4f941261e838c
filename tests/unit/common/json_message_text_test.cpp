// Messages as JSON: the same as protobuf's, in both directions.
#include "common/json/message_text.hpp"

#include <gmock/gmock.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>

#include <random>

#include "common/json/message_from_text.hpp"
#include "common/unicode/letters.hpp"
#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::json::json_message_text_tests {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

std::string by_protobuf(const Message& message) {
  std::string text;
  EXPECT_TRUE(google::protobuf::util::MessageToJsonString(message, &text).ok());
  return text;
}

/// Fills messages with anything.
class Filler {
 public:
  explicit Filler(unsigned seed) : random_(seed) {}

  void fill(Message& message) {
    const auto& fields = *message.GetDescriptor();
    for (int i = 0; i < fields.field_count(); ++i) {
      const FieldDescriptor& field = *fields.field(i);
      if (below(4) != 0) continue;
      const int count = field.is_repeated() ? below(4) : 1;
      for (int item = 0; item < count; ++item) set(message, field);
    }
  }

  int below(int limit) { return std::uniform_int_distribution<>(0, limit - 1)(random_); }

 private:
  std::uint64_t number() { return random_() >> below(64); }

  void set(Message& message, const FieldDescriptor& field) {
    const Reflection& in = *message.GetReflection();
    const bool is_list = field.is_repeated();
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT32: {
        const auto value = static_cast<std::int32_t>(number());
        return is_list ? in.AddInt32(&message, &field, value)
                       : in.SetInt32(&message, &field, value);
      }
      case FieldDescriptor::CPPTYPE_UINT32: {
        const auto value = static_cast<std::uint32_t>(number());
        return is_list ? in.AddUInt32(&message, &field, value)
                       : in.SetUInt32(&message, &field, value);
      }
      case FieldDescriptor::CPPTYPE_INT64: {
        const auto value = static_cast<std::int64_t>(number());
        return is_list ? in.AddInt64(&message, &field, value)
                       : in.SetInt64(&message, &field, value);
      }
      case FieldDescriptor::CPPTYPE_UINT64:
        return is_list ? in.AddUInt64(&message, &field, number())
                       : in.SetUInt64(&message, &field, number());
      case FieldDescriptor::CPPTYPE_BOOL:
        return is_list ? in.AddBool(&message, &field, true) : in.SetBool(&message, &field, true);
      case FieldDescriptor::CPPTYPE_ENUM: {
        const int value = below(12);  // some have no name
        return is_list ? in.AddEnumValue(&message, &field, value)
                       : in.SetEnumValue(&message, &field, value);
      }
      case FieldDescriptor::CPPTYPE_STRING:
        return is_list
                   ? in.AddString(&message, &field, "Ann-Marie (2), 'b'")
                   : in.SetString(&message, &field,
                                  below(9) == 0 ? "" : "a b/c{}[]:;,.~&\"<\n\xc3\xa4\xe2\x80\xaa");
      case FieldDescriptor::CPPTYPE_MESSAGE:
        return fill(is_list ? *in.AddMessage(&message, &field)
                            : *in.MutableMessage(&message, &field));
      default:
        FAIL() << field.full_name();
    }
  }

  std::mt19937_64 random_;
};

template <class Kind>
void expect_the_text_of_protobuf() {
  int written = 0;
  for (unsigned seed = 0; seed < 3'000; ++seed) {
    Kind message;
    Filler(seed).fill(message);
    std::string text = "before ";
    if (append_message(text, message)) {
      ++written;
      ASSERT_EQ(text, "before " + by_protobuf(message)) << message.ShortDebugString();
    } else {
      ASSERT_EQ(text, "before ");
    }
  }
  EXPECT_GT(written, 1'000);
}

TEST(MessageText, of_any_answer_is_the_text_of_protobuf) {
  expect_the_text_of_protobuf<v1::ServerMessage>();
}

TEST(MessageText, of_any_request_is_the_text_of_protobuf) {
  expect_the_text_of_protobuf<v1::ClientMessage>();
}

TEST(MessageText, of_an_update_with_a_move_is_written) {
  v1::ServerMessage message;
  v1::RoomUpdate& update = *message.mutable_update();
  update.set_revision(std::uint64_t{1} << 63U);
  update.set_phase(v1::PHASE_PLAYING);
  update.mutable_move_played()->mutable_cell()->set_col(2);
  std::string text;
  EXPECT_TRUE(append_message(text, message));
  EXPECT_EQ(text, R"({"update":{"revision":"9223372036854775808","phase":"PHASE_PLAYING",)"
                  R"("movePlayed":{"cell":{"col":2}}}})");
}

TEST(MessageText, of_every_character_is_the_text_of_protobuf) {
  constexpr char32_t end = 0x110000;
  constexpr char32_t at_once = 0x1000;
  for (char32_t first = 0; first < end; first += at_once) {
    std::string letters;
    for (char32_t letter = first; letter < first + at_once; ++letter) {
      const bool is_surrogate = letter >= 0xd800 && letter < 0xe000;
      if (!is_surrogate) unicode::append_utf8(letters, letter);
    }
    v1::ClientMessage message;
    message.mutable_chat()->set_text(letters);
    std::string text;
    ASSERT_TRUE(append_message(text, message)) << std::uint32_t{first};
    ASSERT_TRUE(text == by_protobuf(message)) << std::uint32_t{first};
  }
}

TEST(MessageText, of_what_is_not_utf8_is_left_to_protobuf) {
  for (const char* const text : {"\x80", "a\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80"}) {
    v1::ClientMessage message;
    message.mutable_chat()->set_text(text);
    std::string out = "before";
    EXPECT_FALSE(append_message(out, message));
    EXPECT_EQ(out, "before");
  }
}

TEST(MessageText, of_bytes_is_left_to_protobuf) {
  v1::ServerMessage message;
  message.mutable_welcome()->set_token("abc");
  std::string out;
  EXPECT_FALSE(append_message(out, message));
}

template <class Kind>
void expect_the_message_of_protobuf() {
  int read = 0;
  for (unsigned seed = 0; seed < 3'000; ++seed) {
    Kind message;
    Filler(seed).fill(message);
    Kind parsed;
    if (!read_message(by_protobuf(message), parsed)) continue;
    ++read;
    ASSERT_EQ(parsed.SerializeAsString(), message.SerializeAsString())
        << message.ShortDebugString();
  }
  EXPECT_GT(read, 300);
}

TEST(MessageFromText, is_the_message_of_protobuf) {
  expect_the_message_of_protobuf<v1::ClientMessage>();
  expect_the_message_of_protobuf<v1::ServerMessage>();
}

TEST(MessageFromText, takes_what_programs_write) {
  for (const char* const text :
       {"{}", " { } ", R"({"move":{"cell":{"row":1,"col":2},"game":1,"ply":3},"requestId":"7"})",
        "{\n\t\"requestId\" : 7 ,\r\n\"ping\" : {}\n}\n",
        R"({"joinRoom":{"seat":"MARK_X","name":""}})", R"({"requestId":"18446744073709551615"})",
        R"({"createRoom":{"rules":{"exact":false}}})"}) {
    v1::ClientMessage message;
    v1::ClientMessage by_protobuf;
    EXPECT_TRUE(read_message(text, message)) << text;
    EXPECT_TRUE(google::protobuf::util::JsonStringToMessage(text, &by_protobuf).ok()) << text;
    EXPECT_EQ(message.ShortDebugString(), by_protobuf.ShortDebugString()) << text;
  }
}

TEST(MessageFromText, leaves_everything_else_to_protobuf) {
  for (const char* const text : {"",
                                 "{",
                                 "}",
                                 "[]",
                                 "null",
                                 "7",
                                 "{} x",
                                 "{,}",
                                 R"({"ping":{},})",
                                 R"({"ping"})",
                                 R"({"ping":{}} {})",
                                 R"({"ping":null})",
                                 R"({"colour":1})",
                                 R"({"request_id":1})",
                                 R"({"requestId":-1})",
                                 R"({"requestId":1.0})",
                                 R"({"requestId":1e3})",
                                 R"({"requestId":01})",
                                 R"({"requestId":-0})",
                                 R"({"requestId":"1})",
                                 R"({"requestId":"18446744073709551616"})",
                                 R"({"requestId":1,"requestId":1})",
                                 R"({"ping":{},"rematch":{}})",
                                 R"({"move":{"ply":4294967296}})",
                                 R"({"joinRoom":{"seat":1}})",
                                 R"({"joinRoom":{"seat":"MARK_Y"}})",
                                 R"({"joinRoom":{"name":"a\"b"}})",
                                 "{\"joinRoom\":{\"name\":\"\xc3\xa4\"}}",
                                 R"({"hello":{"token":"YWJj"}})",
                                 R"({"hello":{"protocolVersions":[1]}})",
                                 R"({"createRoom":{"rules":{"exact":"true"}}})"}) {
    v1::ClientMessage message;
    EXPECT_FALSE(read_message(text, message)) << text;
  }
}

}  // namespace
}  // namespace tictactoe::json::json_message_text_tests
