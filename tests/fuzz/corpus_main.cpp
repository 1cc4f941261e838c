// Runs one fuzz target over the files of its corpus: a plain test, with any compiler.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <vector>

#include "tests/fuzz/input.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) files.insert(entry.path());
  constexpr std::size_t fewest = 5;
  if (files.size() < fewest) {
    std::cerr << argv[1] << " has " << files.size() << " files: that is no corpus\n";
    return 1;
  }
  for (const auto& path : files) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    std::cout << path.filename().string() << ", " << bytes.size() << " bytes" << std::endl;
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
}
