#include "tests/simulation/machine.hpp"

#include <spdlog/spdlog.h>

#include <utility>

#include "tests/simulation/violation.hpp"

namespace tictactoe::simulation {

using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

// The planted mistake is made at the first opportunity after so many.
constexpr std::uint64_t planted_at = 400;

}  // namespace

// A connection ------------------------------------------------------------------------------------

void SimulatedConnection::update() {
  if (is_closed()) return close();
  if (watch_ != nullptr) watch_->check_queue(link_);
  while (!is_writing_ && !ready().empty()) {
    const std::string_view bytes = ready();
    const std::size_t taken = network_.server_writes(link_, bytes);
    is_writing_ = taken < bytes.size();
    if (watch_ != nullptr) watch_->released(link_, taken);
    written(taken);
  }
  if (wants_shutdown()) {
    network_.server_shuts(link_);
    shut_down();
  }
  if (is_closed()) return close();
  if (reads_ != wants_read()) {
    reads_ = !reads_;
    network_.server_reads(link_, reads_);
  }
}

void SimulatedConnection::close() {
  if (std::exchange(has_closed_, true)) return;
  if (watch_ != nullptr) watch_->closed(link_);
  network_.server_closes(link_);
}

// Life and death ----------------------------------------------------------------------------------

Machine::Machine(Surroundings around, std::uint32_t number, Random random)
    : around_(around), plan_(around.plan), number_(number), random_(random) {
  spdlog::set_level(spdlog::level::off);
  around_.network.add(*this);
  records_ = plan_.sql ? Records::in_sqlite(plan_.server.limits.kept_chat,
                                            [&agenda = around_.agenda] { return agenda.unix_ms(); })
                       : Records::of(around_.shared, line_);
}

bool Machine::start() {
  if (line_->is_cut) return false;
  ++life_;
  ++starts_;
  line_->lose_answer_in = 0;
  // A machine's steady clock begins anywhere.
  clock_offset_ = random_.between(Time(0), std::chrono::hours(1000));
  if (plan_.is_shared()) {
    stream_ = around_.shared.new_stream();
    records_ = Records::of(around_.shared, line_);
  }
  const records::StreamPosition position = *records_->store->own(stream_);
  if (plan_.is_shared()) join(position.epoch);
  make_recorder(position);
  make_shell();
  if (sharing_) {
    sharing_->set_handlers(lobby_handlers());
    sync();
    sweep();
  }
  return true;
}

void Machine::make_recorder(records::StreamPosition position) {
  SimulatedRecorder::Events events;
  events.durable = [this](std::uint64_t sequence) { shell_->durable(sequence); };
  events.health = [this](records::Health health) { health_changed(health); };
  events.later = [this, life = life_](Time delay, std::function<void()> step) {
    if (life == life_) later(Lane::threads, delay, std::move(step));
  };
  recorder_ = std::make_unique<SimulatedRecorder>(plan_, around_.agenda, Random(random_.next()),
                                                  around_.digest, around_.watch, disk_, records_,
                                                  stream_, position, std::move(events));
}

void Machine::make_shell() {
  config_ = plan_.server;
  config_.unix_time_of_zero = -std::chrono::duration_cast<milliseconds>(clock_offset_);
  if (plan_.plant == Plant::endless_outbox) config_.limits.outbox_bytes = std::size_t{1} << 30;
  const std::uint64_t seed = random_.next();
  auto tokens = [random = Random(random_.next())]() mutable {
    server::Token token;
    for (auto& byte : token) byte = static_cast<std::uint8_t>(random.next());
    return token;
  };
  const auto share =
      [&](std::unique_ptr<server::Directory> local) -> std::unique_ptr<server::Directory> {
    if (!sharing_) return local;
    auto directory = std::make_unique<cluster::ClusterDirectory>(
        std::move(local), config_, random_.next(),
        [this](std::optional<server::Origin> from, cluster::ClusterDirectory::Question question) {
          return ask(from, std::move(question));
        });
    sharing_->set_directory(*directory);
    return directory;
  };
  transport::ShellIo& io = *this;
  shell_ = std::make_unique<transport::Shell>(config_, seed, std::move(tokens), io, share);
  if (around_.watch != nullptr) {
    shell_->observe_with(*this);
    around_.watch->stalled(false);
    around_.watch->started(around_.agenda.now() + plan_.server.limits.restart_grace);
  }
  require(shell_->restore(saved()).refused.empty(), Checker::permanence,
          "the host refuses its own records");
  shell_->record_with({std::bind_front(&SimulatedRecorder::append, recorder_.get()),
                       std::bind_front(&SimulatedRecorder::look_up, recorder_.get())});
}

journal::v1::Saved Machine::saved() {
  return *records_->store->load(stream_);
}

void Machine::health_changed(records::Health health) {
  if (health == records::Health::fenced) return lose();
  const auto recording = health == records::Health::good        ? server::JournalHealth::good
                         : health == records::Health::low_space ? server::JournalHealth::low_space
                                                                : server::JournalHealth::stalled;
  if (around_.watch != nullptr) around_.watch->stalled(recording == server::JournalHealth::stalled);
  shell_->set_journal_health(recording);
}

void Machine::kill() {
  if (!is_up()) return;
  ++life_;
  recorder_.reset();
  if (around_.watch != nullptr) {
    around_.watch->died();
    for (const auto& [link, connection] : connections_) around_.watch->closed(link);
  }
  around_.network.server_dies(number_);
  shell_.reset();
  connections_.clear();
  by_slot_.clear();
  thinking_ = test::Thinking();
  for (auto& lane : backlog_) lane.clear();
  paused_ = ends_ = drains_ = is_request_ = false;
  waiting_questions_ = 0;
}

// Nothing that it knows gets out any more, whatever it is doing.
void Machine::lose() {
  ++losses_;
  end();
}

void Machine::end() {
  ends_ = true;
  around_.agenda.in(Time(0), [this, life = life_] {
    if (life == life_) kill();
  });
}

void Machine::stop() {
  if (listens() && !paused_) shell_->stop();
}

void Machine::drain() {
  if (listens() && !paused_) shell_->drain(milliseconds(random_.between(100, 2000)));
}

// As app::Clustering does it.
void Machine::upgrade() {
  if (!listens() || paused_ || std::exchange(drains_, true)) return;
  cluster::Sharing::Draining draining;
  draining.give = [this](const server::Directory::LobbyServer& to, std::size_t max) {
    return shell_->give_rooms(to, max);
  };
  draining.hand_over = [this](const std::vector<server::Directory::LobbyServer>& others) {
    if (!shell_->is_stopping()) shell_->stop(others);
  };
  draining.alone = [this] { shell_->drain(seconds(30)); };
  if (sharing_->drain(std::move(draining))) sync_in(Time(0));
}

void Machine::stopped() {
  const Time latest = around_.agenda.now() + seconds(3);
  later(Lane::timers, random_.between(milliseconds(20), milliseconds(500)),
        [this, latest] { leave_when_idle(latest); });
}

void Machine::leave_when_idle(Time latest) {
  if (!recorder_->is_idle() && around_.agenda.now() < latest) {
    return later(Lane::timers, milliseconds(50), [this, latest] { leave_when_idle(latest); });
  }
  if (sharing_ && !sharing_->is_lost()) sessions_->membership.leave(stream_);
  end();
}

void Machine::set_disk(server::JournalHealth state) {
  disk_.state = state;
  later(Lane::threads, Time(0), [this] { recorder_->work(); });
}

void Machine::calm() {
  disk_.is_calm = true;
  cut_off_store(false);
  set_disk(server::JournalHealth::good);
}

// Pauses ------------------------------------------------------------------------------------------

void Machine::happen(Lane lane, std::function<void()> event) {
  if (!is_up() || ends_) return;
  if (!paused_) return event();
  backlog_.at(static_cast<std::size_t>(lane)).push_back(std::move(event));
}

void Machine::later(Lane lane, Time delay, std::function<void()> event) {
  around_.agenda.in(delay, [this, life = life_, lane, event = std::move(event)]() mutable {
    if (life == life_) happen(lane, std::move(event));
  });
}

void Machine::pause(Time until) {
  if (!is_up() || ends_ || paused_) return;
  paused_ = true;
  around_.agenda.at(until, [this, life = life_] {
    if (life == life_) wake_up();
  });
}

// What has waited happens a little after each other, and what comes meanwhile waits, too.
void Machine::wake_up() {
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
  around_.agenda.in(random_.between(Time(0), Time(100)), [this, life = life_] {
    if (life == life_) wake_up();
  });
}

// The lobby ---------------------------------------------------------------------------------------

// As records::join_postgres does it.
void Machine::join(std::uint64_t epoch) {
  cluster::SharingSettings settings;
  settings.lease = std::chrono::duration_cast<milliseconds>(plan_.lease);
  settings.seed = random_.next();
  records::Member self;
  self.address = "server:" + std::to_string(number_);
  self.stream = stream_;
  around_.shared.join(self, settings.lease);
  sessions_ = std::make_shared<Sessions>(around_.shared, line_, stream_, epoch, settings);
  sharing_.emplace(self, settings, now());
}

cluster::Sharing::Handlers Machine::lobby_handlers() {
  cluster::Sharing::Handlers lobby;
  lobby.adopted = [this](const journal::v1::Saved& adopted) {
    const server::RestoreReport report = shell_->adopt(adopted);
    require(report.refused.empty(), Checker::permanence, [&] {
      return "a server can't go on with what it has taken over: " + report.refused.front().why;
    });
  };
  lobby.servers = [this](const std::vector<server::Directory::LobbyServer>& servers) {
    shell_->set_servers(servers);
  };
  lobby.news = [this](const server::LobbyNews& news) { shell_->apply(news); };
  lobby.answered = [this] { shell_->directory_answered(); };
  lobby.lost = [this](const std::string& /*why*/) { lose(); };
  lobby.count_rooms = [this] { return shell_->host().rooms(); };
  lobby.count_players = [this] { return shell_->host().connected_players(); };
  lobby.said = [this]() -> const server::SaidInLobby& { return shell_->host().said_in_lobby(); };
  lobby.has_ended = [this] { return shell_->is_stopping(); };
  lobby.problem = [](const std::string& /*problem*/) {};
  return lobby;
}

Time Machine::call_time() {
  return !disk_.is_calm && plan_.happens(Fault::slowness, random_)
             ? random_.between(milliseconds(10), milliseconds(1'000))
             : random_.around(plan_.commit / 2);
}

bool Machine::ask(std::optional<server::Origin> from,
                  cluster::ClusterDirectory::Question question) {
  constexpr std::size_t max_questions = 1'000;
  if (from && waiting_questions_ >= max_questions) return false;
  ++waiting_questions_;
  // What is on its way to the store gets there, whatever becomes of the server.
  around_.agenda.in(call_time(), [this, life = life_, sessions = sessions_, back = call_time(),
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

void Machine::sync() {
  around_.agenda.in(call_time(), [this, life = life_, sessions = sessions_, began = now(),
                                  back = call_time(), request = sharing_->begin_sync()] {
    cluster::SyncResult found = sessions->sync.run(request, began);
    if (life != life_) return;
    later(Lane::threads, back, [this, found = std::move(found)] {
      if (const auto again = sharing_->end_sync(found, now())) sync_in(*again);
    });
  });
}

// In place of the next one that was planned.
void Machine::sync_in(Time delay) {
  later(Lane::timers, delay, [this, number = ++sync_] {
    if (number == sync_) sync();
  });
}

void Machine::sweep() {
  if (const auto again = sharing_->sweep(now())) {
    later(Lane::timers, *again, [this] { sweep(); });
  }
}

// The network -------------------------------------------------------------------------------------

Machine::Pointer Machine::find(Link link) const {
  const auto found = connections_.find(link);
  return found == connections_.end() || found->second->is_closed() ? nullptr : found->second;
}

void Machine::accept(Link link, std::uint32_t client) {
  if (!listens()) return around_.network.server_closes(link);
  happen(Lane::network, [this, link, client] {
    if (shell_->is_stopping()) return around_.network.server_closes(link);
    const auto connection = std::make_shared<SimulatedConnection>(shell_->context(), link, around_);
    connections_[link] = connection;
    // The host may refuse it before its id is returned.
    accepted_ = connection;
    const server::ConnectionId id = shell_->connected(connection, origin_of(client));
    accepted_.reset();
    if (id.slot >= by_slot_.size()) by_slot_.resize(id.slot + 1);
    by_slot_[id.slot] = connection;
    connection->update();
  });
}

// Honest and hostile clients have no address and no network in common.
server::Origin Machine::origin_of(std::uint32_t client) const {
  if (plan_.is_shared() || plan_.plant == Plant::shared_address) return {};
  if (client < plan_.clients) return {client % 7, client % 7 / 4};
  return {1'000 + client % 3, 1'000};
}

void Machine::got(Link link, std::string_view bytes) {
  happen(Lane::network, [this, link, bytes = std::string(bytes)] {
    if (const Pointer connection = find(link)) {
      connection->take(bytes);
      shell_->received(*connection);
      connection->update();
    }
  });
}

void Machine::heard_end(Link link) {
  happen(Lane::network, [this, link] {
    const Pointer connection = find(link);
    if (!connection) return;
    // Without a read only a write can find out, and that fails.
    if (connection->wants_read() && plan_.plant != Plant::deaf_ear) {
      shell_->peer_finished(*connection);
    } else {
      shell_->broken(*connection, "the peer has closed");
    }
  });
}

void Machine::can_write(Link link) {
  happen(Lane::network, [this, link] {
    if (const Pointer connection = find(link)) {
      connection->can_write();
      shell_->wrote(*connection);
    }
  });
}

void Machine::forget(Link link) {
  if (around_.watch != nullptr) around_.watch->forget(link);
  connections_.erase(link);
}

// Time and thoughts -------------------------------------------------------------------------------

void Machine::set_timer(server::Time at) {
  ++timer_;
  if (plan_.plant == Plant::lost_deadline && ++candidates_ > planted_at) return;
  const auto here = std::chrono::ceil<Time>(at.time_since_epoch() - clock_offset_);
  later(Lane::timers, std::max(here - around_.agenda.now(), Time(0)), [this, timer = timer_] {
    if (timer == timer_) shell_->timer_expired();
  });
}

void Machine::ask_for_slice() {
  later(Lane::network, random_.between(Time(0), milliseconds(1)), [this] { shell_->run_slice(); });
}

void Machine::think(const server::Think& think) {
  thinking_.pool().think(think);
  think_later();
}

// What is given up makes space for thoughts that wait for memory.
void Machine::cancel(server::ThoughtId id) {
  thinking_.pool().cancel(id);
  think_later();
}

void Machine::release(std::uint64_t room) {
  thinking_.pool().release(room);
  think_later();
}

// Each slice of a thought ends after a time of its own, as on several threads.
void Machine::think_later() {
  if (thinking_.pool().queued() == 0) return;
  later(Lane::threads, random_.between(milliseconds(1), milliseconds(300)), [this] {
    constexpr std::uint64_t nodes = 300;
    const bool goes_on = thinking_.work(nodes) && thinking_.pool().queued() > 0;
    for (const thinking::AiPool::Answer& answer : thinking_.pool().take_answers()) {
      shell_->thought(answer.id, answer.result);
    }
    if (goes_on) think_later();
  });
}

void Machine::derive(const server::DeriveKey& derive) {
  later(Lane::threads, random_.between(milliseconds(1), milliseconds(200)), [this, derive] {
    if (!shell_->is_stopping()) shell_->key_derived(derive.id, server::derive_key(*derive.request));
  });
}

}  // namespace tictactoe::simulation
