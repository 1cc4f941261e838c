#include "common/json/message_from_text.hpp"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>

namespace tictactoe::json {
namespace {

using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

/// Reads one text. Every function returns false, or nothing, at the first thing that it can't read.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool read_all(Message& message) {
    if (!read(message)) return false;
    skip_space();
    return rest_.empty();
  }

 private:
  // The depth is at most that of the schema, as every field is known.
  bool read(Message& message) {
    if (!take('{')) return false;
    if (take('}')) return true;
    std::uint64_t seen = 0;
    do {
      const std::optional<std::string_view> name = take_string();
      if (!name || !take(':')) return false;
      const FieldDescriptor* const field =
          message.GetDescriptor()->FindFieldByCamelcaseName(std::string(*name));
      if (field == nullptr || field->json_name() != *name || field->is_repeated()) return false;
      if (!is_first(message, *field, seen) || !read_value(message, *field)) return false;
    } while (take(','));
    return take('}');
  }

  // Of a oneof there is one field.
  static bool is_first(const Message& message, const FieldDescriptor& field, std::uint64_t& seen) {
    constexpr int max_fields = 64;
    if (field.index() >= max_fields) return false;
    const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(field.index());
    const auto* const oneof = field.real_containing_oneof();
    if ((seen & bit) != 0) return false;
    seen |= bit;
    return oneof == nullptr || !message.GetReflection()->HasOneof(message, oneof);
  }

  bool read_value(Message& message, const FieldDescriptor& field) {
    const Reflection& in = *message.GetReflection();
    const auto set = [&](auto value, auto setter) {
      if (value) (in.*setter)(&message, &field, *value);
      return value.has_value();
    };
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT32:
        return set(take_number<std::int32_t>(), &Reflection::SetInt32);
      case FieldDescriptor::CPPTYPE_UINT32:
        return set(take_number<std::uint32_t>(), &Reflection::SetUInt32);
      case FieldDescriptor::CPPTYPE_INT64:
        return set(take_number<std::int64_t>(), &Reflection::SetInt64);
      case FieldDescriptor::CPPTYPE_UINT64:
        return set(take_number<std::uint64_t>(), &Reflection::SetUInt64);
      case FieldDescriptor::CPPTYPE_BOOL:
        return set(take_bool(), &Reflection::SetBool);
      case FieldDescriptor::CPPTYPE_ENUM:
        return set(take_enum(field), &Reflection::SetEnumValue);
      case FieldDescriptor::CPPTYPE_STRING:
        return read_string(message, field);
      case FieldDescriptor::CPPTYPE_MESSAGE:
        return read(*in.MutableMessage(&message, &field));
      default:
        return false;
    }
  }

  bool read_string(Message& message, const FieldDescriptor& field) {
    if (field.type() != FieldDescriptor::TYPE_STRING) return false;
    const std::optional<std::string_view> text = take_string();
    if (text) message.GetReflection()->SetString(&message, &field, std::string(*text));
    return text.has_value();
  }

  std::optional<int> take_enum(const FieldDescriptor& field) {
    const std::optional<std::string_view> name = take_string();
    if (!name) return std::nullopt;
    const EnumValueDescriptor* const value = field.enum_type()->FindValueByName(std::string(*name));
    return value == nullptr ? std::nullopt : std::optional(value->number());
  }

  // Any number may be quoted.
  template <class Number>
  std::optional<Number> take_number() {
    const bool is_quoted = take('"');
    const std::string_view digits = rest_.substr(rest_.starts_with('-') ? 1 : 0);
    Number number = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    const auto count = static_cast<std::size_t>(end - rest_.data());
    if (error != std::errc() || (digits.starts_with('0') && count > 1)) return std::nullopt;
    rest_.remove_prefix(count);
    if (is_quoted && !rest_.starts_with('"')) return std::nullopt;
    if (is_quoted) rest_.remove_prefix(1);
    return number;
  }

  std::optional<bool> take_bool() {
    skip_space();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "true" : "false";
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return value;
    }
    return std::nullopt;
  }

  std::optional<std::string_view> take_string() {
    if (!take('"')) return std::nullopt;
    const std::size_t size = rest_.find('"');
    if (size == std::string_view::npos) return std::nullopt;
    const std::string_view text = rest_.substr(0, size);
    const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '\\'; };
    if (!std::ranges::all_of(text, is_plain)) return std::nullopt;
    rest_.remove_prefix(size + 1);
    return text;
  }

  bool take(char c) {
    skip_space();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void skip_space() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
  }

  std::string_view rest_;
};

}  // namespace

bool read_message(std::string_view text, Message& message) {
  return Reader(text).read_all(message);
}

}  // namespace tictactoe::json
