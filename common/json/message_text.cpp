#include "common/json/message_text.hpp"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace tictactoe::json {
namespace {

using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

/// Appends one message. Every function returns false at the first thing that it can't write.
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  // Fields come in the order of their numbers, as in the encoding. The depth is that of the schema.
  bool write(const Message& message) {
    std::vector<const FieldDescriptor*> fields;
    message.GetReflection()->ListFields(message, &fields);
    out_.push_back('{');
    for (const FieldDescriptor* const field : fields) {
      if (out_.back() != '{') out_.push_back(',');
      out_.push_back('"');
      out_.append(field->json_name()).append("\":");
      if (field->is_map() || field->is_extension()) return false;
      if (!(field->is_repeated() ? write_list(message, *field) : write_value(message, *field))) {
        return false;
      }
    }
    out_.push_back('}');
    return true;
  }

 private:
  bool write_value(const Message& message, const FieldDescriptor& field) {
    const Reflection& in = *message.GetReflection();
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT32:
        return write_number(in.GetInt32(message, &field));
      case FieldDescriptor::CPPTYPE_UINT32:
        return write_number(in.GetUInt32(message, &field));
      case FieldDescriptor::CPPTYPE_INT64:
        return write_quoted(in.GetInt64(message, &field));
      case FieldDescriptor::CPPTYPE_UINT64:
        return write_quoted(in.GetUInt64(message, &field));
      case FieldDescriptor::CPPTYPE_BOOL:
        return write_word(in.GetBool(message, &field) ? "true" : "false");
      case FieldDescriptor::CPPTYPE_ENUM:
        return write_enum(field, in.GetEnumValue(message, &field));
      case FieldDescriptor::CPPTYPE_STRING:
        return write_text(field, in.GetStringReference(message, &field, &scratch_));
      case FieldDescriptor::CPPTYPE_MESSAGE:
        return write(in.GetMessage(message, &field));
      default:
        return false;
    }
  }

  bool write_list(const Message& message, const FieldDescriptor& field) {
    out_.push_back('[');
    const int size = message.GetReflection()->FieldSize(message, &field);
    for (int i = 0; i < size; ++i) {
      if (i > 0) out_.push_back(',');
      if (!write_item(message, field, i)) return false;
    }
    out_.push_back(']');
    return true;
  }

  bool write_item(const Message& message, const FieldDescriptor& field, int index) {
    const Reflection& in = *message.GetReflection();
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT32:
        return write_number(in.GetRepeatedInt32(message, &field, index));
      case FieldDescriptor::CPPTYPE_UINT32:
        return write_number(in.GetRepeatedUInt32(message, &field, index));
      case FieldDescriptor::CPPTYPE_INT64:
        return write_quoted(in.GetRepeatedInt64(message, &field, index));
      case FieldDescriptor::CPPTYPE_UINT64:
        return write_quoted(in.GetRepeatedUInt64(message, &field, index));
      case FieldDescriptor::CPPTYPE_BOOL:
        return write_word(in.GetRepeatedBool(message, &field, index) ? "true" : "false");
      case FieldDescriptor::CPPTYPE_ENUM:
        return write_enum(field, in.GetRepeatedEnumValue(message, &field, index));
      case FieldDescriptor::CPPTYPE_STRING:
        return write_text(field, in.GetRepeatedStringReference(message, &field, index, &scratch_));
      case FieldDescriptor::CPPTYPE_MESSAGE:
        return write(in.GetRepeatedMessage(message, &field, index));
      default:
        return false;
    }
  }

  template <class Number>
  bool write_number(Number number) {
    std::array<char, std::numeric_limits<Number>::digits10 + 2> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    out_.append(digits.data(), end);
    return true;
  }

  // JavaScript's numbers are exact up to 53 bits.
  template <class Number>
  bool write_quoted(Number number) {
    out_.push_back('"');
    write_number(number);
    out_.push_back('"');
    return true;
  }

  bool write_word(std::string_view word) {
    out_.append(word);
    return true;
  }

  bool write_enum(const FieldDescriptor& field, int number) {
    const EnumValueDescriptor* const value = field.enum_type()->FindValueByNumber(number);
    if (value == nullptr) return write_number(number);
    out_.push_back('"');
    out_.append(value->name()).push_back('"');
    return true;
  }

  bool write_text(const FieldDescriptor& field, std::string_view text) {
    if (field.type() != FieldDescriptor::TYPE_STRING || !std::ranges::all_of(text, is_plain)) {
      return false;
    }
    out_.push_back('"');
    out_.append(text).push_back('"');
    return true;
  }

  // Protobuf escapes all others, or some of them.
  static bool is_plain(char c) {
    return c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '<' && c != '>';
  }

  std::string& out_;
  std::string scratch_;
};

}  // namespace

bool append_message(std::string& out, const Message& message) {
  const std::size_t before = out.size();
  if (Writer(out).write(message)) return true;
  out.resize(before);
  return false;
}

}  // namespace tictactoe::json
