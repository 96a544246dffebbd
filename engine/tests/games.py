"""Games of a UCI engine under the eyes of python-chess, which is the judge of everything.

    games.py ENGINE --opponent stockfish --games 48      games with limits of every kind
    games.py ENGINE --stress --games 10                  fast games on a machine that is busy

Exit code 0: no fault. Exit code 1: at least one; each is printed. What counts as a fault: an illegal
or missing move, anything python-chess complains of in its log, a clock that has run out, variations
that are not what was asked for, and an answer other than "no move" where the game has ended by mate
or stalemate. The games end by the rules, at a third repetition, after fifty moves, or as a draw after
200 plies. A clock counts the CPU time of the engine, which never thinks longer than its limits allow
because others keep the machine busy.
"""

import argparse
import concurrent.futures
import contextlib
import itertools
import logging
import multiprocessing
import os
import queue
import random
import sys
import threading

import chess
import chess.engine

BASE, INCREMENT = 1.0, 0.01  # seconds
PATIENCE = 300  # seconds for a move; only an engine that hangs takes so long
MAX_PLIES = 200
KINDS = ["clock", "nodes", "depth", "ponder", "multipv", "infinite"]


class Fault(Exception):
    """The engine has done something wrong."""


class Complaints(logging.Handler):
    """Keeps what python-chess warns of: lines that UCI does not have, and standard error."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.texts = []

    def emit(self, record):
        self.texts.append(self.format(record))


class Player:
    """An engine with its clock. Its `lowest` clock is that of all its games."""

    def __init__(self, command, judged):
        self.engine = chess.engine.SimpleEngine.popen_uci(command, timeout=PATIENCE)
        self.judged = judged
        self.clock = self.lowest = BASE
        wanted = {"Hash": 4, "Threads": 1, "Move Overhead": 10}
        self.engine.configure({key: wanted[key] for key in wanted if key in self.engine.options})

    def play(self, board, clocks, game, ponder):
        """Asks for a move on the clock, which is this program's own."""
        limit = chess.engine.Limit(
            white_clock=clocks[chess.WHITE].clock,
            black_clock=clocks[chess.BLACK].clock,
            white_inc=INCREMENT,
            black_inc=INCREMENT,
        )
        started = self.cpu_time()
        result = self.engine.play(board, limit, game=game, ponder=ponder)
        self.clock -= self.cpu_time() - started
        self.lowest = min(self.lowest, self.clock)
        if self.clock < 0 and self.judged:
            raise Fault(f"the clock has run out by {-self.clock:.3f} s")
        self.clock = max(self.clock, 0) + INCREMENT
        return result.move

    def cpu_time(self):
        """Seconds that all threads of the engine have run."""
        with open(f"/proc/{self.engine.transport.get_pid()}/stat", encoding="utf-8") as stat:
            user, system = stat.read().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def bounded(player):
    """An engine that does not answer is closed, which ends the wait for it with an error."""
    timer = threading.Timer(PATIENCE, player.engine.close)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def variations(player, board, limit, game):
    """The best of three lines, each of which must be there, legal and unlike the others."""
    infos = player.engine.analyse(board, limit, multipv=3, game=game)
    wanted = min(3, board.legal_moves.count())
    if len(infos) != wanted or any("score" not in info or not info.get("pv") for info in infos):
        raise Fault(f"{wanted} lines wanted: {infos}")
    if len({info["pv"][0] for info in infos}) != wanted:
        raise Fault(f"lines begin alike: {infos}")
    if [info.get("multipv") for info in infos] != list(range(1, wanted + 1)):
        raise Fault(f"lines out of order: {infos}")
    return infos[0]["pv"][0]


def until_stopped(player, board, game):
    """Analyses without a limit, stops at the fourth line with a depth, takes the best move."""
    with player.engine.analysis(board, game=game) as analysis:
        for _ in itertools.islice((info for info in analysis if "depth" in info), 4):
            pass
        analysis.stop()
        return analysis.wait().move


def choose(player, board, kind, clocks, game):
    """The move of a player under a kind of limit."""
    everything = chess.engine.INFO_ALL
    if kind in ("clock", "ponder"):
        return player.play(board, clocks, game, kind == "ponder")
    if kind == "nodes":
        limit = chess.engine.Limit(nodes=1500)
        return player.engine.play(board, limit, game=game, info=everything).move
    if kind == "depth":
        limit = chess.engine.Limit(depth=3)
        return player.engine.play(board, limit, game=game, info=everything).move
    if kind == "multipv":
        return variations(player, board, chess.engine.Limit(depth=2), game)
    return until_stopped(player, board, game)


def ended(board):
    """Why the game has ended, if it has."""
    if outcome := board.outcome():
        return outcome.termination.name.lower()
    if board.is_repetition(3):
        return "threefold_repetition"
    if board.is_fifty_moves():
        return "fifty_moves"
    return "plies" if board.ply() >= MAX_PLIES else None


def confirm_end(player, board, game):
    """An engine has no move where there is none, and one where the game could go on."""
    move = player.engine.play(board, chess.engine.Limit(depth=1), game=game).move
    if move is None and any(board.legal_moves):
        raise Fault("no move, but there are legal ones")


def opening(draw, chess960):
    """A first position, a few plies at random into the game."""
    if chess960:
        board = chess.Board.from_chess960_pos(draw.randrange(960))
    else:
        board = chess.Board()
    for _ in range(draw.randrange(9)):
        if moves := list(board.legal_moves):
            board.push(draw.choice(moves))
    return board


def play_game(players, board, kind):
    """Plays to the end. `players` are by colour. The end, or a fault with the game in it."""
    game, start = object(), board.root().fen()
    for player in players:
        player.clock = BASE
    try:
        while not (end := ended(board)):
            with bounded(players[board.turn]):
                move = choose(players[board.turn], board, kind, players, game)
            if move not in board.legal_moves:
                raise Fault(f"{move} is not legal in {board.fen()}")
            board.push(move)
        for player in players:
            if player.judged:
                with bounded(player):
                    confirm_end(player, board, game)
        return end
    except (Fault, chess.engine.EngineError, TimeoutError) as error:
        moves = " ".join(move.uci() for move in board.move_stack)
        raise Fault(f"{kind}: {error!r}\n  start {start}\n  moves {moves}") from error


def arrangement(number):
    """What a game is like, by its number: each way once in 48 games, each kind once in six."""
    ways = list(itertools.product((False, True), (False, True), (False, True), KINDS))
    as_black, with_twin, chess960, kind = ways[number * 7 % len(ways)]
    return kind, chess960, with_twin, as_black


def play_some(arguments, numbers):
    """Plays games for as long as there are numbers; ends, faults, lowest clock."""
    ends, faults = [], []
    with contextlib.ExitStack() as stack:

        def start(command, judged):
            player = Player(command, judged)
            stack.callback(player.engine.close)
            return player

        ours = start(arguments.engine, True)
        twin = start(arguments.engine, True)
        other = start(arguments.opponent, False) if arguments.opponent else twin
        with contextlib.suppress(queue.Empty):
            while not faults:  # after one the engines may be out of step
                number = numbers.get_nowait()
                kind, chess960, with_twin, as_black = arrangement(number)
                rival = twin if with_twin else other
                players = [ours, rival] if as_black else [rival, ours]
                kind = "clock" if arguments.stress else kind
                try:
                    board = opening(random.Random(f"{arguments.seed} {number}"), chess960)
                    ends.append((kind, play_game(players, board, kind)))
                except Fault as fault:
                    faults.append(f"game {number}: {fault}")
        if not faults:
            for player in (ours, twin):
                player.engine.quit()
                if code := player.engine.returncode.result(PATIENCE):
                    faults.append(f"exit code {code}")
    return ends, faults, min(ours.lowest, twin.lowest)


def keep_busy(parent):
    """Keeps a CPU busy for as long as the parent lives."""
    while os.getppid() == parent:
        pass


def run(arguments):
    """All games, in as many lanes as asked for."""
    with concurrent.futures.ThreadPoolExecutor(arguments.lanes) as pool:
        numbers = queue.SimpleQueue()
        for number in range(arguments.games):
            numbers.put(number)
        lanes = [pool.submit(play_some, arguments, numbers) for _ in range(arguments.lanes)]
        return [lane.result() for lane in lanes]


def report(results, complaints):
    """Prints what came of the games; the exit code."""
    ends = [end for lane in results for end in lane[0]]
    faults = [fault for lane in results for fault in lane[1]] + complaints.texts
    for end in sorted(set(ends)):
        print(f"{ends.count(end):4} {end[0]}: {end[1]}")
    print(f"{len(ends)} games, lowest clock {min(lane[2] for lane in results) * 1000:.0f} ms")
    for fault in faults:
        print(f"FAULT {fault}")
    return 1 if faults or not ends else 0


def main():
    """Reads the command line, plays, reports."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine")
    parser.add_argument("--opponent", help="another engine, for half of the games")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--lanes", type=int, default=2, help="games at a time")
    parser.add_argument("--seed", type=int, default=64)
    parser.add_argument("--stress", action="store_true", help="load every CPU, play by the clock")
    arguments = parser.parse_args()
    complaints = Complaints()
    logging.getLogger("chess.engine").addHandler(complaints)
    loads = []
    if arguments.stress:
        spawn = multiprocessing.get_context("spawn")
        for _ in range(os.cpu_count()):
            loads.append(spawn.Process(target=keep_busy, args=(os.getpid(),), daemon=True))
            loads[-1].start()
    try:
        results = run(arguments)
    finally:
        for load in loads:
            load.kill()
            load.join()
    sys.exit(report(results, complaints))


if __name__ == "__main__":
    main()
