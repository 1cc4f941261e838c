#include "common/json/message_text.hpp"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "common/unicode/letters.hpp"

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
    if (field.type() != FieldDescriptor::TYPE_STRING) return false;
    out_.push_back('"');
    while (!text.empty()) {
      const auto plain = std::ranges::find_if_not(text, is_plain) - text.begin();
      out_.append(text.substr(0, static_cast<std::size_t>(plain)));
      text.remove_prefix(static_cast<std::size_t>(plain));
      if (!text.empty() && !write_letter(text)) return false;
    }
    out_.push_back('"');
    return true;
  }

  // Writes the first letter, which is not plain.
  bool write_letter(std::string_view& text) {
    const std::string_view before = text;
    const char32_t letter = unicode::take_letter(text);
    const std::string_view bytes = before.substr(0, before.size() - text.size());
    if (letter == unicode::replacement && bytes != "\uFFFD") return false;  // that is not UTF-8
    if (letter == '"' || letter == '\\') {
      out_.append({'\\', static_cast<char>(letter)});
    } else if (!is_escaped(letter)) {
      out_.append(bytes);
    } else if (const auto short_one =
                   std::string_view("\b\t\n\f\r").find(static_cast<char>(letter));
               letter < ' ' && short_one != std::string_view::npos) {
      out_.append({'\\', "btnfr"[short_one]});
    } else if (letter < first_with_surrogates) {
      write_escape(letter);
    } else {
      write_escape(0xd800U + ((letter - first_with_surrogates) >> 10U));
      write_escape(0xdc00U + ((letter - first_with_surrogates) & 0x3ffU));
    }
    return true;
  }

  void write_escape(char32_t unit) {
    out_.append("\\u");
    for (unsigned shift = 16; shift > 0;) {
      out_.push_back("0123456789abcdef"[unit >> (shift -= 4) & 0xfU]);
    }
  }

  // Control characters, and characters that a page could misread or hide. The list is that of
  // protobuf's json_escaping.cc.
  static bool is_escaped(char32_t letter) {
    constexpr std::array<std::pair<char32_t, char32_t>, 18> ranges{{{0, 0x1f},
                                                                    {'<', '<'},
                                                                    {'>', '>'},
                                                                    {0x7f, 0x9f},
                                                                    {0xad, 0xad},
                                                                    {0x600, 0x603},
                                                                    {0x6dd, 0x6dd},
                                                                    {0x70f, 0x70f},
                                                                    {0x17b4, 0x17b5},
                                                                    {0x200b, 0x200f},
                                                                    {0x2028, 0x202e},
                                                                    {0x2060, 0x2064},
                                                                    {0x206a, 0x206f},
                                                                    {0xfeff, 0xfeff},
                                                                    {0xfff9, 0xfffb},
                                                                    {0x1d173, 0x1d17a},
                                                                    {0xe0001, 0xe0001},
                                                                    {0xe0020, 0xe007f}}};
    return std::ranges::any_of(ranges, [letter](const auto& range) {
      return range.first <= letter && letter <= range.second;
    });
  }

  static bool is_plain(char c) {
    return c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '<' && c != '>';
  }

  static constexpr char32_t first_with_surrogates = 0x10000;

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
