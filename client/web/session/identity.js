// What this browser keeps: the name that the player wants, and the token of each server. A token
// belongs to a server's id and not to its address.

const prefix = 'tictactoe.';

/// The browser's storage, or one that lasts as long as the page if there is none.
function openStorage() {
  try {
    const storage = window.localStorage;
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
  #storage = openStorage();

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

  token(server) {
    return this.#storage.getItem(`${prefix}token.${server}`) ?? '';
  }
  keepToken(server, token) {
    this.#write(`token.${server}`, token);
  }

  #write(key, value) {
    try {
      this.#storage.setItem(prefix + key, value);
    } catch {
      // A full storage: the player is known until the page is closed.
    }
  }
}
