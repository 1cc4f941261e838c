// The link to the server: hello and welcome, signs of life, lost connections and new ones.
//
// States: 'idle' (a name is needed), 'connecting', 'greeting' (the hello is sent), 'received' (by the
// server, whose answer may wait for its disk), 'catching-up' (what was missed comes), 'up', 'waiting'
// (for the next attempt), 'ended'.

import { Heartbeat } from './heartbeat.js';
import { answerTimeout, introduce, isReceipt, receivedTimeout } from './introduction.js';
import { RetryPlan } from './retry_plan.js';
import { ServerChoice } from './server_choice.js';
import { openSocket } from './socket.js';

const protocolVersion = 1;
// If there are other servers to try.
const shortAnswerTimeout = 3000;

// Hellos that may be taken at another time.
const worthAnotherTry = new Set([
  'CODE_SERVER_STOPPING', 'CODE_SERVER_FULL', 'CODE_TOO_MANY_CONNECTIONS', 'CODE_HELLO_EXPECTED',
  'CODE_RATE_LIMITED', 'CODE_CANNOT_RECORD',
]);
const namesAndPasswords = new Set([
  'CODE_INVALID_NAME', 'CODE_SERVER_PASSWORD', 'CODE_ACCOUNT_PASSWORD',
]);

export class Link {
  state = 'idle';
  limits = null;
  me = '';
  serverName = '';
  /// When the next attempt begins, as performance.now().
  nextTry = 0;
  /// Whether there was ever a connection, and how many attempts have failed since the last one.
  hasConnected = false;
  failures = 0;

  #choice;
  #redirected = false; // to this server, which has not taken the player in yet
  #identity;
  #owner; // has helloRoom(), welcomed(), received(), stateChanged(), lost(), refused(),
          // unreachable()
  #socket = null;
  #heartbeat = new Heartbeat();
  #plan = new RetryPlan();
  #timer = 0;
  #passwords = {};
  #token = '';
  #server = '';
  #isBack = false; // the next welcome is for a player that it was for before

  constructor(address, identity, owner) {
    this.#choice = new ServerChoice(address);
    this.#identity = identity;
    this.#owner = owner;
    this.#server = identity.server;
    this.#token = identity.token(this.#server);
  }

  /// The address of another server of the lobby, or ''.
  get another() {
    return this.#choice.another;
  }

  get hasToken() {
    return this.#token !== '';
  }

  /// Connects with the name that the identity keeps. Passwords that are not given stay as they were.
  start(passwords = {}) {
    Object.assign(this.#passwords, passwords);
    this.#connect();
  }

  send(message) {
    this.#heartbeat.sent();
    this.#socket?.send(message);
  }

  /// Somebody is back, or the network is: tries again at once, or finds out whether the server still answers.
  hurry() {
    if (this.state === 'waiting') this.#connect();
    else this.#heartbeat.check();
  }

  /// Everything that was missed has come.
  caughtUp() {
    if (this.state === 'catching-up') this.#enter('up');
  }

  /// Closes the connection for good.
  end() {
    this.#drop();
    this.#enter('ended');
  }

  /// Asks the server for another player; see introduce(). Nothing changes for the present one.
  async introduce(name, passwords) {
    const all = { ...this.#passwords, account: '', ...passwords };
    const welcome = await introduce(this.#choice.address, this.#hello(name, '', all));
    this.#passwords = all;
    return welcome;
  }

  /// Asks the server something as a player who is there for that only; see introduce().
  ask(name, question) {
    return introduce(this.#choice.address, this.#hello(name, '', {}), question);
  }

  /// Goes on as the player of a Welcome that introduce() got.
  become(name, welcome) {
    this.#identity.name = name;
    this.#token = welcome.token ?? '';
    this.#identity.keepToken(this.#server, this.#token);
    this.#isBack = false;
    this.#connect();
  }

  lose() {
    const was = this.state;
    if (was === 'connecting') ++this.failures;
    this.#drop();
    if (this.#redirected && was === 'connecting') this.#owner.unreachable(this.#choice.address);
    this.#redirected = false;
    const now = performance.now();
    const wait = this.#choice.next() ? this.#plan.next(now, this.#choice.hasOthers) : 0;
    this.nextTry = now + wait;
    this.#timer = setTimeout(() => this.#connect(), wait);
    this.#enter('waiting');
    if (was === 'up' || was === 'catching-up') this.#owner.lost();
  }

  /// The player, or the room that it goes into, is at another server.
  redirected(redirect) {
    if (!this.#choice.follow(redirect.server, performance.now())) return this.lose();
    this.#redirected = true;
    this.#connect();
  }

  /// Decides what a closing error means.
  closed(error) {
    if (error.code === 'CODE_SERVER_STOPPING' || error.code === 'CODE_SILENT') return this.lose();
    this.end();
  }

  #enter(state) {
    this.state = state;
    this.#owner.stateChanged();
  }

  #drop() {
    clearTimeout(this.#timer);
    this.#heartbeat.stop();
    this.#socket?.close();
    this.#socket = null;
  }

  #connect() {
    this.#drop();
    this.#enter('connecting');
    const timeout = this.#choice.hasOthers ? shortAnswerTimeout : answerTimeout;
    this.#loseAfter(timeout);
    this.#socket = openSocket(this.#choice.address, {
      opened: () => {
        this.hasConnected = true;
        this.failures = 0;
        this.#sayHello();
      },
      received: (message) => this.#received(message),
      closed: () => this.lose(),
    });
  }

  #loseAfter(ms) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.lose(), ms);
  }

  #sayHello() {
    this.#enter('greeting');
    const hello = this.#hello(this.#identity.name, this.#token, this.#passwords);
    hello.capabilities.push('redirect');
    this.#owner.sayHello(hello);
  }

  #hello(name, token, { server = '', account = '' }) {
    return {
      protocolVersions: [protocolVersion],
      name,
      software: 'tictactoe-page',
      capabilities: ['notice-at-hello'],
      ...(token && { token }),
      ...(server && { serverPassword: server }),
      ...(account && { accountPassword: account }),
    };
  }

  #received(message) {
    this.#heartbeat.received();
    if (!['greeting', 'received'].includes(this.state)) return this.#owner.received(message);
    if (isReceipt(message)) {
      this.#loseAfter(receivedTimeout);
      return this.#enter('received');
    }
    if (message.welcome) return this.#welcomed(message.welcome);
    if (message.redirect) return this.redirected(message.redirect);
    if (message.error) this.#helloRefused(message.error);
  }

  #welcomed(welcome) {
    clearTimeout(this.#timer);
    const server = welcome.serverId ?? '0';
    if (this.#isOtherServer(server, welcome)) return;
    this.#server = server;
    this.#identity.server = server;
    if (welcome.token) {
      this.#token = welcome.token;
      this.#identity.keepToken(server, welcome.token);
    }
    const back = this.#isBack && !this.#redirected;
    this.#isBack = true;
    this.#redirected = false;
    this.#choice.welcomed(welcome.servers ?? []);
    this.limits = welcome.limits ?? {};
    this.me = welcome.playerName ?? '';
    this.serverName = welcome.serverName ?? '';
    this.#plan.welcomed(performance.now());
    this.#heartbeat.start(this.limits.silenceTimeoutMs ?? 0, {
      ping: () => this.#owner.ping(),
      lost: () => this.lose(),
    });
    this.#enter('catching-up');
    this.#owner.welcomed(welcome, back);
  }

  // The token of another server was sent. If this one has given a token before, the new player is
  // given up and the old one comes back.
  #isOtherServer(server, welcome) {
    const token = this.#identity.token(server);
    if (welcome.resumed || server === this.#server || !token || token === this.#token) return false;
    this.#server = server;
    this.#token = token;
    this.#socket.send({ requestId: '1', goodbye: {} });
    this.#connect();
    return true;
  }

  #helloRefused(error) {
    if (namesAndPasswords.has(error.code)) {
      this.#drop();
      this.#enter('idle');
      return this.#owner.refused(error);
    }
    if (error.code === 'CODE_REPLACED' || !worthAnotherTry.has(error.code)) {
      this.end();
      return this.#owner.refused(error);
    }
    this.lose();
  }
}
