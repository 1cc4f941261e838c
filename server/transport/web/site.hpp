// The web page: the files of client/web, served from memory.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace tictactoe::transport {

/// A file of client/web that is compiled into the program.
struct EmbeddedFile {
  std::string_view name;
  std::string_view bytes;
};

/// The files listed in server/CMakeLists.txt.
std::span<const EmbeddedFile> embedded_files();

/// All files, compressed and uncompressed. `/` is index.html. The others are in a directory whose
/// name is a hash of all files, so that they can be cached for ever: `files/NAME` in index.html
/// becomes `/HASH/NAME`. Modules import each other as `./NAME`.
class Site {
 public:
  struct File {
    std::string_view type;  ///< Content-Type
    bool is_immutable = false;
    std::string plain;
    std::string gzip;  ///< empty if it is not smaller
    std::string etag;
    std::string gzip_etag;  ///< different bytes need a different tag (RFC 9110, 8.8.3.3)
  };

  explicit Site(std::span<const EmbeddedFile> files);

  /// The file with this path; null if there is none.
  const File* find(std::string_view path) const;

 private:
  std::map<std::string, File, std::less<>> files_;
};

}  // namespace tictactoe::transport
