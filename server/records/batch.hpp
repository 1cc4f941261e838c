// Records on their way into the journal: encoded where they are made, and decoded once, by the
// thread that commits them.
#pragma once

#include <google/protobuf/io/coded_stream.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "common/wire/frame.hpp"

namespace tictactoe::records {

/// Encoded tictactoe.journal.v1.Records, in order, each after its length as a varint.
class Batch {
 public:
  void add(std::string_view record) { wire::append_frame(bytes_, record); }
  /// Removes all records. Keeps the memory, unless it is more than `worth_keeping`.
  void clear() {
    if (bytes_.capacity() > worth_keeping) std::string().swap(bytes_);
    bytes_.clear();
  }

  bool empty() const { return bytes_.empty(); }
  const std::string& bytes() const { return bytes_; }

 private:
  static constexpr std::size_t worth_keeping = std::size_t{1024} * 1024;

  std::string bytes_;
};

/// Calls `visit(std::string_view)` with each record of a batch until it returns false. Returns
/// false if it did, or if the bytes are no batch.
template <class Visit>
bool for_each_record(std::string_view batch, Visit visit) {
  google::protobuf::io::CodedInputStream in(reinterpret_cast<const std::uint8_t*>(batch.data()),
                                            static_cast<int>(batch.size()));
  while (std::cmp_less(in.CurrentPosition(), batch.size())) {
    std::uint32_t size = 0;
    if (!in.ReadVarint32(&size)) return false;
    const auto begin = static_cast<std::size_t>(in.CurrentPosition());
    if (size > batch.size() - begin || !in.Skip(static_cast<int>(size))) return false;
    if (!visit(batch.substr(begin, size))) return false;
  }
  return true;
}

}  // namespace tictactoe::records
