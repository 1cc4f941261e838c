#include "server/records/table.hpp"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <charconv>
#include <iterator>
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

std::map<int, std::string> words_of(const EnumDescriptor* type) {
  std::map<int, std::string> words;
  for (int i = 0; i < type->value_count(); ++i) {
    std::string word = type->value(i)->name();
    word.erase(0, word.find('_') + 1);
    std::ranges::transform(word, word.begin(), [](char letter) {
      return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    words.emplace(type->value(i)->number(), std::move(word));
  }
  return words;
}

std::string word_of(const std::map<int, std::string>& words, int value) {
  const auto found = words.find(value);
  return found == words.end() ? std::to_string(value) : found->second;
}

int value_of(const std::map<int, std::string>& words, std::string_view word) {
  for (const auto& [value, each] : words) {
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
      return is_sqlite ? "TEXT" : "text COLLATE \"C\"";  // in the order of bytes, as in SQLite
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

const std::map<int, std::string>& kinds_of_lines() {
  static const std::map<int, std::string> kinds = words_of(v1::Line::Kind_descriptor());
  return kinds;
}

std::string line_text(const v1::Line& line) {
  return word_of(kinds_of_lines(), line.kind()) + ' ' +
         record::cell_name({line.first().row(), line.first().col()}) + ' ' +
         record::cell_name({line.last().row(), line.last().col()});
}

void read_line(const std::string& kind, std::istream& words, v1::Line& line) {
  line.set_kind(static_cast<v1::Line::Kind>(value_of(kinds_of_lines(), kind)));
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

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

// The columns -------------------------------------------------------------------------------------

Table::Table(const Descriptor* type, Form form) : form_(std::move(form)) {
  add_columns(type, 0, "", false);
  short_size_ = columns_.size();
  add_columns(type, 0, "", true);
  std::ranges::copy_if(form_.extra, std::back_inserter(common_),
                       [](const ExtraColumn& column) { return !column.only_in_postgres; });
}

void Table::add_columns(const Descriptor* type, std::size_t part, const std::string& prefix,
                        bool repeated) {
  for (int i = 0; i < type->field_count(); ++i) {
    const FieldDescriptor* field = type->field(i);
    std::string name = prefix + field->name();
    for (const auto& [from, to] : form_.renamed) {
      if (name == from) name = to;
    }
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE && !field->is_repeated()) {
      const bool is_unnamed = contains(form_.unnamed, field->name());
      add_columns(field->message_type(), add_part(part, field), is_unnamed ? prefix : name + '_',
                  repeated);
    } else if (field->is_repeated() == repeated && !contains(form_.left_out, name)) {
      Column column{std::move(name), type_of(field), part, field};
      if (const EnumDescriptor* words = field->enum_type()) column.words = words_of(words);
      columns_.push_back(std::move(column));
    }
  }
}

std::size_t Table::add_part(std::size_t parent, const FieldDescriptor* field) {
  for (std::size_t i = 1; i < parts_.size(); ++i) {
    if (parts_[i].parent == parent && parts_[i].field == field) return i;
  }
  parts_.push_back({parent, field});
  return parts_.size() - 1;
}

std::string Table::key() const {
  return joined(form_.key);
}

std::string Table::names(std::size_t count, const std::string& prefix) const {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += (i > 0 ? ", " : "") + prefix + columns_[i].name;
  }
  return text;
}

// Rows -------------------------------------------------------------------------------------------

void Table::write(const Message& message, std::vector<Value>& values) const {
  boost::container::small_vector<const Message*, 16> parts{&message};
  for (std::size_t i = 1; i < parts_.size(); ++i) {
    const Message* const parent = parts[parts_[i].parent];
    const FieldDescriptor* const field = parts_[i].field;
    const bool is_there = parent != nullptr && parent->GetReflection()->HasField(*parent, field);
    parts.push_back(is_there ? &parent->GetReflection()->GetMessage(*parent, field) : nullptr);
  }
  for (const Column& column : columns_) {
    const Message* const part = parts[column.part];
    values.push_back(part == nullptr ? Value() : value_in(*part, column));
  }
}

Value Table::value_in(const Message& part, const Column& column) {
  const FieldDescriptor* const field = column.field;
  const Reflection& values = *part.GetReflection();
  if (field->is_repeated()) return list_text(part, field);
  if (field->has_presence() && !values.HasField(part, field)) return {};
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_UINT32:
      return to_value(values.GetUInt32(part, field));
    case FieldDescriptor::CPPTYPE_UINT64:
      return to_value(values.GetUInt64(part, field));
    case FieldDescriptor::CPPTYPE_BOOL:
      return to_value(std::uint64_t{values.GetBool(part, field)});
    case FieldDescriptor::CPPTYPE_ENUM:
      return word_of(column.words, values.GetEnumValue(part, field));
    default:
      break;
  }
  std::string text = values.GetString(part, field);
  if (column.type == ColumnType::bytes) return Bytes{std::move(text)};
  return text;
}

void Table::read(const SqlRow& row, int first, std::size_t count, Message& message) const {
  for (std::size_t i = 0; i < count; ++i) {
    const int at = first + static_cast<int>(i);
    const Column& column = columns_[i];
    if (!row.is_null(at)) set_value(part_of(message, column.part), column, row, at);
  }
}

Message& Table::part_of(Message& message, std::size_t part) const {
  if (part == 0) return message;
  Message& parent = part_of(message, parts_[part].parent);
  return *parent.GetReflection()->MutableMessage(&parent, parts_[part].field);
}

void Table::set_value(Message& part, const Column& column, const SqlRow& row, int at) {
  const FieldDescriptor* const field = column.field;
  const Reflection& values = *part.GetReflection();
  if (field->is_repeated()) return read_list(row.bytes(at), part, field);
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_UINT32:
      // What is too large stays so.
      return values.SetUInt32(
          &part, field,
          static_cast<std::uint32_t>(std::min<std::uint64_t>(row.number(at), UINT32_MAX)));
    case FieldDescriptor::CPPTYPE_UINT64:
      return values.SetUInt64(&part, field, row.number(at));
    case FieldDescriptor::CPPTYPE_BOOL:
      return values.SetBool(&part, field, row.number(at) != 0);
    case FieldDescriptor::CPPTYPE_ENUM:
      return values.SetEnumValue(&part, field, value_of(column.words, row.bytes(at)));
    default:
      return values.SetString(&part, field, std::string(row.bytes(at)));
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
  for (const ExtraColumn& column : is_sqlite ? common_ : form_.extra) {
    add_column(column.name, column.type);
  }
  if (!one_key) add("PRIMARY KEY(" + key() + ")");
  line.pop_back();
  text += "\n " + line + "\n)";
  if (!is_sqlite) return text;
  return text + (form_.in_key_order ? " STRICT, WITHOUT ROWID" : " STRICT");
}

std::string Table::insert(const std::vector<std::string>& columns) const {
  std::string marks;
  for (std::size_t i = 1; i <= columns.size(); ++i) {
    marks += (i > 1 ? ", ?" : "?") + std::to_string(i);
  }
  return "INSERT INTO " + name() + "(" + joined(columns) + ") VALUES(" + marks + ")";
}

std::string Table::insert(std::size_t first) const {
  std::vector<std::string> columns;
  for (std::size_t i = first; i < columns_.size(); ++i) columns.push_back(columns_[i].name);
  return insert(columns);
}

std::string Table::upsert(const std::vector<std::string>& extra) const {
  std::vector<std::string> columns;
  std::vector<std::string> changes;
  for (const Column& column : columns_) {
    columns.push_back(column.name);
    if (!contains(form_.key, column.name)) {
      changes.push_back(column.name + " = excluded." + column.name);
    }
  }
  columns.insert(columns.end(), extra.begin(), extra.end());
  return insert(columns) + " ON CONFLICT(" + key() + ") DO UPDATE SET " + joined(changes);
}

std::string Table::insert_row() const {
  std::vector<std::string> columns;
  for (const Column& column : columns_) columns.push_back(column.name);
  for (const ExtraColumn& column : common_) columns.push_back(column.name);
  return insert(columns);
}

std::string Table::select_rows() const {
  std::string sql = "SELECT " + names();
  for (const ExtraColumn& column : common_) sql += ", " + column.copied_as;
  return sql + " FROM " + name() + " WHERE " + form_.recorded + " IS NOT NULL";
}

void Table::read_values(const SqlRow& row, std::vector<Value>& values) const {
  values.clear();
  for (std::size_t i = 0; i < columns_.size() + common_.size(); ++i) {
    const int at = static_cast<int>(i);
    const ColumnType type =
        i < columns_.size() ? columns_[i].type : common_[i - columns_.size()].type;
    if (row.is_null(at)) {
      values.emplace_back();
    } else if (type == ColumnType::text) {
      values.emplace_back(std::string(row.bytes(at)));
    } else if (type == ColumnType::bytes) {
      values.emplace_back(Bytes{std::string(row.bytes(at))});
    } else {
      values.emplace_back(row.number(at));
    }
  }
}

}  // namespace tictactoe::records
