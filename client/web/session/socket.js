// One WebSocket connection, as messages in protobuf's JSON form.

const subprotocol = 'tictactoe.v1.json';

/// The address of the server that this page came from.
export function serverAddress(location) {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`;
}

/// Opens a connection. `events` has opened(), received(message) and closed(); nothing is called
/// after close().
export function openSocket(address, events) {
  const socket = new WebSocket(address, subprotocol);
  let live = true;
  const end = () => {
    if (!live) return;
    live = false;
    events.closed();
  };
  socket.onopen = () => live && events.opened();
  socket.onmessage = ({ data }) => {
    if (!live) return;
    let message = null;
    try {
      message = JSON.parse(data);
    } catch {
      // What is no JSON is no message of this protocol.
    }
    if (message === null || typeof message !== 'object') return socket.close();
    events.received(message);
  };
  socket.onclose = end;
  return {
    send: (message) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    },
    close: () => {
      live = false;
      socket.close();
    },
  };
}
