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

/// `text` without the difference between capital and small letters, for comparisons. By way of the
/// capitals, so that "ß" is "ss" and all forms of sigma are one.
export const folded = (text) => text.toUpperCase().toLowerCase();

/// The same text, with its own direction inside a sentence.
export const isolated = (text) => `\u2068${text}\u2069`;
