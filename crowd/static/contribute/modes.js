// What the page says in each mode.

export const MODES = {
  calm: {
    badge: "Calm",
    title: "List every legal move",
    help: "Play the moves one after the other; the piece goes back each time. Nothing here tells you whether a move is legal.",
  },
  timed: {
    badge: "Timed",
    title: "List every legal move",
    help: "List as many as you see. The list ends by itself when the time is up.",
  },
  pair: {
    badge: "Pair",
    title: "List every legal move",
    help: "A stranger gets the same position. You both get points for the moves that you agree about.",
  },
  missing: {
    badge: "What others miss",
    title: "List what others may have missed",
    help: "Most moves of this position are settled and count no more; they are not shown. Find the others. A settled move on your list does no harm.",
  },
  review: {
    badge: "Second look",
    title: "Is this move legal?",
    help: "People do not agree about some of these moves. Look at the arrow and say what you think.",
  },
};

export const PARTNER = {
  waiting: "waiting for a partner; you can begin",
  joined: "your partner is listing",
  away: "your partner’s page is closed; your list counts all the same",
  finished: "your partner has finished",
};
