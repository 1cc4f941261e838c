// Protocol messages as words, for tests that are written as text.
//
// A request is a verb and what it needs: `create den 5x5x4 hints grace=10s`. Values without a key
// fill the message's fields in the order of their numbers; `-` leaves one out. Keys also reach into
// the options of a room and their clocks. A boolean field is set by its name alone.
//
// An expected message is its name and some of its fields in the same form: `snapshot den playing`,
// `error NOT_SEATED`. A phase needs no key, `!flag` is a boolean that is not set, `key~text` and
// `~text` look for a part, `key>number` and `key<number` compare, and `key.size` counts. A key is a
// path, and those of a room's update name fields of its change first. Only what is named is
// compared.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <strings.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tictactoe/v1/server.pb.h"

namespace tictactoe::test::words {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using Words = std::vector<std::string>;

inline bool same_letters(const std::string& one, const std::string& other) {
  return strcasecmp(one.c_str(), other.c_str()) == 0;
}
inline bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Splits at blanks, except in "quotes" and [brackets]. Quotes are left out.
inline Words split(const std::string& text) {
  Words words;
  bool begun = false;
  char open = 0;
  for (const char c : text) {
    if (open == 0 && c == ' ') {
      begun = false;
      continue;
    }
    if (!begun) words.emplace_back();
    begun = true;
    if (open == 0 ? c == '"' : c == open) {
      if (c == ']') words.back() += c;
      open = open == 0 ? c : 0;
      continue;
    }
    if (open == 0 && c == '[') open = ']';
    words.back() += c;
  }
  return words;
}

/// "30s", "1500ms", "2min", "24h".
inline std::optional<std::chrono::milliseconds> duration(const std::string& text) {
  std::size_t digits = 0;
  while (digits < text.size() && isdigit(text[digits])) ++digits;
  static const std::map<std::string, std::int64_t> units{
      {"ms", 1}, {"s", 1'000}, {"min", 60'000}, {"h", 3'600'000}};
  const auto unit = units.find(text.substr(digits));
  if (digits == 0 || unit == units.end()) return std::nullopt;
  return std::chrono::milliseconds(std::stoll(text) * unit->second);
}

/// An enumerator without its prefix: "X", "PLAYING", "WRONG_PASSWORD".
inline std::string enumerator(const google::protobuf::EnumValueDescriptor& value) {
  return std::string(value.name()).substr(std::string(value.name()).find('_') + 1);
}

std::string text_of(const Message& message);

inline std::string text_of(const Message& message, const FieldDescriptor& field, int index = -1) {
  const auto& reflection = *message.GetReflection();
  const bool many = index >= 0;
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_MESSAGE:
      if (!many && !reflection.HasField(message, &field)) return "none";
      return text_of(many ? reflection.GetRepeatedMessage(message, &field, index)
                          : reflection.GetMessage(message, &field));
    case FieldDescriptor::CPPTYPE_ENUM:
      return enumerator(*reflection.GetEnum(message, &field));
    case FieldDescriptor::CPPTYPE_BOOL:
      return reflection.GetBool(message, &field) ? "yes" : "no";
    case FieldDescriptor::CPPTYPE_UINT32:
      return std::to_string(many ? reflection.GetRepeatedUInt32(message, &field, index)
                                 : reflection.GetUInt32(message, &field));
    case FieldDescriptor::CPPTYPE_UINT64:
      return std::to_string(many ? reflection.GetRepeatedUInt64(message, &field, index)
                                 : reflection.GetUInt64(message, &field));
    default:
      return many ? reflection.GetRepeatedString(message, &field, index)
                  : reflection.GetString(message, &field);
  }
}

/// A field, with all its elements: "[0 4 1]".
inline std::string value_of(const Message& message, const FieldDescriptor& field) {
  if (!field.is_repeated()) return text_of(message, field);
  std::string all;
  for (int i = 0; i < message.GetReflection()->FieldSize(message, &field); ++i) {
    all += (all.empty() ? "" : " ") + text_of(message, field, i);
  }
  return "[" + all + "]";
}

/// Messages within others: "1,2", "5x5x4", "bob", "open", "AI:3", "X/line", "1:0:2" and so on.
inline std::string text_of(const Message& message) {
  if (const auto* cell = dynamic_cast<const v1::Cell*>(&message)) {
    return std::to_string(cell->row()) + "," + std::to_string(cell->col());
  }
  if (const auto* rules = dynamic_cast<const v1::Rules*>(&message)) {
    return std::to_string(rules->rows()) + "x" + std::to_string(rules->cols()) + "x" +
           std::to_string(rules->k()) + (rules->exact() ? "!" : "");
  }
  if (const auto* seat = dynamic_cast<const v1::Occupant*>(&message)) {
    if (seat->kind() == v1::Occupant::KIND_OPEN) return "open";
    const std::string level = seat->ai_level().empty() ? "" : "AI:" + seat->ai_level();
    if (seat->kind() == v1::Occupant::KIND_AI) return level;
    return seat->name() + (level.empty() ? "" : "/" + level) + (seat->away() ? "(away)" : "");
  }
  if (const auto* outcome = dynamic_cast<const v1::Outcome*>(&message)) {
    return v1::Mark_Name(outcome->winner()).substr(5) + "/" +
           v1::Outcome::Reason_Name(outcome->reason()).substr(7);
  }
  if (const auto* score = dynamic_cast<const v1::Score*>(&message)) {
    return std::to_string(score->x()) + ":" + std::to_string(score->o()) + ":" +
           std::to_string(score->draws());
  }
  if (const auto* said = dynamic_cast<const v1::ChatSaid*>(&message)) {
    return said->from() + ":" + said->text();
  }
  const FieldDescriptor* name = message.GetDescriptor()->FindFieldByName("name");
  const FieldDescriptor* room = message.GetDescriptor()->FindFieldByName("room");
  if (name == nullptr) return "(" + message.ShortDebugString() + ")";
  const std::string where = room == nullptr ? "" : text_of(message, *room);
  return text_of(message, *name) + (where.empty() ? "" : "@" + where);
}

/// The field of a oneof that is set, which names the message.
inline const FieldDescriptor* chosen(const Message& message) {
  return message.GetReflection()->GetOneofFieldDescriptor(message,
                                                          message.GetDescriptor()->oneof_decl(0));
}

/// The message that has a field of that name: this one, or one of its parts. Null if none has.
inline Message* with_field(Message& message, const std::string& key,
                           const FieldDescriptor*& field) {
  if (const std::size_t dot = key.find('.'); dot != std::string::npos) {
    Message* in = with_field(message, key.substr(0, dot), field);
    if (in == nullptr || field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) return nullptr;
    return with_field(*in->GetReflection()->MutableMessage(in, field), key.substr(dot + 1), field);
  }
  for (const std::string& name : {key, key + "_ms"}) {
    field = message.GetDescriptor()->FindFieldByName(name);
    if (field != nullptr) return &message;
  }
  for (const char* within : {"options", "time", "from"}) {
    const FieldDescriptor* inner = message.GetDescriptor()->FindFieldByName(within);
    if (inner == nullptr || inner->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    // Looks first, so that nothing is made that is not needed.
    std::unique_ptr<Message> probe(message.GetReflection()->GetMessage(message, inner).New());
    if (with_field(*probe, key, field) == nullptr) continue;
    return with_field(*message.GetReflection()->MutableMessage(&message, inner), key, field);
  }
  return nullptr;
}
/// Writes a word into a field.
inline void set(Message& message, const FieldDescriptor& field, const std::string& text) {
  const auto& reflection = *message.GetReflection();
  const auto number = [&] {
    const auto time = duration(text);
    return time ? static_cast<std::uint64_t>(time->count()) : std::stoull(text);
  };
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return reflection.SetBool(&message, &field, text != "no");
    case FieldDescriptor::CPPTYPE_UINT64:
      return reflection.SetUInt64(&message, &field, number());
    case FieldDescriptor::CPPTYPE_UINT32:
      if (!field.is_repeated()) {
        return reflection.SetUInt32(&message, &field, static_cast<std::uint32_t>(number()));
      }
      for (const std::string& each :
           split(text.starts_with("[") ? text.substr(1, text.size() - 2) : text)) {
        reflection.AddUInt32(&message, &field, static_cast<std::uint32_t>(std::stoul(each)));
      }
      return;
    case FieldDescriptor::CPPTYPE_STRING:
      if (field.is_repeated()) return reflection.AddString(&message, &field, text);
      return reflection.SetString(&message, &field, text);
    case FieldDescriptor::CPPTYPE_ENUM:
      for (int i = 0; i < field.enum_type()->value_count(); ++i) {
        if (!same_letters(enumerator(*field.enum_type()->value(i)), text)) continue;
        return reflection.SetEnum(&message, &field, field.enum_type()->value(i));
      }
      break;
    case FieldDescriptor::CPPTYPE_MESSAGE: {
      // "1,2" or "5x5x4!": the numbers of its fields.
      Message& inner = *reflection.MutableMessage(&message, &field);
      std::istringstream numbers(text);
      std::uint32_t each = 0;
      for (int i = 0; numbers >> each; ++i) {
        inner.GetReflection()->SetUInt32(&inner, inner.GetDescriptor()->field(i), each);
        numbers.get();
      }
      if (ends_with(text, "!")) set(inner, *inner.GetDescriptor()->FindFieldByName("exact"), "yes");
      return;
    }
    default:
      break;
  }
  throw std::runtime_error("'" + text + "' is no " + std::string(field.name()));
}

/// Fills a message from words.
inline void fill(Message& message, const Words& words, std::size_t from) {
  int next = 0;
  for (std::size_t i = from; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    const FieldDescriptor* field = nullptr;
    const std::string key = words[i].substr(0, equals);
    Message* in = with_field(message, key, field);
    if (in != nullptr &&
        (equals != std::string::npos || field->cpp_type() == FieldDescriptor::CPPTYPE_BOOL)) {
      set(*in, *field, equals == std::string::npos ? "yes" : words[i].substr(equals + 1));
      continue;
    }
    if (next >= message.GetDescriptor()->field_count()) {
      throw std::runtime_error("nothing takes '" + words[i] + "'");
    }
    field = message.GetDescriptor()->field(next++);
    if (words[i] != "-") set(message, *field, words[i]);
  }
}

/// Makes a message of the oneof whose field is the first word.
inline void make(Message& message, const Words& words) {
  const FieldDescriptor* field = message.GetDescriptor()->FindFieldByName(words.at(0));
  if (field == nullptr) throw std::runtime_error("nobody knows the verb '" + words[0] + "'");
  fill(*message.GetReflection()->MutableMessage(&message, field), words, 1);
}

/// A received message, of which words name fields.
class Received {
 public:
  /// The message is a oneof with what was received.
  explicit Received(const Message& message) {
    const FieldDescriptor* field = chosen(message);
    if (field == nullptr) {
      name_ = "nothing";
      return;
    }
    name_ = field->name();
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) return;
    parts_.push_back(&message.GetReflection()->GetMessage(message, field));
    if (name_ == "update" && chosen(*parts_[0]) != nullptr) {
      const FieldDescriptor* change = chosen(*parts_[0]);
      name_ = change->name();
      parts_.insert(parts_.begin(), &parts_[0]->GetReflection()->GetMessage(*parts_[0], change));
    }
  }
  Received(std::string name, const Message& message) : name_(std::move(name)), parts_{&message} {}
  /// Something that is no message.
  explicit Received(std::string name, std::string rest = {})
      : name_(std::move(name)), rest_(std::move(rest)) {}

  /// These words as they would have to be to be true: the same, if they are.
  std::string as(const Words& expected, std::map<std::string, std::uint64_t>& variables) const {
    std::string text = name_;
    if (expected.at(0) != name_ || parts_.empty()) return all();
    int next = 0;
    for (std::size_t i = 1; i < expected.size(); ++i) {
      text += " " + word(expected[i], next, variables);
    }
    return text;
  }
  /// All fields that are set.
  std::string all() const {
    std::string text = name_ + rest_;
    for (const Message* part : parts_) {
      std::vector<const FieldDescriptor*> fields;
      part->GetReflection()->ListFields(*part, &fields);
      for (const FieldDescriptor* field : fields) {
        if (field->containing_oneof() != nullptr && part != parts_[0]) continue;
        text += " " + std::string(field->name()) + "=" + value_of(*part, *field);
      }
    }
    return text;
  }

 private:
  /// What a path leads to.
  static std::optional<std::string> find(const Message& in, const std::string& path) {
    const std::string key = path.substr(0, path.find('.'));
    const std::string rest = path == key ? "" : path.substr(key.size() + 1);
    const FieldDescriptor* field = in.GetDescriptor()->FindFieldByName(key);
    const FieldDescriptor* time = in.GetDescriptor()->FindFieldByName(key + "_ms");
    if (field == nullptr && time != nullptr) return text_of(in, *time) + "ms";
    if (field == nullptr) return std::nullopt;
    if (rest.empty()) return value_of(in, *field);
    const auto& reflection = *in.GetReflection();
    if (!field->is_repeated()) {
      if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) return std::nullopt;
      return find(reflection.GetMessage(in, field), rest);
    }
    const int size = reflection.FieldSize(in, field);
    if (rest == "size") return std::to_string(size);
    const int index = std::atoi(rest.c_str());
    if (index >= size) return "nothing";
    const std::size_t dot = rest.find('.');
    if (dot == std::string::npos) return text_of(in, *field, index);
    return find(reflection.GetRepeatedMessage(in, field, index), rest.substr(dot + 1));
  }
  std::optional<std::string> find(const std::string& path) const {
    for (const Message* part : parts_) {
      if (auto value = find(*part, path)) return value;
    }
    return std::nullopt;
  }
  std::string word(const std::string& expected, int& next,
                   std::map<std::string, std::uint64_t>& variables) const {
    const std::size_t at = expected.find_first_of("=~><");
    std::string key = expected.substr(0, at);
    const bool denied = key.starts_with("!");
    if (at == std::string::npos) {
      const std::string name = denied ? key.substr(1) : key;
      if (const auto flag = find(name); flag == "yes" || flag == "no") {
        return (flag == "yes" ? "" : "!") + name;
      }
      for (const char* phase : {"waiting", "playing", "finished"}) {
        if (key != phase) continue;
        const std::string seen = find("phase").value_or("without a phase");
        return same_letters(seen, key) ? key : seen;
      }
    }
    std::string wanted = at == std::string::npos ? key : expected.substr(at + 1);
    if (at == std::string::npos || at == 0) {
      if (next >= parts_[0]->GetDescriptor()->field_count()) return "(no further field)";
      key = parts_[0]->GetDescriptor()->field(next++)->name();
      if (expected == "-") return expected;
    }
    const std::string seen = find(key).value_or("(no such field)");
    if (wanted.starts_with("?")) {
      variables[wanted.substr(1)] = std::stoull(seen);
      return expected;
    }
    if (is_met(at == std::string::npos ? '=' : expected[at], seen, wanted)) return expected;
    return (at == std::string::npos || at == 0 ? "" : key + "=") + seen;
  }
  static bool is_met(char relation, const std::string& seen, const std::string& wanted) {
    if (relation == '~') return seen.find(wanted) != std::string::npos;
    if (relation == '<') return std::stoull(seen) < std::stoull(wanted);
    if (relation == '>') return std::stoull(seen) > std::stoull(wanted);
    if (const auto time = duration(wanted); time && duration(seen)) return time == duration(seen);
    // Enumerators have no small letters, and are written with any.
    return seen == wanted || (same_letters(seen, wanted) &&
                              std::ranges::none_of(seen, [](char c) { return islower(c); }));
  }

  std::string name_;
  std::string rest_;
  std::vector<const Message*> parts_;  // of another's; the change of an update comes first
};

}  // namespace tictactoe::test::words
