// Frames cut out of any bytes, however they are split: the same as a plain reading finds.
#include <optional>
#include <string>
#include <vector>

#include "common/wire/frame.hpp"
#include "tests/fuzz/input.hpp"

namespace tictactoe::fuzz {
namespace {

struct Cut {
  std::vector<std::string> bodies;
  std::optional<wire::FrameFault> fault;
  friend bool operator==(const Cut&, const Cut&) = default;
};

// The format as proto/README.md has it, read in one go.
Cut plainly(std::string_view bytes, std::size_t max) {
  Cut cut;
  while (!bytes.empty()) {
    std::uint64_t length = 0;
    std::size_t used = 0;
    bool more = true;
    while (more) {
      if (used == wire::max_length_bytes) {
        cut.fault = wire::FrameFault::bad_length;
        return cut;
      }
      if (used == bytes.size()) return cut;
      const auto byte = static_cast<std::uint8_t>(bytes[used]);
      length |= std::uint64_t{byte & 0x7fU} << (7 * used++);
      more = (byte & 0x80U) != 0;
    }
    if (length > max) {
      cut.fault = wire::FrameFault::too_long;
      return cut;
    }
    if (bytes.size() - used < length) return cut;
    cut.bodies.emplace_back(bytes.substr(used, length));
    bytes.remove_prefix(used + length);
  }
  return cut;
}

Cut in_pieces(std::string_view bytes, std::size_t max, Input& splits) {
  Cut cut;
  wire::FrameReader reader(max);
  while (!bytes.empty() && !cut.fault) {
    const auto space = reader.prepare();
    require(!space.empty(), "no room for a byte");
    std::size_t count = std::min({space.size(), bytes.size(), std::size_t{1} + splits.byte()});
    std::copy_n(bytes.begin(), count, space.begin());
    reader.commit(count);
    bytes.remove_prefix(count);
    for (;;) {
      const wire::NextFrame next = reader.next();
      if (next.state == wire::NextFrame::State::need_more) break;
      if (next.state == wire::NextFrame::State::fault) {
        cut.fault = next.fault;
        require(reader.next().state == wire::NextFrame::State::fault, "a fault that heals");
        break;
      }
      require(next.body.size() <= max, "a frame over the limit");
      cut.bodies.emplace_back(next.body);
    }
  }
  return cut;
}

}  // namespace
}  // namespace tictactoe::fuzz

FUZZ_TARGET(frames, data, size) {
  using namespace tictactoe;
  fuzz::Input input(data, size);
  const std::size_t max = input.word();
  const std::string splits(input.text());
  fuzz::Input pieces(reinterpret_cast<const std::uint8_t*>(splits.data()), splits.size());
  const std::string_view bytes = input.rest();
  const fuzz::Cut cut = fuzz::plainly(bytes, max);
  fuzz::require(fuzz::in_pieces(bytes, max, pieces) == cut, "the pieces matter");
  std::string again;
  for (const std::string& body : cut.bodies) wire::append_frame(again, body);
  fuzz::require(fuzz::plainly(again, max).bodies == cut.bodies, "written otherwise than read");
}
