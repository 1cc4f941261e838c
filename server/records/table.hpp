// Tables whose rows are messages.
#pragma once

#include <google/protobuf/message.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "server/records/database.hpp"

namespace tictactoe::records {

enum class ColumnType : std::uint8_t { number, truth, text, bytes };

/// A column that is no field of the message: the table's owner reads and writes it.
struct ExtraColumn {
  std::string name;
  ColumnType type = ColumnType::number;
  bool only_in_postgres = false;
  std::string copied_as = name;  ///< what a copy of the store has in it
};

/// The columns of a message: one for each field, and for each field of a message in it. Their names
/// are those of the fields, joined by "_": `Room.x.player` is the column x_player. A field that is
/// absent is NULL. An enumeration is text: KIND_PERSON is 'person'. So a new field of a message is
/// a new column, without any code but a new `schema_version`.
///
/// A repeated field is text as well, for people who read the table: cells as in "b3 c2", numbers as
/// in "310 1200", lines as in "row a1 c1". Such columns come last, so that a list can do without
/// them.
class Table {
 public:
  struct Form {
    std::string name;
    std::vector<std::string> key;  ///< columns of the primary key
    std::vector<ExtraColumn> extra = {};
    /// Names of fields that add nothing to the names of their columns.
    std::vector<std::string> unnamed = {};
    std::vector<std::string> left_out = {};                         ///< columns that nobody needs
    std::vector<std::pair<std::string, std::string>> renamed = {};  ///< words of SQL
    /// Keeps rows in the order of the key, without a number of their own.
    bool in_key_order = false;
    /// A column that has a value as soon as a server has recorded the row, and not only claimed it.
    std::string recorded = "1";
    /// Gives rows numbers that count up and never come back.
    bool counts = false;
  };
  /// Of the messages of that type.
  Table(const google::protobuf::Descriptor* type, Form form);

  const std::string& name() const { return form_.name; }
  /// The columns of its primary key, with commas.
  std::string key() const;
  std::size_t size() const { return columns_.size(); }
  /// Without the columns of repeated fields.
  std::size_t short_size() const { return short_size_; }

  /// The names of the first `count` columns, as in "r.id, r.name".
  std::string names(std::size_t count, const std::string& prefix = "") const;
  std::string names(const std::string& prefix = "") const { return names(size(), prefix); }
  /// The statement that creates it.
  std::string create(Database::Kind kind) const;
  /// Inserts a row, or replaces the columns of one that is there. The parameters are the columns of
  /// the message, and then those of `extra`, which a row that is there keeps.
  std::string upsert(const std::vector<std::string>& extra = {}) const;

  /// Inserts a row with the columns of the message from `first` on.
  std::string insert(std::size_t first) const;

  // Whole rows, with the columns that both databases have.

  /// Ends with a condition.
  std::string select_rows() const;
  std::string insert_row() const;
  void read_values(const SqlRow& row, std::vector<Value>& values) const;

  /// Appends the values of all columns.
  void write(const google::protobuf::Message& message, std::vector<Value>& values) const;
  /// Reads the first `count` columns of the message, from that column of the row on. Text that is
  /// nothing of an enumeration becomes a number that is not in it.
  void read(const SqlRow& row, int first, std::size_t count,
            google::protobuf::Message& message) const;
  void read(const SqlRow& row, int first, google::protobuf::Message& message) const {
    read(row, first, size(), message);
  }

 private:
  /// The values of an enumeration as words: KIND_PERSON is "person".
  using Words = std::map<int, std::string>;
  /// The message itself, or one that is in a part.
  struct Part {
    std::size_t parent = 0;
    const google::protobuf::FieldDescriptor* field = nullptr;
  };
  struct Column {
    std::string name;
    ColumnType type = ColumnType::number;
    std::size_t part = 0;
    const google::protobuf::FieldDescriptor* field = nullptr;
    Words words = {};  // of an enumeration
  };
  std::string insert(const std::vector<std::string>& columns) const;
  void add_columns(const google::protobuf::Descriptor* type, std::size_t part,
                   const std::string& prefix, bool repeated);
  std::size_t add_part(std::size_t parent, const google::protobuf::FieldDescriptor* field);
  google::protobuf::Message& part_of(google::protobuf::Message& message, std::size_t part) const;
  static Value value_in(const google::protobuf::Message& part, const Column& column);
  static void set_value(google::protobuf::Message& part, const Column& column, const SqlRow& row,
                        int at);

  const Form form_;
  std::vector<Part> parts_{Part{}};  // each after its parent
  std::vector<Column> columns_;
  std::vector<ExtraColumn> common_;  // those of `extra` that both databases have
  std::size_t short_size_ = 0;
};

}  // namespace tictactoe::records
