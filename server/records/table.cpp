#include "server/records/table.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>

#include "common/record/cell.hpp"
#include "tictactoe/v1/types.pb.h"

namespace tictactoe::records {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

namespace {

constexpr int no_value_of_any = 1'000'000;

// The values of an enumeration as words: KIND_PERSON is "person".
using Words = std::map<int, std::string>;

const Words& words_of(const EnumDescriptor* type) {
  static thread_local std::map<const EnumDescriptor*, Words> all;
  const auto [found, is_new] = all.try_emplace(type);
  for (int i = 0; is_new && i < type->value_count(); ++i) {
    std::string word = type->value(i)->name();
    word.erase(0, word.find('_') + 1);
    std::ranges::transform(word, word.begin(), [](char letter) {
      return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    found->second.emplace(type->value(i)->number(), std::move(word));
  }
  return found->second;
}

std::string word_of(const EnumDescriptor* type, int value) {
  const Words& words = words_of(type);
  const auto found = words.find(value);
  return found == words.end() ? std::to_string(value) : found->second;
}

int value_of(const EnumDescriptor* type, std::string_view word) {
  for (const auto& [value, each] : words_of(type)) {
    if (each == word) return value;
  }
  return no_value_of_any;
}

ColumnType type_of(const FieldDescriptor* field) {
  if (field->is_repeated()) return ColumnType::text;
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return ColumnType::truth;
    case FieldDescriptor::CPPTYPE_ENUM:
      return ColumnType::text;
    case FieldDescriptor::CPPTYPE_STRING:
      return field->type() == FieldDescriptor::TYPE_BYTES ? ColumnType::bytes : ColumnType::text;
    default:
      return ColumnType::number;
  }
}

const char* sql_of(ColumnType type, Database::Kind kind) {
  const bool is_sqlite = kind == Database::Kind::sqlite;
  switch (type) {
    case ColumnType::number:
      return is_sqlite ? "INTEGER" : "bigint";
    case ColumnType::truth:
      return is_sqlite ? "INTEGER" : "boolean";
    case ColumnType::text:
      return is_sqlite ? "TEXT" : "text";
    case ColumnType::bytes:
      return is_sqlite ? "BLOB" : "bytea";
  }
  return "";
}

// Repeated fields ---------------------------------------------------------------------------------

// The cells of a game are numbers that count along the rows.
std::uint32_t columns_of(const Message& message) {
  const auto* game = dynamic_cast<const v1::GameRecord*>(&message);
  return game == nullptr ? 0 : game->rules().cols();
}

std::string cell_text(std::uint32_t cell, std::uint32_t cols) {
  if (cols == 0) return std::to_string(cell);
  return record::cell_name({cell / cols, cell % cols});
}

std::uint32_t cell_of(const std::string& text, std::uint32_t cols) {
  if (const auto number = record::parse_number(text)) return *number;
  const auto cell = record::parse_cell_name(text);
  return cell ? cell->row * cols + cell->col : no_value_of_any;
}

std::string line_text(const v1::Line& line) {
  return word_of(v1::Line::Kind_descriptor(), line.kind()) + ' ' +
         record::cell_name({line.first().row(), line.first().col()}) + ' ' +
         record::cell_name({line.last().row(), line.last().col()});
}

void read_line(const std::string& kind, std::istream& words, v1::Line& line) {
  line.set_kind(static_cast<v1::Line::Kind>(value_of(v1::Line::Kind_descriptor(), kind)));
  std::string word;
  for (v1::Cell* end : {line.mutable_first(), line.mutable_last()}) {
    words >> word;
    const auto cell = record::parse_cell_name(word).value_or(record::Cell());
    end->set_row(cell.row);
    end->set_col(cell.col);
  }
}

std::string list_text(const Message& message, const FieldDescriptor* field) {
  const Reflection& values = *message.GetReflection();
  const bool are_cells = field->name() == "moves";
  const std::uint32_t cols = columns_of(message);
  std::string text;
  for (int i = 0; i < values.FieldSize(message, field); ++i) {
    if (i > 0) text += ' ';
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      text +=
          line_text(dynamic_cast<const v1::Line&>(values.GetRepeatedMessage(message, field, i)));
    } else {
      const std::uint32_t number = values.GetRepeatedUInt32(message, field, i);
      text += are_cells ? cell_text(number, cols) : std::to_string(number);
    }
  }
  return text;
}

void read_list(std::string_view text, Message& message, const FieldDescriptor* field) {
  const Reflection& values = *message.GetReflection();
  const bool are_cells = field->name() == "moves";
  const std::uint32_t cols = columns_of(message);
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      read_line(word, words, dynamic_cast<v1::Line&>(*values.AddMessage(&message, field)));
    } else {
      values.AddUInt32(&message, field,
                       are_cells ? cell_of(word, cols) : record::parse_number(word).value_or(0));
    }
  }
}

// Single fields -----------------------------------------------------------------------------------

Value value_in(const Message& message, const FieldDescriptor* field) {
  const Reflection& values = *message.GetReflection();
  if (field->is_repeated()) return list_text(message, field);
  if (field->has_presence() && !values.HasField(message, field)) return {};
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_UINT32:
      return to_value(values.GetUInt32(message, field));
    case FieldDescriptor::CPPTYPE_UINT64:
      return to_value(values.GetUInt64(message, field));
    case FieldDescriptor::CPPTYPE_BOOL:
      return to_value(std::uint64_t{values.GetBool(message, field)});
    case FieldDescriptor::CPPTYPE_ENUM:
      return word_of(field->enum_type(), values.GetEnumValue(message, field));
    default:
      break;
  }
  std::string text = values.GetString(message, field);
  if (field->type() == FieldDescriptor::TYPE_BYTES) return Bytes{std::move(text)};
  return text;
}

void set_value(Message& message, const FieldDescriptor* field, const SqlRow& row, int column) {
  const Reflection& values = *message.GetReflection();
  if (field->is_repeated()) return read_list(row.bytes(column), message, field);
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_UINT32:
      return values.SetUInt32(&message, field, static_cast<std::uint32_t>(row.number(column)));
    case FieldDescriptor::CPPTYPE_UINT64:
      return values.SetUInt64(&message, field, row.number(column));
    case FieldDescriptor::CPPTYPE_BOOL:
      return values.SetBool(&message, field, row.number(column) != 0);
    case FieldDescriptor::CPPTYPE_ENUM:
      return values.SetEnumValue(&message, field, value_of(field->enum_type(), row.bytes(column)));
    default:
      return values.SetString(&message, field, std::string(row.bytes(column)));
  }
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

// The columns -------------------------------------------------------------------------------------

Table::Table(const Descriptor* type, Form form) : form_(std::move(form)) {
  add_columns(type, {}, "", false);
  short_size_ = columns_.size();
  add_columns(type, {}, "", true);
}

void Table::add_columns(const Descriptor* type, std::vector<const FieldDescriptor*> path,
                        const std::string& prefix, bool repeated) {
  for (int i = 0; i < type->field_count(); ++i) {
    const FieldDescriptor* field = type->field(i);
    path.push_back(field);
    std::string name = prefix + field->name();
    for (const auto& [from, to] : form_.renamed) {
      if (name == from) name = to;
    }
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE && !field->is_repeated()) {
      const bool is_unnamed = contains(form_.unnamed, field->name());
      add_columns(field->message_type(), path, is_unnamed ? prefix : name + '_', repeated);
    } else if (field->is_repeated() == repeated && !contains(form_.left_out, name)) {
      columns_.push_back({std::move(name), type_of(field), path});
    }
    path.pop_back();
  }
}

std::string Table::names(std::size_t count, const std::string& prefix) const {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += (i > 0 ? ", " : "") + prefix + columns_[i].name;
  }
  return text;
}

void Table::write(const Message& message, std::vector<Value>& values) const {
  for (const Column& column : columns_) {
    const Message* part = &message;
    for (std::size_t i = 0; i + 1 < column.path.size() && part != nullptr; ++i) {
      const Reflection& fields = *part->GetReflection();
      part = fields.HasField(*part, column.path[i]) ? &fields.GetMessage(*part, column.path[i])
                                                    : nullptr;
    }
    values.push_back(part == nullptr ? Value() : value_in(*part, column.path.back()));
  }
}

void Table::read(const SqlRow& row, int first, std::size_t count, Message& message) const {
  for (std::size_t i = 0; i < count; ++i) {
    const int at = first + static_cast<int>(i);
    if (row.is_null(at)) continue;
    const Column& column = columns_[i];
    Message* part = &message;
    for (std::size_t step = 0; step + 1 < column.path.size(); ++step) {
      part = part->GetReflection()->MutableMessage(part, column.path[step]);
    }
    set_value(*part, column.path.back(), row, at);
  }
}

// Statements --------------------------------------------------------------------------------------

std::string Table::create(Database::Kind kind) const {
  const bool is_sqlite = kind == Database::Kind::sqlite;
  constexpr std::size_t width = 96;
  std::string text = "CREATE TABLE " + name() + "(";
  std::string line;
  const auto add = [&](const std::string& part) {
    if (!line.empty() && line.size() + part.size() > width) {
      text += "\n " + line;
      line.clear();
    }
    line += ' ' + part + ',';
  };
  const bool one_key = form_.key.size() == 1;
  const auto add_column = [&](const std::string& column, ColumnType type) {
    std::string part = column + ' ' + sql_of(type, kind);
    if (one_key && form_.key.front() == column) {
      if (form_.counts && !is_sqlite) part += " GENERATED BY DEFAULT AS IDENTITY";
      part += form_.counts && is_sqlite ? " PRIMARY KEY AUTOINCREMENT" : " PRIMARY KEY";
    }
    add(part);
  };
  for (const Column& column : columns_) add_column(column.name, column.type);
  for (const ExtraColumn& column : form_.extra) {
    if (is_sqlite && column.only_in_postgres) continue;
    add_column(column.name, column.type);
  }
  if (!one_key) {
    std::string key;
    for (const std::string& column : form_.key) key += (key.empty() ? "" : ", ") + column;
    add("PRIMARY KEY(" + key + ")");
  }
  line.pop_back();
  text += "\n " + line + "\n)";
  if (!is_sqlite) return text;
  return text + (form_.in_key_order ? " STRICT, WITHOUT ROWID" : " STRICT");
}

std::string Table::insert(std::size_t first) const {
  std::string columns;
  std::string marks;
  for (std::size_t i = first; i < columns_.size(); ++i) {
    columns += (i > first ? ", " : "") + columns_[i].name;
    marks += (i > first ? ", ?" : "?") + std::to_string(i - first + 1);
  }
  return "INSERT INTO " + name() + "(" + columns + ") VALUES(" + marks + ")";
}

std::string Table::upsert(const std::vector<std::string>& extra) const {
  std::string marks;
  for (std::size_t i = 1; i <= columns_.size() + extra.size(); ++i) {
    marks += (i > 1 ? ", ?" : "?") + std::to_string(i);
  }
  std::string key;
  for (const std::string& column : form_.key) key += (key.empty() ? "" : ", ") + column;
  std::string changes;
  for (const Column& column : columns_) {
    if (contains(form_.key, column.name)) continue;
    changes += (changes.empty() ? "" : ", ") + column.name + " = excluded." + column.name;
  }
  std::string sql = "INSERT INTO " + name() + "(" + names();
  for (const std::string& column : extra) sql += ", " + column;
  return sql + ") VALUES(" + marks + ") ON CONFLICT(" + key + ") DO UPDATE SET " + changes;
}

}  // namespace tictactoe::records
