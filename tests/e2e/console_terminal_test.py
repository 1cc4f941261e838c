"""The real client at real terminals, with the real server: keys, mouse and pastes are taken for what they
are, the terminal is as it was whatever stops or ends the client, and nothing freezes it."""

import fcntl
import os
import re
import signal
import subprocess
import termios
import threading

from case import ServerCase, is_asleep, wait_for_state, wait_until
from programs import BIN, TIMEOUT, TerminalProcess
from tmux import client

PASTE = "\033[200~{}\033[201~"


class Game(ServerCase):
    def test_from_the_list_of_rooms_to_a_won_game_and_a_rematch(self):
        alice = self.screen()
        alice.expect("No rooms yet")
        alice.keys("n")
        alice.expect("A new room")
        alice.keys_until("Enter", "Waiting for an opponent \\(O\\)")
        self.client("bob", "join alice-room", "1 2", "2 2", "rematch", "wait")
        alice.expect("Your turn: place your X")
        alice.keys("Up", "Left", "Enter")  # a1
        alice.expect(r"bob plays b1\.")
        alice.type("a2")
        alice.expect("Move or command: a2")
        alice.keys("Enter")
        alice.expect(r"bob plays b2\.")
        alice.keys("Down", "Down", "Space")  # a3, from a1 where the cursor is not: from a2
        screen = alice.expect(r"You win! alice \(X\) wins: column a\.")
        self.assertEqual(len(re.findall(r"\* ╲ ╱ \*", screen)), 3)
        alice.expect(r"bob \(O\) is ready for the next game: press R to begin it\.")
        alice.keys_until("r", "Game 2 begins")
        alice.keys("Q")
        alice.click_until("Keep the seat", "ended with 0")
        self.assertTrue(alice.mode_is_restored())

    def test_by_mouse_against_the_ai_while_the_window_changes(self):
        alice = self.game()
        for width, height in ((40, 20), (200, 60), (1, 1), (100, 30), (80, 24)):
            alice.resize(width, height)
        screen = alice.expect(r"^ +1 │ +│ +│ +│")
        lines = screen.splitlines()
        row = next(y for y, line in enumerate(lines) if re.match(r" +2 │", line))
        column = next(line for line in lines if re.match(r" +a +b +c", line)).index("b")
        alice.click(column, row)
        alice.expect(r"You play b2\.")
        alice.expect("Your turn")
        alice.resize(40, 20)
        alice.expect(r"^ +2 │.*│>X<│")
        alice.click_on("Hint")
        alice.expect(r"Hint: \w\d")
        alice.resize(80, 24)
        alice.click_until("Resign", "Resign this game")  # a click before it is painted anew hits nothing
        alice.click_until("Yes", r"You lose\.")
        alice.click_until("Rematch", "Game 2 begins")
        alice.expect("Game 2 begins")


class Terminal(ServerCase):
    def test_is_as_it_was_whatever_ends_the_program(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGSEGV):
            with self.subTest(signal=number.name):
                alice = self.game(number.name)
                self.assertEqual(alice.pane("alternate_on"), "1")
                if number == signal.SIGINT:  # asks, and the second one ends the program
                    os.kill(alice.program_id(), number)
                    alice.expect("Keep the seat")
                os.kill(alice.program_id(), number)
                status = alice.expect(r"ended with \d+")
                crash = number == signal.SIGSEGV
                self.assertRegex(status, r"ended with (?!0)" if crash else "ended with 0")
                self.assertTrue(alice.mode_is_restored())

    def test_has_only_ascii_if_there_is_nothing_else(self):
        screen = self.game(LC_ALL="C", LANG="C").expect("Your turn")
        self.assertTrue(screen.isascii(), screen)
        self.assertIn("+-------+", screen)


class Idle(ServerCase):
    def test_costs_nothing(self):
        """Between two looks the program has used next to no time of a processor."""
        alice = self.game()
        def used():
            with open(f"/proc/{alice.program_id()}/stat", encoding="ascii") as file:
                fields = file.read().rsplit(")", 1)[1].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        before = used()
        threading.Event().wait(2)  # this is what is measured, not something waited for
        self.assertLessEqual(used() - before, 0.02)


class Input(ServerCase):
    def test_pasted_text_does_nothing_by_itself(self):
        """Nor if it holds the end of a paste."""
        alice = self.game()
        for text, shown in (("R\ny\nresign\n", "R y resign"),
                            ("good\033[201~luck\r\033[200~to\033[201~you\r", r"good\s?luck\s+to\s?you")):
            alice.type(PASTE.format(text))
            screen = alice.expect(f"Move or command: {shown}")
            self.assertNotRegex(screen, "You lose|Unknown command")
            alice.keys("Escape")
            alice.expect(rf"\A(?![\s\S]*Move or command: {shown})")

    def test_keys_that_are_not_known_do_nothing(self):
        alice = self.game()
        for key in ("\033[[A", "\033[[C", "\033[[D", "\033OP", "\033O2P", "\033O5Q", "\033[23$",
                    "\033[15;5~", "\033d", "\033\033OS"):
            alice.type(key)
        alice.type(":hello")
        alice.expect("Move or command: hello")
        alice.type("\033\033[D\033Od\033[P")  # Alt+Left of rxvt, Ctrl+Left of rxvt, Delete of st
        screen = alice.expect("Move or command: helo")
        self.assertNotRegex(screen, "draw|AI:|Say")


class Kinds(ServerCase):
    """Terminals by the name that they set."""

    def test_the_title_is_as_before_or_never_changed(self):
        for terminal, during in (("xterm-256color", "Tic-tac-toe"), ("linux", "before"), ("vt220", "before")):
            with self.subTest(terminal=terminal):
                game = client(self.address, "alice", "--command", f"create {terminal}", "--command", "ai o")
                alice = self.screen(command=["sh", "-c", "printf '\\033]2;before\\a'; \"$@\"", "sh", *game],
                                    TERM=terminal)
                alice.expect("Your turn: place your X")
                wait_until(lambda: during in alice.pane("pane_title"), "the title of the game")
                alice.keys("Q")
                alice.click_until("Keep the seat", "ended with 0")
                self.assertEqual(alice.pane("pane_title"), "before")

    def test_without_another_screen_none_is_asked_for(self):
        self.assertEqual(self.game(TERM="linux").pane("alternate_on"), "0")

    def test_one_that_does_not_speak_ecma_48_gets_lines(self):
        self.game(TERM="vt52").expect("To move, type row and column")


def is_raw(mode):
    return not mode[3] & (termios.ICANON | termios.ECHO) and not mode[0] & termios.IXON


class FullScreen(ServerCase):
    def test_a_terminal_may_have_any_size(self):
        for before, after in (((24, 80), (65535, 65535)), ((32768, 80), (24, 80))):
            with self.subTest(before=before, after=after):
                command = [f"{BIN}/tictactoe", "--guest", "--server", self.address, "--name", "alice"]
                with TerminalProcess(["sh", "-c", f"stty rows {before[0]} cols {before[1]}; exec \"$@\"",
                                      "sh", *command]) as alice:
                    alice.expect("No rooms yet")
                    alice.resize(*after)
                    alice.keys("\x0c")  # draws all of it again
                    alice.keys("p")
                    alice.expect("Waiting for")
                    alice.keys("\x03")
                    alice.expect(r"Quit\?")
                    alice.keys("\x03")  # two at once would be one signal
                    self.assertEqual(alice.status(), 0)

    def test_ctrl_s_and_ctrl_z_without_a_shell_that_could_continue_it_stop_nothing(self):
        alice = self.game()
        alice.keys("C-z")
        alice.keys("C-s")
        alice.type("b2")
        alice.keys("Enter")
        alice.expect(r"You play b2\.")

    def test_ctrl_z_in_a_shell_with_job_control(self):
        shell = self.screen(command=["bash", "--norc", "-i"])
        shell.type(" ".join(client(self.address, "alice", "--command", "'create den'",
                                   "--command", "'ai o'")))
        shell.keys("Enter")
        shell.expect("Your turn: place your X")
        shell.keys("C-z")
        shell.expect("Stopped")
        self.assertEqual(shell.pane("alternate_on"), "0")
        self.assertEqual(shell.pane("mouse_any_flag"), "0")
        shell.type("fg")
        shell.keys("Enter")
        shell.expect("Your turn: place your X")
        shell.type("b2")
        shell.keys("Enter")
        shell.expect(r"You play b2\.")

    def test_a_stopped_client_takes_the_terminal_again_when_it_goes_on(self):
        alice = self.game()
        program = alice.program_id()
        os.kill(program, signal.SIGSTOP)
        wait_for_state(program, "T")
        subprocess.run(["stty", "-F", alice.pane("pane_tty"), "sane"], check=True)
        self.assertFalse(is_raw(alice.tty_mode()))
        os.kill(program, signal.SIGCONT)
        wait_until(lambda: is_raw(alice.tty_mode()), "the terminal in raw mode")
        alice.type("b2")
        alice.keys("Enter")
        alice.expect(r"You play b2\.")
        self.assertEqual(alice.pane("alternate_on"), "1")

    def test_ctrl_backslash_restores_the_terminal(self):
        alice = self.game()
        alice.keys("C-\\")
        alice.expect(f"ended with {128 + signal.SIGQUIT}")
        self.assertTrue(alice.mode_is_restored())


class Output(ServerCase):
    def test_one_that_is_full_for_a_while_is_not_closed(self):
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        os.set_blocking(writer, False)  # as another program that shares it may have done
        capacity = fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
        script = "help\n" * 20 + "say-nothing\nquit\n"
        with subprocess.Popen([f"{BIN}/tictactoe", "--server", self.address, "--name", "alice"],
                              stdin=subprocess.PIPE, stdout=writer) as alice:
            alice.stdin.write(script.encode())
            alice.stdin.close()
            # What it writes next does not fit: the output is several times the capacity.
            wait_until(lambda: waiting(writer) > 0 and is_asleep(alice.pid),
                       "client that waits for space")
            os.close(writer)
            text = b""
            while data := os.read(reader, 65536):
                text += data
            self.assertEqual(alice.wait(TIMEOUT), 0)
        self.assertGreater(len(text), 2 * capacity)
        self.assertEqual(text.count(b"To move, type row and column"), 20)
        self.assertIn(b"Unknown command `say-nothing`", text)


def waiting(pipe):
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), "little")
