// Which server to connect to: the one that the page came from, or another one of the same lobby. A
// Redirect names one; after a loss each server is tried.

const mostRedirects = 5; // in a row
// Redirects that are further apart are not in a row.
const rowEnds = 3000;
const mostServers = 16;
const hostAndPort = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+):[0-9]{1,5}$/i;

export class ServerChoice {
  /// Of the WebSocket.
  address;

  #home;
  #named = [];
  #untried = []; // of this round
  #redirects = 0;
  #redirectedAt = -Infinity;

  constructor(home) {
    this.#home = home;
    this.address = home;
  }

  get hasOthers() { return this.#named.length > 1; }
  /// One of them that the page did not come from, or ''.
  get another() { return this.#named.find((url) => url !== this.#home) ?? ''; }

  /// A server has taken the player in, and names those of its lobby ({address}).
  welcomed(servers) {
    this.#named = servers.slice(0, mostServers).map((server) => this.#url(server)).filter(Boolean);
    this.#untried = [];
  }

  /// Whether the redirect to that server is to be followed. If not, it is as after a loss.
  follow(server, now) {
    if (now - this.#redirectedAt > rowEnds) this.#redirects = 0;
    this.#redirectedAt = now;
    const url = this.#url(server);
    if (url === '' || ++this.#redirects > mostRedirects) return false;
    this.address = url;
    this.#untried = [];
    return true;
  }

  /// Chooses the next server after a loss: first the same one, then the others in random order.
  /// Whether a new round begins, before which the caller waits.
  next() {
    const isNewRound = this.#untried.length === 0;
    if (isNewRound) {
      const others = new Set([this.#home, ...this.#named]);
      others.delete(this.address);
      this.#untried = [this.address, ...shuffled([...others])];
    }
    this.address = this.#untried.shift();
    return isNewRound;
  }

  // As the page's own server is reached: encrypted or not.
  #url(server) {
    const address = server?.address ?? '';
    return hostAndPort.test(address) ? `${this.#home.split('//')[0]}//${address}/ws` : '';
  }
}

function shuffled(list) {
  return list.map((one) => [Math.random(), one]).sort(([a], [b]) => a - b).map(([, one]) => one);
}
