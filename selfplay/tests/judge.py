"""Judges a run directory of `selfplay` by python-chess: every game legal and ended as it says, the
PGN that of the ledger, both games of a pair from one opening, and statistics of the program equal to
a plain recount.

usage: judge.py DIRECTORY SELFPLAY
"""

import json
import math
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import chess
import chess.pgn

DRAW = "1/2-1/2"


def ending(board):
    """How the rules end the game on this board (the contest claims both draws), or None."""
    if board.is_checkmate():
        return "checkmate", "0-1" if board.turn else "1-0"
    for name, is_over in [
        ("stalemate", board.is_stalemate()),
        ("insufficient-material", board.is_insufficient_material()),
        ("threefold", board.is_repetition(3)),
        ("fifty-moves", board.halfmove_clock >= 100),
    ]:
        if is_over:
            return name, DRAW
    return None


BY_RULES = {"checkmate", "stalemate", "insufficient-material", "threefold", "fifty-moves"}


def judge_game(record, game, names):
    """Yields what is wrong with one game."""
    yield from (f"PGN: {error}" for error in game.errors)
    opening = record["opening"]
    board = chess.Board(opening["fen"], chess960=opening["chess960"])
    for text in opening["moves"] + [move["uci"] for move in record["moves"]]:
        if ending(board):
            yield f"went on after {ending(board)[0]}"
        move = chess.Move.from_uci(text)
        if not board.is_legal(move):
            yield f"{text} is illegal in {board.fen()}"
            return
        board.push(move)
    if game.end().board().fen() != board.fen():
        yield "the PGN ends otherwise than the ledger"
    plan = record["plan"]
    expected = (record["result"], names[plan["white"]], names[plan["black"]])
    if tuple(game.headers[tag] for tag in ("Result", "White", "Black")) != expected:
        yield "the PGN has other players or another result"
    by_board, told = ending(board), (record["termination"], record["result"])
    if (by_board or told[0] in BY_RULES) and by_board != told:
        yield f"ended by {told}, the board says {by_board}"


def pentanomial(records, first):
    """Pairs by points of the engine `first`, from nought to two, and what is wrong with them."""
    pairs, faults = defaultdict(list), []
    for record in records:
        pairs[record["plan"]["pairing"]["number"]].append(record)
    counts = [0] * 5
    for number, games in pairs.items():
        if len({json.dumps(game["opening"]) for game in games}) > 1:
            faults.append(f"pair {number}: two openings")
        if len({game["plan"]["white"] for game in games}) < len(games):
            faults.append(f"pair {number}: one colour twice")
        if len(games) == 2:
            points = {"1-0": 2, "0-1": 0, DRAW: 1}
            counts[
                sum(
                    points[game["result"]]
                    if game["plan"]["white"] == first
                    else 2 - points[game["result"]]
                    for game in games
                )
            ] += 1
    return counts, faults


def judge_statistics(counts, name, directory, selfplay):
    """Yields where `selfplay stats` tells otherwise than these counts of pairs."""
    command = [selfplay, "stats", directory / "games.pgn", "--player", name, "--format", "json"]
    told = json.loads(subprocess.run(command, check=True, capture_output=True, timeout=60).stdout)
    if list(told["pentanomial"]) != counts:
        yield f"pairs: {told['pentanomial']}, recounted {counts}"
    # As the program says: a kind of result that was not seen counts as 0.001 pairs.
    filled = [count or 0.001 for count in counts]
    mean = sum(count * points for points, count in enumerate(filled)) / (4 * sum(filled))
    mean = min(max(mean, 0.001), 0.999)  # Elo is told up to there
    elo = -400 * math.log10(1 / mean - 1)
    if abs(elo - told["elo"]) > 1e-6:
        yield f"Elo: {told['elo']}, recounted {elo}"


def main(directory, selfplay):
    directory = Path(directory)
    config = json.loads((directory / "config.json").read_text())["config"]
    names = [engine["name"] for engine in config["engines"]]
    records = [json.loads(line) for line in (directory / "ledger.jsonl").read_text().splitlines()]
    faults = []
    with open(directory / "games.pgn") as pgn:
        for number, record in enumerate(records, 1):
            game = chess.pgn.read_game(pgn)
            if game is None:
                faults.append(f"the PGN ends before game {number}")
                break
            faults += [f"game {number}: {fault}" for fault in judge_game(record, game, names)]
        if chess.pgn.read_game(pgn):
            faults.append("the PGN has games that the ledger has not")
    counts, wrong_pairs = pentanomial(records, 0)
    faults += wrong_pairs
    if len(names) == 2:
        faults += judge_statistics(counts, names[0], directory, selfplay)
    print("\n".join(faults + [f"{len(records)} games of {directory.name}: {len(faults)} faults"]))
    return 1 if faults or not records else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
