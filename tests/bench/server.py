from __future__ import annotations

import contextlib
import subprocess
import sys
import time

from runner import LOAD_CORE, SERVER_CORE, Bench, cpu_seconds, spread

NAMES = {"relay": "raw epoll relay", "server": "this server"}
# On this board an AI that may think for long does.
THINKING = "create den 15x15x5\nai o strong\nai x strong\n"


class Server(Bench):
    """A server beside its floor, the bare relay."""

    title = "A server against its floor"
    short = ["--rounds", "2", "--seconds", "0.5", "--rows",
             "moves-50,moves-500,latency,watchers,storm,idle"]

    @staticmethod
    def add_options(parser) -> None:
        parser.add_argument("--rows", type=lambda text: text.split(","), help="some of them, with commas between")
        parser.add_argument("--connections", type=int, default=10_000, help="of storm and idle")
        parser.add_argument("--watchers", type=int, default=1_000)
        parser.add_argument("--idle-seconds", type=int, default=2, help="for which connections are idle")

    def run(self) -> str:
        rows = {"moves-50": lambda: self.moves(50), "moves-500": lambda: self.moves(500),
                "moves-2000": lambda: self.moves(2000), "latency": self.latency, "thinking": self.thinking,
                "watchers": self.watchers, "storm": self.storm, "idle": self.idle}
        wanted = self.options.rows or list(rows)
        if unknown := set(wanted) - set(rows):
            sys.exit(f"there is no row {', '.join(unknown)}, but {', '.join(rows)}")
        self._rows = [rows[name] for name in wanted]
        return super().run()

    def round(self) -> None:
        for row in self._rows:
            row()

    def running(self, contestant: str):
        if contestant == "relay":
            return self.relay()
        return self.server("--ai-delay", "0", "--ai-time", "600000")

    def once(self, contestant: str, *load: str, beside=None) -> dict:
        with self.running(contestant) as program, beside(program) if beside else contextlib.nullcontext():
            return self.load(program, *load)

    def both(self, row: str, *load: str) -> None:
        for contestant in "relay", "server":
            self.keep(row, contestant, self.once(contestant, *load))

    # The rows. Each is called once a round.

    def moves(self, rooms: int) -> None:
        self.both(f"moves-{rooms}", *self.games(rooms))

    def half_rate(self) -> str:
        """Half of what the server can do with 50 rooms, as of this round."""
        known = self.figures.rounds("moves-50", "server", "moves_per_second").get(self.number)
        return str(int((known or self.once("server", *self.games(50))["moves_per_second"]) / 2))

    def latency(self) -> None:
        self.both("latency", *self.games(50, "--rate", self.half_rate()))

    def thinking(self) -> None:
        """The relay, without and with a program of the same priority beside it, shows what the machine adds."""
        rate = self.half_rate()
        for contestant, program, beside in (("without", "server", None), ("with", "server", self.thinker),
                                            ("relay", "relay", None), ("relay-beside", "relay", self.burner)):
            self.keep("thinking", contestant, self.once(program, *self.games(50, "--rate", rate), beside=beside))

    @staticmethod
    @contextlib.contextmanager
    def burner(_relay):
        """What is left of the core is used up, at the priority of a thread that thinks."""
        process = subprocess.Popen(["taskset", "-c", SERVER_CORE, "chrt", "--idle", "0",
                                    sys.executable, "-c", "while True: pass"])
        try:
            yield
        finally:
            process.kill()
            process.wait()

    @contextlib.contextmanager
    def thinker(self, server):
        """A room in which an AI thinks for as long as this lasts."""
        client = subprocess.Popen(
            ["taskset", "-c", LOAD_CORE, f"{self.bin}/tictactoe", "--no-tls", "--guest", "--name", "host",
             "--server", f"127.0.0.1:{server.port}"],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        try:
            client.stdin.write(THINKING)
            client.stdin.flush()
            deadline = time.monotonic() + 60
            while cpu_seconds(server.pid) < 0.2:  # a server that nobody uses takes none
                if time.monotonic() > deadline:
                    raise RuntimeError("the AI does not think")
                time.sleep(0.05)
            yield
        finally:
            client.kill()
            client.wait()
            client.stdin.close()

    def idle(self) -> None:
        self.both("idle", "idle", "--rooms", str(self.options.connections // 2), "--seconds",
                  str(self.options.idle_seconds))

    def storm(self) -> None:
        self.both("storm", "storm", "--connections", str(self.options.connections))

    def watchers(self) -> None:
        self.both("watchers", *self.games(1, "--watchers", str(self.options.watchers)))

    # The table.

    def room_rows(self) -> list[tuple[int, str]]:
        return [(rooms, f"moves-{rooms}") for rooms in (50, 500, 2000) if self.figures.contestants(f"moves-{rooms}")]

    def targets(self):
        """What is measured, what is wanted of it (at most, or if negative at least), and the values of all rounds.
        Rows that were not measured have none."""
        ratios, values, connections = self.figures.ratios, self.figures.values, f"{self.options.connections:,}"
        for rooms in 50, 500:
            yield (f"moves/s at {rooms} rooms, of the relay's", -0.95,
                   ratios(f"moves-{rooms}", "server", "relay", "moves_per_second"))
        yield "user-space CPU a move at 50 rooms, us", 1.0, values("moves-50", "server", "server_user_us_per_move")
        yield ("the same, of the move's whole CPU, %", 15, values(
            "moves-50", "server",
            lambda figure: 100 * figure["server_user_us_per_move"] / figure["server_us_per_move"]))
        yield ("p99 at half of the saturating rate, of the relay's", 1.2,
               ratios("latency", "server", "relay", "latency_p99_us"))
        yield (f"memory of each of {connections} idle connections, bytes", 3072,
               values("idle", "server", "server_bytes_per_connection"))
        yield f"time for {connections} connects with hello, of the relay's", 1.5, ratios(
            "storm", "server", "relay", "seconds")
        what = f"{self.options.watchers:,} watchers in one room, "
        yield (what + "CPU of an update, of the relay's", 1.15,
               ratios("watchers", "server", "relay", "server_us_per_update"))
        yield (what + "time of an update, of the relay's", 1.15,
               ratios("watchers", "relay", "server", "updates_per_second"))
        yield ("p99 at half of the saturating rate while an AI thinks, of that without", 1.5,
               ratios("thinking", "with", "without", "latency_p99_us"))
        yield ("the same of the relay beside a program of idle priority: the machine's part", None,
               ratios("thinking", "relay-beside", "relay", "latency_p99_us"))

    def report(self):
        yield ("Each server had one core, the load another. This server keeps no journal here (see journal.md for what "
               "that costs), writes no log and has no limit on requests a second.")
        yield from ("", "| | wanted | measured | |", "|---|---|---:|---|")
        for what, wanted, values in self.targets():
            if not values:
                continue
            form = "{:,.0f}" if wanted and wanted > 100 else "{:.2f}"
            middle = sorted(values)[len(values) // 2]
            says, bound = "", ""
            if wanted is not None:
                will_do = middle >= -wanted if wanted < 0 else middle <= wanted
                says, bound = ("yes" if will_do else "**no**"), f"at {'least' if wanted < 0 else 'most'} {abs(wanted):,}"
            yield f"| {what} | {bound} | {spread(values, form)} | {says} |"
        yield from ("", "| rooms | | moves/s | of the relay's | CPU a move, user + system, us | of the relay's | "
                    "p50 / p99, us | memory, MiB | server / generator busy, % |",
                    "|---:|---|---:|---:|---:|---:|---:|---:|---:|")
        for rooms, row in self.room_rows():
            for contestant in self.figures.contestants(row):
                yield self.row(rooms, row, contestant)
        yield from ("", *self.besides(), "")
        for row, contestant, figure in self.figures.all():
            yield from (f"- {row}, {NAMES.get(contestant, contestant)}: {note}" for note in figure.get("notes", []))

    def row(self, rooms: int, row: str, contestant: str) -> str:
        def median(key):
            return self.figures.median(row, contestant, key)

        moves, cost = ("1" if contestant == "relay" else spread(self.figures.ratios(row, contestant, "relay", key))
                       for key in ("moves_per_second", "server_us_per_move"))
        server_busy = median(lambda figure: figure["server_us_per_move"] * figure["moves_per_second"] / 1e4)
        return (f"| {rooms} | {NAMES[contestant]} | {median('moves_per_second'):,.0f} | {moves} | "
                f"{median('server_user_us_per_move'):.2f} + {median('server_system_us_per_move'):.2f} | {cost} | "
                f"{median('latency_p50_us'):,.0f} / {median('latency_p99_us'):,.0f} | "
                f"{median('server_resident_mib'):.1f} | {server_busy:.0f} / {median('generator_busy'):.0f} |")

    def besides(self):
        """What has no target but a number worth knowing."""
        for row, what, key, form, unit in (
                ("latency", "At half of the saturating rate, p50", "latency_p50_us", "{:,.0f}", "us"),
                ("latency", "At half of the saturating rate, p99", "latency_p99_us", "{:,.0f}", "us"),
                ("storm", "All connects", "seconds", "{:.2f}", "s"),
                ("idle", "An idle connection", "server_bytes_per_connection", "{:,.0f}", "bytes"),
                ("watchers", "CPU of an update to one watcher", "server_us_per_update", "{:.2f}", "us")):
            if self.figures.contestants(row):
                own, floor = (form.format(self.figures.median(row, name, key)) for name in ("server", "relay"))
                yield f"- {what}, server and relay: {own} and {floor} {unit}."
