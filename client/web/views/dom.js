// Makes elements. Texts become text nodes or attributes, never markup.

/// An element with attributes, listeners (on: {click}) and children: elements or texts.
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'on') {
      for (const [type, act] of Object.entries(value)) element.addEventListener(type, act);
    } else if (name === 'value') {
      element.value = value;
    } else if (value === true) {
      element.setAttribute(name, '');
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, String(value));
    }
  }
  element.append(...children.filter((child) => child || child === 0));
  return element;
}

export function button(text, act, attributes = {}) {
  return h('button', { type: 'button', ...attributes, on: { click: act } }, text);
}

/// A tap so soon after something has moved was meant for what was in its place.
export const settlingMs = 300;

/// A button that ignores taps just after it was made, and after the time `movedAt()`.
export function calmButton(text, act, attributes, movedAt = () => 0) {
  const begin = performance.now();
  const tapped = ({ pointerType }) =>
    (pointerType === 'touch' && performance.now() - Math.max(begin, movedAt()) < settlingMs) || act();
  return button(text, tapped, attributes);
}

/// Makes `children` the content of `box`, except that a child stays if its successor looks the same: it keeps the
/// focus, and a tap that has begun on it ends there. So listeners must not depend on when they were made.
export function setContent(box, ...children) {
  const wanted = children.filter(Boolean);
  wanted.forEach((child, i) => {
    const present = box.children[i];
    if (!present) box.append(child);
    else if (!present.isEqualNode(child)) present.replaceWith(child);
  });
  while (box.childElementCount > wanted.length) box.lastElementChild.remove();
}

/// Text from another person, with its own writing direction.
export const bdi = (text) => h('bdi', {}, text);

const shapes = {
  X: 'M6 6L18 18M18 6L6 18',
  O: 'M12 5.5A6.5 6.5 0 1 0 12 18.5A6.5 6.5 0 1 0 12 5.5',
};

/// A line drawing. `paths` maps the class of each path to its `d`.
function drawing(width, height, style, paths) {
  const make = (tag, attributes) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const svg = make('svg', { viewBox: `0 0 ${width} ${height}`, class: style, 'aria-hidden': true });
  for (const [name, d] of Object.entries(paths)) svg.append(make('path', { class: name, d }));
  return svg;
}

/// The picture of X or O.
export const glyph = (mark) => drawing(24, 24, 'glyph', { [mark.toLowerCase()]: shapes[mark] });

/// A small picture of a board. A large board has no cells.
export function miniBoard({ rows, cols }, marks) {
  const paths = { lines: `M0 0h${cols}v${rows}h-${cols}z`, x: '', o: '' };
  if (rows * cols <= 225) {
    for (let row = 1; row < rows; ++row) paths.lines += `M0 ${row}h${cols}`;
    for (let col = 1; col < cols; ++col) paths.lines += `M${col} 0v${rows}`;
  }
  marks.forEach((mark, at) => {
    const [row, col] = [Math.floor(at / cols), at % cols];
    if (mark === 'X') paths.x += `M${col + 0.2} ${row + 0.2}l.6 .6m0-.6l-.6 .6`;
    if (mark === 'O') paths.o += `M${col + 0.2} ${row + 0.5}a.3 .3 0 1 0 .6 0a.3 .3 0 1 0-.6 0`;
  });
  return drawing(cols, rows, 'mini', paths);
}

/// Sets the text of an element if it differs. A live region is read out only when it changes.
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/// Lets nobody type more than `most` characters into a field. `maxlength` would count an emoji as two.
export function limited(input, most) {
  const check = ({ isComposing }) => {
    const excess = Array.from(input.value).length - most;
    if (isComposing || !(excess > 0)) return;
    const rest = input.value.slice(input.selectionEnd);
    const typed = Array.from(input.value.slice(0, input.selectionEnd)).slice(0, -excess).join('');
    input.value = typed + rest;
    input.setSelectionRange(typed.length, typed.length);
  };
  input.addEventListener('input', check);
  input.addEventListener('compositionend', check);
  return input;
}

/// A labelled field of a form.
export function field(label, input, note = '') {
  return h('label', { class: 'field' }, h('span', {}, label), input,
    note && h('small', {}, note));
}

export function select(options, value) {
  const element = h('select', {}, ...options.map(([key, text]) =>
    h('option', { value: key, selected: key === value }, text)));
  return element;
}
