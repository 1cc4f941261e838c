// Random games in many rooms, back to back: what tictactoe-load's "games" does, for Colyseus.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createHistogram } from 'node:perf_hooks';
import { parseArgs } from 'node:util';

import { Failure } from './websocket.js';

const at_once = 64;        // rooms on their way to their start
const standstill_ms = 5000;
const rest_ms = 200;       // a server that is as quick as it can be has answered everything before

const ticks_per_second = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/// Seconds and bytes, of all threads of the process. Throws if it is gone.
function usage_of(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // See proc(5): after the name, which may hold blanks, comes field 3; utime is 14, stime 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    user_seconds: Number(fields[11]) / ticks_per_second,
    system_seconds: Number(fields[12]) / ticks_per_second,
    rss_bytes: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)[1]) * 1024,
  };
}

class Workload {
  constructor(rooms) {
    this.rooms = rooms;
    this.latency = createHistogram({ figures: 3 });  // in ns
    this.moves = 0;
    this.idle_ms = 0;
    this.active = false;  // since the last turn of the event loop
    this.ending = false;
  }

  answered(latency_ms) {
    ++this.moves;
    this.latency.record(Math.max(1, Math.round(latency_ms * 1e6)));
  }

  /// Lets the event loop turn without a pause until then: a server that has to wake its client pays
  /// for that.
  spin(milliseconds) {
    const end = performance.now() + milliseconds;
    let last = performance.now();
    let looked = last;
    return new Promise((resolve) => {
      const turn = () => {
        const now = performance.now();
        if (!this.active) this.idle_ms += now - last;
        this.active = false;
        last = now;
        if (now - looked > 1000) this.look_for_standstill_(looked = now);
        if (now < end) setImmediate(turn);
        else resolve();
      };
      setImmediate(turn);
    });
  }

  // A room that stands still would make the others look good.
  look_for_standstill_(now) {
    for (const room of this.rooms) {
      if (room.waiting && now - room.acted_at > standstill_ms) {
        throw new Failure(`room ${room.number} stands still: an update is missing`);
      }
    }
  }

  async come_to_rest() {
    this.ending = true;
    while (this.rooms.some((room) => room.waiting)) await this.spin(rest_ms);
    await this.spin(rest_ms);  // nothing may follow
  }

  async measure(seconds, server_pid) {
    this.latency.reset();
    for (const room of this.rooms) room.moves = 0;
    const before = { idle: this.idle_ms, moves: this.moves, time: performance.now() };
    const usage_before = usage_of(server_pid);
    await this.spin(seconds * 1000);
    const usage = usage_of(server_pid);
    const elapsed_ms = performance.now() - before.time;
    const moves = this.moves - before.moves;
    if (this.rooms.some((room) => room.moves === 0)) {
      throw new Failure('a room has not made a single move while the others were measured');
    }
    const user = usage.user_seconds - usage_before.user_seconds;
    const system = usage.system_seconds - usage_before.system_seconds;
    return {
      moves_per_second: Math.round(moves / elapsed_ms * 1e3),
      p50_us: round(this.latency.percentile(50) / 1e3, 1),
      p99_us: round(this.latency.percentile(99) / 1e3, 1),
      cpu_us_per_move: round((user + system) / moves * 1e6, 2),
      user_us_per_move: round(user / moves * 1e6, 2),
      rss_bytes: usage.rss_bytes,
      driver_busy: round(1 - (this.idle_ms - before.idle) / elapsed_ms, 3),
    };
  }
}

function round(value, decimals) {
  return Number(value.toFixed(decimals));
}

async function gather(count, open_room) {
  const rooms = new Array(count);
  let next = 0;
  const open_some = async () => {
    while (next < count) {
      const number = next++;
      rooms[number] = await open_room(number);
    }
  };
  await Promise.all(Array.from({ length: Math.min(at_once, count) }, open_some));
  return rooms;
}

function read_options() {
  const number = { type: 'string' };
  const { values } = parseArgs({
    options: { port: number, 'server-pid': number, rooms: number, seconds: number,
               'warm-up': number },
  });
  return Object.fromEntries(Object.entries(values).map(([key, value]) => {
    if (!(Number(value) >= (key === 'rooms' ? 1 : 0))) throw new Failure(`--${key} ${value}?`);
    return [key, Number(value)];
  }));
}

async function drive(peer) {
  const options = read_options();
  const rooms = await gather(options.rooms, (number) => peer.open_room(options.port, number));
  const workload = new Workload(rooms);
  for (const room of rooms) room.start(workload);
  await workload.spin(options['warm-up'] * 1000);
  const measured = await workload.measure(options.seconds, options['server-pid']);
  await workload.come_to_rest();
  const { name, version } = peer;
  return { name, version, node: process.version, rooms: rooms.length, ...measured };
}

/// Puts the load on the server of a peer (its name, its version, and open_room(port, number), which
/// resolves to a Room whose players are both there), prints one line of JSON, and ends the process.
export function run(peer) {
  const fail = (error) => {
    console.error(`${peer.name}: ${error instanceof Failure ? error.message : error.stack}`);
    process.exit(1);
  };
  process.on('uncaughtException', fail);
  drive(peer).then((figures) => {
    console.log(JSON.stringify(figures));
    process.exit(0);
  }, fail);
}
