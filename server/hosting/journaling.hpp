// A running server's journal: the folder, the file, and the thread that writes it.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "server/core/config.hpp"
#include "server/net/recorder.hpp"
#include "server/net/server.hpp"
#include "server/store/folder.hpp"
#include "server/store/journal.hpp"

namespace tictactoe::hosting {

/// Recorder of one server. Everything happens on the thread of the io_context.
class Journaling final : public net::Recorder {
 public:
  struct Settings {
    std::filesystem::path folder;
    /// How long finished games are kept; zero: for ever.
    std::chrono::milliseconds keep_games{0};
    store::Journal::Settings writing = {};
  };

  /// Opens the folder's journal, has the server go on where it ends, and records for the server
  /// from now on. `warn` is told what people should know. To be destroyed after the io_context has
  /// stopped running, and before the server.
  static store::Result<std::unique_ptr<Journaling>> start(
      boost::asio::io_context& io, net::Server& server, const core::Limits& limits,
      Settings settings, const std::function<void(const std::string&)>& warn);

  std::uint64_t append(std::span<const std::string_view> records) override;
  void look_up(const core::LookUp& question,
               std::function<void(v1::ServerMessage)> answer) override;

  /// Brings everything to the disk. What could not be recorded even so is lost: the number of such
  /// events.
  std::uint64_t close() { return journal_.close(); }

 private:
  Journaling(boost::asio::io_context& io, net::Server& server, const core::Limits& limits,
             store::Folder folder, std::unique_ptr<store::Database> database,
             store::Journal::Settings settings);

  boost::asio::io_context& io_;
  std::size_t games_per_list_;
  store::Folder folder_;
  store::Journal journal_;
};

}  // namespace tictactoe::hosting
