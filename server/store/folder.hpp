// The folder that a server keeps its journal in.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "server/store/database.hpp"

namespace tictactoe::store {

/// A folder that is this process's alone for as long as the object lives.
class Folder {
 public:
  /// Makes the folder where it is not there, open to its owner only, and takes its lock. The
  /// fault's reason is a whole sentence that names the folder.
  static Result<Folder> claim(const std::filesystem::path& path);
  Folder(Folder&& other) noexcept;
  Folder& operator=(Folder&&) = delete;
  ~Folder();

  static std::string journal_in(const std::filesystem::path& folder) {
    return (folder / "journal.db").string();
  }
  std::string journal() const { return journal_in(path_); }
  /// Renames the journal and its helper files to a name that says when, and returns that.
  Result<std::string> set_aside(std::chrono::system_clock::time_point now);

 private:
  Folder(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::filesystem::path path_;
  int lock_;
};

/// Bytes that may still be written to the file system of that file; all there are where it can't
/// be told.
std::uint64_t free_bytes(const std::string& file);

struct OpenedJournal {
  std::unique_ptr<Database> database;
  std::string warning;  // what people should know of it: a sentence, or empty
};

/// Opens the folder's journal, and hands what was saved to `restore`. Where the journal is damaged,
/// or `restore` finds no sense in it (false, and then it must have done nothing), it is set aside
/// as a whole and an empty one begun. Everything else that is wrong is a fault whose reason is a
/// whole sentence.
Result<OpenedJournal> open_journal(Folder& folder, const Database::Settings& settings,
                                   const std::function<bool(const journal::v1::Saved&)>& restore);

}  // namespace tictactoe::store
