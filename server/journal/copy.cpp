#include "server/journal/copy.hpp"

#include <openssl/evp.h>

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "common/text/hex.hpp"
#include "server/journal/unused.hpp"

namespace tictactoe::records {

namespace {

class Digest {
 public:
  Digest() { EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr); }
  void add(std::uint64_t number) {
    std::array<unsigned char, 8> bytes{};
    for (unsigned char& byte : bytes) {
      byte = static_cast<unsigned char>(number);
      number >>= 8U;
    }
    EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size());
  }
  void add(const std::string& bytes) {
    add(std::uint64_t{bytes.size()});
    EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size());
  }
  /// Ends the digest.
  std::string hexadecimal() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned int size = 0;
    EVP_DigestFinal_ex(context_.get(), bytes.data(), &size);
    return text::to_hex({reinterpret_cast<const char*>(bytes.data()), size});
  }

 private:
  std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context_{EVP_MD_CTX_new(), EVP_MD_CTX_free};
};

// Counts and sums up what is read.
class Reading {
 public:
  void add(const Table* table, Values row) {
    const Tables& all = tables();
    if (table == &all.players) ++counts_.players;
    if (table == &all.rooms) ++counts_.rooms;
    if (table == &all.moves) ++counts_.moves;
    if (table == &all.chat) ++counts_.lines;
    if (table == &all.games) ++counts_.games;
    for (const Value& value : row) {
      digest_.add(std::uint64_t{value.index()});
      if (const auto* number = std::get_if<std::uint64_t>(&value)) digest_.add(*number);
      if (const auto* text = std::get_if<std::string>(&value)) digest_.add(*text);
      if (const auto* bytes = std::get_if<Bytes>(&value)) digest_.add(bytes->bytes);
    }
  }

  const Copied& counts() const { return counts_; }
  /// Once everything is read.
  Copied result() {
    counts_.digest = digest_.hexadecimal();
    return std::move(counts_);
  }

 private:
  Copied counts_;
  Digest digest_;
};

}  // namespace

Result<Copied> copy_store(const std::string& from, const std::string& to,
                          const std::function<void(const Copied&, bool comparing)>& progress) {
  const auto source = open_unused(from, true);
  if (!source) return source.error();
  const auto target = open_unused(to, false);
  if (!target) return target.error();
  const auto is_empty = target->store->is_empty();
  if (!is_empty) return unusable_store(target->name, is_empty.error());
  if (!*is_empty) {
    return Fault{Fault::Kind::in_use,
                 target->name + " already contains records. The target must be empty."};
  }
  constexpr std::uint64_t rows_between_reports = 1'000;
  const auto read = [&](const UnusedStore& store, Reading& reading, bool comparing,
                        const SqlStore::Sink& store_row) {
    std::uint64_t rows = 0;
    return store.store->read_all([&](const Table* table, Values row) {
      reading.add(table, row);
      if (store_row) store_row(table, row);
      if (++rows % rows_between_reports == 0) progress(reading.counts(), comparing);
    });
  };
  Reading copied;
  std::optional<Fault> unread;
  const auto unwritten = target->store->fill([&](const SqlStore::Sink& store_row) {
    return unread = read(*source, copied, false, store_row);
  });
  if (unread) return unusable_store(source->name, *unread);
  if (unwritten) return unusable_store(target->name, *unwritten);
  if (const auto fault = target->store->finish()) return unusable_store(target->name, *fault);
  Reading written;
  if (const auto fault = read(*target, written, true, nullptr)) {
    return unusable_store(target->name, *fault);
  }
  Copied result = copied.result();
  if (!(result == written.result())) {
    return Fault{Fault::Kind::damaged, target->name + " differs from " + source->name +
                                           " after the copy. Do not use it."};
  }
  return result;
}

}  // namespace tictactoe::records
