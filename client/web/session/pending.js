// Requests whose answers have not come. Request ids count up over all connections, so that
// Welcome.lastRequestDone tells which requests were done although their answers were lost.

import { isForView, isUncounted, onlyAsks } from './requests.js';

export class RequestFailed extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export class Pending {
  #requests = new Map(); // by id, in the order in which they were sent
  #lost = []; // with a connection, and not done
  #last = 0;

  /// Notes a request; the message to send. `settle` has resolve(message) and reject(error).
  add(kind, body, settle) {
    const id = ++this.#last;
    return this.#note({ ...settle, sentAt: performance.now(), id, kind, body });
  }

  #note(asked) {
    const { id, kind, body } = asked;
    this.#requests.set(id, asked);
    return { requestId: String(id), [kind]: body };
  }

  take(id) {
    const asked = this.#requests.get(Number(id ?? 0));
    if (asked) this.#requests.delete(asked.id);
    return asked ?? null;
  }

  /// A new id for a request that was not done.
  again(asked) {
    return this.add(asked.kind, asked.body, asked);
  }

  /// A request that was not done and can't be sent now: takeLost() has it later.
  keep(asked) {
    this.#lost.push(asked);
  }

  /// Whether a request of this kind has no answer.
  awaits(kind) {
    return [...this.#lost, ...this.#requests.values()].some((asked) => asked.kind === kind);
  }

  /// The server has passed the request on to another one, which expects it with the same id.
  redirected(id) {
    const asked = this.#requests.get(Number(id ?? 0));
    if (asked) asked.keepsId = true;
  }

  /// The newest move that waits for its answer, {body, sentAt}, or undefined.
  move() {
    return [...this.#lost, ...this.#requests.values()].filter(({ kind }) => kind === 'move').pop();
  }

  /// The server knows the player again: ids continue above all that it has seen. Settles requests
  /// that it has done, and those that a new connection replaces. takeLost() has the others.
  resume(lastDone) {
    this.#last = Math.max(this.#last, lastDone);
    for (const asked of [...this.#requests.values()]) {
      this.#requests.delete(asked.id);
      if (['hello', 'ping', 'watchLobby', 'getSnapshot'].includes(asked.kind)) continue;
      if (isUncounted(asked.kind)) {
        this.#fail(asked, 'Your last message or invitation may not have arrived: the connection was lost.');
      } else if (!onlyAsks(asked.kind) && asked.id <= lastDone) {
        asked.resolve({});
      } else {
        this.#lost.push(asked);
      }
    }
  }

  /// The messages that send the lost requests again, with new ids: the server may have done later
  /// requests in the meantime, and if this connection is lost as well, it tells only the highest id.
  takeLost() {
    return this.#lost.splice(0).map((asked) => asked.keepsId ? this.#note(asked) : this.again(asked));
  }

  /// The player is another one. What views ask is asked again for that one.
  failAll(reason) {
    const all = [...this.#lost.splice(0), ...this.#requests.values()];
    this.#requests.clear();
    for (const asked of all) {
      if (isForView(asked.kind)) this.#lost.push(asked);
      else this.#fail(asked, reason);
    }
  }

  #fail(asked, reason) {
    asked.reject(new RequestFailed('', reason));
  }
}
