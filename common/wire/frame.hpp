// Frames: protobuf's own length-delimited form, a varint with the length of the body in bytes, then
// the body. Does no I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tictactoe::wire {

/// Longest varint that can hold a frame's length, in bytes.
inline constexpr std::size_t max_length_bytes = 5;

/// Why a stream of bytes can't be read any further: its frame boundaries are lost.
enum class FrameFault : std::uint8_t {
  too_long,       ///< the length exceeds the limit; none of the body was kept
  bad_length,     ///< a varint of more than max_length_bytes
  bad_websocket,  ///< not from take_frame(): a frame of a WebSocket breaks RFC 6455
};

/// The result of take_frame().
struct NextFrame {
  enum class State : std::uint8_t { frame, need_more, fault };
  State state = State::need_more;
  /// With State::frame. Points into the input.
  std::string_view body;
  /// With State::fault.
  FrameFault fault = FrameFault::too_long;
  /// With State::need_more: the number of bytes of the frame, as far as it is known; more than are
  /// available.
  std::size_t needed = 1;
};

/// Takes a whole frame off the front of `bytes`. If there is none, leaves `bytes` unchanged.
/// `max_body` is the longest accepted body, in bytes: a longer frame is a fault as soon as its
/// length has arrived, before any of its body.
NextFrame take_frame(std::string_view& bytes, std::size_t max_body);

/// Cuts a stream of bytes into frames:
///
///     bytes read = read(socket, reader.prepare());
///     reader.commit(read);
///     for (NextFrame next; (next = reader.next()).state == NextFrame::State::frame;)
///     use(next.body);
///
/// It holds at most the bytes of one read or one frame, whichever is more. Memory grows to the size
/// of a frame only after its length was checked, and shrinks after a large frame.
class FrameReader {
 public:
  /// `max_body` is the longest accepted body, in bytes.
  explicit FrameReader(std::size_t max_body);

  /// The space for the next bytes; at least one. Invalidates bodies that were returned before.
  std::span<char> prepare();
  /// Reports that the first `count` bytes of prepare()'s space were filled.
  void commit(std::size_t count);
  /// Takes the next whole frame. Its body is valid until the next prepare(). All calls after a
  /// fault return the same fault.
  NextFrame next();

 private:
  std::size_t max_body_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;   // first byte that was not taken
  std::size_t end_ = 0;     // one past the last byte committed
  std::size_t needed_ = 1;  // bytes of the next frame from begin_ on, as far as known
};

/// Appends a frame with this body.
void append_frame(std::string& out, std::string_view body);

/// Appends a frame whose body is `prefix` followed by `body`. Two concatenated encodings of a
/// protobuf message are an encoding of both merged, so a field for one receiver (a request id) can
/// be put before bytes that all receivers share.
void append_frame(std::string& out, std::string_view prefix, std::string_view body);

/// Appends `value` as a varint: 7 bits in each byte, the least significant first.
void append_varint(std::string& out, std::uint64_t value);

}  // namespace tictactoe::wire
