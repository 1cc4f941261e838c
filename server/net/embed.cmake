# Writes the C++ source with the files of the page:
#   cmake -DDIRECTORY=... -DFILES="index.html;style/base.css" -DOUTPUT=... -P embed.cmake
# Indentation and comments on lines of their own are left out, and the page names all modules, so that
# the browser asks for them at once and not for one level of imports after another.
set(arrays "")
set(list "")
set(number 0)
foreach(name IN LISTS FILES)
  file(READ ${DIRECTORY}/${name} text)
  if(name MATCHES "[.](js|css)$")
    string(REGEX REPLACE "\n *//[^\n]*" "" text "\n${text}")
    string(REGEX REPLACE "\n[ \n]+" "\n" text "${text}")
  endif()
  if(name STREQUAL "index.html")
    set(preloads "")
    foreach(module IN LISTS FILES)
      if(module MATCHES "[.]js$")
        string(APPEND preloads "<link rel=\"modulepreload\" href=\"files/${module}\">\n")
      endif()
    endforeach()
    string(REPLACE "</head>" "${preloads}</head>" text "${text}")
  endif()
  string(HEX "${text}" bytes)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  # The last element keeps an empty file an array.
  string(APPEND arrays "constexpr char file_${number}[] = {${bytes}'\\0'};\n")
  string(APPEND list "    {\"${name}\", {file_${number}, sizeof file_${number} - 1}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT} "// Made by server/net/embed.cmake.
#include \"server/net/site.hpp\"

namespace tictactoe::net {
namespace {
${arrays}
constexpr EmbeddedFile files[] = {
${list}};
}  // namespace

std::span<const EmbeddedFile> embedded_files() {
  return files;
}

}  // namespace tictactoe::net
")
