// All honest players of a siege, in a thread of their own.
#pragma once

#include <atomic>
#include <exception>
#include <optional>
#include <string>
#include <thread>

#include "tests/siege/honest/honest_player.hpp"

namespace tictactoe::siege {

/// The part of a siege.
enum class Part : std::uint8_t { gathering, before, pause, during, finishing };

class Town {
 public:
  /// Connects all. `other`: a second server of the lobby, if there is one. `password` is that of
  /// the vault.
  Town(const sockaddr_in& server, const std::optional<sockaddr_in>& other, std::string password,
       std::uint64_t seed);
  ~Town();
  Town(const Town&) = delete;
  Town& operator=(const Town&) = delete;

  /// All are in their places.
  bool is_ready() const { return is_ready_; }
  void set_part(Part part) { part_ = part; }
  /// After Part::finishing: everything was seen. Also after a failure.
  bool is_finished() const { return is_finished_; }
  /// Ends the thread. Throws load::Failure if the honest players could not go on.
  void join();

  // After join().
  const Timings& before() const { return before_; }
  const Timings& during() const { return during_; }
  const Harm& harm() const { return harm_; }

 private:
  void live(std::uint64_t seed);
  Timings* timings_of(Part part);

  sockaddr_in server_;
  std::optional<sockaddr_in> other_;
  std::string password_;
  std::atomic<Part> part_ = Part::gathering;
  std::atomic<bool> is_ready_ = false;
  std::atomic<bool> is_finished_ = false;
  Timings before_;
  Timings during_;
  Harm harm_;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace tictactoe::siege
