// From one room into another one. The server takes a player into one room at a time, and tells only
// after the old one was left whether the new one takes the player.

import { writeMark } from '../model/marks.js';
import { isolated } from '../model/plain.js';

/// Leaves the room, and calls `enter`. If that is refused, the player goes back. `password` is that
/// of the old room. The error of `enter` says where the player is then.
export async function exchangeRoom(request, room, password, enter) {
  const before = { ...room };
  await request('leaveRoom');
  try {
    return await enter();
  } catch (error) {
    const name = `"${isolated(room.name)}"`;
    try {
      await goBack(request, before, password);
      error.message += ` You are back in the room ${name}.`;
    } catch (reason) {
      error.message += ` You have left the room ${name}: ${reason.message}`;
    }
    throw error;
  }
}

async function goBack(request, room, password) {
  const { wireName: name, mySeat, rules, options } = room;
  if (!mySeat) return request('watchRoom', { name, password });
  const seat = writeMark(mySeat);
  try {
    return await request('joinRoom', { name, password, seat });
  } catch (error) {
    // A room closes after its last player. One without a game is the same when it opens again.
    const isGone = error.code === 'CODE_ROOM_NOT_FOUND' && room.phase === 'waiting';
    if (!isGone) throw error;
    const from = room.game === 1 ? options.from : null;
    return request('createRoom', { name, rules, password, seat, options: { ...options, from } });
  }
}
