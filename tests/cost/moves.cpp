// Plays a fixed evening, so that callgrind can count the instructions of a part of it: it is told
// to look at counted_host or counted_frames. Prints how many moves there were.
#include <cstdio>

#include "tests/cost/evening.hpp"

using namespace tictactoe;

// Names that callgrind's --toggle-collect finds.
extern "C" [[gnu::noinline]] void counted_host(cost::Table& table, const cost::Requests& requests) {
  for (const cost::Sent& sent : requests.list) table.ask(sent);
}

extern "C" [[gnu::noinline]] void counted_frames(cost::Table& table,
                                                 const cost::Requests& requests) {
  for (const cost::Sent& sent : requests.list) table.carry(sent);
}

int main() {
  // The first games grow what is used again from then on.
  constexpr std::size_t warm_up = 10;
  const cost::Evening evening;
  cost::Evening first = evening;
  first.games = warm_up;
  cost::Table table(evening);
  for (const cost::Sent& sent : cost::requests(first).list) table.ask(sent);
  const cost::Requests rest = cost::requests(evening, warm_up);
  const std::uint64_t before = table.updates();
  counted_host(table, rest);
  if (table.updates() - before != 2 * rest.list.size()) {
    std::fprintf(stderr, "not every request was answered to both players\n");
    return 1;
  }
  counted_frames(table, rest);
  std::printf("%zu\n", rest.moves);
}
