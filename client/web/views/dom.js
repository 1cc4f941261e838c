// Elements. Every text goes through text nodes or attributes, never through markup.

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

/// A button that takes no tap in the first 300 ms: such a tap was meant for what was in its place.
export function calmButton(text, act, attributes) {
  const begin = performance.now();
  const tapped = ({ pointerType }) =>
    (pointerType === 'touch' && performance.now() - begin < 300) || act();
  return button(text, tapped, attributes);
}

/// A text of another person, with its own direction.
export const bdi = (text) => h('bdi', {}, text);

const shapes = {
  X: ['M6 6 L18 18', 'M18 6 L6 18'],
  O: ['M12 5.5 A6.5 6.5 0 1 0 12 18.5 A6.5 6.5 0 1 0 12 5.5'],
};

/// The picture of X or O.
export function glyph(mark) {
  const namespace = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(namespace, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', `glyph ${mark.toLowerCase()}`);
  svg.setAttribute('aria-hidden', 'true');
  for (const d of shapes[mark]) {
    const path = document.createElementNS(namespace, 'path');
    path.setAttribute('d', d);
    svg.append(path);
  }
  return svg;
}

/// Sets the text of an element, if it differs: a live region speaks only if something changes.
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
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
