// Keeps the focus when the element that has it is made again, hidden or removed. Without this the
// keyboard would begin at the top of the page, and a screen reader would lose its place.

// No fields: on a phone the keyboard would appear.
const controls = 'a[href], button, summary';

const canHaveFocus = (element) =>
  element.isConnected && !element.disabled && !element.closest('[hidden]');
const keyOf = ({ dataset, ariaLabel, textContent }) => dataset.key ?? ariaLabel ?? textContent;
const controlsOf = (box) => [...box.querySelectorAll(controls)]
  .filter((each) => canHaveFocus(each) && each.getClientRects().length > 0);

/// Looks after the buttons and links of `root`, but not in dialogs. When one loses the focus, the focus goes
/// to the one with the same key or label in the two boxes around it, or to its neighbour there.
/// If there is none, `giveUp` is called.
export function keepFocus(root, giveUp) {
  let last = null; // {element, key, boxes: [[box, place of the element among its controls]]}

  const restore = () => {
    const { key, boxes } = last;
    last = null;
    for (const [box, place] of boxes) {
      const found = box.isConnected ? controlsOf(box) : [];
      const next = found.find((each) => keyOf(each) === key) ??
        found[Math.min(place, found.length - 1)];
      if (next) return next.focus({ preventScroll: true });
    }
    giveUp();
  };

  root.addEventListener('focusin', ({ target: element }) => {
    if (element.closest('dialog')) return;
    const { parentElement: inner } = element;
    last = element.matches(controls) && {
      element,
      key: keyOf(element),
      boxes: [inner, inner.parentElement].map((box) => [box, controlsOf(box).indexOf(element)]),
    };
  });
  // Somebody may have clicked beside all controls.
  root.addEventListener('focusout', ({ target, relatedTarget }) => queueMicrotask(() => {
    if (!relatedTarget && last?.element === target && canHaveFocus(target) &&
        document.activeElement !== target && !document.querySelector('dialog[open]')) last = null;
  }));
  new MutationObserver(() => {
    const { activeElement } = document;
    const isLost = last && !canHaveFocus(last.element) &&
      (activeElement === document.body || activeElement === last.element);
    if (isLost && !document.querySelector('dialog[open]')) restore();
  }).observe(root, { childList: true, subtree: true, attributes: true,
    attributeFilter: ['hidden', 'disabled', 'open'] });
}
