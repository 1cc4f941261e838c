// What this browser keeps: the name that the player wants, and the token of each server. A token
// belongs to a server's id and not to its address; so do the names of muted players. And what this tab
// keeps: the room that it watches.

const prefix = 'tictactoe.';

/// The browser's storage of that kind, or one that lasts as long as the page if there is none.
function openStorage(kind) {
  try {
    const storage = window[kind];
    storage.setItem(`${prefix}probe`, '1');
    storage.removeItem(`${prefix}probe`);
    return storage;
  } catch {
    const values = new Map();
    return {
      getItem: (key) => values.get(key) ?? null,
      setItem: (key, value) => values.set(key, value),
      removeItem: (key) => values.delete(key),
    };
  }
}

export class Identity {
  #storage = openStorage('localStorage');
  #tab = openStorage('sessionStorage');

  get name() {
    return this.#storage.getItem(`${prefix}name`) ?? '';
  }
  set name(name) {
    this.#write('name', name);
  }

  /// The id of the server that answered here last.
  get server() {
    return this.#storage.getItem(`${prefix}server`) ?? '';
  }
  set server(id) {
    this.#write('server', id);
  }

  /// Whether the player wants no sound.
  get isSilent() {
    return this.#storage.getItem(`${prefix}silent`) === '1';
  }
  set isSilent(isSilent) {
    this.#write('silent', isSilent ? '1' : '0');
  }

  token(server) {
    return this.#storage.getItem(`${prefix}token.${server}`) ?? '';
  }
  keepToken(server, token) {
    this.#write(`token.${server}`, token);
  }

  /// The folded names of the players who are muted on the server that answered last.
  get muted() {
    try {
      return new Set(JSON.parse(this.#storage.getItem(`${prefix}muted.${this.server}`)));
    } catch {
      return new Set();
    }
  }
  set muted(names) {
    this.#write(`muted.${this.server}`, JSON.stringify([...names]));
  }

  /// The wire name of the room that this tab watches on the server that answered last; '' for none.
  get watched() {
    return this.#tab.getItem(`${prefix}watched.${this.server}`) ?? '';
  }
  set watched(wireName) {
    this.#write(`watched.${this.server}`, wireName, this.#tab);
  }

  #write(key, value, storage = this.#storage) {
    try {
      storage.setItem(prefix + key, value);
    } catch {
      // A full storage: the player is known until the page is closed.
    }
  }
}
