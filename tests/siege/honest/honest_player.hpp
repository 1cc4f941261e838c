// What honest players have in common, and what an attack may do to none of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/bench/load/crowd.hpp"
#include "tests/bench/load/histogram.hpp"

namespace tictactoe::siege {

using load::Clock;
using load::Crowd;
using load::Peer;
using load::PeerOwner;

/// What honest players have suffered. Must stay empty.
struct Harm {
  std::uint64_t refused = 0;  ///< requests and connections
  std::uint64_t cut = 0;      ///< connections that the server has ended
  std::uint64_t evicted = 0;  ///< players who came back and were not known, or had lost their seat
  std::uint64_t wrong = 0;    ///< something else came than the rules of the game say
  std::vector<std::string> sentences;  ///< the first ones, each once

  void add(std::uint64_t& count, const std::string& sentence) {
    ++count;
    constexpr std::size_t max_sentences = 8;
    const bool is_new = std::ranges::find(sentences, sentence) == sentences.end();
    if (is_new && sentences.size() < max_sentences) sentences.push_back(sentence);
  }
  bool empty() const { return refused + cut + evicted + wrong == 0; }
};

/// How long answers took in one part of the run.
struct Timings {
  load::Histogram moves;
  load::Histogram pings;
  load::Histogram delays;  ///< how late requests were sent: the fault of this machine alone
  // From connecting to the last answer:
  load::Histogram visits;   ///< of those who look at a room
  load::Histogram tours;    ///< of those who also enter a password and ask for much
  load::Histogram travels;  ///< of those who create rooms at a second server of a lobby
};

/// Does what people do. All calls are in the thread of the honest players.
class HonestPlayer : public PeerOwner {
 public:
  HonestPlayer(Crowd& crowd, Harm& harm) : crowd_(crowd), harm_(harm) {}

  /// Called every millisecond or so.
  virtual void go_on(Clock::time_point now) = 0;
  /// Whether the attack may begin.
  virtual bool is_ready() const { return true; }
  /// The attack is about to end: what is still to be seen happens now.
  virtual void finish() {}
  virtual bool is_finished() const { return true; }
  /// From now on times are added there; null: nowhere.
  void measure(Timings* timings) { timings_ = timings; }

  void connected(Peer& /*peer*/) override {}
  void received(Peer& /*peer*/, std::string_view /*body*/, Clock::time_point /*now*/) override {}
  void ended(Peer& /*peer*/) override { harm_.add(harm_.cut, name() + " was cut off."); }

 protected:
  virtual std::string name() const = 0;
  void refused(const v1::Error& error) {
    harm_.add(harm_.refused, name() + " was refused: " + v1::Error::Code_Name(error.code()) + ": " +
                                 error.message());
  }
  Crowd& crowd() { return crowd_; }
  Harm& harm() { return harm_; }
  Timings* timings() { return timings_; }

 private:
  Crowd& crowd_;
  Harm& harm_;
  Timings* timings_ = nullptr;
};

}  // namespace tictactoe::siege
