// The page of a tic-tac-toe server: speaks to the server that it came from.

import { Identity } from './session/identity.js';
import { Session } from './session/session.js';
import { serverAddress } from './session/socket.js';
import { App } from './views/app.js';

// Of all that the page needs, browsers got these last. loading.js says what helps.
if (!Object.hasOwn || !window.HTMLDialogElement) throw new SyntaxError('This browser lacks a required feature.');

const identity = new Identity();
new App(new Session(serverAddress(window.location), identity), identity);
