// Runs every fuzz target over the files of its corpus: a plain test, with any compiler.
//   fuzz_corpora DIRECTORY   which has a folder for each target
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <vector>

#include "tests/fuzz/input.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  for (const auto& [name, target] : tictactoe::fuzz::targets()) {
    const std::filesystem::path folder = std::filesystem::path(argv[1]) / name;
    std::set<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      files.insert(entry.path());
    constexpr std::size_t min_files = 5;
    if (files.size() < min_files) {
      std::cerr << folder << " has " << files.size() << " files: that is no corpus\n";
      return 1;
    }
    for (const auto& path : files) {
      std::ifstream file(path, std::ios::binary);
      const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
      std::cout << name << '/' << path.filename().string() << ", " << bytes.size() << " bytes"
                << std::endl;
      target(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    }
  }
}
