#include "server/base/effects.hpp"

#include <utility>

namespace tictactoe::server {

Body Effects::encode(const google::protobuf::MessageLite& message) {
  const Body body{bytes_.size(), message.ByteSizeLong()};
  bytes_.resize(body.begin + body.size);
  message.SerializeWithCachedSizesToArray(
      reinterpret_cast<std::uint8_t*>(bytes_.data() + body.begin));
  return body;
}

Body Effects::copy(std::string_view encoded) {
  const Body body{bytes_.size(), encoded.size()};
  bytes_.append(encoded);
  return body;
}

void Effects::send(ConnectionId to, Body body, std::uint64_t request_id, Durability durability) {
  list_.emplace_back(Send{to, request_id, body, durability});
}

void Effects::close(ConnectionId connection) {
  list_.emplace_back(Close{connection});
}

void Effects::think(Think think) {
  list_.emplace_back(std::move(think));
}

void Effects::cancel_thinking(ThoughtId id) {
  list_.emplace_back(CancelThinking{id});
}

void Effects::release_ai(std::uint64_t room) {
  list_.emplace_back(ReleaseAi{room});
}

void Effects::record(const journal::v1::Record& record) {
  list_.emplace_back(Record{encode(record)});
}

void Effects::look_up(ConnectionId from, std::uint64_t request_id, std::uint64_t reader,
                      const v1::ClientMessage& request) {
  list_.emplace_back(LookUp{from, request_id, reader, request});
}

void Effects::resume_reading(ConnectionId connection) {
  list_.emplace_back(ResumeReading{connection});
}

void Effects::derive_key(std::uint64_t id, std::shared_ptr<const KeyRequest> request) {
  list_.emplace_back(DeriveKey{id, std::move(request)});
}

void Effects::clear() {
  constexpr std::size_t worth_keeping = std::size_t{256} * 1024;
  list_.clear();
  receivers_ = 0;
  // Resetting the arena costs as much as drafting a move, and the first block holds many drafts.
  constexpr int max_clears = 16;
  if (++clears_ >= max_clears || drafts_.SpaceAllocated() > first_block_.size()) {
    drafts_.Reset();
    clears_ = 0;
  }
  if (bytes_.capacity() > worth_keeping) {
    std::string().swap(bytes_);
  } else {
    bytes_.clear();
  }
}

}  // namespace tictactoe::server
