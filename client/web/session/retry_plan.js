// When to try again to reach a server that was lost: after half a second, then after about twice
// the time with each attempt, up to 15 seconds. A page goes on trying for as long as it is open. If
// there are other servers, which take over what was lost within seconds, the waits stay short at first.

const firstWait = 500;
const longestWait = 15000;
const takeoverWait = 1000;
const takeoverTakes = 20000;
// A connection that held for so long ends a series of attempts.
const settledAfter = 3000;

export class RetryPlan {
  #wait = firstWait;
  #welcomedAt = null;
  #lostAt = 0; // the first one of a series of attempts began then

  welcomed(now) {
    this.#welcomedAt = now;
  }

  /// Milliseconds until the next attempt.
  next(now, hasOthers) {
    if (this.#welcomedAt !== null && now - this.#welcomedAt >= settledAfter) this.#wait = firstWait;
    if (this.#wait === firstWait) this.#lostAt = now;
    this.#welcomedAt = null;
    const wait = this.#wait * (0.75 + Math.random() / 2);
    const isTakeover = hasOthers && now - this.#lostAt < takeoverTakes;
    this.#wait = Math.min(this.#wait * 2, isTakeover ? takeoverWait : longestWait);
    return wait;
  }
}
