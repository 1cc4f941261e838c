#include "tests/siege/honest/reader.hpp"

#include "tests/siege/attack.hpp"
#include "tests/support/requests.hpp"

namespace tictactoe::siege {
namespace {

constexpr std::uint32_t keeper_address = honest_from + 20;
constexpr std::uint32_t reader_address = honest_from + 21;
constexpr std::chrono::seconds between_signs{5};
// A name that is in no list counts as an attempt: 200 are free.
constexpr std::chrono::seconds between_tries{2};
// The longest record costs more tokens than there are. The debt is at most a burst, so it is paid
// after twice the time in which an empty bucket fills.
constexpr std::chrono::seconds debt_of_record{20};

}  // namespace

// Resident ----------------------------------------------------------------------------------------

Resident::Resident(Crowd& crowd, Harm& harm, std::string name, std::uint32_t address)
    : HonestPlayer(crowd, harm), name_(std::move(name)), peer_(&crowd.open(address, *this, 0)) {}

void Resident::connected(Peer& peer) {
  peer.ask(test::hello_request(name_));
  next_ping_ = Clock::now() + between_signs;
}

void Resident::go_on(Clock::time_point now) {
  if (peer_ == nullptr || !is_here_ || now < next_ping_) return;
  v1::ClientMessage ping;
  ping.mutable_ping();
  peer_->ask(ping);
  next_ping_ = now + between_signs;
}

void Resident::received(Peer& /*peer*/, std::string_view body, Clock::time_point /*now*/) {
  // Records and what others say are long, and are not for this player.
  constexpr std::size_t max_answer = 1'000;
  if (is_here_ && body.size() > max_answer) return;
  parse(body, message_);
  if (message_.has_welcome()) is_here_ = true;
  told(message_);
}

void Resident::told(const v1::ServerMessage& message) {
  if (message.has_error()) refused(message.error());
}

void Resident::ended(Peer& peer) {
  peer_ = nullptr;
  is_here_ = true;
  HonestPlayer::ended(peer);
}

// Keeper ------------------------------------------------------------------------------------------

Keeper::Keeper(Crowd& crowd, Harm& harm, std::string room, std::string password)
    : Resident(crowd, harm, "keeper of the " + room, keeper_address),
      room_(std::move(room)),
      password_(std::move(password)) {}

void Keeper::connected(Peer& peer) {
  Resident::connected(peer);
  peer.ask(test::create_request(room_, password_));
}

void Keeper::told(const v1::ServerMessage& message) {
  if (message.has_snapshot()) has_room_ = true;
  Resident::told(message);
}

// Reader ------------------------------------------------------------------------------------------

Reader::Reader(Crowd& crowd, Harm& harm) : Resident(crowd, harm, "reader", reader_address) {}

void Reader::go_on(Clock::time_point now) {
  Resident::go_on(now);
  if (peer() == nullptr || !is_ready() || has_entered_ || waits_ || now < next_try_) return;
  next_try_ = now + between_tries;
  waits_ = true;
  peer()->ask(test::watch_request(watched_room));
}

void Reader::told(const v1::ServerMessage& message) {
  if (message.has_snapshot()) {
    has_entered_ = true;
    v1::ClientMessage record;
    record.mutable_get_game()->set_id(1);
    peer()->ask(record);
    rest(debt_of_record);
  } else if (message.has_error()) {
    waits_ = false;
    const auto code = message.error().code();
    // There may be no such room yet, or no such record.
    const bool is_expected =
        code == v1::Error::CODE_ROOM_NOT_FOUND || code == v1::Error::CODE_GAME_NOT_FOUND;
    if (!is_expected) Resident::told(message);
  }
}

}  // namespace tictactoe::siege
