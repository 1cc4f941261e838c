// A WebSocket client (RFC 6455) that costs next to nothing, so that the server is what is measured.
import { randomBytes } from 'node:crypto';
import net from 'node:net';

/// The server has done something wrong, or a measurement makes no sense.
export class Failure extends Error {}

export const opcodes = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 };

// A client has to mask. One key for all saves the load drawing it, and the server nothing.
const mask = [0x37, 0xfa, 0x21, 0x3d];

/// The bytes that send this payload. They can be kept and sent again.
export function frame(opcode, payload) {
  const bytes = Buffer.from(payload);
  if (bytes.length > 0xffff) throw new Failure('this load sends no frames as long as that');
  const header = [0x80 | opcode];
  if (bytes.length < 126) header.push(0x80 | bytes.length);
  else header.push(0x80 | 126, bytes.length >> 8, bytes.length & 0xff);
  for (let i = 0; i < bytes.length; ++i) bytes[i] ^= mask[i & 3];
  return Buffer.concat([Buffer.from([...header, ...mask]), bytes]);
}

// Of all connections: what was read is used up before anything else is read.
const read_buffer = Buffer.allocUnsafe(1 << 18);
const nothing = Buffer.alloc(0);

export class WebSocket {
  /// `on_message` is given each text or binary payload, which is gone once it returns. `opened`
  /// resolves once the server has agreed to talk WebSocket; what it says first may come before.
  constructor(port, path, on_message) {
    this.on_message = on_message;
    this.opened = new Promise((resolve, reject) => {
      this.resolve_ = resolve;
      this.reject_ = reject;
    });
    this.rest_ = nothing;
    const onread = { buffer: read_buffer, callback: (count) => this.take_(count) };
    this.socket_ = net.connect({ host: '127.0.0.1', port, noDelay: true, onread });
    this.socket_.on('error', (error) => this.reject_(error));
    this.socket_.on('close', () => {
      throw new Failure('the server has closed a connection');
    });
    this.socket_.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\n` +
      `Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n` +
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`);
  }

  /// Sends what frame() has made.
  send(framed) {
    this.socket_.write(framed);
  }

  take_(count) {
    let data = read_buffer.subarray(0, count);
    if (this.rest_.length > 0) data = Buffer.concat([this.rest_, data]);
    let at = this.resolve_ ? this.take_handshake_(data) : 0;
    for (let end = at; !this.resolve_ && (end = this.take_frame_(data, at)) > at;) at = end;
    this.rest_ = at === data.length ? nothing : Buffer.from(data.subarray(at));
    return true;  // go on reading
  }

  take_handshake_(data) {
    const end = data.indexOf('\r\n\r\n');
    if (end < 0) return 0;
    const [status] = data.toString('latin1', 0, end).split('\r\n', 1);
    if (!status.startsWith('HTTP/1.1 101 ')) throw new Failure(`no WebSocket here: ${status}`);
    this.resolve_();
    this.resolve_ = null;
    return end + 4;
  }

  // Where the frame ends; where it begins if its end has not come yet.
  take_frame_(data, at) {
    const left = data.length - at;
    if (left < 2) return at;
    let length = data[at + 1];
    let begin = at + 2;
    if (length === 126) {
      if (left < 4) return at;
      length = data.readUInt16BE(begin);
      begin += 2;
    } else if (length > 126) {
      throw new Failure('a frame of 64 KiB or more, or a masked one');
    }
    const end = begin + length;
    if (end > data.length) return at;
    this.handle_(data[at], data.subarray(begin, end));
    return end;
  }

  handle_(head, payload) {
    switch (head) {
      case 0x80 | opcodes.text:
      case 0x80 | opcodes.binary:
        return this.on_message(payload);
      case 0x80 | opcodes.ping:
        return this.send(frame(opcodes.pong, payload));
      default:
        throw new Failure(`an unforeseen frame that begins with ${head}`);
    }
  }
}
