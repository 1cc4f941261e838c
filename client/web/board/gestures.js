// Mouse and touch on the board: a click or tap chooses a cell; dragging, a second finger and the
// wheel move the view.

const slack = 8; // pixels that a click may move

/// `board` has view, hasJustMoved, changed(), point(cell, type), choose(cell, type) and usesWheel().
export function attachGestures(canvas, board) {
  const pointers = new Map();
  let drag = null; // {x, y, moved}
  let pinch = 0; // distance of two fingers

  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const distance = () => {
    const [a, b] = [...pointers.values()];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };

  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    pointers.set(event.pointerId, place(event));
    canvas.setPointerCapture(event.pointerId);
    const isLate = event.pointerType !== 'mouse' && board.hasJustMoved;
    if (pointers.size === 1) drag = { ...place(event), moved: isLate };
    if (pointers.size === 2) {
      drag.moved = true;
      pinch = distance();
    }
  });

  canvas.addEventListener('pointermove', (event) => {
    const at = place(event);
    const before = pointers.get(event.pointerId);
    if (!before) {
      if (event.pointerType === 'mouse') board.point(board.view.cellAt(at.x, at.y));
      return;
    }
    if (pointers.size === 1 && !drag.moved) {
      if (Math.hypot(at.x - drag.x, at.y - drag.y) < slack) return;
      drag.moved = true;
    }
    const share = 1 / pointers.size;
    board.view.pan((at.x - before.x) * share, (at.y - before.y) * share);
    pointers.set(event.pointerId, at);
    if (pointers.size === 2) {
      const [a, b] = [...pointers.values()];
      const apart = distance();
      board.view.zoom(apart / Math.max(1, pinch), (a.x + b.x) / 2, (a.y + b.y) / 2);
      pinch = apart;
    }
    board.changed();
  });

  const release = (event) => {
    const at = pointers.get(event.pointerId);
    if (!at) return;
    pointers.delete(event.pointerId);
    if (pointers.size > 0 || drag.moved || event.type === 'pointercancel') return;
    const cell = board.view.cellAt(drag.x, drag.y);
    if (cell) board.choose(cell, event.pointerType);
  };
  canvas.addEventListener('pointerup', release);
  canvas.addEventListener('pointercancel', release);
  canvas.addEventListener('pointerleave', () => board.point(null));

  canvas.addEventListener('wheel', (event) => {
    // A small board leaves the wheel to the page.
    if (!event.ctrlKey && !board.usesWheel()) return;
    event.preventDefault();
    const { x, y } = place(event);
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1;
    board.view.zoom(Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.002)), x, y);
    board.changed();
  }, { passive: false });
}
