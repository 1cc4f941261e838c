// No attack: a process of the same priority as an attack burns processor time, and has no
// connection to the server. What honest players notice of that is the machine's share in the other
// figures.
#include "tests/siege/attack.hpp"

namespace tictactoe::siege {
namespace {

class Control : public Attack {
 public:
  explicit Control(const Field& field) : Attack(field) {}

  void go_on(Clock::time_point now) override {
    // Much longer than the pauses between two calls.
    const auto end = now + std::chrono::milliseconds(5);
    while (Clock::now() < end) {
    }
    attempt();
  }

  std::string result() const override { return "none; one thread has burned processor time"; }
};

}  // namespace

std::unique_ptr<Attack> make_control(const Field& field) {
  return std::make_unique<Control>(field);
}

}  // namespace tictactoe::siege
