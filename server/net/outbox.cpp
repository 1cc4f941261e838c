#include "server/net/outbox.hpp"

namespace tictactoe::net {

bool Outbox::push(std::string_view prefix, std::string_view body,
                  std::span<const core::SharedBytes> rest, std::uint64_t record) {
  std::size_t shared = 0;
  for (const core::SharedBytes& part : rest) shared += part.bytes->size();
  const std::size_t length = prefix.size() + body.size() + shared;
  if (!fits(length)) return false;
  if (!bytes_) bytes_ = buffers_.take();
  const std::size_t before = bytes_->size();
  wire::append_varint(*bytes_, length);
  bytes_->append(prefix).append(body);
  const std::size_t begin = bytes_->size() - before;
  end_gathering();
  for (const core::SharedBytes& part : rest) add_piece(part);
  added(begin + shared, record);
  return true;
}

void Outbox::add_piece(core::SharedBytes piece) {
  if (piece.bytes->empty()) return;
  if (!piece.is_of_room) piece_bytes_ += piece.bytes->size();
  pieces_.push_back(std::move(piece));
}

void Outbox::end_gathering() {
  add_piece({std::make_shared<const std::string>(std::move(*bytes_))});
  bytes_.reset();
}

void Outbox::end_piece() {
  sent_ = 0;
  core::SharedBytes& sent = pieces_[first_piece_++];
  if (!sent.is_of_room) piece_bytes_ -= sent.bytes->size();
  sent.bytes.reset();
  if (first_piece_ == pieces_.size()) {
    pieces_.clear();
    first_piece_ = 0;
  } else if (first_piece_ > pieces_.size() / 2) {
    // At least as many were sent as are moved, so this is O(1) a piece.
    pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(first_piece_));
    first_piece_ = 0;
  }
}

void Outbox::clear() {
  bytes_.reset();
  std::vector<core::SharedBytes>().swap(pieces_);
  first_piece_ = 0;
  piece_bytes_ = 0;
  transport_bytes_ = 0;
  size_ = 0;
  sent_ = 0;
  holds_.clear();
  first_hold_ = 0;
  held_ = 0;
  if (backlog_.bytes > 0) backlogs_.count(backlog_, 0);
}

}  // namespace tictactoe::net
