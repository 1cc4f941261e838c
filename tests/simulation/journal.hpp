// What outlives the server in a simulation.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/core/config.hpp"
#include "server/core/effects.hpp"
#include "server/store/record_store.hpp"
#include "tictactoe/journal/v1/journal.pb.h"
#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::simulation {

/// Survives kills of the server: what was applied stays.
class Journal {
 public:
  virtual ~Journal() = default;
  /// One commit, of the events up to this sequence number.
  virtual void apply(const store::Batch& batch, std::uint64_t last_sequence,
                     std::uint64_t unix_ms) = 0;
  /// As in store::RecordStore; returns whether another step is needed.
  virtual std::size_t uncompacted_bytes() const { return 0; }
  virtual bool compact() { return false; }
  virtual journal::v1::Saved load() = 0;
  /// The answer to a ListGames or GetGame.
  virtual v1::ServerMessage look_up(const core::LookUp& question) = 0;
};

/// Plain maps: a journal to believe at a glance, and fast enough for a million requests.
class MemoryJournal final : public Journal {
 public:
  explicit MemoryJournal(const core::Limits& limits) : limits_(limits) {}

  void apply(const store::Batch& batch, std::uint64_t last_sequence,
             std::uint64_t unix_ms) override;
  journal::v1::Saved load() override;
  v1::ServerMessage look_up(const core::LookUp& question) override;

 private:
  void apply(const journal::v1::Record& record, std::uint64_t unix_ms);
  void note_request_done(const journal::v1::Record& record);
  journal::v1::SavedRoom& room(std::uint64_t serial);

  core::Limits limits_;
  std::map<std::uint64_t, journal::v1::Player> players_;
  std::map<std::uint64_t, journal::v1::SavedRoom> rooms_;
  std::uint64_t last_revision_ = 0;
  struct Game {
    v1::GameRecord record;
    std::optional<journal::v1::Readers> readers;  // nothing: everybody
    bool may_be_read_by(std::uint64_t reader) const {
      return !readers || readers->x() == reader || readers->o() == reader;
    }
  };
  std::vector<Game> games_;
};

/// The real one: an SQLite database in memory.
class SqlJournal final : public Journal {
 public:
  explicit SqlJournal(const core::Limits& limits);

  void apply(const store::Batch& batch, std::uint64_t last_sequence,
             std::uint64_t unix_ms) override;
  std::size_t uncompacted_bytes() const override { return store_->uncompacted_bytes(); }
  bool compact() override;
  journal::v1::Saved load() override;
  v1::ServerMessage look_up(const core::LookUp& question) override;

 private:
  core::Limits limits_;
  std::uint64_t unix_ms_ = 0;
  store::StreamPosition position_;
  std::unique_ptr<store::RecordStore> store_;
  std::unique_ptr<store::RecordReader> reader_;
};

}  // namespace tictactoe::simulation
