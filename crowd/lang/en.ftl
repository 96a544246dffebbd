### The texts of the pages, in English. docs/crowd-languages.md describes how a language is added.
### <a> and </a> enclose a link. Names after $ stand for what the page puts there; every language has the same ones.

language-name = English

## The frame of every page

skip = Skip to the content
nav = Main
nav-contribute = Contribute
nav-daily = Daily
nav-variants = Variants
nav-lists = My lists
nav-leaderboard = Leaderboard
nav-cases = Test cases
nav-play = Play
theme = Colours
theme-system = System
theme-light = Light
theme-dark = Dark
foot-overlooked = What people overlook
foot-class = Classes and quizzes
foot-about = About and credits
foot-check = Check a list of moves
foot-api = API
foot-moderators = Moderators
foot-languages = Language

## Counts

moves =
    { $n ->
        [0] no moves
        [one] { $n } move
       *[other] { $n } moves
    }
answers =
    { $n ->
        [0] no answers
        [one] { $n } answer
       *[other] { $n } answers
    }
points =
    { $n ->
        [0] no points
        [one] { $n } point
       *[other] { $n } points
    }

## Pieces, positions and moves

white = White
black = Black
piece =
    { $kind ->
        [p] pawn
        [n] knight
        [b] bishop
        [r] rook
        [q] queen
        [k] king
       *[other] piece
    }
white-piece =
    { $kind ->
        [p] white pawn
        [n] white knight
        [b] white bishop
        [r] white rook
        [q] white queen
       *[k] white king
    }
black-piece =
    { $kind ->
        [p] black pawn
        [n] black knight
        [b] black bishop
        [r] black rook
        [q] black queen
       *[k] black king
    }
move-castling = castling, king from { $from } to { $to }
move-taking =
    , taking the { $kind ->
        [p] pawn
        [n] knight
        [b] bishop
        [r] rook
        [q] queen
       *[k] king
    }
move-becoming =
    , becoming a { $kind ->
        [r] rook
        [b] bishop
        [n] knight
       *[q] queen
    }
move-spoken = { $piece } from { $from } to { $to }
rights = White: { $white }. Black: { $black }.
rights-both = both sides
rights-king = king’s side
rights-queen = queen’s side
rights-file = with the rook of the { $file }-file
rights-none = none
passant-none = none
passant-on = on { $square }, which a pawn has just passed
position-label = The position { $fen }

## The board

board-label = Chessboard
board-label-turn =
    Chessboard, { $side ->
        [white] white
       *[black] black
    } to move
board-keys = { $label }. Arrow keys go over the squares, Enter lifts and puts down.
board-empty = empty
board-bottom =
    { $side ->
        [white] white
       *[black] black
    } is at the bottom
mark-last = last move
mark-legal = possible
mark-check = in check
mark-chosen = chosen
mark-premove = premove
mark-held = lifted
mark-from = from here
mark-to = to here
promotion-title = The pawn on { $square } becomes a…
promotion-cancel = Cancel

## The ways to contribute

mode-calm = Calm
mode-timed = Timed
mode-pair = Pair
mode-missing = What others miss
mode-review = Second look
task-title-calm = List every legal move
task-title-timed = List every legal move
task-title-pair = List every legal move
task-title-missing = List what others may have missed
task-title-review = Is this move legal?
task-help-calm = Play the moves one after the other; the piece goes back each time. Nothing here tells you whether a move is legal.
task-help-timed = List as many as you see. The list ends by itself when the time is up.
task-help-pair = A stranger gets the same position. You both get points for the moves that you agree about.
task-help-missing = Most moves of this position are settled and count no more; they are not shown. Find the others. A settled move on your list does no harm.
task-help-review = People do not agree about some of these moves. Look at the arrow and say what you think.

## Contribute

contribute-title = Contribute
contribute-noscript = Listing moves needs JavaScript: the board, and the list that survives a lost network, are made of it.
contribute-without = <a>Test cases</a> do without.
choose-title = List the moves
choose-lead = You get a position and list every legal move of the side to move. Nobody tells you how many there are. Lists that agree become test cases for chess programs.
card-calm = All moves, in your own time.
card-timed = As many as you see before the time is up. It has a leaderboard of its own.
card-pair = The same position as a stranger, no contact. Points for every move you both list, less half a point for each that only one lists.
card-missing = Moves that are settled count no more. Find the rest.
card-review = Single moves that people do not agree about: yes or no?
name-label = Your name on the leaderboard
name-hint = You may leave it empty and stay anonymous. Up to 32 characters, seen by everyone.
name-keep = Keep this name
name-kept = You are “{ $name }” now.
name-none = You stay as you are; moves count without a name too.
name-account = Account: other devices, your data
ready-title = Timed list
ready-lead = The clock starts when the position appears, and the list ends by itself. Have your hand on the board.
ready-start = Show the position
another-way = Another way to play
time-left = Time left
flip = Flip the board
undo = Undo
use-plain = Use the plain board
use-drawn = Use the drawn board
fact-turn = To move
fact-castling = Castling
fact-passant = En passant
turn-960 = { $side } (Chess960: the king takes its rook to castle)
type-label = Type a move
type-add = Add
type-hint = As in e2e4, Nf3, exd5, e8=Q, O-O.
which = Which one?
which-say = Which one? { $n } pieces could be meant.
which-from = from { $square }
your-list = Your list:
list-empty = Moves appear here as you give them.
yes-legal = Yes, it is legal
no-illegal = No, it is not
back = Back
skip-position = Skip this position
finish = Finish
done-title = Thank you
next-position = Next position
my-lists = My lists
result-page = This list’s page
confirm-finish = Finish this list?
go-on-listing = Go on listing

## Contribute: typed moves

typed-unread = “{ $text }” is not read as a move. Write e2e4, Nf3, exd5, e8=Q or O-O.
typed-same = A move goes to another square than { $square }.
typed-no-piece =
    There is no { $side ->
        [white] white
       *[black] black
    } piece on { $square }.
typed-other-piece =
    The piece on { $square } is a { $kind ->
        [p] pawn
        [n] knight
        [b] bishop
        [r] rook
        [q] queen
       *[k] king
    }.
typed-unreachable =
    No { $side ->
        [white] white
       *[black] black
    } { $kind ->
        [p] pawn
        [n] knight
        [b] bishop
        [r] rook
        [q] queen
       *[k] king
    } gets to { $to }, even on an empty board. Give both squares to list it all the same.
typed-unreachable-from =
    No { $side ->
        [white] white
       *[black] black
    } { $kind ->
        [p] pawn
        [n] knight
        [b] bishop
        [r] rook
        [q] queen
       *[k] king
    } on { $from } gets to { $to }, even on an empty board. Give both squares to list it all the same.
typed-no-promotion = Only a pawn that reaches its last rank becomes another piece.
typed-no-king =
    There is no { $side ->
        [white] white
       *[black] black
    } king.
typed-no-rook = There is no rook of yours on that side of the king.
typed-no-room = The king has no two squares on that side.

## Contribute: the list and the questions

remove-move = Remove { $move }
move-twice = { $move } is on your list already.
move-added =
    { $n ->
        [0] { $move } added, no moves on your list.
        [one] { $move } added, { $n } move on your list.
       *[other] { $move } added, { $n } moves on your list.
    }
move-removed =
    { $n ->
        [0] { $move } removed, no moves on your list.
        [one] { $move } removed, { $n } move on your list.
       *[other] { $move } removed, { $n } moves on your list.
    }
question-none = There is no question here.
question-can = Can { $side } play
question-last = That was the last question. You can finish now.
question-progress =
    { $n ->
        [0] Question { $at } of { $of }; no answers given
        [one] Question { $at } of { $of }; { $n } answer given
       *[other] Question { $at } of { $of }; { $n } answers given
    }
finish-answers = Finish these answers?
go-on-answering = Go on answering
finish-answers-text =
    { $n ->
        [0] You gave no answers.
        [one] You gave { $n } answer.
       *[other] You gave { $n } answers.
    }
finish-answers-open =
    { $n ->
        [one] { $n } question without one counts for nothing.
       *[other] { $n } questions without one count for nothing.
    }
finish-answers-fixed = Finished answers cannot be changed.
finish-list-text =
    { $n ->
        [one] You listed { $n } move. A finished list cannot be changed.
       *[other] You listed { $n } moves. A finished list cannot be changed.
    }
finish-list-none = You listed no move. That says that there is no legal move here. A finished list cannot be changed.
finish-missing-none = You listed no move. That says that nothing is missing. A finished list cannot be changed.
skip-moves =
    { $n ->
        [0] Skip and throw away no moves?
        [one] Skip and throw away { $n } move?
       *[other] Skip and throw away { $n } moves?
    }
skip-answers =
    { $n ->
        [0] Skip and throw away no answers?
        [one] Skip and throw away { $n } answer?
       *[other] Skip and throw away { $n } answers?
    }
skip-text = The position goes to someone else.
skip-stay = Keep it
skip-go = Skip
skip-failed = The position cannot be skipped now: the server is not reached. Your list is kept.
skip-none-left = You have skipped as many positions as can be skipped in a day. Your list is kept.
skipped = Skipped.
seconds-left = 15 seconds left
time-up = The time is up.
partner-waiting = waiting for a partner; you can begin
partner-joined = your partner is listing
partner-away = your partner’s page is closed; your list counts all the same
partner-finished = your partner has finished

## Contribute: the network, and what fails

sending-steps =
    { $n ->
        [one] { $n } step waits to be sent ({ $why }). Nothing is lost; it is tried again by itself.
       *[other] { $n } steps wait to be sent ({ $why }). Nothing is lost; it is tried again by itself.
    }
sending-answers =
    { $n ->
        [one] { $n } answer waits to be sent ({ $why }). Nothing is lost; it is tried again by itself.
       *[other] { $n } answers wait to be sent ({ $why }). Nothing is lost; it is tried again by itself.
    }
sending-finish = Your finish waits to be sent ({ $why }). Nothing is lost; it is tried again by itself.
why-busy = the server is busy
why-network = no network
why-server = the server has a problem
finishing = Finishing…
saved = Everything is saved.
any-campaign = Positions of every campaign
try-again = Try again
new-position = Get a new position
late-steps = This list was finished before your last steps came: in another window, or because its time was up. It stays as it was then.
was-on-list = These moves were on it: { $moves }.
refused-gone = The time for this position is over, so it was given to someone else. Your list can no longer be counted.
refused-stranger = The server does not know you any more, perhaps because cookies were deleted. This list cannot be continued; you can begin a new one.
refused-other = The server did not take the list: { $why }.
nothing-left = You have had every position there is. Come back when there are new ones.
nothing-campaign = No position of this campaign is open that you have not had.
nothing-review = There is nothing for a second look now: no position is disputed that you have not seen.
nothing-missing = No position has enough lists yet that you have not seen.
busy-wait = Many people are here, or you were very quick. Wait { $seconds } seconds and try again.
unreachable = The server cannot be reached. Is there a network?
no-position = There is no position: { $why }.
news =
    { $n ->
        [one] One of your lists has a result now.
       *[other] { $n } of your lists have results now.
    }

## Contribute: thanks, and what a list teaches

done-list =
    { $n ->
        [0] Your list is finished: no moves.
        [one] Your list is finished: { $n } move.
       *[other] Your list is finished: { $n } moves.
    }
done-answers =
    { $n ->
        [0] Your second look is finished: no answers.
        [one] Your second look is finished: { $n } answer.
       *[other] Your second look is finished: { $n } answers.
    }
done-list-plain = Your list is finished.
done-answers-plain = Your second look is finished.
result-later = The result comes when the position closes: when enough people agree about it. It is then under My lists.
result-held = This list was faster than hands are, so it does not count yet. A moderator looks at it.
result-late = The position was closed before your list was finished, and its answer was open to all. So the list does not count and gets no points.
result-closed = A moderator closed this position without a certain answer. So there are no points against an answer, for anybody.
result-points =
    { $n ->
        [0] The answer for this position is known. You get no points.
        [one] The answer for this position is known. You get { $n } point.
       *[other] The answer for this position is known. You get { $n } points.
    }
result-right =
    { $n ->
        [0] no right moves
        [one] { $n } right move
       *[other] { $n } right moves
    }
result-said = { $right }, { $missed } missed, { $wrong } not legal, { $points }.
agreement-both =
    { $n ->
        [0] You and your partner agree about no moves;
        [one] You and your partner agree about { $n } move;
       *[other] You and your partner agree about { $n } moves;
    }
agreement-one = { $one } on one list only, each of which takes half a point.
agreement-points =
    { $n ->
        [0] No points for each of you.
        [one] { $n } point for each of you.
       *[other] { $n } points for each of you.
    }
partner-later = Your partner is not done yet. The points for agreement come here if you stay.
lesson-found =
    { $n ->
        [0] You found { $found } of no legal moves.
        [one] You found { $found } of { $n } legal move.
       *[other] You found { $found } of { $n } legal moves.
    }
lesson-missed = Missed: { $n }
lesson-illegal = Not legal: { $n }
lesson-right = Right: { $n }
legend-missed = Green arrows: moves that you missed.
legend-illegal = Blue arrows: moves on your list that are not legal.
legend-alone = Point at a move to see it alone.
lesson-board = The position of your list

## Contribute: variants

choose-variants = There are <a>variants of chess</a> too, whose rules no program here knows.
rules-title = The rules
rules-of = The rules of { $title }
rules-failed = The rules cannot be loaded now. They are shown when the page is opened again.
variant-hint = As in e2e4, e7e8q or N@f3.
variant-promotion = The { $piece } on { $square } becomes a…
variant-stays = It stays a { $piece }
variant-dropped = { $piece } dropped on { $to }
variant-taking = , taking the { $piece }
variant-becoming = , becoming a { $piece }
variant-no-hand =
    There is no { $letter } in { $side ->
        [white] white
       *[black] black
    }’s pocket.
variant-unread = “{ $text }” is not read as a move. Write e2e4, e7e8q or N@f3.
variant-no-promotion = The { $piece } does not become “{ $letter }” on { $square }.
variant-off = { $square } is not on this board.
variant-piece =
    { $side ->
        [white] white
       *[black] black
    } { $piece }
variant-pocket =
    { $side ->
        [white] white
       *[black] black
    }’s pocket

## Play: the review of a game

game-review = Review
game-review-at = Evaluating position { $ply } of { $last }…
game-review-failed = No review: { $why }.
game-review-found =
    { $n ->
        [0] No move gave much away.
        [one] One move gave much away.
       *[other] { $n } moves gave much away.
    }
game-review-blunder = blunder
game-review-mistake = mistake
game-review-inaccuracy = inaccuracy
game-review-turn = { $move }, { $mark }: from { $before } to { $after }

## My lists

lists-title = My lists
lists-none = You have no list here yet.
lists-unknown = This browser has no lists yet.
lists-all-here = Every list that you begin is found here, with its result when its position closes.
lists-begin = List the moves of a position
lists-phrase = I have a recovery phrase
lists-order = Newest first. Lists are kept with your <a>account</a>.
lists-new = new
lists-open = Not finished: go on with it
lists-expired = Its time was over
lists-waiting = Waiting for other people’s lists
lists-held = Waiting for a moderator
lists-closed = Closed without an answer
lists-right = { $right } of { $of } right, { $points }
lists-earlier = Earlier lists

## The page of a list

results-title = Your list
results-turn =
    { $side ->
        [white] White
       *[black] Black
    } to move
results-open = The list is not finished. <a>Go on with it.</a>
results-waiting = The answer is not known yet. It is shown here when enough people have listed this position, and the position is closed; <a>your lists</a> then have news.
results-file = My moves as a file
results-listed = On your list
results-agreement =
    { $n ->
        [one] { $n } point for agreement stays.
       *[other] { $n } points for agreement stay.
    }
results-points = points
results-found-short = found
results-share = { $found } of { $of }
results-illegal-short = not legal
results-missed = Missed
results-nothing = Nothing: you found every legal move.
results-illegal = On your list, but not legal
results-found = Found

## Account

account-title = Account
account-new-phrase = Your recovery phrase
account-phrase-text = Write it down now: it is not shown again. On another device, or when cookies were deleted, it brings back your name, your points and your lists. Who has it is you. An earlier phrase is void.
account-you = You are { $name }, person number { $id }, with { $points } and { $lists }.
account-you-anonymous = You are person number { $id }, with { $points } and { $lists }.
account-lists =
    { $n ->
        [0] no lists
        [one] { $n } list
       *[other] { $n } lists
    }
account-name = Name
account-name-label = On the leaderboard
account-name-hint = Empty: anonymous. Nobody else can have the same name.
account-other-device = The same person on another device
account-cookie = Your browser is known by a cookie. A recovery phrase makes you the same person elsewhere.
account-has-phrase = You have one; a new one replaces it.
account-no-phrase = You have none yet.
account-replace = Replace the phrase
account-make = Make a recovery phrase
account-unknown = This browser is not known yet. You need no account: <a>list the moves of a position</a>, and there is one.
account-recover = I have a recovery phrase
account-phrase-label = Recovery phrase
account-phrase-hint = Twenty letters and digits.
account-becomes = This browser then is that person; what it has listed until now stays with the person it was.
account-be = Be that person
account-data = Your data
account-data-text = Everything that is stored about you, as a JSON file. <a>What is kept, and for how long</a>
account-download = Download my data
account-leave = Leave this browser
account-leave-back = Your recovery phrase brings you back.
account-leave-lost = Without a recovery phrase there is no way back to your points and lists.
account-leave-go = Leave
account-delete = Delete everything
account-delete-text = Your name, sessions, lists and points are deleted for good. Test cases that your lists helped to make stay: they hold only how many people listed each move.
account-delete-sure = I want that
account-not-sure = Say first that you want it.
account-delete-go = Delete me
account-deleted = Your name, sessions, lists and points are deleted.
