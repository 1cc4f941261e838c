#include "tests/simulation/lobby_machine.hpp"

#include <spdlog/spdlog.h>

#include <utility>

#include "tests/simulation/violation.hpp"

namespace tictactoe::simulation {

using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

cluster::SharingSettings settings_of(const LobbyPlan& plan, std::uint64_t seed) {
  cluster::SharingSettings settings;
  settings.lease = std::chrono::duration_cast<milliseconds>(plan.lease);
  settings.seed = seed;
  return settings;
}

}  // namespace

LobbyMachine::LobbyMachine(const LobbyPlan& plan, std::uint32_t number, Agenda& agenda,
                           Random random, Network& network, SharedStore& shared)
    : plan_(plan),
      number_(number),
      agenda_(agenda),
      random_(random),
      network_(network),
      shared_(shared) {
  spdlog::set_level(spdlog::level::off);
}

// Life and death ----------------------------------------------------------------------------------

bool LobbyMachine::start() {
  if (line_->is_cut) return false;
  ++life_;
  ++starts_;
  // A machine's steady clock begins anywhere.
  clock_offset_ = random_.between(Time(0), std::chrono::hours(1000));
  config_ = std::make_unique<core::Config>(plan_.network.server);
  config_->unix_time_of_zero = -std::chrono::duration_cast<milliseconds>(clock_offset_);
  const std::uint64_t seed = random_.next();
  const cluster::SharingSettings settings = settings_of(plan_, random_.next());
  line_->lose_answer_in = 0;
  // As store::join_postgres does it.
  store::Member self;
  self.address = "server:" + std::to_string(number_);
  self.stream = stream_ = shared_.new_stream();
  const store::StreamPosition position = shared_.own(stream_);
  const core::Time joined = now();
  shared_.join(self, settings.lease);
  sessions_ = std::make_shared<Sessions>(shared_, line_, stream_, position.epoch, settings);
  sharing_.emplace(self, settings, joined);
  LobbyRecorder::Events events;
  events.durable = [this](std::uint64_t sequence) { shell_->durable(sequence); };
  events.health = [this](store::Health health) {
    if (health == store::Health::fenced) return lose();
    shell_->recording(health == store::Health::good ? core::Recording::good
                                                    : core::Recording::stalled);
  };
  events.later = [this, life = life_](Time delay, std::function<void()> step) {
    if (life == life_) later(Lane::threads, delay, std::move(step));
  };
  events.is_calm = [this] { return calm_; };
  recorder_ = std::make_unique<LobbyRecorder>(plan_, agenda_, Random(random_.next()), shared_,
                                              line_, stream_, position, std::move(events));
  auto tokens = [random = Random(random_.next())]() mutable {
    core::Token token;
    for (auto& byte : token) byte = static_cast<std::uint8_t>(random.next());
    return token;
  };
  net::ShellIo& io = *this;
  net::ThinkingService& thinking = *this;
  net::KeyService& keys = *this;
  shell_ = std::make_unique<net::Shell>(*config_, seed, std::move(tokens), io, thinking, keys,
                                        [&](std::unique_ptr<core::Directory> local) {
                                          return share(std::move(local), *config_, settings.seed);
                                        });
  shell_->restore(shared_.load(stream_).saved);
  shell_->record_with(*recorder_);
  cluster::Sharing::Events lobby;
  lobby.adopted = [this](const store::LoadedStream& adopted) {
    const core::RestoreReport report = shell_->adopt(adopted.saved);
    require(report.refused.empty(), Checker::permanence, [&] {
      return "a server can't go on with what it has taken over: " + report.refused.front().why;
    });
  };
  lobby.servers = [this](const std::vector<core::Directory::Server>& servers) {
    shell_->set_servers(servers);
  };
  lobby.news = [this](const core::LobbyNews& news) { shell_->follow(news); };
  lobby.answered = [this] { shell_->directory_answered(); };
  lobby.lost = [this](const std::string& /*why*/) { lose(); };
  lobby.count_rooms = [this] { return shell_->host().rooms(); };
  lobby.count_players = [this] { return shell_->host().connected_players(); };
  lobby.has_ended = [this] { return shell_->is_stopping(); };
  lobby.problem = [](const std::string& /*problem*/) {};
  sharing_->set_events(std::move(lobby));
  look();
  sweep();
  return true;
}

void LobbyMachine::kill() {
  if (!is_up()) return;
  ++life_;
  network_.server_dies();
  shell_.reset();
  recorder_.reset();
  connections_.clear();
  thinking_ = test::Thinking();
  for (auto& lane : backlog_) lane.clear();
  paused_ = false;
  ends_ = false;
  drains_ = false;
  waiting_questions_ = 0;
}

// Nothing that it knows gets out any more, whatever it is doing.
void LobbyMachine::lose() {
  ++losses_;
  end();
}

void LobbyMachine::end() {
  ends_ = true;
  agenda_.in(Time(0), [this, life = life_] {
    if (life == life_) kill();
  });
}

void LobbyMachine::stop() {
  if (listens() && !paused_) shell_->stop();
}

// As hosting::Clustering does it.
void LobbyMachine::upgrade() {
  if (!listens() || paused_ || std::exchange(drains_, true)) return;
  cluster::Sharing::Draining draining;
  draining.give = [this](const core::Directory::Server& to, std::size_t most) {
    return shell_->give_rooms(to, most);
  };
  draining.hand_over = [this](const std::vector<core::Directory::Server>& others) {
    if (!shell_->is_stopping()) shell_->stop(others);
  };
  draining.alone = [this] { shell_->drain(seconds(30)); };
  if (sharing_->drain(std::move(draining))) look_in(Time(0));
}

void LobbyMachine::stopped() {
  const Time latest = agenda_.now() + seconds(3);
  later(Lane::timers, random_.between(milliseconds(20), milliseconds(500)),
        [this, latest] { leave_when_idle(latest); });
}

void LobbyMachine::leave_when_idle(Time latest) {
  if (!recorder_->is_idle() && agenda_.now() < latest) {
    return later(Lane::timers, milliseconds(50), [this, latest] { leave_when_idle(latest); });
  }
  if (!sharing_->is_lost()) sessions_->membership.leave(stream_);
  end();
}

void LobbyMachine::cut_off_store(bool is_cut) {
  line_->is_cut = is_cut;
}

void LobbyMachine::lose_an_answer() {
  line_->lose_answer_in = static_cast<int>(random_.between(1, 8));
}

// Pauses ------------------------------------------------------------------------------------------

void LobbyMachine::happen(Lane lane, std::function<void()> event) {
  if (!is_up() || ends_) return;
  if (!paused_) return event();
  backlog_.at(static_cast<std::size_t>(lane)).push_back(std::move(event));
}

void LobbyMachine::later(Lane lane, Time delay, std::function<void()> event) {
  agenda_.in(delay, [this, life = life_, lane, event = std::move(event)]() mutable {
    if (life == life_) happen(lane, std::move(event));
  });
}

void LobbyMachine::pause(Time until) {
  if (!is_up() || ends_ || paused_) return;
  paused_ = true;
  agenda_.at(until, [this, life = life_] {
    if (life == life_) wake_up();
  });
}

// What has waited happens a little after each other, and what comes meanwhile waits, too.
void LobbyMachine::wake_up() {
  if (ends_) return;
  std::size_t lane = random_.below(backlog_.size());
  for (std::size_t tries = 0; tries < backlog_.size() && backlog_.at(lane).empty(); ++tries) {
    lane = (lane + 1) % backlog_.size();
  }
  if (backlog_.at(lane).empty()) {
    paused_ = false;
    return;
  }
  const auto event = std::move(backlog_.at(lane).front());
  backlog_.at(lane).pop_front();
  event();
  agenda_.in(random_.between(Time(0), Time(100)), [this, life = life_] {
    if (life == life_) wake_up();
  });
}

// The lobby ---------------------------------------------------------------------------------------

std::unique_ptr<core::Directory> LobbyMachine::share(std::unique_ptr<core::Directory> local,
                                                     const core::Config& config,
                                                     std::uint64_t seed) {
  auto directory = std::make_unique<cluster::ClusterDirectory>(
      std::move(local), config, seed,
      [this](cluster::ClusterDirectory::Question question) { return ask(std::move(question)); });
  sharing_->set_directory(*directory);
  return directory;
}

Time LobbyMachine::call_time() {
  if (!calm_ && plan_.has(LobbyFault::slowness) && random_.per_mille(plan_.slow_calls)) {
    return random_.between(milliseconds(10), milliseconds(1'000));
  }
  return random_.around(plan_.commit / 2);
}

bool LobbyMachine::ask(cluster::ClusterDirectory::Question question) {
  constexpr std::size_t most_questions = 1'000;
  if (waiting_questions_ >= most_questions) return false;
  ++waiting_questions_;
  // What is on its way to the store gets there, whatever becomes of the server.
  agenda_.in(call_time(), [this, life = life_, sessions = sessions_, back = call_time(),
                           question = std::move(question)] {
    auto go_on = question(sessions->names);
    if (life != life_) return;
    later(Lane::threads, back, [this, go_on = std::move(go_on)] {
      --waiting_questions_;
      sharing_->answer(go_on, now());
    });
  });
  return true;
}

void LobbyMachine::look() {
  agenda_.in(call_time(), [this, life = life_, sessions = sessions_, began = now(),
                           back = call_time(), errand = sharing_->begin_look()] {
    cluster::Look found = sessions->lookout.look(errand, began);
    if (life != life_) return;
    later(Lane::threads, back, [this, found = std::move(found)] {
      if (const auto again = sharing_->looked(found, now())) look_in(*again);
    });
  });
}

// In place of the next one that was planned.
void LobbyMachine::look_in(Time delay) {
  later(Lane::timers, delay, [this, number = ++look_] {
    if (number == look_) look();
  });
}

void LobbyMachine::sweep() {
  if (const auto again = sharing_->sweep(now())) {
    later(Lane::timers, *again, [this] { sweep(); });
  }
}

// The network -------------------------------------------------------------------------------------

LobbyMachine::Pointer LobbyMachine::find(Link link) const {
  const auto found = connections_.find(link);
  return found == connections_.end() || found->second->is_closed() ? nullptr : found->second;
}

void LobbyMachine::accept(Link link) {
  if (!listens()) return network_.server_closes(link);
  happen(Lane::network, [this, link] {
    if (shell_->is_stopping()) return network_.server_closes(link);
    const auto connection =
        std::make_shared<SimulatedConnection>(shell_->context(), link, network_, nullptr);
    connections_[link] = connection;
    shell_->connected(connection, {});
    connection->update();
  });
}

void LobbyMachine::got(Link link, std::string_view bytes) {
  happen(Lane::network, [this, link, bytes = std::string(bytes)] {
    if (const Pointer connection = find(link)) {
      shell_->received(*connection, bytes);
      connection->update();
    }
  });
}

void LobbyMachine::heard_end(Link link) {
  happen(Lane::network, [this, link] {
    const Pointer connection = find(link);
    if (!connection) return;
    if (connection->wants_read()) {
      shell_->peer_finished(*connection);
    } else {
      shell_->broken(*connection, "the peer has closed");
    }
  });
}

void LobbyMachine::can_write(Link link) {
  happen(Lane::network, [this, link] {
    if (const Pointer connection = find(link)) {
      connection->can_write();
      shell_->wrote(*connection);
    }
  });
}

// Time and thoughts -------------------------------------------------------------------------------

void LobbyMachine::set_timer(core::Time at) {
  ++timer_;
  const auto here = std::chrono::ceil<Time>(at.time_since_epoch() - clock_offset_);
  later(Lane::timers, std::max(here - agenda_.now(), Time(0)), [this, timer = timer_] {
    if (timer == timer_) shell_->timer_expired();
  });
}

void LobbyMachine::ask_for_turn() {
  later(Lane::network, random_.between(Time(0), milliseconds(1)), [this] { shell_->turn(); });
}

void LobbyMachine::think(const core::Think& think) {
  thinking_.pool().think(think);
  think_later();
}

void LobbyMachine::cancel(core::ThoughtId id) {
  thinking_.pool().cancel(id);
  think_later();
}

void LobbyMachine::release(std::uint64_t room) {
  thinking_.pool().release(room);
  think_later();
}

void LobbyMachine::think_later() {
  if (thinking_.pool().queued() == 0) return;
  later(Lane::threads, random_.between(milliseconds(1), milliseconds(300)), [this] {
    constexpr std::uint64_t nodes = 300;
    const bool goes_on = thinking_.work(nodes) && thinking_.pool().queued() > 0;
    for (const core::AiPool::Answer& answer : thinking_.pool().take_answers()) {
      shell_->thought(answer.id, answer.result);
    }
    if (goes_on) think_later();
  });
}

void LobbyMachine::derive(const core::DeriveKey& derive) {
  later(Lane::threads, random_.between(milliseconds(1), milliseconds(200)), [this, derive] {
    if (!shell_->is_stopping()) shell_->key_derived(derive.id, core::derive_key(*derive.request));
  });
}

}  // namespace tictactoe::simulation
