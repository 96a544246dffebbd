### The texts of the pages, in English. docs/crowd.md describes how a language is added.
### <a> and </a> enclose a link. Names after $ stand for what the page puts there; every language has the same ones.

language-name = English

## The frame of every page

skip = Skip to content
nav = Main
nav-lists = My lists
nav-leaderboard = Leaderboard
nav-cases = Test cases
nav-play = Play
theme = Colours
theme-system = System
theme-light = Light
theme-dark = Dark
foot-class = Classes and quizzes
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
passant-on = on { $square }, which a pawn has just passed
position-label = The position { $fen }

## The board

board-label = Chessboard
board-label-turn =
    Chessboard, { $side ->
        [white] white
       *[black] black
    } to move
board-keys = { $label }. Move with the arrow keys, pick up and put down with Enter.
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

## Contribute

name-keep = Save name
flip = Flip the board
undo = Undo
fact-turn = To move
fact-castling = Castling
fact-passant = En passant
type-label = Type a move
type-add = Add
type-hint = As in e2e4, Nf3, exd5, e8=Q, O-O.
which = Which one?
which-say = Which one? There are { $n } possibilities.
which-from = from { $square }
finish = Finish
next-position = Next position

## Contribute: typed moves

typed-unread = “{ $text }” is not a move. Try e2e4, Nf3, exd5, e8=Q or O-O.
typed-same = A move must leave { $square }.
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
    } can reach { $to }, even on an empty board. To list the move anyway, type both squares.
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
    } on { $from } can reach { $to }, even on an empty board. To list the move anyway, type both squares.
typed-no-promotion = Only a pawn that reaches its last rank is promoted.
typed-no-king =
    There is no { $side ->
        [white] white
       *[black] black
    } king.
typed-no-rook = You have no rook on that side of the king.
typed-no-room = There is no room to castle on that side.

## Contribute: the list and the questions

remove-move = Remove { $move }
move-twice = { $move } is already on your list.
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
question-progress =
    { $n ->
        [0] Question { $at } of { $of }; no answers given
        [one] Question { $at } of { $of }; { $n } answer given
       *[other] Question { $at } of { $of }; { $n } answers given
    }
finish-answers-text =
    { $n ->
        [0] You gave no answers.
        [one] You gave { $n } answer.
       *[other] You gave { $n } answers.
    }
finish-answers-open =
    { $n ->
        [one] { $n } question is still open and will not count.
       *[other] { $n } questions are still open and will not count.
    }
finish-answers-fixed = You cannot change your answers afterwards.
finish-list-text =
    { $n ->
        [one] You listed { $n } move. You cannot change the list afterwards.
       *[other] You listed { $n } moves. You cannot change the list afterwards.
    }
finish-list-none = Your list is empty: that means there is no legal move here. You cannot change it afterwards.
skip-moves =
    { $n ->
        [0] Skip this position?
        [one] Skip and discard { $n } move?
       *[other] Skip and discard { $n } moves?
    }
skip-text = Someone else will get this position.
skip-stay = Stay here
skip-go = Skip
skip-failed = Cannot skip right now: the server cannot be reached. Your list is safe.
skip-none-left = You have used all your skips for today. Your list is still here.
partner-waiting = Waiting for a partner. You can already start.
partner-joined = Your partner is listing too.
partner-away = Your partner has left the page. Your list still counts.
partner-finished = Your partner has finished.

## Contribute: the network, and what fails

finishing = Finishing…
try-again = Try again
busy-wait =
    { $n ->
        [one] The server is busy. Trying again in one second…
       *[other] The server is busy. Trying again in { $n } seconds…
    }
unreachable = Cannot reach the server. Are you online?
news =
    { $n ->
        [one] One of your lists now has a result.
       *[other] { $n } of your lists now have results.
    }

## Contribute: thanks, and what a list teaches

result-held = This list looks as if a program made it, so it does not count yet. A moderator will take a look.
result-late = The answer was published before you finished, so this list does not count.
result-closed = A moderator closed this position without a definite answer, so nobody gets points for it.
result-points =
    { $n ->
        [0] No points this time.
        [one] You get { $n } point.
       *[other] You get { $n } points.
    }
result-tap = Tap a move to see it on the board.
lesson-missed = Missed: { $n }
lesson-illegal = Not legal: { $n }
lesson-right = Right: { $n }

## Play: the review of a game

game-review = Review
game-review-at = Evaluating position { $ply } of { $last }…
game-review-failed = No review: { $why }.
game-review-found =
    { $n ->
        [0] No serious mistakes.
        [one] One serious mistake.
       *[other] { $n } serious mistakes.
    }
game-review-blunder = blunder
game-review-mistake = mistake
game-review-inaccuracy = inaccuracy
game-review-turn = { $move }, { $mark }: from { $before } to { $after }

## My lists

lists-title = My lists
lists-none = You have no lists yet.
lists-unknown = This browser has no lists yet.
lists-all-here = Every list you start appears here, with its result once the position is closed.
lists-begin = List the moves of a position
lists-phrase = I have a recovery phrase
lists-order = Newest first. Your lists belong to your <a>account</a>.
lists-new = new
lists-open = Unfinished: continue
lists-expired = Time ran out
lists-waiting = Waiting for other people’s lists
lists-held = Waiting for a moderator
lists-closed = Closed without an answer
lists-right = { $right } of { $of } right, { $points }
lists-earlier = Earlier lists

## The page of a list

results-turn =
    { $side ->
        [white] White
       *[black] Black
    } to move
results-share = { $found } of { $of }
results-found = Found

## Account

account-title = Account
account-new-phrase = Your recovery phrase
account-phrase-text = Write it down now: it will not be shown again. It brings back your name, points and lists on another device, or when your cookies are gone. Anyone who has it can sign in as you. An earlier phrase no longer works.
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
account-name-hint = Leave it empty to stay anonymous. No two people can have the same name.
name-taken = Someone else has this name; capital letters make no difference.
phrase-bad = A recovery phrase has twenty letters and digits.
phrase-unknown = Nobody has this phrase. It may be mistyped, or a newer one has replaced it.
account-other-device = Use another device
account-cookie = A cookie keeps you signed in on this browser. A recovery phrase signs you in anywhere else.
account-has-phrase = You have one. A new one replaces it.
account-no-phrase = You do not have one yet.
account-replace = Replace the phrase
account-make = Make a recovery phrase
account-unknown = This browser has no account yet. You do not need to sign up: <a>list the moves of a position</a> and you have one.
account-recover = I have a recovery phrase
account-phrase-label = Recovery phrase
account-phrase-hint = Twenty letters and digits.
account-becomes = You then go on as that person here. What you have listed in this browser stays with its present account.
account-be = Sign in
account-data = Your data
account-data-text = Everything stored about you, as a JSON file. <a>What is kept, and for how long</a>
account-download = Download my data
account-leave = Sign out
account-leave-back = Your recovery phrase lets you back in.
account-leave-lost = Without a recovery phrase you cannot get back to your points and lists.
account-leave-go = Sign out
account-delete = Delete everything
account-delete-text = Your name, sessions, lists and points are deleted for good. Test cases that your lists helped to make stay: they hold only how many people listed each move.
account-delete-sure = Yes, delete everything about me
account-not-sure = Please confirm first.
account-delete-go = Delete my account
account-deleted = Your name, sessions, lists and points are deleted.

## Pictures of positions

drawing-arrow = { $from } to { $to }
drawing-arrows = Arrows: { $arrows }.

## Home, and the board of the day

time = Time
is-that-all = Is that all of them?
go-on-looking = Keep looking
day-finished = finished
missed-by = missed by { $n }
play-from-here = Play from here

## The board of the day: the list and its result

wrong-n = { $n } not legal
move-kind =
    { $kind ->
        [capture] Captures
        [king] King
        [castling] Castling
        [en-passant] En passant
        [promotion] Promotion
       *[ordinary] Ordinary
    }

## Why a move is legal or not

the-piece =
    { $kind ->
        [p] the pawn
        [n] the knight
        [b] the bishop
        [r] the rook
        [q] the queen
       *[k] the king
    } on { $square }
the-piece-object =
    { $kind ->
        [p] the pawn
        [n] the knight
        [b] the bishop
        [r] the rook
        [q] the queen
       *[k] the king
    } on { $square }
the-piece-indirect =
    { $kind ->
        [p] the pawn
        [n] the knight
        [b] the bishop
        [r] the rook
        [q] the queen
       *[k] the king
    } on { $square }
list-and = { $first } and { $last }
list-or = { $first } or { $last }
reason-takes = { $piece } takes { $taken }
reason-king-takes = { $piece } takes { $taken }, which is not protected
reason-king-steps = the king steps to { $to }, which is not attacked
reason-jumps = { $piece } jumps to { $to }
reason-two-squares = { $piece } has not moved and goes two squares ahead, both empty
reason-one-square = { $piece } goes one square ahead
reason-along-file = { $piece } goes along the file to { $to }, and nothing stands in its way
reason-along-rank = { $piece } goes along the rank to { $to }, and nothing stands in its way
reason-along-diagonal = { $piece } goes along the diagonal to { $to }, and nothing stands in its way
reason-castles =
    { $side ->
        [white] White
       *[black] Black
    } may castle with { $rook }, nothing stands in the way, and none of { $squares } is attacked
reason-castles-in-place =
    { $side ->
        [white] White
       *[black] Black
    } may castle with { $rook }, nothing stands in the way, and { $squares } is not attacked
reason-en-passant = it takes { $pawn } en passant, which has just made a double step
reason-takes-checker = it captures { $taken }, which gives check
reason-gives-check = { $giver } gives check
reason-leaves-check = the king leaves the check of { $objects }, and { $to } is not attacked
reason-blocks-check = it blocks the check of { $checker }
reason-takes-pinner = { $piece } takes { $pinner }, which pins it
reason-along-pin = { $piece } stays on the line of { $pinner }, which pins it
reason-becomes =
    the pawn becomes a { $promotion ->
        [r] rook
        [b] bishop
        [n] knight
       *[q] queen
    } on { $to }
reason-empty = { $from } is empty
reason-not-yours =
    { $piece } is { $owner ->
        [white] White
       *[black] Black
    }'s, and it is { $side ->
        [white] White
       *[black] Black
    }'s move
reason-moves =
    a { $kind ->
        [n] knight
        [b] bishop
        [r] rook
        [q] queen
       *[k] king
    } does not move from { $from } to { $to }; it { $kind ->
        [n] jumps two squares straight and one to the side
        [b] goes along diagonals
        [r] goes along ranks and files
        [q] goes along ranks, files and diagonals
       *[k] goes one square
    }
reason-pawn-moves =
    a { $side ->
        [white] white
       *[black] black
    } pawn does not move from { $from } to { $to }; it goes one square ahead, two from its first rank, and captures diagonally
reason-own-piece =
    { $other } is { $side ->
        [white] White
       *[black] Black
    }'s own
reason-path-blocked = { $other } stands between { $mover } and { $to }
reason-pawn-ahead = { $piece } does not capture straight ahead, and { $other } stands there
reason-pawn-diagonally = a pawn goes diagonally only to capture, and { $to } is empty
reason-double-step =
    a pawn goes two squares only from the { $rank ->
        [2] second
       *[7] seventh
    } rank, and this one stands on { $from }
reason-too-late = { $other } has not just made a double step, so it cannot be taken en passant
reason-must-promote = a pawn that reaches { $to } becomes a queen, rook, bishop or knight, and the move does not say which
reason-promoted-there =
    a pawn is promoted on the { $rank ->
        [1] first
       *[8] eighth
    } rank, not on { $to }
reason-only-pawns =
    only a pawn is promoted, { $piece } cannot become a { $promotion ->
        [r] rook
        [b] bishop
        [n] knight
       *[q] queen
    }
reason-king-steps-into =
    the king would step to { $to }, which { $pieces } { $n ->
        [one] attacks
       *[other] attack
    }
reason-through-king =
    { $pieces } { $n ->
        [one] attacks
       *[other] attack
    } { $to } too, through the king on { $king }
reason-protected =
    the king cannot take { $taken }, which { $pieces } { $n ->
        [one] protects
       *[other] protect
    }
reason-kings = on { $to } the king would stand next to { $neighbour }
reason-double-check = { $pieces } give check at once, so the king on { $king } must move
reason-not-captured = the king on { $king } stays in check from { $checker }, as the move does not capture it
reason-not-answered = the king on { $king } stays in check from { $checker }, as the move neither captures it nor blocks on { $squares }
reason-both-pawns =
    capturing en passant takes both pawns off the { $rank ->
        [4] fourth
       *[5] fifth
    } rank and { $pieces } { $n ->
        [one] attacks
       *[other] attack
    } the king on { $king }
reason-pinned = { $piece } is pinned to the king on { $king } by { $objects }
reason-no-right =
    { $side ->
        [white] White
       *[black] Black
    } has no right to castle with { $rook }
reason-no-right-short =
    { $side ->
        [white] White
       *[black] Black
    } has no right to castle on the king's side
reason-no-right-long =
    { $side ->
        [white] White
       *[black] Black
    } has no right to castle on the queen's side
reason-castling-blocked = { $blocker } stands in the way of { $blocked }, which would go to { $goal }
reason-out-of-check = the king on { $king } is in check from { $objects }
reason-passes-over =
    the king would pass over { $path }, which { $pieces } { $n ->
        [one] attacks
       *[other] attack
    }
reason-lands-on =
    the king would land on { $path }, which { $pieces } { $n ->
        [one] attacks
       *[other] attack
    }
reason-rook-leaves =
    once the rook has left { $corner }, { $pieces } { $n ->
        [one] attacks
       *[other] attack
    } the king on { $goal }

## Classes and quizzes

theme-title =
    { $theme ->
        [ordinary] Ordinary positions
        [castling] Castling
        [en-passant] En passant
        [promotion] Promotion
        [pins] Pins
        [check] Check and double check
       *[mixed] A bit of everything
    }
theme-about =
    { $theme ->
        [ordinary] As they occur in games: many pieces, no tricks.
        [castling] May the king castle here, and to which side?
        [en-passant] A pawn that has just moved two squares can be captured. Always?
        [promotion] One step, four moves: queen, rook, bishop, knight.
        [pins] A piece that shields its king may move, but where to?
        [check] Capture the checking piece, block it, or move the king. In double check only the king can move.
       *[mixed] A few positions of each kind, the short ones first.
    }
steps = Positions
position-n = Position { $n }
minutes =
    { $n ->
        [0] none
        [one] { $n } minute
       *[other] { $n } minutes
    }
class-name = Class { $code }
class-positions =
    { $n ->
        [one] One position.
       *[other] { $n } positions.
    }
class-task = List every legal move of the side to move.
class-task-limit = List every legal move of the side to move, each within { $limit }.
class-answers-each = You see the answers after each position.
class-answers-end = You see the answers when you have finished them all.
class-your-name = Your name in this class
class-name-hint = Your teacher sees it beside your lists. It need not be your real name.
class-begin = Begin
class-learn = Learn the rules by listing moves
class-lead = List every legal move of a position and see right away what you overlooked, and why.
class-have-code = I have a code
class-code-label = The code of your class
class-no-code = A class code has six letters and digits, like B7K-2QX.
class-unknown = No class has this code. It may be mistyped, or the class was deleted.
class-enter = Enter
class-alone = I’m on my own
class-alone-text = Ten positions about castling, en passant, pins, or a bit of everything.
class-take-quiz = Take a quiz
class-teach = I teach
class-teach-text = Choose a set, give your students a link, and see in a table what they found and what they missed. No accounts needed.
class-make = Make a class
class-new = A new class
class-new-lead = You get two links: one for your students, and one for you with the table of their results.
class-bad-lines =
    { $n ->
        [one] One line cannot be used:
       *[other] { $n } lines cannot be used:
    }
place = Line { $line }, column { $column }
class-title = Title
class-title-example = Castling, first lesson
class-bad-title = A title has 1 to 80 characters.
class-built-in = Built in
class-theme = Theme
class-how-many = How many
class-own = My own
class-fens = FENs, one per line
class-fens-hint = At most { $n }, standard chess only. Blank lines and lines starting with # are skipped.
class-fens-board = You can set up a position and copy its FEN on the <a>board</a>.
class-limit = Time limit for each position
class-answers = Students see the answers
class-after-each = after each position
class-after-all = when they have finished everything
class-make-it = Make the class
class-kept = Everything about the class is deleted after { $n } days, or as soon as you delete it.
class-you-are = You are { $name } here.
class-somebody-else = Someone else is using this computer now
class-gone = This class no longer exists: its teacher deleted it, or its time ran out.
join-bad-name = A name has 1 to 32 characters.
join-nickname-taken = Another student of this class has that name.
join-class-full = The class is full.
step-open = open
all-results = All results
after-time = too late
run-finished = Finished
quiz = Quiz
quiz-title = Quizzes
quiz-lead = Each has { $n } positions. List every legal move and see right away what you overlooked.
quiz-teach = Do you teach? <a>Make a class</a> of the same positions or of your own.
teach-results = Results
teach-for-students = For your students
teach-copy = Copy the students’ link
teach-copy-own = Copy your link
teach-copied = Copied
teach-link-copied = The link is copied.
teach-copy-failed = Copy it from the address bar or from the link
teach-for-you = For you alone
teach-key = Only the address of this page opens the results. Bookmark it, and do not share it.
teach-this-page = This page
teach-limit = Time limit: { $limit }.
teach-answers-each = Answers after each position.
teach-answers-end = Answers at the end.
teach-deleted = Deleted on { $at }.
teach-students =
    { $n ->
        [one] One student, { $finished } finished
       *[other] { $n } students, { $finished } finished
    }
teach-csv = Download as CSV
teach-nobody = Nobody has joined yet. New results appear here automatically.
teach-caption = Moves found out of all legal moves; a minus counts illegal moves listed
teach-student = Student
teach-illegal = Illegal
teach-illegal-moves = illegal moves
teach-late = late
teach-by-all = Found by all
teach-kinds = By kind of move
teach-kinds-caption = Moves found out of all legal moves of the finished positions
teach-all = All
teach-arrows = The arrows show the moves missed most often.
teach-share =
    { $n ->
        [one] { $percent } % of its { $legal } moves found, on { $n } list.
       *[other] { $percent } % of its { $legal } moves found, on { $n } lists.
    }
teach-no-move =
    { $n ->
        [one] No legal move, on { $n } list.
       *[other] No legal move, on { $n } lists.
    }
listed-but = listed by { $n }, but { $why }
teach-remove = Remove a student
teach-remove-lead = The student’s lists are deleted. The name is free again, for example for someone coming back on another device.
teach-remove-nobody = Nobody has joined yet.
teach-remove-go = Remove
teach-back = Back to the results
teach-choose = Choose one
teach-delete = Delete this class
teach-delete-sure = Delete the class, its students and all their lists for good
teach-delete-go = Delete the class

## Checking a list of moves

check-title = Check a list of moves
check-lead = Paste a position and a list of its moves, or what your engine prints for <code>go perft</code> or <code>divide</code>. The board shows what is missing or wrong, and why. Nothing is stored.
check-legend = Solid: missing. Dashed: wrong. Dotted: different count.
check-first-arrows = The first { $n } are drawn.
check-right = Right and complete
check-not-right = Not right yet
check-summary =
    { $n ->
        [one] { $n } legal move, { $listed } listed.
       *[other] { $n } legal moves, { $listed } listed.
    }
check-counts =
    { $n ->
        [0] Counts compared at depth { $depth }: all agree.
        [one] Counts compared at depth { $depth }: { $n } differs.
       *[other] Counts compared at depth { $depth }: { $n } differ.
    }
check-total-right = The node count at depth { $depth } is right.
check-no-total = No number in the text is a node count:
check-total = depth { $depth } has { $nodes }
check-too-deep = The counts are too large to compare here; a smaller depth shows the same error sooner.
check-missing = Missing: { $n }
check-line = Line { $line }
check-counts-title = Different counts: { $n }
check-counts-text = There is an error somewhere below these moves. Follow one: run your engine at depth { $depth } in the position after it.
check-count = counted { $given }, should be { $right }
check-after = The position after { $move }
check-repeated = Repeated: { $n }
check-repeated-on = already on line { $line }
check-unreadable = Unreadable: { $n }
check-unread = not a move
check-position = Position (FEN)
check-bad-position = The position cannot be read:
check-list = Moves, or the output of divide
check-hint = For example <code>e2e4 d2d4 g1f3</code>, <code>e4 d4 Nf3</code>, a list as Python or JSON, or lines like <code>e2e4: 600</code>. Other words are ignored.
check-go = Check

## Positions with their answers, and test cases

pager = Pages
pager-previous = Previous
pager-page = Page { $n } of { $of }
pager-next = Next
legal-moves =
    { $n ->
        [0] no legal move
        [one] { $n } legal move
       *[other] { $n } legal moves
    }
position-open =
    { $why ->
        [people] People agree: it is a test case.
        [agreed] People and the generator agree: it is a test case.
        [gold] Its moves were known from the start; it shows how accurate lists are.
       *[retired] A moderator has closed it.
    }
position-lists =
    { $n ->
        [one] { $n } list so far.
       *[other] { $n } lists so far.
    }
position-moves =
    { $n ->
        [one] The { $n } legal move
       *[other] The { $n } legal moves
    }
position-mistakes = Listed by some, but illegal
cases-lead = Positions where people and the move generator list the same legal moves, each with its source.
cases-none = None yet: every list brings the first one closer. <a>List some moves.</a>
cases-count =
    { $n ->
        [one] { $n } test case
       *[other] { $n } test cases
    }
cases-hardest = EPD, hardest first
cases-certified =
    { $n ->
        [one] { $n } list, certified { $day }
       *[other] { $n } lists, certified { $day }
    }
share-overlooked = { $share } overlooked

## The leaderboard

period-all = All time
period-week = This week
period-last-week = Last week
period-day = Today
leaderboard-lead = Ranked by the share of moves you get right; a few lucky hits count for less than many moves.
leaderboard-period = Period
leaderboard-mine = Show my place
leaderboard-empty = Nobody is on this board yet. <a>Be the first.</a>
leaderboard-caption = You get points for positions whose answer is known. Weeks start on Monday at midnight UTC.
leaderboard-place = Place
leaderboard-points = Points
leaderboard-lists = Lists
leaderboard-right = Moves right
leaderboard-you = you
anonymous = anonymous { $n }

## What people overlook

overlooked-hardest = The hardest positions

## About

about-title = About
about-lead = Touchstone crowd { $version } collects lists of legal moves from people and turns those that agree into test cases for chess programs.
about-kept = What is kept about you
about-number = A number, your name (if you gave one), and the SHA-256 of the cookie that recognises your browser and of your recovery phrase (if you made one).
about-steps = Every step of your lists with its time by your own clock, and when you got and finished each position; for the board of the day, the finished list and its time.
about-how-long = How long: a session ends after a year; people who never started a list or a board of the day are forgotten after 30 days; everything else is kept until you delete it. You can download and delete it on <a>your account page</a>. Test cases stay: they only hold how many people listed each move.
about-classes = In a <a>class</a>: the name you chose there and your lists, visible only to its teacher. All of it is deleted 180 days after the class was made, or when the teacher deletes it.
about-nothing-else = No address, no email, no password, nothing that your browser says about itself. If you choose a language, a cookie remembers it. There are no third-party cookies, and nothing is loaded from other sites.
about-public = Names, points and places are public; lists are public only as part of totals.
about-ideas = Ideas
about-thesis = The crowdsourced verifier, and the 26 positions of the first campaign, come from:
about-pairs = Two strangers who earn points by agreeing:
about-weights = How much each person’s answers weigh:
about-order = The order of leaderboards:
about-free = Free to use
about-free-text = The test cases may be used for any purpose. The source is under the MIT or the Apache 2.0 licence, at your choice. Programs may use the <a>API</a>.

## Pages that say what went wrong, by the kinds of problems

error-title = That did not work
error-not-found = There is nothing here
error-not-found-help = The address may be mistyped, or what was here is gone.
error-bad-request = That cannot be read
error-bad-request-help = Something in the address or in the form is not as it should be. Nothing was changed.
error-cross-site = Nothing was done
error-cross-site-help = The request came from another site. Open the page here and try again.
error-too-large = That is too large
error-too-large-help = Nothing was changed. Send less at once.
error-too-many-requests = Not so fast
error-too-many-requests-help = More came from your browser or network than we can answer.
error-busy = We are busy
error-busy-help = Nothing was changed.
error-internal = Something went wrong here
error-internal-help = It is our fault. Please try again in a minute.
error-no-session = This belongs to another browser
error-no-session-help = A list can be seen only where it was made. <a>Start one of your own</a>
error-unknown-list = There is no such list
error-unknown-list-help = The address may be mistyped, or the list is somebody else’s.
error-no-class = There is no such class
error-no-class-help = Its teacher has deleted it, or its time is over.
error-wait =
    { $n ->
        [one] Please try again in one second.
       *[other] Please try again in { $n } seconds.
    }
error-home = Back to the start

## Play

game = Game
games = Games
game-noscript = The board needs JavaScript.
game-board = Board
game-board-label = Board of the game
game-evaluation = Evaluation
game-flip = Flip
game-hint = Hint
game-sound = Sound
game-moves = Moves
game-move-table = Table of moves
game-moves-caption = The moves of the game
game-number = No.
game-no-move = No move has been played.
game-steps = Go through the moves
game-first = First position
game-previous = Previous move
game-next = Next move
game-last = Last position
game-new = New game
game-claim-draw = Claim a draw
game-offer-draw = Offer a draw
game-resign = Resign
game-set-up = Set up a position
game-help = Keys, rules, FEN
game-help-keys = The left and right arrow keys step through the moves, Home and End jump to the first and last. On the board, the arrow keys move between squares, and Enter picks up and puts down.
game-help-premove = A move made before it is your turn is a premove: it is played as soon as it is legal. Tap the board or press Escape to cancel it.
game-help-flag = If a player runs out of time, the game is a draw if the other side has only its king.
game-opponent = Opponent
game-two-people = Two players on this board
game-strength = Strength
game-level = Level { $n }: { $strength }
game-full-strength = full strength
game-you-play = You play
game-by-chance = Random
game-start = Start
game-begin = Start
game-standard = Standard chess
game-960 = Chess960
game-from-fen = A position (FEN)
game-960-number = Number, 0 to 959
game-960-hint = Leave it empty for a random one. 518 is standard chess.
game-free-castling = Castling as in Chess960
game-clock = Clock
game-no-clock = None
game-plus = + { $n } seconds
game-other-clock = Custom
game-minutes = Minutes
game-seconds = Seconds
game-increment = Seconds per move
game-piece-to-put = Piece to place
game-editor-hint = Choose a piece, then its squares. With the keyboard: arrow keys move, Enter places the piece, KQRBNP and kqrbnp place white and black ones, Delete clears a square.
game-white-short = White, kingside
game-white-long = White, queenside
game-black-short = Black, kingside
game-black-long = Black, queenside
game-passant-on = En passant on
game-start-position = Start position
game-empty-board = Empty board
game-board-as-is = Board as it is
game-read = Read
game-save-as = Save this game as
game-save = Save
game-saved-here = Saved in this browser
game-none-saved = No saved games yet.
game-as-file = As a file
game-download = Download this game
game-open-file = Open a file
game-close = Close
game-this = This game
game-copy = Copy
game-download-pgn = Download
game-open-games = Open games
game-pgn-label = PGN of one game or several
game-offline = Cannot reach the server. Your game is safe here.
game-busy = The server is busy.
game-no-answer = The server could not answer: { $why }.
game-resign-ask = Resign this game?
game-resigns =
    Does { $side ->
        [white] White
       *[black] Black
    } resign?
game-play-on = Play on
game-offers =
    { $side ->
        [white] White offers a draw. Does Black agree?
       *[black] Black offers a draw. Does White agree?
    }
game-agree = Agree to a draw
game-hint-is = Hint: { $move }
game-no-hint = No hint: { $why }
game-premove = Premove: { $from } to { $to }. Press Escape to cancel.
game-premove-cancelled = Premove cancelled.
game-not-legal = { $move } is not legal here
game-illegal = { $move } is not legal: { $why }
game-clock-of =
    { $side ->
        [white] White
       *[black] Black
    }'s clock
game-waits = Your move is waiting to be sent.
game-at-first = The first position
game-after = After { $move }
game-go-last = ; go to the last position to play on
game-in-check = , in check
game-thinking =
    touchstone is thinking as { $side ->
        [white] White
       *[black] Black
    }
game-may-claim = You can claim a draw: { $claim }.
game-claim =
    { $claim ->
        [threefold-repetition] threefold repetition
       *[fifty-moves] fifty moves
    }
game-engine = touchstone, level { $level }
game-result =
    { $who ->
        [white] White wins
        [black] Black wins
        [draw] Draw
       *[none] The game is not decided
    }
game-reason =
    { $reason ->
        [checkmate] by checkmate
        [stalemate] by stalemate
        [insufficient-material] because neither side can mate
        [fivefold-repetition] by fivefold repetition
        [seventy-five-moves] by the seventy-five-move rule
        [threefold-repetition] by threefold repetition, claimed
        [fifty-moves] by the fifty-move rule, claimed
        [resignation] by resignation
        [agreement] by agreement
        [time] on time
       *[time-lone-king] because the flag fell and the other side has only its king
    }
game-mate =
    mate in { $n } for { $side ->
        [white] White
       *[black] Black
    }
game-no-room = the browser has no room left, or stores nothing for this site
game-open = Open
game-open-named = Open { $name }
game-delete = Delete
game-delete-named = Delete { $name }
game-clock-empty = the clock needs some time: minutes or seconds
game-fen-empty = the FEN is empty
san-short = castles kingside
san-long = castles queenside
san-check = , check
san-mate = , checkmate
san-from = { $piece } from { $from }
san-to = { $piece } { $to }
san-takes = { $piece } takes { $to }
san-becomes =
    , becomes a { $kind ->
        [r] rook
        [b] bishop
        [n] knight
       *[q] queen
    }
plies =
    { $n ->
        [one] { $n } ply
       *[other] { $n } plies
    }
pieces-counted =
    { $n ->
        [one] { $kind ->
            [p] pawn
            [n] knight
            [b] bishop
            [r] rook
           *[q] queen
        }
       *[other] { $n } { $kind ->
            [p] pawns
            [n] knights
            [b] bishops
            [r] rooks
           *[q] queens
        }
    }
taken-list = Has taken: { $pieces }.
taken-lead =
    { $n ->
        [one] { $n } point ahead.
       *[other] { $n } points ahead.
    }
evaluation-is = Evaluation: { $text }
evaluation-seen = Evaluation from White’s side: { $text }
evaluation-over = the game has ended
evaluation-unknown = not available right now
editor-board = Position being set up
editor-empty-square = empty square
editor-no-square = no square
editor-read-as = This is read as { $fen }. Press again to play from there.
file-not-json = not a game file: it is not JSON
file-version = not a game file of version { $version }
file-moves = the file’s moves are not a list of at most { $n } moves
file-fen = the file’s first position is not a FEN
file-large = the file is larger than 1 MiB
pgn-copied = Copied.
pgn-copy-failed = The browser does not allow copying. The text is selected: copy it by hand.
pgn-none = there is no game in this text
pgn-more = there are more games than can be read

## The page where lists are made

task = Find every legal move for { $side ->
    [white] White
   *[black] Black
    }
task-review = Is this move possible?
campaign-title = Find every legal move
list-noscript = Listing moves needs JavaScript. You can read <a>the test cases</a> without it.
list-empty = Move the pieces: each move is added here, and the piece goes back. The board takes any move, legal or not.
type-moves = Type moves
skip-position = Skip
your-list = Your moves
question = Is this possible: { $move }?
answer-yes = Yes
answer-no = No
answer-back = Back
offline = { $n ->
    [0] Offline. Your list will be sent automatically.
    [one] Offline: 1 move waiting. It will be sent automatically.
   *[other] Offline: { $n } moves waiting. They will be sent automatically.
    }
not-sent = { $n ->
    [0] The server is busy. Your list will be sent automatically.
    [one] The server is busy: 1 move waiting. It will be sent automatically.
   *[other] The server is busy: { $n } moves waiting. They will be sent automatically.
    }
nothing-left = You have listed every position there is. Come back when there are new ones.
list-gone = This list can no longer be changed.
list-stranger = This browser is no longer signed in.
list-sent = { $n ->
    [0] Your empty list is in.
    [one] Your list is in: 1 move.
   *[other] Your list is in: { $n } moves.
    }
answers-sent = { $n ->
    [one] Your answer is in.
   *[other] Your { $n } answers are in.
    }
answers-right = { $n } of { $of } answers right
found-all = { $n ->
    [0] Right: there is no legal move
    [one] You found the only legal move!
   *[other] You found all { $n } moves!
    }
found-some = { $n } of { $of }: { $missed } missed
and-illegal = { $n ->
    [one] (and one that is not legal)
   *[other] (and { $n } that are not legal)
    }
and = { $some } and { $last }
number = { $n ->
    [2] two
    [3] three
    [4] four
    [5] five
    [6] six
    [7] seven
    [8] eight
    [9] nine
    [10] ten
    [11] eleven
    [12] twelve
   *[other] { $n }
    }
moves-of-kind = { $kind ->
    [n] { $n ->
        [one] a knight move
       *[other] { $number } knight moves
        }
    [b] { $n ->
        [one] a bishop move
       *[other] { $number } bishop moves
        }
    [r] { $n ->
        [one] a rook move
       *[other] { $number } rook moves
        }
    [q] { $n ->
        [one] a queen move
       *[other] { $number } queen moves
        }
    [k] { $n ->
        [one] a king move
       *[other] { $number } king moves
        }
    [castling] { $n ->
        [one] castling
       *[other] castling on both sides
        }
    [passant] { $n ->
        [one] an en passant capture
       *[other] { $number } en passant captures
        }
    [promotion] { $n ->
        [one] a promotion
       *[other] { $number } promotions
        }
   *[p] { $n ->
        [one] a pawn move
       *[other] { $number } pawn moves
        }
    }
result-lacking = { $n ->
    [one] 1 more list makes this a test case for chess programs.
   *[other] { $n } more lists make this a test case for chess programs.
    }
result-waiting = A moderator looks at this position. The result will be in your lists.
result-hidden = You will see the answers when you have finished every position.
result-too-late = It came after the time was up, so it does not count.
day-first = You are the first today.
day-beaten =
    { $others ->
        [one] { $beaten ->
            [0] One other person did better today.
           *[other] You did better than the one other person today.
        }
       *[other] { $beaten ->
            [0] All { $others } others did better today.
           *[other] You did better than { $beaten } of { $others } people today.
        }
    }
day-streak =
    { $n ->
        [one] Day 1 of your streak.
       *[other] { $n } days in a row.
    }
agreement = { $points ->
    [one] You and your partner agree on { $both } moves: 1 point each.
   *[other] You and your partner agree on { $both } moves: { $points } points each.
    }
offer-timed = Race the clock
offer-pair = Find a partner
step-sent = sent
you = You
purpose-campaign = List
purpose-timed = Race
purpose-pair = Pair
purpose-review = Second look
purpose-daily = Board of the day
purpose-class = Class
lists-hidden = The answers come when you have finished the class
lists-scored = Scored
nav-home = List moves
nav-class = Classes
nav-check = Check moves or perft
nav-account = Account
nav-about = About
nav-admin = Moderators
