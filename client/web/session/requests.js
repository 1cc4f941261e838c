// What the session must know about kinds of requests.

const asking = new Set([
  'hello', 'ping', 'listRooms', 'getSnapshot', 'listGames', 'getGame', 'hint', 'watchLobby',
  'listPlayers', 'listMembers',
]);
const uncounted = new Set(['sayInLobby', 'invite']);
const forGame = new Set(['move', 'resign', 'offerDraw', 'askTakeback', 'decline']);
const entering = new Set(['createRoom', 'joinRoom', 'watchRoom', 'play']);

/// It changes nothing, so it can be sent again at any time.
export const onlyAsks = (kind) => asking.has(kind);

/// A view asks it to show the answer. Whenever that is, it is sent once there is a connection.
export const isForView = (kind) => /^(list|getGame$)/.test(kind);

/// Welcome.lastRequestDone does not tell whether it was done.
export const isUncounted = (kind) => uncounted.has(kind);

/// It is meant for one game, which it names.
export const isForGame = (kind) => forGame.has(kind);

export const entersRoom = (kind) => entering.has(kind);
