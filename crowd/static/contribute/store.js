// What is kept in this browser: of each mode the position at hand, of each position what was done to its list.

const PREFIX = "crowd-task-";

/** Reads and writes through `storage` (localStorage); where that is forbidden or full, memory has to do. */
export class Store {
  constructor(storage = safeStorage()) {
    this.storage = storage;
    this.memory = new Map();
  }

  read(mode) {
    try {
      return JSON.parse(this.storage?.getItem(PREFIX + mode) ?? "null") ?? this.memory.get(mode) ?? null;
    } catch {
      return this.memory.get(mode) ?? null;
    }
  }

  write(mode, task) {
    this.memory.set(mode, task);
    try {
      this.storage?.setItem(PREFIX + mode, JSON.stringify(task));
    } catch {
      // Full or forbidden: this page still has it in memory.
    }
  }

  forget(mode) {
    this.memory.delete(mode);
    this.storage?.removeItem(PREFIX + mode);
  }
}

function safeStorage() {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}
