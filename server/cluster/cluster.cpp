#include "server/cluster/cluster.hpp"

#include <utility>

namespace tictactoe::cluster {

using std::chrono::steady_clock;

Cluster::Cluster(boost::asio::io_context& io, records::Member self, server::Config config,
                 std::unique_ptr<records::Membership> membership,
                 std::unique_ptr<records::SharedNames> names, Settings settings)
    : config_(std::move(config)),
      membership_(std::move(membership)),
      names_(std::move(names)),
      settings_(settings),
      sharing_(std::move(self), settings_, steady_clock::now()),
      sync_(*membership_, settings_),
      sync_timer_(io),
      sweep_timer_(io),
      syncing_(io, {.what = "checking on the other servers"}),
      asking_(io, {.what = "asking the directory"}),
      questions_(settings_.questions) {}

std::unique_ptr<server::Directory> Cluster::directory(std::unique_ptr<server::Directory> local) {
  auto directory = std::make_unique<ClusterDirectory>(
      std::move(local), config_, settings_.seed,
      [this](std::optional<server::Origin> from, ClusterDirectory::Question question) {
        return ask(from, std::move(question));
      });
  sharing_.set_directory(*directory);
  return directory;
}

void Cluster::start(Handlers handlers) {
  sharing_.set_handlers(std::move(handlers));
  sync();
  sweep();
}

void Cluster::stop() {
  sharing_.stop();
  sync_timer_.cancel();
  sweep_timer_.cancel();
}

void Cluster::drain(Sharing::Draining draining) {
  if (sharing_.drain(std::move(draining))) {
    call_after(sync_timer_, std::chrono::milliseconds(0), &Cluster::sync);
  }
}

void Cluster::leave() {
  syncing_.join();
  // If that fails, the others find out when the lease is over.
  if (!is_lost() && !std::exchange(left_, true)) membership_->leave(sharing_.stream());
}

// Questions of the directory ----------------------------------------------------------------------

bool Cluster::ask(std::optional<server::Origin> from, ClusterDirectory::Question question) {
  if (!questions_.push(from, std::move(question))) return false;
  ask_next();
  return true;
}

void Cluster::ask_next() {
  if (asking_.free_threads() == 0) return;
  auto question = questions_.pop();
  if (!question) return;
  asking_.give([this, question = *std::move(question)] { return question(*names_); },
               [this](const ClusterDirectory::Continuation& go_on) {
                 sharing_.answer(go_on, steady_clock::now());
                 ask_next();
               });
}

// Looking at the others ---------------------------------------------------------------------------

void Cluster::sync() {
  syncing_.give(
      [this, request = sharing_.begin_sync()] { return sync_.run(request, steady_clock::now()); },
      [this](const SyncResult& found) {
        call_after(sync_timer_, sharing_.end_sync(found, steady_clock::now()), &Cluster::sync);
      });
}

void Cluster::sweep() {
  call_after(sweep_timer_, sharing_.sweep(steady_clock::now()), &Cluster::sweep);
}

void Cluster::call_after(boost::asio::steady_timer& timer, Sharing::Again again,
                         void (Cluster::*next)()) {
  if (!again) return stop();
  timer.expires_after(*again);
  timer.async_wait([this, next](const boost::system::error_code& cancelled) {
    if (!cancelled && !sharing_.has_ended()) (this->*next)();
  });
}

}  // namespace tictactoe::cluster
