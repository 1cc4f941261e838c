// The games of one sitting: the journal of a host that ends with its process.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "server/core/config.hpp"
#include "server/net/recorder.hpp"

namespace tictactoe::local {

/// Keeps the finished games in memory, the latest if they are too many, and answers questions about
/// them. One thread.
class Sitting final : public net::Recorder {
 public:
  /// Games that are kept, and their moves together; the latest game always is.
  static constexpr std::size_t most_games = 1'000;
  static constexpr int most_moves = 4'000'000;

  /// `on_durable` is called after append(), never from within it. `context` must outlive this.
  Sitting(boost::asio::io_context& context, const core::Limits& limits,
          std::function<void(std::uint64_t)> on_durable);

  std::uint64_t append(std::span<const std::string_view> records) override;
  void look_up(const core::LookUp& question,
               std::function<void(core::LookUpAnswer)> answer) override;

 private:
  void keep(v1::GameRecord game);
  v1::GameList list(const v1::ListGames& request) const;

  boost::asio::io_context& context_;
  core::Limits limits_;
  std::shared_ptr<std::function<void(std::uint64_t)>> on_durable_;  // gone with this
  std::uint64_t last_record_ = 0;
  std::uint64_t last_game_ = 0;
  int moves_ = 0;
  std::deque<v1::GameRecord> games_;  // the oldest first
};

}  // namespace tictactoe::local
