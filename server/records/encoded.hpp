// Fields of encoded messages, for what is too frequent to be decoded.
#pragma once

#include <google/protobuf/io/coded_stream.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tictactoe::records {

/// The tag of a field whose content follows its length, and that of one that is a varint.
constexpr std::uint32_t bytes_tag(int field) {
  return static_cast<std::uint32_t>(field) << 3U | 2U;
}
constexpr std::uint32_t number_tag(int field) {
  return static_cast<std::uint32_t>(field) << 3U;
}

/// Visits the fields of an encoded message, which must stay, in their order. Knows varints and
/// fields with a length, which is all that the messages of a journal's moves, rooms and games have
/// at their top. O(1) a field.
class FieldReader {
 public:
  explicit FieldReader(std::string_view message)
      : message_(message),
        in_(reinterpret_cast<const std::uint8_t*>(message.data()),
            static_cast<int>(message.size())) {}

  /// Goes to the next field. Returns false at the end, and if there is something else.
  bool next() {
    begin_ = end_;
    tag_ = in_.ReadTag();
    if (tag_ == 0) {
      is_sound_ = end_ == message_.size();
      return false;
    }
    is_sound_ = (tag_ & 7U) == 0 ? in_.ReadVarint64(&number_) : (tag_ & 7U) == 2 && read_bytes();
    end_ = static_cast<std::size_t>(in_.CurrentPosition());
    return is_sound_;
  }

  // Of the field that next() has gone to.
  std::uint32_t tag() const { return tag_; }
  std::uint64_t number() const { return number_; }
  std::string_view bytes() const { return bytes_; }
  /// With its tag.
  std::string_view whole() const { return message_.substr(begin_, end_ - begin_); }
  /// Its end in the message.
  std::size_t end() const { return end_; }

  /// Whether everything so far could be read.
  bool is_sound() const { return is_sound_; }

 private:
  bool read_bytes() {
    std::uint32_t size = 0;
    if (!in_.ReadVarint32(&size)) return false;
    const auto begin = static_cast<std::size_t>(in_.CurrentPosition());
    if (size > message_.size() - begin) return false;
    bytes_ = message_.substr(begin, size);
    return in_.Skip(static_cast<int>(size));
  }

  std::string_view message_;
  google::protobuf::io::CodedInputStream in_;
  std::uint32_t tag_ = 0;
  std::uint64_t number_ = 0;
  std::string_view bytes_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool is_sound_ = true;
};

}  // namespace tictactoe::records
