// Signs of life: when to give one, and when there has been none for too long. The server drops
// peers from which nothing comes for its silence timeout, so something is sent in each third of it.

const shortestInterval = 500;

export class Heartbeat {
  #third = 0;
  #timer = 0;
  #sentAt = 0;
  #pingedAt = null;

  /// `ping` sends a ping; `lost` is called if nothing answers one.
  start(silenceMs, { ping, lost }) {
    this.stop();
    if (!(silenceMs > 0)) return;
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
    this.#pingedAt = null;
  }

  sent() {
    this.#sentAt = performance.now();
  }
  received() {
    this.#pingedAt = null;
  }
}
