// Signs of life: when to give one, and when there has been none for too long. The server drops
// peers from which nothing comes for its silence timeout, so something is sent in each third of it.

const shortestInterval = 500;
// For an answer to check().
const checkMs = 5000;

export class Heartbeat {
  #third = 0;
  #timer = 0;
  #sentAt = 0;
  #pingedAt = null;
  #deadline = 0;
  #owner;

  /// `ping` sends a ping; `lost` is called if nothing answers one.
  start(silenceMs, { ping, lost }) {
    this.stop();
    if (!(silenceMs > 0)) return;
    this.#owner = { ping, lost };
    this.#third = Math.max(silenceMs / 3, shortestInterval);
    this.#sentAt = performance.now();
    this.#timer = setInterval(() => {
      const now = performance.now();
      if (this.#pingedAt !== null && now - this.#pingedAt >= 2 * this.#third) return lost();
      if (now - this.#sentAt < this.#third) return;
      this.#pingedAt ??= now;
      ping();
    }, this.#third / 4);
  }
  stop() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.received();
  }

  /// Wants an answer soon: the connection may have died while the device slept or changed its network.
  check() {
    if (this.#timer === 0) return;
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(this.#owner.lost, checkMs);
    this.#owner.ping();
  }

  sent() {
    this.#sentAt = performance.now();
  }
  received() {
    this.#pingedAt = null;
    clearTimeout(this.#deadline);
  }
}
