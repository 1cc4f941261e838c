#include "server/transport/web/site.hpp"

#include <openssl/evp.h>
#include <zlib.h>

#include <array>
#include <boost/assert.hpp>
#include <utility>

#include "common/text/hex.hpp"

namespace tictactoe::transport {

namespace {

using Type = std::pair<std::string_view, std::string_view>;  // of files with this ending
constexpr std::array<Type, 7> types{{
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".json", "application/json"},
    {".webmanifest", "application/manifest+json"},
}};

std::string_view type_of(std::string_view name) {
  for (const auto& [ending, type] : types) {
    if (name.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

// 64 bits of a SHA-256 in hexadecimal digits.
std::string hash_of(std::span<const EmbeddedFile> files) {
  std::string all;
  for (const EmbeddedFile& file : files) {
    all.append(file.name).push_back('\0');
    all.append(std::to_string(file.bytes.size())).push_back('\0');
    all.append(file.bytes);
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  EVP_Digest(all.data(), all.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
  constexpr std::size_t bytes = 8;
  return text::to_hex({reinterpret_cast<const char*>(digest.data()), bytes});
}

std::string gzip_of(std::string_view bytes) {
  constexpr int gzip_window = 15 + 16;  // see deflateInit2
  constexpr int memory = 9;
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_window, memory,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    return {};
  }
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  std::string in(bytes);  // zlib's interface is not const-correct
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const bool is_whole = deflate(&stream, Z_FINISH) == Z_STREAM_END;
  out.resize(is_whole ? stream.total_out : 0);
  deflateEnd(&stream);
  return out.size() < bytes.size() ? out : std::string();
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
    text.replace(at, what.size(), with);
  }
}

}  // namespace

Site::Site(std::span<const EmbeddedFile> files) {
  const std::string hash = hash_of(files);
  for (const EmbeddedFile& from : files) {
    const bool is_index = from.name == "index.html";
    const std::string path = is_index ? "/" : "/" + hash + "/" + std::string(from.name);
    File& file = files_[path];
    file.type = type_of(from.name);
    file.is_immutable = !is_index;
    file.plain = from.bytes;
    if (is_index) replace_all(file.plain, "\"files/", "\"/" + hash + "/");
    file.gzip = gzip_of(file.plain);
    file.etag = "\"" + hash + "\"";
    file.gzip_etag = "\"" + hash + "-gz\"";
  }
}

const Site::File* Site::find(std::string_view path) const {
  const auto found = files_.find(path);
  return found == files_.end() ? nullptr : &found->second;
}

}  // namespace tictactoe::transport
