"""The page's modules with answers that a real server rarely gives, or late."""

import unittest

from browser import Sources

# A server that takes everybody in, and refuses each ping.
REFUSED_PING = """
  const failed = [];
  window.addEventListener('unhandledrejection', ({ reason }) => failed.push(reason.message));
  window.WebSocket = class {
    static OPEN = 1;
    readyState = 1;
    constructor() { setTimeout(() => this.onopen(), 0); }
    send(text) {
      const { requestId, hello, ping } = JSON.parse(text);
      const answer = hello ? { welcome: { playerName: 'ann', limits: {} } }
        : { error: { code: 'CODE_TOO_MANY_REQUESTS', message: 'no' } };
      if (!hello && !ping) return;
      setTimeout(() => this.onmessage({ data: JSON.stringify({ requestId, ...answer }) }), 0);
    }
    close() {}
  };
  const { Session } = await import(folder + 'session/session.js');
  const { Identity } = await import(folder + 'session/identity.js');
  const session = new Session('ws://nowhere/', new Identity());
  const end = () => setTimeout(() => done([session.state, failed]), 50);
  session.on('link', () => session.isUp && end());
  window.addEventListener('unhandledrejection', end);
  session.start();
"""


# A server whose owner closes the connection of each player. How often the page has connected.
KICKED = """
  let sockets = 0;
  window.WebSocket = class {
    static OPEN = 1;
    readyState = 1;
    constructor() { ++sockets; setTimeout(() => this.onopen(), 0); }
    send(text) {
      const { requestId, hello } = JSON.parse(text);
      if (!hello) return;
      const tell = (message) => this.onmessage({ data: JSON.stringify(message) });
      setTimeout(() => tell({ requestId, welcome: { playerName: 'ann', limits: {} } }), 0);
      const error = { code: 'CODE_KICKED', message: 'too loud', closing: true };
      setTimeout(() => { tell({ error }); this.onclose(); }, 20);
    }
    close() {}
  };
  const { Session } = await import(folder + 'session/session.js');
  const { Identity } = await import(folder + 'session/identity.js');
  const session = new Session('ws://nowhere/', new Identity());
  const told = [];
  session.on('refused', (error) => told.push(error.message));
  session.start();
  // Far longer than the first pause before a page connects again.
  setTimeout(() => done([session.state, sockets, told]), 3000);
"""


# A server that no longer answers as the person comes back to the page, long before its silence would tell.
ASLEEP = """
  window.WebSocket = class {
    static OPEN = 1;
    readyState = 1;
    constructor() { setTimeout(() => this.onopen(), 0); }
    send(text) {
      const { requestId, hello } = JSON.parse(text);
      const tell = (message) => setTimeout(() => this.onmessage({ data: JSON.stringify({ requestId, ...message }) }), 0);
      if (hello) tell({ welcome: { playerName: 'ann', limits: { silenceTimeoutMs: 3600000 } } });
      else if (requestId === '2') tell({ pong: {} });
    }
    close() {}
  };
  const { Session } = await import(folder + 'session/session.js');
  const { Identity } = await import(folder + 'session/identity.js');
  const session = new Session('ws://nowhere/', new Identity());
  const seen = [];
  session.on('link', () => {
    seen.push(session.state);
    if (session.isUp) session.hurry();
    if (session.state === 'waiting') done(seen);
  });
  session.start();
"""


# A list that the server was too busy for is asked for again, and answered. Then the connection is lost.
ASKED_AGAIN = """
  const { Pending } = await import(folder + 'session/pending.js');
  const pending = new Pending();
  pending.add('listPlayers', {}, { resolve() {}, reject() {} });
  const { requestId } = pending.again(pending.take('1'));
  pending.take(requestId);
  pending.resume(0);
  done([requestId, pending.takeLost()]);
"""


# A line of a watcher is lost, and lost again before it was sent a second time. In between the server has
# let the watcher in again, under a higher id. The messages sent at last, and what has settled.
LOST_TWICE = """
  const { Pending } = await import(folder + 'session/pending.js');
  const pending = new Pending();
  const settled = [];
  const settle = (name) => ({ resolve: () => settled.push(name), reject: () => settled.push(name) });
  pending.add('watchRoom', { name: 'den' }, settle('watch'));
  pending.take('1');
  pending.add('chat', { text: 'hi' }, settle('chat'));
  pending.resume(1);
  pending.add('watchRoom', { name: 'den' }, settle('again'));
  pending.take('3');
  pending.resume(3);
  const sent = pending.takeLost();
  pending.resume(3);
  const next = pending.takeLost();
  pending.redirected(next[0].requestId);
  pending.resume(3);
  done([sent, next, pending.takeLost(), settled]);
"""


# The links that an open invitation shows as the server's addresses change. The last line is there if it asks
# no longer once it is closed.
INVITATION = """
  const { addressFields } = await import(`${folder}views/invitation.js`);
  const { setTimeout } = window;
  const timers = [];
  window.setInterval = (act) => timers.push(act);
  let outside = '';
  let asked = 0;
  window.fetch = async (path) => {
    ++asked;
    if (outside === null) throw new TypeError('no answer');
    return { ok: true, text: async () => (path.endsWith('outside') ? outside : 'http://10.0.0.1:7/\\n') };
  };
  const box = document.createElement('div');
  document.body.append(box);
  box.append(...addressFields(null));
  const seen = [];
  for (const now of ['\\n', 'https://11.0.0.2:7/\\n', 'https://11.0.0.3:7/\\n', null, '\\n']) {
    outside = now;
    for (const act of timers) act();
    await new Promise((done) => setTimeout(done, 0));
    seen.push([...box.querySelectorAll('input')].filter(({ offsetWidth }) => offsetWidth).map(({ value }) => value));
  }
  box.remove();
  asked = 0;
  for (const act of timers) act();
  if (asked === 0) seen.push('closed');
  done(seen);
"""


# How many messages are about to vanish: while nobody looks at the page, and afterwards.
UNSEEN = """
  const { Toasts } = await import(`${folder}views/toasts.js`);
  let hidden = true;
  Object.defineProperty(document, 'hidden', { get: () => hidden });
  let timers = 0;
  window.setTimeout = () => ++timers;
  new Toasts().show('You are no longer watching the room.');
  const unseen = timers;
  hidden = false;
  document.dispatchEvent(new Event('visibilitychange'));
  done([unseen, timers]);
"""


# Whether the page offers notifications: in a browser that shows them, and in one that knows the word only.
NOTIFICATIONS = """
  const { Alerts } = await import(`${folder}views/alerts.js`);
  const offers = (act) => {
    window.Notification = class {
      static permission = 'default';
      constructor() { act(); }
      close() {}
    };
    return new Alerts({}, () => {}).mayAsk;
  };
  done([offers(() => {}), offers(() => { throw new TypeError('Illegal constructor'); })]);
"""


# Whether the controls of a replay can be used: before the game has come, after a faulty one, and after
# a good one. And the text of that one.
REPLAYS = """
  const { ReplayView } = await import(folder + 'views/replay_view.js');
  const usable = (view) => [...view.element.querySelectorAll('button, input')]
    .filter((control) => !control.closest('[hidden]') && !control.hidden)
    .map((control) => !control.disabled);
  const seen = [];
  const good = { room: 'den', rules: { rows: 9, cols: 9, k: 5 }, starter: 'MARK_X', moves: [0, 1] };
  for (const game of [{}, good]) {
    let answer;
    const request = () => new Promise((resolve) => { answer = resolve; });
    const view = new ReplayView({ ask: request, session: { limits: {} } }, '1');
    const shown = view.shown();
    seen.push(usable(view));
    answer({ gameFound: { game } });
    await shown;
    seen.push(usable(view));
    if (game === good) seen.push(view.element.textContent);
  }
  done(seen);
"""


# Which names are muted after one was, and after another form of it no longer is.
MUTED = """
  const { Session } = await import(folder + 'session/session.js');
  const { Identity } = await import(folder + 'session/identity.js');
  const session = new Session('ws://nowhere/', new Identity());
  session.mute('Eve Straße', true);
  const muted = ['eve strasse', 'EVE STRASSE', 'Eve Straße', 'Eva'].map((name) => session.isMuted(name));
  session.mute('eve strasse', false);
  done([...muted, session.isMuted('Eve Straße')]);
"""

# Whether a muted player is muted after the page was loaded again, and on another server.
MUTED_AFTER_RELOAD = """
  const { Session } = await import(folder + 'session/session.js');
  const { Identity } = await import(folder + 'session/identity.js');
  new Identity().server = '7';
  new Session('ws://nowhere/', new Identity()).mute('Eve', true);
  const isMuted = () => new Session('ws://nowhere/', new Identity()).isMuted('eve');
  const here = isMuted();
  new Identity().server = '8';
  done([here, isMuted()]);
"""

# How many of 1,001 players can be muted, and whether there is room for one more after an "unmute".
MUTED_TOO_MANY = """
  const { Session } = await import(folder + 'session/session.js');
  const { Identity } = await import(folder + 'session/identity.js');
  const session = new Session('ws://nowhere/', new Identity());
  let taken = 0;
  for (let i = 0; i <= 1000; i += 1) taken += session.mute(`player ${i}`, true);
  session.mute('player 7', false);
  done([taken, session.isMuted('player 1000'), session.mute('player 1000', true)]);
"""


# The time that X has left, and whether its clock runs: at first, after the wait, and a second later.
FIRST_MOVE = """
  const { clockRuns, readSnapshot, timeLeft } = await import(`${folder}model/room.js`);
  const room = readSnapshot({
    rules: { rows: 3, cols: 3, k: 3 }, starter: 'MARK_X', turn: 'MARK_X', phase: 'PHASE_PLAYING',
    x: { kind: 'KIND_PERSON' }, o: { kind: 'KIND_PERSON' },
    clocks: { xMs: 5000, oMs: 5000, startsInMs: 2000 } }, 100, null);
  done([100, 2099, 3100].map((now) => [timeLeft(room, 'X', now), clockRuns(room, 'X', now)]));
"""

# What the list of moves has, and the position that is shown.
LONG_GAME = """
  const { Moves } = await import(`${folder}views/moves.js`);
  const { boardOf } = await import(`${folder}model/board.js`);
  const moves = new Moves({ update() {}, focus() {} });
  document.body.append(moves.element);
  const all = Array.from({ length: 900 }, (_, at) => at);
  const seen = [];
  const look = () => {
    const items = [...moves.element.querySelectorAll('.move-list li:not([hidden]) button')];
    const numbers = items.map((item) => item.querySelector('small')?.textContent).filter(Boolean);
    seen.push([items[0].textContent === '…' && '…', `${numbers[0]}-${numbers.at(-1)}`,
      items.at(-1).textContent === '…' && '…'].filter(Boolean).join(' ') +
      (moves.past === null ? '' : `, at ${moves.past}`));
    if (numbers.length !== numbers.at(-1) - numbers[0] + 1) throw new Error('a move is missing');
  };
  const show = (count) => moves.update({ board: boardOf({ rows: 30, cols: 30 }, all.slice(0, count), 'X'),
    game: 1, wireName: 'den', phase: 'playing', mySeat: 'X' });
  const press = (label) => moves.element.querySelector(`[aria-label="${label}"]`).click();
  show(700);
  look();
  press('Earlier moves');
  look();
  press('First position');
  look();
  press('Next move');
  look();
  press('Back to the game');
  look();
  show(701);
  look();
  show(350);
  look();
  done(seen);
"""


# A server whose answers the script decides: `answers` has a function for each kind of request, which gets
# what was asked and a function that answers; `asked` has the kinds that have come.
SERVER = """
  const asked = [];
  const answers = {
    hello: (_, answer) => answer({ welcome: { playerName: 'ann', limits: { nameLength: 24, maxSide: 9 } } }),
    ping: (_, answer) => answer({ pong: {} }),
    watchLobby: (_, answer) => answer({ lobbyUpdate: { reset: true, complete: true } }),
  };
  window.WebSocket = class {
    static OPEN = 1;
    readyState = 1;
    constructor() { setTimeout(() => this.onopen(), 0); }
    send(text) {
      const { requestId, ...rest } = JSON.parse(text);
      const [[kind, body]] = Object.entries(rest);
      asked.push(kind);
      const answer = (message) => this.onmessage({ data: JSON.stringify({ requestId, ...message }) });
      setTimeout(() => answers[kind]?.(body, answer), 0);
    }
    close() {}
  };
  const { Session } = await import(folder + 'session/session.js');
  const { Identity } = await import(folder + 'session/identity.js');
  const { App } = await import(folder + 'views/app.js');
  const identity = new Identity();
  identity.name = 'ann';
  const session = new Session('ws://nowhere/', identity);
  const until = async (condition) => {
    while (!condition()) await new Promise((done) => setTimeout(done, 5));
  };
  const text = () => document.querySelector('main').innerText.replace(/[\\u2068\\u2069]/g, '');
"""

# A view asks for a game while the page connects, and again in the first moment of a connection. What the server
# is asked, and what came of both questions and of a move.
ASKED_EARLY = SERVER + """
  answers.getGame = ({ id }, answer) => answer({ gameFound: { game: { id } } });
  const early = session.request('getGame', { id: '7' });
  const move = session.request('move', {}).catch(({ message }) => message);
  session.start();
  session.on('link', () => { if (session.state === 'catching-up') again ??= session.request('listGames'); });
  let again = null;
  answers.listGames = (_, answer) => answer({ gameList: {} });
  await until(() => session.isUp);
  done([(await early).gameFound.game.id, Object.keys(await again).includes('gameList'), await move]);
"""

# A replay that the server refuses after the person has gone to the lobby: the place, and what is said.
LATE_REFUSAL = SERVER + """
  let refuse = null;
  answers.getGame = (_, answer) => { refuse = () => answer({ error: { code: 'CODE_GAME_NOT_FOUND', message: 'gone' } }); };
  new App(session, identity);
  await until(() => session.isUp);
  location.hash = '#/games/99';
  await until(() => refuse !== null);
  location.hash = '#/';
  await until(() => document.querySelector('.lobby'));
  refuse();
  await new Promise((done) => setTimeout(done, 50));
  done([location.hash, document.querySelector('.toasts').innerText]);
"""

# Rooms whose answer comes after the person has gone on to the finished games, and one that is entered from there: the
# place, what is said, and the place after the button of the message.
LATE_ROOMS = SERVER + """
  const snapshot = (name) => ({ snapshot: { name, rules: { rows: 3, cols: 3, k: 3 }, starter: 'MARK_X',
    yourSeat: 'MARK_X', phase: 'PHASE_WAITING', x: { kind: 'KIND_PERSON', name: 'ann' }, revision: '1' } });
  let take = null;
  answers.joinRoom = ({ name }, answer) => { take = () => answer(snapshot(name)); };
  answers.createRoom = ({ name }, answer) => answer(snapshot(name));
  answers.leaveRoom = (_, answer) => answer({ left: {} });
  const app = new App(session, identity);
  await until(() => session.isUp);
  app.enter({ name: 'den', wireName: 'den' }, 'joinRoom');
  await until(() => take);
  location.hash = '#/games';
  await until(() => document.querySelector('.games'));
  take();
  await until(() => session.room);
  await new Promise((done) => setTimeout(done, 50));
  const seen = [location.hash, document.querySelector('.toasts').innerText.replace(/[\\u2068\\u2069]/g, '')];
  document.querySelector('.toasts .row button')?.click();
  await new Promise((done) => setTimeout(done, 50));
  seen.push(location.hash);
  await session.request('leaveRoom');
  location.hash = '#/games';
  await until(() => document.querySelector('.games'));
  await app.create({ name: 'again' }, null);
  await new Promise((done) => setTimeout(done, 50));
  done([...seen, location.hash]);
"""

# The owner closes the room of a player who reads about finished games: the place before and after.
CLOSED_ELSEWHERE = SERVER + """
  let tell = null;
  answers.createRoom = (_, answer) => {
    answer({ snapshot: { name: 'den', rules: { rows: 3, cols: 3, k: 3 }, starter: 'MARK_X', yourSeat: 'MARK_X',
      phase: 'PHASE_WAITING', x: { kind: 'KIND_PERSON', name: 'ann' }, revision: '1' } });
    tell = answer;
  };
  const app = new App(session, identity);
  await until(() => session.isUp);
  await app.create({ name: 'den' }, null);
  const places = [location.hash];
  location.hash = '#/games';
  await until(() => document.querySelector('.games'));
  tell({ requestId: '0', left: {} });
  await until(() => session.room === null);
  await new Promise((done) => setTimeout(done, 50));
  done([...places, location.hash]);
"""

# Another name is wanted: the names and tokens of all hellos, and who the player is then.
OTHER_NAME = SERVER + """
  const hellos = [];
  answers.hello = ({ name, token = '' }, answer) => {
    hellos.push([name, token]);
    answer({ welcome: { playerName: name, token: `of ${name}`, resumed: token !== '', serverName: 'den', limits: {} } });
  };
  answers.goodbye = (_, answer) => answer({ left: {} });
  session.start();
  await until(() => session.isUp);
  await session.become('bob', {});
  await until(() => session.isUp);
  done([hellos, session.me, session.serverName, new Identity().name]);
"""

# A page loses two connections that held for five seconds. The server knows the player again after the first one, and has
# done what was asked; after the second one it does not. Whether each welcome is one of a player who is back, what came
# of a request on each lost connection, and how long the page would wait at most before it tries again.
COME_BACK = SERVER + """
  let isKnown = false;
  answers.hello = (_, answer) => answer({ welcome: { playerName: 'ann', resumed: isKnown, lastRequestDone: 100, limits: {} } });
  let passed = 0;
  const now = performance.now.bind(performance);
  performance.now = () => now() + passed;
  const backs = [];
  session.on('welcomed', ({ back }) => backs.push(back));
  session.start();
  await until(() => session.isUp);
  const settled = [];
  const waits = [];
  for (isKnown of [true, false]) {
    session.request('leaveRoom').then(() => settled.push('done'), ({ message }) => settled.push(message));
    passed += 5000;
    session.offline();
    waits.push(session.nextTry - performance.now());
    session.hurry();
    await until(() => session.isUp);
  }
  done([backs, settled, Math.max(...waits)]);
"""

# The lobby as it is told of rooms and chat: the order of the rooms, how often somebody came or left, and the lines
# that are new after each part of a chat; a connection begins with lines that are known, or with others only.
LOBBY = """
  const { Lobby } = await import(folder + 'model/lobby.js');
  const lobby = new Lobby();
  const person = { kind: 'KIND_PERSON', name: 'ann' };
  const seated = (name, x, o = {}, more = {}) => ({ name, x, o, ...more });
  const apply = (update) => lobby.apply(update, (name) => name === 'eve').map(({ text }) => text).join('');
  const came = [];
  const full = seated('full', person, { kind: 'KIND_AI', name: 'AI' });
  for (const update of [{ rooms: [full] }, { rooms: [full] }, { rooms: [seated('full', person)] }, { closed: ['full', 'no'] }]) {
    apply(update);
    came.push(lobby.arrivals);
  }
  const lines = (text) => [...text].map((each) => ({ from: each === 'e' ? 'eve' : 'bob', text: each }));
  const fresh = [];
  for (const [text, reset] of [['ab', false], ['abec', true], ['cd', true], ['xy', true]]) fresh.push(apply({ chat: lines(text), reset }));
  const order = new Lobby();
  order.apply({ rooms: [full, seated('locked', person, {}, { needsPassword: true }), seated('left', { ...person, away: true }),
    seated('open', person), seated('empty', {}), seated('ai', { kind: 'KIND_AI' })] }, () => false);
  done([order.sorted().map(({ name }) => name).join(' '), came, fresh, lobby.chat.map(({ text }) => text).join('')]);
"""

# What is asked before a room that an invitation names is looked for, and whether the room is found. The server
# lists rooms in the order of their code points.
INVITED = SERVER + """
  const rooms = ['a', 'b\\u{10000}', 'b\\u{1f600}', 'b\\u{1f400}', 'b\\ue000', 'z'].map((name) => ({ name }));
  const points = (text) => [...text].map((each) => each.codePointAt(0).toString(16).padStart(6, '0')).join();
  rooms.sort((a, b) => (points(a.name) < points(b.name) ? -1 : 1));
  answers.listRooms = ({ after = '' }, answer) => answer({ roomList: {
    rooms: after.isWellFormed?.() === false ? [] : rooms.filter(({ name }) => points(name) > points(after)).slice(0, 1) } });
  const found = [];
  for (const { name } of rooms) found.push((await session.peek(name, 'eve')).room?.name === name);
  const { Lobby } = await import(folder + 'model/lobby.js');
  const lobby = new Lobby();
  lobby.apply({ rooms: [...rooms].reverse() }, () => false);
  done([found, lobby.sorted().map(({ name }) => points(name)).join(' ') === rooms.map(({ name }) => points(name)).join(' ')]);
"""

# The names that fit a field for 4 characters, by what the server counts, and where the cursor is.
FIELDS = """
  const { limited, h } = await import(folder + 'views/dom.js');
  const field = limited(h('input', {}), 4);
  document.body.append(field);
  field.focus();
  const seen = [];
  for (const text of ['abcdef', '\\u{1f600}'.repeat(5), 'a\\u{10ffff}bc\\u{10000}']) {
    field.select();
    document.execCommand('insertText', false, text);
    seen.push(field.value);
  }
  field.setSelectionRange(1, 1);
  document.execCommand('insertText', false, 'x');
  done([...seen, field.value, field.selectionStart]);
"""

# The names of new rooms for a player with a long name: of the first, and of the one after it.
FREE_NAMES = SERVER + """
  const names = [];
  for (const me of ['b'.repeat(23), 'c'.repeat(24), '\\u{1f600}'.repeat(24), 'd'.repeat(22) + '\\u0301e']) {
    const lobby = { rooms: new Map([[me, {}]]) };
    names.push(App.prototype.freeName.call({ takenNames: new Set(), session: { me, lobby, limits: { nameLength: 24 } } }));
  }
  done(names);
"""

# The names that are tried for new rooms, if the server refuses some that its list does not have: for "Play the
# computer" and the form, and what comes of a name that was typed, and of a server that refuses every name.
HIDDEN_NAMES = SERVER + """
  let isTaken = (name) => ['ann', 'ann 2', 'den'].includes(name);
  let tried = [];
  answers.createRoom = ({ name }, answer) => {
    tried.push(name);
    if (isTaken(name)) return answer({ error: { code: 'CODE_ROOM_EXISTS', message: 'taken' } });
    answer({ snapshot: { name, rules: { rows: 3, cols: 3, k: 3 }, starter: 'MARK_X', yourSeat: 'MARK_X',
      phase: 'PHASE_WAITING', x: { kind: 'KIND_PERSON', name: 'ann' }, revision: '1' } });
  };
  answers.leaveRoom = (_, answer) => answer({ left: {} });
  const { showCreateForm } = await import(folder + 'views/create_form.js');
  const app = new App(session, identity);
  await until(() => session.isUp);
  const seen = [];
  const said = () => document.querySelector('dialog .problem')?.innerText || document.querySelector('.toasts').innerText;
  const look = async () => {
    await until(() => session.room || said());
    seen.push(tried);
    tried = [];
  };
  app.playAi();
  await look();
  await session.request('leaveRoom').catch(() => {});
  isTaken = (name) => !['ann 5', 'dan'].includes(name);
  showCreateForm(app);
  document.querySelector('dialog form').requestSubmit();
  await look();
  await session.request('leaveRoom');
  showCreateForm(app);
  document.querySelector('dialog input').value = 'den';
  document.querySelector('dialog form').requestSubmit();
  await look();
  document.querySelector('dialog').remove();
  isTaken = () => true;
  app.playAi();
  await look();
  done([...seen.slice(0, 3), seen[3].length, said()]);
"""

# What is said of a hint that is refused: while the game goes on, after its end, and after the room was left.
LATE_HINTS = SERVER + """
  const person = (name) => ({ kind: 'KIND_PERSON', name });
  const snapshot = { name: 'den', rules: { rows: 3, cols: 3, k: 3 }, starter: 'MARK_X', yourSeat: 'MARK_X', game: 1,
    phase: 'PHASE_PLAYING', turn: 'MARK_X', x: person('ann'), o: { kind: 'KIND_AI', name: 'AI' }, revision: '1' };
  answers.joinRoom = (_, answer) => answer({ snapshot });
  answers.leaveRoom = (_, answer) => answer({ left: {} });
  let refuse = null;
  answers.hint = (_, answer) => { refuse = () => answer({ error: { code: 'CODE_STALE_REQUEST', message: 'too late' } }); };
  const app = new App(session, identity);
  await until(() => session.isUp);
  const said = [];
  const ask = async (before) => {
    await session.request('joinRoom', {});
    refuse = null;
    app.hint();
    await until(() => refuse);
    await before();
    refuse();
    await new Promise((done) => setTimeout(done, 20));
    said.push(document.querySelector('.toasts').innerText);
  };
  await ask(() => {});
  await ask(() => session.request('leaveRoom'));
  await ask(() => { session.room.phase = 'finished'; });
  done(said);
"""

# Where the cursor of a board goes as cells are typed one after the other, and with other keys between them.
TYPED = """
  const { Grid } = await import(folder + 'board/grid.js');
  const { Board } = await import(folder + 'model/board.js');
  const chosen = [];
  const { cellName } = await import(folder + 'model/notation.js');
  const choose = (cell) => { chosen.push(cellName(cell)); grid.moveTo(cell, true); };
  const grid = new Grid({ choose, cursorMoved() {}, keyPressed() {}, zoomKey: (key) => chosen.push(key), describe: () => '' });
  document.body.append(grid.element);
  grid.reset(new Board(15, 15));
  const seen = [];
  for (const keys of ['c2,Enter,c3', 'c2c3', 'c2,ArrowRight,1', 'b1,Enter,5', 'b1,ArrowLeft,0', 'h12', 'B1b', 'c2,Shift,D,4',
      'c5,Enter,b,Backspace,a1', 'c5,Enter,b,Escape,a1', 'bb7', 'bo8', 'c5,Enter,b', 'c2,Backspace', 'c2,Backspace,3', 'a99']) {
    for (const key of keys.match(/Enter|ArrowRight|ArrowLeft|Shift|Backspace|Escape|./g).filter((each) => each !== ',')) {
      grid.element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    }
    seen.push(cellName(grid.cursor));
    grid.element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  }
  done([seen, chosen]);
"""

# Where the cursor goes with keyboards of other alphabets: what a key types, and the name of the key.
OTHER_ALPHABETS = """
  const { Grid } = await import(folder + 'board/grid.js');
  const { Board } = await import(folder + 'model/board.js');
  const { cellName } = await import(folder + 'model/notation.js');
  const grid = new Grid({ cursorMoved() {}, keyPressed() {}, describe: () => '' });
  document.body.append(grid.element);
  grid.reset(new Board(9, 9));
  const seen = [];
  for (const keys of ['\u0441 KeyC 2 Digit2', '\u0444 KeyA \u06f3 Digit3', '\u03b3 KeyG \u0664 Numpad4',
      '\uff42 KeyB \uff15 Digit5', 'd KeyE \u00e9 Digit2', '\u00f6 Semicolon 7 Digit7', 'Process KeyC 8 Digit8',
      'a KeyQ @ Digit2']) {
    const [key, code, second, place] = keys.split(' ');
    for (const init of [{ key, code }, { key: second, code: place }]) {
      grid.element.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true }));
    }
    seen.push(cellName(grid.cursor));
    grid.moveTo({ row: 0, col: 0 });
  }
  done(seen);
"""

# A server that has received the name, and whose answer waits for the disk: what the page shows after 20 s and after
# a minute, for a first name and for another one.
SLOW_DISK = SERVER + """
  const late = [];
  const { setTimeout, clearTimeout } = window;
  window.setTimeout = (act, ms = 0) => (ms < 2000 ? setTimeout(act, ms) : -late.push({ act, ms }));
  window.clearTimeout = (id) => (id < 0 ? delete late[-id - 1] : clearTimeout(id));
  const pass = (ms) => late.forEach((timer, i) => timer.ms <= ms && delete late[i] && timer.act());
  const { hello } = answers;
  let asks = [];
  answers.hello = ({ capabilities }, answer) => {
    asks.push(capabilities?.includes('notice-at-hello'));
    answer({ requestId: '0', notice: { kind: 'KIND_HELLO_RECEIVED' } });
  };
  new App(session, identity);
  await until(() => asks.length);
  pass(20000);
  const shown = () => document.querySelector('header .link').innerText;
  const seen = [shown()];
  pass(60000);
  seen.push(session.state);
  const slow = answers.hello;
  answers.hello = hello;
  session.hurry();
  await until(() => session.isUp);
  seen.push(shown());
  answers.hello = slow;
  const become = session.become('bob', {}).catch(({ message }) => message);
  await until(() => asks.length === 2);
  pass(20000);
  seen.push(await Promise.race([become, new Promise((done) => setTimeout(() => done('waits'), 50))]));
  pass(60000);
  done([...seen, await become, asks]);
"""

# Another room, from a room: the server has something against the first one. It takes the player into the second one,
# but loses the connection after the player has left: the requests that it gets, and what becomes of the calls.
MOVES = SERVER + """
  const heard = [];
  answers.hello = (_, answer) => answer({ welcome: { playerName: 'ann', limits: {}, resumed: true, room: isIn,
    lastRequestDone: '9' } });
  const rooms = { den: true, full: false, next: true };
  let isIn = '';
  answers.joinRoom = ({ name }, answer) => {
    heard.push(`join ${name}`);
    if (!rooms[name]) return answer({ error: { code: 'CODE_ROOM_FULL', message: 'Full.' } });
    if (isIn) return answer({ error: { code: 'CODE_ALREADY_IN_ROOM', message: 'Leave first.' } });
    isIn = name;
    answer({ snapshot: { name, rules: { rows: 3, cols: 3, k: 3 }, starter: 'MARK_X', yourSeat: 'MARK_X',
      phase: 'PHASE_WAITING', x: { kind: 'KIND_PERSON', name: 'ann' }, revision: '1' } });
  };
  let ends = () => {};
  answers.leaveRoom = (_, answer) => {
    heard.push('leave');
    isIn = '';
    answer({ left: {} });
    ends();
  };
  session.start();
  await until(() => session.isUp);
  const questions = [];
  const mayLeave = async () => { questions.push(session.room.name); return false; };
  const join = (name) => session.enterRoom('joinRoom', { name }, mayLeave);
  await join('den');
  const refused = await join('full').catch(({ message }) => message);
  const after = session.room.name;
  ends = () => session.offline();
  await join('next');
  ends = () => {};
  const stays = await session.enterRoom('joinRoom', { name: 'den' }, async () => { throw new Error('No.'); })
    .catch(({ message }) => message);
  const there = session.room.name;
  // Somebody takes the seat after all.
  answers.leaveRoom = (_, answer) => { isIn = ''; rooms.den = false; answer({ left: {} }); };
  const lost = await join('den').catch(({ message }) => message);
  done([heard, questions, refused, after, stays, there, lost, session.room]);
"""


class SessionTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = cls.enterClassContext(Sources.page())

    def setUp(self):
        self.page.open()
        self.page.script("localStorage.clear(); sessionStorage.clear();")
        self.page.open()
        self.page.element("input[name=name]")

    def test_a_server_that_waits_for_its_disk_is_not_silent(self):
        self.assertEqual(self.page.module_script(SLOW_DISK), [
            "waiting for the server's disk …", "waiting", "connected", "waits",
            "The server has received your name but did not let you in within 1 min: it may be waiting for its disk or "
            "its database. Try again later.", [True, True]])

    def test_a_refused_ping_does_not_hold_up_the_player(self):
        state, failed = self.page.module_script(REFUSED_PING)
        self.assertEqual((state, failed), ("up", []))

    def test_a_muted_player_is_not_heard_under_other_capitals(self):
        self.assertEqual(self.page.module_script(MUTED), [True, True, True, False, False])

    def test_a_muted_player_is_muted_after_a_reload_on_the_same_server(self):
        self.assertEqual(self.page.module_script(MUTED_AFTER_RELOAD), [True, False])

    def test_muted_players_have_a_limit(self):
        self.assertEqual(self.page.module_script(MUTED_TOO_MANY), [1000, False, True])

    def test_a_kicked_player_is_told_why_and_does_not_come_back_by_itself(self):
        state, sockets, told = self.page.module_script(KICKED)
        self.assertEqual((state, sockets, told), ("ended", 1, ["too loud"]))

    def test_a_connection_that_died_unnoticed_is_replaced_soon_after_the_person_is_back(self):
        self.assertEqual(self.page.module_script(ASLEEP)[-2:], ["up", "waiting"])

    def test_an_open_invitation_follows_the_address_of_the_server(self):
        here = "http://10.0.0.1:7/"
        self.assertEqual(self.page.module_script(INVITATION), [
            [here], [here, "https://11.0.0.2:7/"], [here, "https://11.0.0.3:7/"], [here, "https://11.0.0.3:7/"],
            [here], "closed"])

    def test_a_message_waits_for_a_reader(self):
        self.assertEqual(self.page.module_script(UNSEEN), [0, 1])

    def test_notifications_are_offered_only_where_they_are_shown(self):
        self.assertEqual(self.page.module_script(NOTIFICATIONS), [True, False])

    def test_what_was_asked_again_and_answered_is_over(self):
        self.assertEqual(self.page.module_script(ASKED_AGAIN), ["2", []])

    def test_what_was_lost_twice_is_sent_again_with_a_new_id(self):
        sent, following, redirected, settled = self.page.module_script(LOST_TWICE)
        self.assertEqual(sent, [{"requestId": "4", "chat": {"text": "hi"}}])
        self.assertEqual(following, [{"requestId": "5", "chat": {"text": "hi"}}])
        self.assertEqual(redirected, following)
        self.assertEqual(settled, [])

    def test_the_clock_of_a_first_move_waits(self):
        self.assertEqual(self.page.module_script(FIRST_MOVE), [[5000, False], [5000, False], [4000, True]])

    def test_every_move_of_a_long_game_can_be_listed(self):
        self.assertEqual(self.page.module_script(LONG_GAME), [
            "… 401-700", "… 201-500 …, at 400", "1-300 …, at 0", "1-300 …, at 1", "… 401-700",
            "… 501-701", "… 101-350"])

    def test_a_replay_can_be_controlled_once_there_is_a_game(self):
        *seen, text = self.page.module_script(REPLAYS)
        self.assertIn('Room "\u2068den\u2069" · ', text)
        self.assertEqual([(any(each), all(each)) for each in seen],
                         [(False, False), (False, False), (False, False), (True, True)])

    def test_a_question_of_a_view_waits_for_the_connection(self):
        self.assertEqual(self.page.module_script(ASKED_EARLY), ["7", True, "Not sent: you are not connected."])

    def test_an_answer_for_a_view_that_was_left_changes_nothing(self):
        self.assertEqual(self.page.module_script(LATE_REFUSAL), ["#/", ""])

    def test_who_has_gone_on_is_told_of_the_room_and_stays(self):
        place, said, after, from_there = self.page.module_script(LATE_ROOMS)
        self.assertEqual((place, after, from_there), ("#/games", "#/room", "#/room"))
        self.assertIn('You play X in the room "den".', said)

    def test_a_refused_hint_is_of_no_interest_after_the_game(self):
        self.assertEqual(self.page.module_script(LATE_HINTS), ["too late\n×", "", ""])

    def test_the_end_of_a_room_leaves_other_pages_alone(self):
        self.assertEqual(self.page.module_script(CLOSED_ELSEWHERE), ["#/room", "#/games"])

    def test_a_room_is_left_only_for_one_that_takes_the_player(self):
        heard, questions, refused, after, stays, there, lost, room = self.page.module_script(MOVES)
        self.assertEqual(heard, ["join den", "join full", "join next", "leave", "join next", "join den", "join den",
                                 "join den"])
        self.assertEqual(questions, ["den", "next"])
        self.assertEqual((refused, after), ("Full.", "den"))
        self.assertEqual((stays, there), ("No.", "next"))
        self.assertEqual(lost, 'Full. You have left the room "\u2068next\u2069".')
        self.assertIsNone(room)

    def test_another_name_is_that_of_the_player_whom_the_server_took_in(self):
        self.assertEqual(self.page.module_script(OTHER_NAME),
                         [[["ann", ""], ["bob", ""], ["bob", "of bob"]], "bob", "den", "bob"])

    def test_a_player_comes_back_to_a_server_that_knows_them_or_does_not(self):
        backs, settled, longest_wait = self.page.module_script(COME_BACK)
        self.assertEqual((backs, settled), ([False, True, True], ["done", "The server no longer knows you."]))
        self.assertLessEqual(longest_wait, 625)  # as after a first failure

    def test_rooms_and_chat_of_the_lobby(self):
        self.assertEqual(self.page.module_script(LOBBY),
                         ["ai empty open locked full left", [1, 1, 2, 3], ["ab", "c", "d", "xy"], "abcdxy"])

    def test_names_are_cut_and_compared_by_code_points(self):
        self.assertEqual(self.page.module_script(INVITED), [[True] * 6, True])

    def test_fields_count_as_the_server_does(self):
        smile = "\U0001f600"
        self.assertEqual(self.page.module_script(FIELDS),
                         ["abcd", 4 * smile, "a\U0010ffffbc", "a\U0010ffffbc", 1])

    def test_names_for_new_rooms_fit(self):
        names = self.page.module_script(FREE_NAMES)
        self.assertEqual(names, [22 * "b" + " 2", 22 * "c" + " 2", 22 * "\U0001f600" + " 2", 22 * "d" + " 2"])

    def test_a_new_room_gets_the_next_name_if_the_server_refuses_one(self):
        *seen, count, said = self.page.module_script(HIDDEN_NAMES)
        self.assertEqual(seen, [["ann", "ann 2", "ann 3"], ["ann 3", "ann 4", "ann 5"], ["den"]])
        self.assertEqual((count, said), (10, "taken\n×"))

    def test_a_cell_that_is_typed_begins_anew_after_other_keys(self):
        seen, chosen = self.page.module_script(TYPED)
        self.assertEqual(seen, ["c3", "c3", "d2", "b1", "a1", "h12", "b1", "d4",
                                "a1", "a1", "b7", "o8", "c5", "c2", "c3", "a9"])
        # Half of a name, or a cell that is not on the board, is no choice.
        self.assertEqual(chosen, ["c2", "c3", "c3", "d2", "b1", "b1", "0", "a1", "h12", "d4",
                                  "c5", "a1", "c5", "a1", "b7", "o8", "c5", "c3"])

    def test_a_key_of_another_alphabet_is_the_latin_letter_on_it(self):
        self.assertEqual(self.page.module_script(OTHER_ALPHABETS),
                         ["c2", "a3", "g4", "b5", "d2", "a1", "a1", "a1"])
