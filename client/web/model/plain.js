// Texts of other people, made harmless for a place among other words. They are always inserted as
// text, never as markup; this takes out what would change the direction or the lines around them.

// Control characters, line separators, and the marks that change the direction of text.
const disturbing = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

const longestName = 80;
export const longestText = 2000;

/// `text` without disturbing characters, and at most `most` code points long.
export function plain(text, most = longestName) {
  const kept = String(text ?? '').slice(0, most * 4).replace(disturbing, '\ufffd');
  const points = Array.from(kept);
  return points.length > most ? `${points.slice(0, most - 1).join('')}…` : kept;
}

/// The first `most` characters, as the server counts them: by code points, of which an emoji takes one.
export const cut = (text, most) => Array.from(text).slice(0, most).join('');

/// The last possible name before `name` in the server's lists, which are in the order of code points.
export function nameBefore(name) {
  const points = Array.from(name);
  const last = points.pop().codePointAt(0) - 1;
  return `${points.join('')}${String.fromCodePoint(last === 0xdfff ? 0xd7ff : last)}\u{10ffff}`;
}

// Units of UTF-16 are in the order of code points, except for the pairs of those above U+FFFF.
const rankOf = (unit) => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x2000 : unit);

/// Compares names for sort(), in the order of the server's lists.
export function compareNames(a, b) {
  for (let at = 0; at < a.length && at < b.length; ++at) {
    if (a[at] !== b[at]) return rankOf(a.charCodeAt(at)) - rankOf(b.charCodeAt(at));
  }
  return a.length - b.length;
}

/// `text` without the difference between capital and small letters, for comparisons. By way of small letters
/// and capitals, so that "ẞ" and "ß" are "ss" and all forms of sigma are one.
export const folded = (text) => text.toLowerCase().toUpperCase().toLowerCase();

/// The same text, with its own direction inside a sentence.
export const isolated = (text) => `\u2068${text}\u2069`;
