// When to try again to reach a server that was lost: after half a second, then after about twice
// the time with each attempt, up to 15 seconds. A page goes on trying for as long as it is open.

const firstWait = 500;
const longestWait = 15000;
// A connection that held for so long ends a series of attempts.
const settledAfter = 3000;

export class RetryPlan {
  #wait = firstWait;
  #welcomedAt = null;

  welcomed(now) {
    this.#welcomedAt = now;
  }

  /// Milliseconds until the next attempt.
  next(now) {
    if (this.#welcomedAt !== null && now - this.#welcomedAt >= settledAfter) this.#wait = firstWait;
    this.#welcomedAt = null;
    const wait = this.#wait * (0.75 + Math.random() / 2);
    this.#wait = Math.min(this.#wait * 2, longestWait);
    return wait;
  }
}
