// Takes names that look like those of others, like a role, or like nothing.
#include <string_view>

#include "tests/siege/attack.hpp"
#include "tests/support/requests.hpp"

namespace tictactoe::siege {
namespace {

struct HostileName {
  const char* text;
  const char* what;
};

// For the name "alice", which an honest player has.
constexpr HostileName hostile_names[] = {
    {"alice\u00A0", "no-break space"},
    {"al\u200Dice", "zero width joiner"},
    {"al\u200Bice", "zero width space"},
    {"\u202Ealice", "right-to-left override"},
    {"alice\u2060", "word joiner"},
    {"\uFEFFalice", "byte order mark"},
    {"alice\u3000", "ideographic space"},
    {"\u3000", "nothing but an ideographic space"},
    {"\uFFA0\uFFA0", "Hangul fillers"},
    {"\u3164", "a Hangul filler"},
    {"\u2800", "a blank of Braille"},
    {"\u0430lice", "a Cyrillic a"},
    {"al\u0456ce", "a Cyrillic i"},
    {"\u0430l\u0456\u0441\u0435", "Cyrillic letters and an l"},
    {"\uFF41\uFF4C\uFF49\uFF43\uFF45", "wide letters"},
    {"AI (suggester)", "the name of an AI"},
    {"alice (you)", "a client's mark"},
    {"alice\u0301\u0301\u0301\u0301\u0301\u0301", "a pile of accents"},
    {"alice\U000E0041", "a tag"},
    {"ali\u00ADce", "a soft hyphen"},
};

class HostileNames : public Attack {
 public:
  explicit HostileNames(const Field& field) : Attack(field) {}

  void go_on(Clock::time_point now) override {
    if (busy_ || now < again_at_) return;
    busy_ = true;
    open(0);
  }

  void connected(Peer& peer) override { try_next(peer); }

  void ended(Peer& /*peer*/) override { come_again(); }

  std::string result() const override { return std::to_string(judged_) + " names were judged"; }
  std::string gained() const override {
    return accepted_.empty() ? std::string() : "These names were accepted:" + accepted_;
  }

 private:
  // A refused name leaves the connection open for another.
  void try_next(Peer& peer) {
    name_ = &hostile_names[attempts() % std::size(hostile_names)];
    attempt();
    peer.ask(test::hello_request(name_->text));
  }

  void told(Peer& peer, const v1::ServerMessage& message) override {
    if (message.has_welcome()) {
      ++judged_;
      const bool unchanged = message.welcome().player_name() == name_->text;
      if (unchanged && accepted_.find(name_->what) == std::string::npos) {
        accepted_ += std::string(accepted_.empty() ? " " : ", ") + name_->what;
      }
      peer.ask(test::goodbye_request());
    } else if (message.has_left()) {
      peer.close();
      come_again();
    } else if (message.error().code() == v1::Error::CODE_INVALID_NAME) {
      ++judged_;
      try_next(peer);
    } else if (message.has_error()) {
      peer.close();
      come_again();
    }
  }

  void come_again() {
    busy_ = false;
    again_at_ = Clock::now() + std::chrono::milliseconds(20);
  }

  bool busy_ = false;
  Clock::time_point again_at_;
  const HostileName* name_ = nullptr;
  std::uint64_t judged_ = 0;
  std::string accepted_;
};

}  // namespace

std::unique_ptr<Attack> make_hostile_names(const Field& field) {
  return std::make_unique<HostileNames>(field);
}

}  // namespace tictactoe::siege
