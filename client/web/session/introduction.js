// Asks the server for a player on a connection of its own, beside that of the present player.

import { RequestFailed } from './pending.js';
import { openSocket } from './socket.js';

export const answerTimeout = 15000;
/// After isReceipt().
export const receivedTimeout = 60000;

/// The server has received the hello; its answer may wait for its disk or its database.
export const isReceipt = ({ notice }) => notice?.kind === 'KIND_HELLO_RECEIVED';

/// The Welcome for `hello`, after which the connection is closed: its token resumes the player. With a
/// `question` it is {welcome, answer}, and the player ends. A RequestFailed if the server refuses, or
/// does not answer.
export function introduce(address, hello, question = null) {
  return new Promise((resolve, reject) => {
    let socket = null;
    let welcome = null;
    const end = () => {
      clearTimeout(timer);
      socket.close();
    };
    const fail = ({ code = '', message }) => {
      end();
      reject(new RequestFailed(code, message));
    };
    const silent = { message: 'The server does not answer. Try again.' };
    const slow = { message: 'The server has received your name but did not let you in within 1 min: it may be ' +
      'waiting for its disk or its database. Try again later.' };
    let timer = setTimeout(() => fail(silent), answerTimeout);
    socket = openSocket(address, {
      opened: () => socket.send({ requestId: '1', hello }),
      received: (message) => {
        if (message.error) return fail(message.error);
        if (isReceipt(message)) {
          clearTimeout(timer);
          timer = setTimeout(() => fail(slow), receivedTimeout);
        }
        if (message.welcome) {
          ({ welcome } = message);
          if (question) return socket.send({ requestId: '2', ...question });
        } else if (message.requestId !== '2') {
          return;
        }
        if (question) socket.send({ requestId: '3', goodbye: {} });
        end();
        resolve(question ? { welcome, answer: message } : welcome);
      },
      closed: () => fail(silent),
    });
  });
}
