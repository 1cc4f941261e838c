// Protobuf writes a line about every text that is not UTF-8: a fuzzer makes millions of them.
#include <google/protobuf/stubs/logging.h>

namespace {

[[maybe_unused]] auto* const before = google::protobuf::SetLogHandler(nullptr);

}  // namespace
