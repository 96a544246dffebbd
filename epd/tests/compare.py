"""Runs test suites on engines with python-chess, and compares every position with `epd run`.

Reading the suite, talking to the engine and judging its answer are python-chess and this file; nothing
is shared with `epd run`, whose JSON report is compared position by position: best move, solved or not,
points, length of the proved mate.

Exit codes: 0 no difference, 1 a difference, 2 bad usage or input, 3 an engine does not start or
`epd run` failed, 4 no position.
"""

import argparse
import asyncio
import json
import re
import shlex
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import chess
import chess.engine

# As the default of `epd run --timeout`: both give up at the same time.
TIMEOUT_SECONDS = 60
FILLER = {"+", "#", "or", "and", ",", "/"}

Goal = namedtuple("Goal", "best avoid mates points")
Answer = namedtuple("Answer", "move state points mate nodes")
COMPARED = ("move", "state", "points", "mate")


def operations(text):
    """The operations of an EPD record: opcode and operand; semicolons in quotes do not separate."""
    for operation in re.findall(r'(?:"[^"]*"|[^;"])+', text):
        words = operation.split(None, 1)
        if words:
            yield words[0], words[1].strip() if len(words) > 1 else ""


def read_move(board, text):
    """A move in SAN, or in the notation of UCI."""
    try:
        return board.parse_san(text)
    except ValueError:
        return board.parse_uci(text)


def read_points(board, opcodes):
    """Points by move, from `c8` and `c9`, else `c0`. What is no table of points has none."""
    unquoted = {name: opcodes.get(name, "").strip('"') for name in ("c0", "c8", "c9")}
    if unquoted["c8"] and unquoted["c9"]:
        pairs = list(zip(unquoted["c9"].split(), unquoted["c8"].split()))
    else:
        pairs = [pair.rsplit("=", 1) for pair in re.split(r"\s*,\s*", unquoted["c0"])]
        # A comment may have the form of points too: `seen at http://forum.example/?id=7`.
        if not all(len(pair) == 2 and len(pair[0].split()) == 1 and pair[1].strip().isdigit() for pair in pairs):
            return {}
    points = {}
    for move, value in pairs:
        points.setdefault(read_move(board, move.strip()), int(value))
    return points


def read_record(line):
    """The position and the goal of a line, or None if it has no goal."""
    fields = line.split(None, 4)
    rest = fields[4] if len(fields) > 4 else ""
    clocks = re.match(r"(\d+)\s+(\d+)(?=\s|;|$)", rest)
    opcodes = {}
    for name, operand in operations(rest[clocks.end() :] if clocks else rest):
        opcodes.setdefault(name, operand)
    halfmoves, number = clocks.groups() if clocks else (opcodes.get("hmvc", "0"), opcodes.get("fmvn", "1"))
    board = chess.Board(" ".join(fields[:4] + [halfmoves, number]))
    if not board.is_valid():
        raise ValueError("the position is not legal in standard chess")
    best = [word for word in opcodes.get("bm", "").split() if word not in FILLER]
    mates = [int(word[1:]) for word in best if word.startswith("#")]
    if "dm" in opcodes:
        mates.append(int(opcodes["dm"]))
    goal = Goal(
        {read_move(board, word) for word in best if not word.startswith("#")},
        {read_move(board, word) for word in opcodes.get("am", "").split()},
        mates,
        read_points(board, opcodes),
    )
    return (board, goal) if any(goal) else None


def proved_mate(board, move, info):
    """The mate (negative: against the side to move) that a line announces, if its PV begins with the
    best move, is legal, and ends in mate in time; else None."""
    score, pv = info.get("score"), info.get("pv")
    mate = score.relative.mate() if score else None
    if not mate or not pv or pv[0] != move:
        return None
    # The score may still get better for the side that is mated.
    if info.get("upperbound" if mate > 0 else "lowerbound"):
        return None
    # The first move of a mate in 2 is the first of 3 plies; who is mated in 2 makes the first of 4.
    plies = 2 * mate - 1 if mate > 0 else -2 * mate
    after = board.copy()
    for played in pv:
        if not after.is_legal(played):
            return None
        after.push(played)
    mated = board.turn if mate < 0 else not board.turn
    return mate if after.is_checkmate() and after.turn == mated and len(pv) <= plies else None


def judge(board, goal, move, infos):
    points = goal.points.get(move, 0) if goal.points else None
    tests, mate = [], None
    if goal.mates:
        proved = (proved_mate(board, move, info) for info in infos)
        in_time = [mate for mate in proved if mate and all(mate * wanted > 0 and abs(mate) <= abs(wanted) for wanted in goal.mates)]
        # The last of them; hash hits often cut off the PV of a mate that was proved at a lower depth.
        mate = in_time[-1] if in_time else None
        tests.append(mate is not None)
    if goal.best:
        tests.append(move in goal.best)
    if goal.avoid:
        tests.append(move not in goal.avoid)
    if not tests:
        tests.append(points == max(goal.points.values()))
    state = "solved" if all(tests) else "unsolved"
    nodes = [info["nodes"] for info in infos if "nodes" in info]
    return Answer(move, state, points, mate, nodes[-1] if nodes else None)


class Listener(chess.engine.UciProtocol):
    """Keeps every info of a search: that of a result is the union of all."""

    heard = ()

    def _line_received(self, line):
        if line.startswith("info "):
            self.heard.append(line[len("info ") :])
        super()._line_received(line)


class Engine:
    """An engine in the words of `epd run`: `cmd=... name=... option.NAME=...`, or a command line."""

    def __init__(self, text, hash_mb):
        words = shlex.split(text)
        in_words = any(word.startswith("cmd=") for word in words)
        self.words = words if in_words else ["cmd=" + words[0]]
        if not in_words and words[1:]:
            self.words.append("args=" + shlex.join(words[1:]))
        pairs = dict(word.split("=", 1) for word in self.words)
        self.command = shlex.split(pairs["cmd"]) + shlex.split(pairs.get("args", ""))
        self.options = {key[7:]: value for key, value in pairs.items() if key.startswith("option.")}
        self.common = {"Threads": "1", "Hash": str(hash_mb), "OwnBook": "false"}
        self.protocol = None

    async def start(self):
        _, self.protocol = await Listener.popen(self.command)
        self.protocol.heard = []
        await self.protocol.initialize()
        # What the engine offers decides which of the common options both runners set.
        for name, value in self.common.items():
            if name in self.protocol.options:
                self.options.setdefault(name, value)
        await self.protocol.configure(self.options)
        self.name = self.protocol.id.get("name", self.command[0])

    async def stop(self):
        try:
            await asyncio.wait_for(self.protocol.quit(), 5)
        except (asyncio.TimeoutError, chess.engine.EngineError):
            self.protocol.transport.kill()

    async def restart(self):
        await self.stop()
        await self.start()

    async def answer(self, board, goal, limit):
        # A new game object makes python-chess send `ucinewgame`.
        self.protocol.heard = []
        search = self.protocol.play(board, limit, game=object())
        try:
            result = await asyncio.wait_for(search, TIMEOUT_SECONDS)
        except (asyncio.TimeoutError, chess.engine.EngineError):
            await self.restart()
            return Answer(None, "failed", None, None, None)
        infos = [chess.engine._parse_uci_info(line, board) for line in self.protocol.heard]
        return judge(board, goal, result.move, infos)

    def as_words(self):
        set_by_us = [f"option.{name}={value}" for name, value in self.options.items()]
        return shlex.join([word for word in self.words if not word.startswith("option.")] + set_by_us)


def read_suite(path):
    """The records with a goal, by line; unreadable ones are reported and left out."""
    records, unreadable = {}, 0
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            record = read_record(line)
        except (ValueError, IndexError) as error:
            unreadable += 1
            print(f"{path}:{number}: unreadable: {error}", file=sys.stderr)
            continue
        if record:
            records[number] = record
    return records, unreadable


async def run_here(engine, records, limit, fresh):
    answers = {}
    for number, (board, goal) in records.items():
        if fresh and answers:
            await engine.restart()
        answers[number] = await engine.answer(board, goal, limit)
    return answers


def run_there(epd, engine, path, records, limits):
    """The same by `epd run`."""
    command = [epd, "run", str(path), "--engine", engine.as_words(), "-j", "1", "-q", "--skip-bad"]
    done = subprocess.run(command + limits + ["--format", "json"], stdout=subprocess.PIPE, check=False)
    try:
        report = json.loads(done.stdout)
    except ValueError:
        sys.exit(f"error: {shlex.join(command)} ended with {done.returncode}, without a report")
    answers = {}
    for position in report["engines"][0]["positions"]:
        board = records[position["line"]][0] if position["line"] in records else chess.Board(position["fen"])
        for search in position["searches"]:
            move = board.parse_san(search["best_move"]) if search["best_move"] else None
            end = search["end"] or {}
            # How the engine failed depends on who watches it.
            state = "failed" if search["fault"] else search["state"]
            answers[position["line"]] = Answer(move, state, search["points"], search["mate"], end.get("nodes"))
    return answers


def differences(path, here, there):
    """One line for each position that differs. Other nodes mean that the engine searched otherwise."""
    absent = Answer(None, "absent", None, None, None)
    for number in sorted(here.keys() | there.keys()):
        ours, theirs = here.get(number, absent), there.get(number, absent)
        fields = [name for name in COMPARED if getattr(ours, name) != getattr(theirs, name)]
        if fields:
            values = (f"{name} {getattr(ours, name)} / {getattr(theirs, name)}" for name in fields + ["nodes"])
            yield f"{path}:{number}: {', '.join(values)}"


async def compare(arguments):
    if arguments.depth:
        limit, limits = chess.engine.Limit(depth=arguments.depth), ["--depth", str(arguments.depth)]
    else:
        limit, limits = chess.engine.Limit(nodes=arguments.nodes), ["--nodes", str(arguments.nodes)]
    rows, differ = [], 0
    for path in arguments.suites:
        records, unreadable = read_suite(path)
        for text in arguments.engine:
            engine = Engine(text, arguments.hash)
            await engine.start()
            here = await run_here(engine, records, limit, arguments.fresh)
            await engine.stop()
            there = run_there(arguments.epd, engine, path, records, limits)
            found = list(differences(path, here, there))
            for line in found:
                print(f"{engine.name}: {line}")
            differ += len(found)
            solved = [sum(answer.state == "solved" for answer in run.values()) for run in (here, there)]
            points = [sum(answer.points or 0 for answer in run.values()) for run in (here, there)]
            failed = sum(answer.state == "failed" for answer in here.values())
            text = f"{len(here)} positions, {len(found)} differences, {solved[0]} solved"
            print(f"{path.name}: {engine.name}: {text}", file=sys.stderr)
            rows.append([path.name, engine.name, len(here), unreadable, len(found), *solved, *points, failed])
    print("| suite | engine | positions | unreadable | differences | solved: here | `epd run` | points: here | `epd run` | failed |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        print("|", " | ".join(map(str, row)), "|")
    if not any(row[2] for row in rows):
        return 4
    return 1 if differ else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="+", type=Path, metavar="SUITE", help="EPD files")
    parser.add_argument("--epd", required=True, help="the program epd")
    parser.add_argument("--engine", action="append", required=True, help="a command line, or words as for epd run")
    limit = parser.add_mutually_exclusive_group(required=True)
    limit.add_argument("--depth", type=int, help="plies per search; what every engine obeys")
    limit.add_argument("--nodes", type=int, help="nodes per search")
    parser.add_argument("--hash", type=int, default=16, help="MiB of hash table [default: 16]")
    parser.add_argument("--fresh", action="store_true", help="a new process for each position, besides ucinewgame")
    arguments = parser.parse_args()
    for path in arguments.suites:
        if not path.is_file():
            parser.error(f"cannot open '{path}'")
    try:
        return asyncio.run(compare(arguments))
    except (chess.engine.EngineError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 3


sys.exit(main())
