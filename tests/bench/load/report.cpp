#include "tests/bench/load/report.hpp"

#include <fmt/format.h>
#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>

#include <algorithm>

namespace tictactoe::load {

void Report::add(std::string key, std::string label, double value, int decimals) {
  rows_.push_back(
      {std::move(key), std::move(label), value, fmt::format("{:.{}f}", value, decimals), true});
}

void Report::add(std::string key, std::string label, std::string text) {
  rows_.push_back({std::move(key), std::move(label), 0, std::move(text), false});
}

void Report::add(std::string key, std::string label, std::chrono::nanoseconds duration) {
  add(std::move(key), std::move(label), static_cast<double>(duration.count()) * 1e-3, 1);
}

std::string Report::table() const {
  std::size_t width = 0;
  for (const Row& row : rows_) width = std::max(width, row.label.size());
  std::string table;
  for (const Row& row : rows_) table += fmt::format("{:<{}}  {:>14}\n", row.label, width, row.text);
  for (const std::string& note : notes_) table += "NOTE: " + note + "\n";
  return table;
}

std::string Report::json() const {
  google::protobuf::Struct object;
  auto& fields = *object.mutable_fields();
  for (const Row& row : rows_) {
    if (row.is_number) {
      fields[row.key].set_number_value(row.value);
    } else {
      fields[row.key].set_string_value(row.text);
    }
  }
  auto& notes = *fields["notes"].mutable_list_value();
  for (const std::string& note : notes_) notes.add_values()->set_string_value(note);
  std::string json;
  google::protobuf::util::JsonPrintOptions options;
  options.add_whitespace = true;
  const auto status = google::protobuf::util::MessageToJsonString(object, &json, options);
  return status.ok() ? json : "{}";
}

}  // namespace tictactoe::load
