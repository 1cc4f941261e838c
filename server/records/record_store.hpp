// The interface to a server's records.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "server/records/batch.hpp"
#include "server/records/fault.hpp"
#include "tictactoe/journal/v1/journal.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::records {

/// Names an ordered sequence of events. A stream has one owner at a time. Ids of players and
/// serials of rooms are unique in a store, over all of its streams.
using StreamId = std::uint64_t;

/// The stream of a server that has its store to itself.
inline constexpr StreamId local_stream = 0;

/// The owner's number, which counts up with each change of the owner, and the sequence number of
/// the last event.
struct StreamPosition {
  std::uint64_t epoch = 0;
  std::uint64_t sequence = 0;
};

enum class AppendOutcome : std::uint8_t {
  durable,
  fenced,  // the stream has another owner, or is at another sequence number; nothing was changed
};

/// The number by which private games know their players: server::reader_number. 0: nobody.
using ReaderNumber = std::uint64_t;

/// Reads finished games beside a RecordStore: on a connection of its own, so that a long query does
/// not delay a commit. Sees every game whose record is durable. Not thread-safe, but may be used on
/// another thread than the store.
class RecordReader {
 public:
  RecordReader() = default;
  virtual ~RecordReader() = default;
  RecordReader(const RecordReader&) = delete;
  RecordReader& operator=(const RecordReader&) = delete;

  /// Finished games with an id below `before` (0: all), latest first, at most `limit`, without
  /// moves: public ones, and private ones of `reader`. If `player` is not empty, only games in
  /// which a person of that name had a seat. O(limit * log(games)).
  virtual Result<v1::GameList> list_games(std::uint64_t before, const std::string& player,
                                          std::size_t limit, ReaderNumber reader) = 0;
  /// A whole game; nothing if no game has this id, or `reader` may not read it.
  virtual Result<std::optional<v1::GameRecord>> game(std::uint64_t id, ReaderNumber reader) = 0;
};

/// Keeps streams of events and every finished game. Blocks until a call is done. A fault means that
/// nothing was changed, unless it is Fault::Kind::sync_failed: after that one the store must not be
/// used any more. Not thread-safe.
class RecordStore {
 public:
  RecordStore() = default;
  virtual ~RecordStore() = default;
  RecordStore(const RecordStore&) = delete;
  RecordStore& operator=(const RecordStore&) = delete;

  /// Names the store: drawn at random when it was made.
  virtual std::uint64_t server_id() const = 0;

  /// Takes over a stream: raises its epoch, so that every append with an older one is fenced.
  virtual Result<StreamPosition> own(StreamId stream) = 0;
  /// The state that the events of the stream have led to. O(size of the state).
  virtual Result<journal::v1::Saved> load(StreamId stream) = 0;
  /// Makes the events after `expected` up to `last_sequence` durable, all or none. The epoch and
  /// the sequence are checked in the same transaction. A finished game gets the time of this call.
  virtual Result<AppendOutcome> append(StreamId stream, StreamPosition expected,
                                       std::uint64_t last_sequence, const Batch& batch) = 0;

  /// Deletes some of the games that finished before that Unix time in milliseconds, oldest first.
  /// Returns whether there may be more.
  virtual Result<bool> delete_games_before(std::uint64_t unix_ms) = 0;
  /// Leaves a file in its most compact form, with an empty log. A program that reads it prevents
  /// that: this does not wait for its end.
  virtual std::optional<Fault> finish() = 0;

  virtual Result<std::unique_ptr<RecordReader>> open_reader() = 0;
  /// Adds finished games as they are, apart from their ids, all or none. Another process may own
  /// the streams of the store.
  virtual std::optional<Fault> add_games(std::span<const v1::GameRecord> games) = 0;
};

}  // namespace tictactoe::records
