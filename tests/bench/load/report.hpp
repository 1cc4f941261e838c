// Figures with names, for people as a table and for programs as JSON.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace tictactoe::load {

/// Figures and texts in the order in which they were added.
class Report {
 public:
  /// `key` is the name in JSON, `label` the name in the table, in which the value has this number
  /// of decimals.
  void add(std::string key, std::string label, double value, int decimals = 0);
  void add(std::string key, std::string label, std::string text);
  /// In microseconds.
  void add(std::string key, std::string label, std::chrono::nanoseconds duration);
  /// A remark under the table; in JSON all of them are the list `notes`.
  void note(std::string sentence) { notes_.push_back(std::move(sentence)); }

  std::string table() const;
  std::string json() const;

 private:
  struct Row {
    std::string key;
    std::string label;
    double value = 0;
    std::string text;  // as the table shows it
    bool is_number = true;
  };

  std::vector<Row> rows_;
  std::vector<std::string> notes_;
};

}  // namespace tictactoe::load
