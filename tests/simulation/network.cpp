#include "tests/simulation/network.hpp"

#include <algorithm>

namespace tictactoe::simulation {

using std::chrono::milliseconds;

Network::Connection* Network::find(Link link) {
  const auto found = links_.find(link);
  return found == links_.end() ? nullptr : &found->second;
}

Time Network::delay() {
  if (!calm_ && plan_.happens(Fault::delays, random_)) {
    return random_.between(milliseconds(10), milliseconds(3000));
  }
  return random_.between(plan_.latency / 2, plan_.latency * 3 / 2);
}

std::size_t Network::piece(std::size_t bytes) {
  if (bytes > 1 && plan_.happens(Fault::splits, random_)) {
    return random_.between(1, bytes - 1);
  }
  return bytes;
}

// The client's end --------------------------------------------------------------------------------

Link Network::connect(ClientEnd& client, std::uint32_t number, std::uint32_t server) {
  const Link link = ++last_;
  Connection& made = links_[link];
  made.reader = &client;
  made.server = servers_.at(server);
  made.client = number;
  agenda_.in(delay(), [this, link] {
    Connection* connection = find(link);
    if (connection == nullptr || connection->down.closed || connection->up.closed) return;
    connection->accepted = true;
    connection->server->accept(link, connection->client);
    if ((connection = find(link)) != nullptr) pump_up(link, *connection);
  });
  return link;
}

void Network::client_sends(Link link, std::string_view bytes) {
  Connection* connection = find(link);
  if (connection == nullptr) return;
  if (connection->up.closed) {
    // The other end has forgotten this connection, and resets it when it gets bytes.
    connection->down.ends = true;
    return pump_down(link, *connection);
  }
  if (connection->up.ends || connection->server_deaf) return;
  connection->up.bytes.append(bytes);
  pump_up(link, *connection);
}

void Network::client_closes(Link link) {
  Connection* connection = find(link);
  if (connection == nullptr) return;
  connection->down.closed = true;
  connection->up.ends = true;
  connection->half_closed = false;
  if (!connection->accepted) connection->up.closed = true;
  if (!connection->down.bytes.empty()) reset(*connection);
  pump_up(link, *connection);
  forget_if_gone(link);
}

// A closed client answers bytes with a reset: the server hears the end, and nothing more before it.
void Network::reset(Connection& connection) {
  connection.down.bytes.clear();
  connection.up.bytes.clear();
}

void Network::client_shuts(Link link) {
  Connection* connection = find(link);
  if (connection == nullptr || connection->up.closed) return;
  connection->up.ends = true;
  connection->half_closed = true;
  pump_up(link, *connection);
}

bool Network::is_broken(Link link) {
  const Connection* connection = find(link);
  return connection == nullptr || connection->broken;
}

// The server's end --------------------------------------------------------------------------------

std::size_t Network::server_writes(Link link, std::string_view bytes) {
  Connection* connection = find(link);
  if (connection == nullptr) return bytes.size();  // like a kernel, until it notices the end
  Pipe& down = connection->down;
  if (connection->broken && !connection->server_deaf) return bytes.size();
  if (connection->broken) return 0;  // no acknowledgement arrives any more
  if (down.closed && connection->up.ends) {
    reset(*connection);
    pump_up(link, *connection);
    return bytes.size();
  }
  const std::size_t room = plan_.socket_bytes - std::min(plan_.socket_bytes, down.bytes.size());
  const std::size_t taken = std::min(room, bytes.size());
  connection->server_waits = taken < bytes.size();
  down.bytes.append(bytes.substr(0, taken));
  pump_down(link, *connection);
  return taken;
}

void Network::server_reads(Link link, bool reads) {
  Connection* connection = find(link);
  if (connection == nullptr) return;
  connection->server_reads = reads;
  pump_up(link, *connection);
}

void Network::server_shuts(Link link) {
  Connection* connection = find(link);
  if (connection == nullptr) return;
  connection->down.ends = true;
  pump_down(link, *connection);
}

void Network::server_closes(Link link) {
  Connection* connection = find(link);
  if (connection == nullptr) return;
  connection->server_closed = true;
  connection->up.closed = true;
  connection->down.ends = true;
  connection->server_waits = false;
  pump_down(link, *connection);
  forget_if_gone(link);
}

std::vector<Link> Network::links_of(std::uint32_t server) const {
  std::vector<Link> found;
  for (const auto& [link, connection] : links_) {
    if (connection.server == servers_[server]) found.push_back(link);
  }
  return found;
}

void Network::server_dies(std::uint32_t server) {
  for (const Link link : links_of(server)) {
    Connection& connection = links_.at(link);
    connection.broken = true;
    break_pipe(connection.down);
    server_closes(link);
  }
}

// Delivery ----------------------------------------------------------------------------------------

// Of a connection that has ended altogether the server hears at once.
bool Network::waits_for_reader(const Connection& connection) {
  return !connection.server_reads && (!connection.up.bytes.empty() || connection.half_closed);
}

void Network::pump_up(Link link, Connection& connection) {
  Pipe& up = connection.up;
  if (up.delivering || up.closed || !connection.accepted || connection.server_deaf) return;
  if (waits_for_reader(connection)) return;
  if (up.bytes.empty() && !up.ends) return;
  up.delivering = true;
  agenda_.in(delay(), [this, link] { deliver_up(link); });
}

void Network::deliver_up(Link link) {
  Connection* connection = find(link);
  if (connection == nullptr) return;
  Pipe& up = connection->up;
  up.delivering = false;
  if (up.closed || connection->server_deaf) return;
  if (waits_for_reader(*connection)) return;
  if (up.bytes.empty()) {
    up.closed = true;
    connection->server->heard_end(link);
    if ((connection = find(link)) != nullptr) pump_down(link, *connection);
    forget_if_gone(link);
    return;
  }
  const std::size_t count = piece(up.bytes.size());
  const std::string bytes = up.bytes.substr(0, count);
  up.bytes.erase(0, count);
  digest_.add(bytes);
  connection->server->got(link, bytes);
  if ((connection = find(link)) != nullptr) pump_up(link, *connection);
}

void Network::pump_down(Link link, Connection& connection) {
  Pipe& down = connection.down;
  if (down.delivering || (down.bytes.empty() && !down.ends)) return;
  if (down.closed) {
    // Nobody reads. If the client has vanished, the bytes stay; if it has closed, the kernel drops
    // them.
    return;
  }
  down.delivering = true;
  agenda_.at(std::max(agenda_.now() + delay(), connection.stalled_until),
             [this, link] { deliver_down(link); });
}

void Network::deliver_down(Link link) {
  Connection* connection = find(link);
  if (connection == nullptr) return;
  Pipe& down = connection->down;
  down.delivering = false;
  if (down.closed) return;
  if (connection->stalled_until > agenda_.now()) return pump_down(link, *connection);
  // Planned before a stall ended early, and done since.
  if (down.bytes.empty() && !down.ends) return;
  if (down.bytes.empty()) {
    down.closed = true;
    connection->up.ends = true;
    connection->half_closed = false;
    connection->reader->heard_end(link);
    if ((connection = find(link)) != nullptr) pump_up(link, *connection);
    forget_if_gone(link);
    return;
  }
  const std::size_t count = piece(down.bytes.size());
  const std::string bytes = down.bytes.substr(0, count);
  down.bytes.erase(0, count);
  digest_.add(bytes);
  const bool wakes_server = std::exchange(connection->server_waits, false);
  connection->reader->got(link, bytes);
  if (wakes_server && (connection = find(link)) != nullptr) connection->server->can_write(link);
  if ((connection = find(link)) != nullptr) pump_down(link, *connection);
}

// Faults ------------------------------------------------------------------------------------------

void Network::break_pipe(Pipe& pipe) {
  pipe.bytes.resize(random_.below(pipe.bytes.size() + 1));
  pipe.ends = true;
}

void Network::cut(Link link, Cut how) {
  Connection* connection = find(link);
  if (connection == nullptr) return;
  if (connection->broken) return;
  connection->broken = true;
  connection->half_closed = false;
  break_pipe(connection->up);
  break_pipe(connection->down);
  if (!connection->accepted) connection->up.closed = true;
  if (how == Cut::server_deaf && connection->accepted) {
    // The server's bytes are lost, and nothing arrives: it notices only by its timers.
    connection->up.bytes.clear();
    connection->server_deaf = true;
  }
  if (how != Cut::client_deaf) {
    connection->server_waits = false;
    pump_down(link, *connection);
  } else {
    connection->down.bytes.clear();
    connection->down.ends = false;
  }
  pump_up(link, *connection);
  forget_if_gone(link);
}

void Network::cut_all(std::uint32_t server, Cut how) {
  for (const Link link : links_of(server)) cut(link, how);
}

void Network::stall(Link link, Time until) {
  if (Connection* connection = find(link)) connection->stalled_until = until;
}

void Network::no_more_stalls() {
  calm_ = true;
  // Deliveries that wait for the end of a stall are planned again.
  for (auto& [stalled, connection] : links_) {
    if (connection.stalled_until <= agenda_.now()) continue;
    connection.stalled_until = Time(0);
    agenda_.in(delay(), [this, link = stalled] { deliver_down(link); });
  }
}

Link Network::some_link() {
  if (links_.empty()) return 0;
  const auto at = links_.lower_bound(
      static_cast<Link>(random_.between(links_.begin()->first, links_.rbegin()->first)));
  return at->first;
}

void Network::forget_if_gone(Link link) {
  Connection* connection = find(link);
  if (connection == nullptr || !connection->up.closed || !connection->down.closed) return;
  if (connection->accepted && !connection->server_closed) return;
  ServerEnd& server = *connection->server;
  links_.erase(link);
  server.forget(link);
}

}  // namespace tictactoe::simulation
