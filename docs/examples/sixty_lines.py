#!/usr/bin/env python3
"""A chess engine that only counts moves, with one bug. The board has 12 rows of 10; a1 is 21, h8 is 98, the rim is '#'."""
import sys

STEPS = {"n": (-21, -19, -12, -8, 8, 12, 19, 21), "b": (-11, -9, 9, 11), "r": (-10, -1, 1, 10)}
STEPS["q"] = STEPS["k"] = STEPS["b"] + STEPS["r"]
# Castling: from and to, the squares that must be empty, those that must be safe.
CASTLING = {"K": (25, 27, (26, 27), (25, 26, 27)), "Q": (25, 23, (22, 23, 24), (22, 23, 24, 25)),
            "k": (95, 97, (96, 97), (95, 96, 97)), "q": (95, 93, (92, 93, 94), (92, 93, 94, 95))}
KEEPS = {21: "Kkq", 25: "kq", 28: "Qkq", 91: "KQk", 95: "KQ", 98: "KQq"}  # rights after a move from or to the square

def name(square): return "abcdefgh"[square % 10 - 1] + str(square // 10 - 1)
def text(move): return name(move[0]) + name(move[1]) + move[2].lower()
def perft(position, depth): return sum(perft(after, depth - 1) for _, after in legal(position)) if depth else 1

def parse(rows, side, rights, ep):
    squares = "".join("." * int(c) if c.isdigit() else c for c in rows.replace("/", ""))
    lines = [f"#{squares[8 * row:8 * row + 8]}#" for row in range(7, -1, -1)]
    return list("#" * 20 + "".join(lines) + "#" * 20), side == "w", rights, 10 * int(ep[1]) + ord(ep[0]) - 86 if ep != "-" else 0

def targets(board, square, piece):
    for to, step in ((square + step, step) for step in STEPS[piece]):
        while board[to] != "#":
            yield to
            if board[to] != "." or piece in "nk": break
            to += step

def attacked(board, square, by_white):
    piece_of, back = (str.upper, -10) if by_white else (str.lower, 10)
    return piece_of("p") in (board[square + back - 1], board[square + back + 1]) or any(
        board[to] == piece_of(piece) for piece in STEPS for to in targets(board, square, piece))

def play(board, white, rights, ep, start, to, promotion):
    board, pawn, up = board[:], board[start] in "Pp", 10 if white else -10
    board[to], board[start] = promotion or board[start], "."
    if pawn and to == ep: board[to - up] = "."
    if board[to] in "Kk" and abs(to - start) == 2: board[(start + to) // 2], board[to + 1 if to > start else to - 2] = "rR"[white], "."
    rights = "".join(r for r in rights if r in KEEPS.get(start, r) and r in KEEPS.get(to, r))
    return board, not white, rights, to - up if pawn and abs(to - start) == 20 else 0

def pseudo_legal(board, white, rights, ep):
    own, up = (str.isupper, 10) if white else (str.islower, -10)
    for start in (square for square in range(21, 99) if own(board[square])):
        if board[start] not in "Pp":
            yield from ((start, to, "") for to in targets(board, start, board[start].lower()) if not own(board[to]))
            continue
        tos = [to for to in (start + up - 1, start + up + 1) if board[to].isalpha() and not own(board[to]) or to == ep]
        tos += [start + up] if board[start + up] == "." else []
        if start // 10 == (3 if white else 8) and board[start + up] == board[start + 2 * up] == ".": tos.append(start + 2 * up)
        yield from ((start, to, p) for to in tos for p in (("NBRQ" if white else "nbrq") if to // 10 in (2, 9) else [""]))
    for start, to, empty, safe in (CASTLING[right] for right in rights if right in CASTLING and own(right)):
        if all(board[s] == "." for s in empty) and not any(attacked(board, s, not white) for s in safe): yield start, to, ""

def legal(position):
    for move, after in ((move, play(*position, *move)) for move in pseudo_legal(*position)):
        if not attacked(after[0], after[0].index("K" if position[1] else "k"), not position[1]): yield move, after

for words in (line.split() + ["", ""] for line in sys.stdin):
    if words[0] == "uci": print("id name Sixty Lines\nuciok")
    elif words[0] == "isready": print("readyok")
    elif words[0] == "position":
        position = parse(*(words[2:6] if words[1] == "fen" else ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "w", "KQkq", "-")))
        for word in words[words.index("moves") + 1:-2] if "moves" in words else []:
            position = next(after for move, after in legal(position) if text(move) == word)
    elif words[:2] == ["go", "perft"]:
        counts = {text(move): perft(after, int(words[2]) - 1) for move, after in legal(position)}
        print(*(f"{move}: {count}" for move, count in counts.items()), f"\nNodes searched: {sum(counts.values())}", sep="\n")
    elif words[0] == "quit": break
    sys.stdout.flush()
