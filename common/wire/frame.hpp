// Frames: protobuf's own length-delimited form, a varint with the length of the body in bytes, then
// the body. No I/O in here: bytes are handed in and taken out.
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

/// Why a stream of bytes can't be read on. Frame borders are lost after either.
enum class FrameFault : std::uint8_t {
  too_long,    ///< the length is over the limit; none of the body was kept
  bad_length,  ///< a varint of more than max_length_bytes
};

/// What take_frame() found.
struct NextFrame {
  enum class State : std::uint8_t { frame, need_more, fault };
  State state = State::need_more;
  /// With State::frame. Points into the bytes that it was found in.
  std::string_view body;
  /// With State::fault.
  FrameFault fault = FrameFault::too_long;
  /// With State::need_more: how many bytes the frame takes, as far as known; more than are there.
  std::size_t needed = 1;
};

/// Takes the whole frame off the front of `bytes`; where there is none, leaves them as they are.
/// `max_body` is the longest body, in bytes, that is taken: a frame that is too long is found out
/// as soon as its length is there, so nobody needs to keep any of its body.
NextFrame take_frame(std::string_view& bytes, std::size_t max_body);

/// Cuts a stream of bytes into frames. Used as
///
///     bytes read = read(socket, reader.prepare());
///     reader.commit(read);
///     for (NextFrame next; (next = reader.next()).state == NextFrame::State::frame;)
///     use(next.body);
///
/// It holds at most one read's bytes or one frame, whichever is more: memory grows to the size of a
/// frame only after its length was found to be within the limit, and falls back after a large one.
class FrameReader {
 public:
  /// `max_body` is the longest body, in bytes, that is taken.
  explicit FrameReader(std::size_t max_body);

  /// Where to put the next bytes; at least one. Ends the life of bodies returned before.
  std::span<char> prepare();
  /// Says that the first `count` bytes of prepare()'s space were filled.
  void commit(std::size_t count);
  /// Takes the next whole frame out, in order. Its body is valid until the next prepare(). A fault
  /// is for good: all later calls repeat it.
  NextFrame next();

 private:
  std::size_t max_body_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;   // first byte not taken out yet
  std::size_t end_ = 0;     // one past the last byte committed
  std::size_t needed_ = 1;  // bytes from begin_ on that the next frame takes, as far as known
};

/// Appends a frame with this body.
void append_frame(std::string& out, std::string_view body);

/// Appends a frame whose body is `prefix` followed by `body`. Two encodings of a protobuf message
/// set one after the other are the encoding of both merged, so a field that only one receiver gets
/// (a request id) can be put before bytes that are shared by all.
void append_frame(std::string& out, std::string_view prefix, std::string_view body);

/// Appends `value` as a varint: 7 bits a byte, least significant first.
void append_varint(std::string& out, std::uint64_t value);

}  // namespace tictactoe::wire
