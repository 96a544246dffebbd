// The list as a row of numbered events, only ever added to. Plain values, nothing of the page.

/** The moves on the list, in the order in which they were added. */
export function movesOf(events) {
  const moves = new Set();
  for (const { op, move } of events) {
    if (op === "add") moves.add(move);
    if (op === "remove") moves.delete(move);
  }
  return [...moves];
}

/** The answers of a second look, from move to "yes" or "no"; the last counts. */
export function answersOf(events) {
  const answers = new Map();
  for (const { op, move } of events) {
    if (op === "yes" || op === "no") answers.set(move, op);
  }
  return answers;
}

/** What undo would take back, the last at the end: an event that undid the one before it is gone with it. */
function undoStack(events) {
  const stack = [];
  for (const { op, move } of events) {
    const top = stack.at(-1);
    if (top && top.move === move && top.op !== op) {
      stack.pop();
    } else {
      stack.push({ op, move });
    }
  }
  return stack;
}

/** What takes the last step back, or null when there is none. */
export function undoing(events) {
  const last = undoStack(events).at(-1);
  return last ? { op: last.op === "add" ? "remove" : "add", move: last.move } : null;
}

const same = (one, other) => one && other && one.op === other.op && one.move === other.move;

/**
 * Joins what the server has with what this browser still had to send. What the server has stays as it is; of ours,
 * that which it lacks comes after, with new numbers.
 */
export function merge(server, local, acknowledged) {
  const ours = local.filter((event) => event.seq > acknowledged && !same(server[event.seq - 1], event));
  const rest = ours.map((event, index) => ({ ...event, seq: server.length + index + 1 }));
  return { events: [...server, ...rest], acknowledged: server.length };
}
