// Asks the server for a player on a connection of its own, beside that of the present player.

import { RequestFailed } from './pending.js';
import { openSocket } from './socket.js';

const answerTimeout = 15000;

/// The Welcome for `hello`, after which the connection is closed: its token resumes the player. A
/// RequestFailed if the server refuses, or does not answer.
export function introduce(address, hello) {
  return new Promise((resolve, reject) => {
    let socket = null;
    const end = () => {
      clearTimeout(timer);
      socket.close();
    };
    const fail = ({ code = '', message }) => {
      end();
      reject(new RequestFailed(code, message));
    };
    const silent = { message: 'The server does not answer. Try again.' };
    const timer = setTimeout(() => fail(silent), answerTimeout);
    socket = openSocket(address, {
      opened: () => socket.send({ requestId: '1', hello }),
      received: ({ welcome, error }) => {
        if (error) return fail(error);
        if (!welcome) return;
        end();
        resolve(welcome);
      },
      closed: () => fail(silent),
    });
  });
}
