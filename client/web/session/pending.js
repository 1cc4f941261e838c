// Requests whose answers have not come. Request ids count up over all connections, so that
// Welcome.lastRequestDone tells which requests were done although their answers were lost.

import { isUncounted, onlyAsks } from './requests.js';

export class RequestFailed extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export class Pending {
  #requests = new Map(); // by id, in the order in which they were sent
  #last = 0;

  /// Notes a request; the message to send. `settle` has resolve(message) and reject(error).
  add(kind, body, settle) {
    const id = ++this.#last;
    this.#requests.set(id, { ...settle, id, kind, body, sentAt: performance.now() });
    return this.message(id);
  }
  message(id) {
    const { kind, body } = this.#requests.get(id);
    return { requestId: String(id), [kind]: body };
  }

  take(id) {
    const asked = this.#requests.get(Number(id ?? 0));
    if (asked) this.#requests.delete(asked.id);
    return asked ?? null;
  }

  /// A new id for a request that the server was too busy for, or could not record.
  again(asked) {
    return this.add(asked.kind, asked.body, asked);
  }

  /// The newest move that waits for its answer, {body, sentAt}, or undefined.
  move() {
    return [...this.#requests.values()].filter(({ kind }) => kind === 'move').pop();
  }

  /// The server knows the player again: ids go on above all that it has seen. Requests that it has
  /// done, and those that a new connection replaces, are settled. The result are the messages of
  /// the others, with the same ids: they can be sent again without being done twice.
  resume(lastDone) {
    this.#last = Math.max(this.#last, lastDone);
    const again = [];
    for (const asked of [...this.#requests.values()]) {
      if (['hello', 'ping', 'watchLobby', 'getSnapshot'].includes(asked.kind)) {
        this.#requests.delete(asked.id);
      } else if (isUncounted(asked.kind)) {
        this.#fail(asked, 'It is not known whether the server has received your last request: ' +
          'it was sent as the connection was lost.');
      } else if (!onlyAsks(asked.kind) && asked.id <= lastDone) {
        this.#requests.delete(asked.id);
        asked.resolve({});
      } else {
        again.push(asked.id);
      }
    }
    return again.map((id) => this.message(id));
  }

  failAll(reason) {
    for (const asked of [...this.#requests.values()]) this.#fail(asked, reason);
  }

  #fail(asked, reason) {
    this.#requests.delete(asked.id);
    asked.reject(new RequestFailed('', reason));
  }
}
