"""What the canvas shows is told by more than its colours."""

from browser import Sources
from page_case import PageCase

LEAST_CONTRAST = 3  # of what is no text; see https://www.w3.org/TR/WCAG22/#non-text-contrast

# The colours in a box of the board's canvas, in its pixels, as [red, green, blue].
COLOURS = """
  const [x, y, width, height] = arguments;
  const { data } = document.querySelector('.board-canvas').getContext('2d')
    .getImageData(x, y, width, height);
  const found = new Set();
  for (let i = 0; i < data.length; i += 4) found.add(data.slice(i, i + 3).join());
  return [...found].map((colour) => colour.split(',').map(Number));
"""

# A mark by the other side at the same cell, as after a rematch in a hidden tab.
SAME_MOVE_BY_THE_OTHER_SIDE = """
  const { Board } = await import(folder + 'model/board.js');
  const { Overview } = await import(folder + 'board/overview.js');
  const { readColours } = await import(folder + 'board/colours.js');
  const colours = readColours(document.body);
  const overview = new Overview(new Board(50, 50));
  const shown = ['X', 'O'].map((mark) => {
    const board = new Board(50, 50);
    board.place({ row: 3, col: 4 }, mark);
    overview.update(board, colours);
    return overview.canvas.getContext('2d').getImageData(4, 3, 1, 1).data.slice(0, 3).join();
  });
  done(shown);
"""

# A board with an X in the middle and an O in a corner: the labels, the colours in the middle of X, in the middle of O
# and on its ring, and how many pixels are painted beneath the labels of a board that is enlarged.
PAINTED = """
  const { Board } = await import(folder + 'model/board.js');
  const { Painter } = await import(folder + 'board/painter.js');
  const { Viewport } = await import(folder + 'board/viewport.js');
  const labels = [];
  CanvasRenderingContext2D.prototype.fillText = (text) => labels.push(text);
  const board = new Board(3, 3);
  board.place({ row: 1, col: 1 }, 'X');
  board.place({ row: 2, col: 2 }, 'O');
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [300, 300];
  const view = new Viewport(3, 3);
  view.resize(300, 300);
  const colours = { board: '#ffffff', line: '#222222', x: '#ff0000', o: '#00ff00', last: '#0000ff', ink: '#333333' };
  const painter = new Painter(canvas);
  const draw = () => painter.draw({ board, view, overview: null, colours, last: board.last(), lines: [] });
  const pixels = (x, y, width, height) =>
    [...canvas.getContext('2d').getImageData(Math.round(x), Math.round(y), width, height).data];
  const at = (row, col) => pixels(view.x + col * view.cell, view.y + row * view.cell, 1, 1).slice(0, 3).join();
  draw();
  const seen = [labels.join(' '), at(1.5, 1.5), at(2.5, 2.5), at(2.5, 2.77)];
  view.zoom(2);
  draw();
  const beneath = [...pixels(0, 0, 300, view.gutterTop), ...pixels(0, 0, view.gutterLeft, 300)];
  done([...seen, view.x < view.gutterLeft, beneath.filter(Boolean).length]);
"""

# How far boards of ten rows and columns end from the edges of stages that are wide or high.
EDGES = """
  const { Viewport } = await import(folder + 'board/viewport.js');
  done([[400, 300], [300, 400]].map(([width, height]) => {
    const view = new Viewport(10, 10);
    view.resize(width, height);
    return [width - view.x - 10 * view.cell, height - view.y - 10 * view.cell].map((space) => Math.round(space));
  }));
"""

# Whether taps on a board have no effect for a moment: after something above it has appeared, and after a person has
# scrolled. And the button that confirms a tap on a small cell, before and after that.
MOVED = """
  const { Board } = await import(folder + 'model/board.js');
  const { BoardView } = await import(folder + 'board/board_view.js');
  const view = new BoardView(() => {});
  const box = document.createElement('div');
  box.style = 'height: 300px; overflow: auto';
  view.stage.style = 'width: 400px; height: 400px';
  box.append(view.element);
  document.body.prepend(box);
  view.show(new Board(15, 15), { last: null, lines: [], hint: null, ghost: null, mark: 'X' });
  const frames = async () => {
    for (let i = 0; i < 3; ++i) await new Promise(requestAnimationFrame);
  };
  const rest = async () => {
    do await frames(); while (view.hasJustMoved);
  };
  await rest();
  const notice = document.createElement('p');
  notice.textContent = 'here';
  box.prepend(notice);
  await frames();
  const seen = [view.hasJustMoved];
  await rest();
  box.scrollTop = 40;
  await frames();
  seen.push(box.scrollTop, view.hasJustMoved, view.confirm.hidden);
  view.choose({ row: 7, col: 7 }, 'touch');
  done([...seen, view.confirm.hidden, view.confirm.textContent]);
"""


def luminance(colour):
    parts = [part / 255 for part in colour]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
                        for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


class CanvasTest(PageCase):
    def setUp(self):
        super().setUp()
        self.ann = self.page("ann")

    def colour(self, name):
        text = self.ann.script("return getComputedStyle(document.body)"
                                ".getPropertyValue(arguments[0])", name).strip()
        return [int(text[i:i + 2], 16) for i in (1, 3, 5)]

    def test_the_last_move_has_a_frame(self):
        page = self.ann
        page.create("den")
        bob = self.console("bob")
        bob.type("join den")
        page.click("b2")
        bob.expect("ann plays b2")
        for scheme in ("light", "dark"):
            page.scheme(scheme)
            box = page.script(
                "const stage = document.querySelector('.stage').getBoundingClientRect();"
                "const cell = arguments[0].getBoundingClientRect();"
                "return [cell.x - stage.x, cell.y - stage.y, cell.width];", page.cell("b2"))
            x, y, size = box
            # Between the grid and the mark.
            edge = [round(x + 0.03 * size), round(y + 0.03 * size), round(0.16 * size)]
            fill = self.colour("--last")
            page.wait(f"a frame, {scheme}", lambda: LEAST_CONTRAST <= max(
                contrast(each, fill)
                for each in page.script(COLOURS, edge[0], edge[1], edge[2], edge[2])))

    def test_dots_differ_by_their_lightness(self):
        page = self.ann
        page.press("Create a room …")
        page.fill("Name", "den")
        page.choose_size(300, 300, 5)
        page.press("Create", "dialog")
        bob = self.console("bob")
        bob.type("join den")
        page.expect_turn()
        page.keys("c3\ue007")
        bob.expect("ann plays c3")
        bob.type("k9")  # the frame of the last move covers no other dot
        page.expect_turn()
        page.press("Whole board")
        for scheme in ("light", "dark"):
            page.scheme(scheme)
            board, x, o = (self.colour(name) for name in ("--board", "--x-dot", "--o-dot"))
            for one, other in ((board, x), (board, o), (x, o)):
                self.assertGreaterEqual(contrast(one, other), LEAST_CONTRAST, scheme)
            def is_shown():
                width, height = page.script("const { width, height } = document.querySelector("
                                            "'.board-canvas'); return [width, height];")
                colours = page.script(COLOURS, 0, 0, width, height)
                return x in colours and o in colours
            page.wait(f"both dots, {scheme}", is_shown)

    def test_marks_and_labels(self):
        page = self.enterContext(Sources.page())
        page.open()
        self.assertEqual(page.module_script(PAINTED),
                         ["a b c 1 2 3", "255,0,0", "0,0,255", "0,255,0", True, 0])

    def test_a_board_fits_its_stage(self):
        page = self.enterContext(Sources.page())
        page.open()
        wide, high = page.module_script(EDGES)
        self.assertEqual((wide[1], high[0]), (8, 8))
        self.assertTrue(wide[0] > 8 and high[1] > 8)

    def test_a_board_that_moves_by_itself_takes_no_tap_for_a_moment(self):
        page = self.enterContext(Sources.page())
        page.open()
        self.assertEqual(page.module_script(MOVED), [True, 40, False, True, False, "Place X at h8"])

    def test_a_dot_changes_when_the_other_side_has_the_cell(self):
        page = self.enterContext(Sources.page())
        page.open()
        x, o = page.module_script(SAME_MOVE_BY_THE_OTHER_SIDE)
        self.assertNotEqual(x, o)
