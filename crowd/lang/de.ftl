### Die Texte der Seiten auf Deutsch. docs/crowd.md beschreibt, wie eine Sprache hinzukommt.
### <a> und </a> umschließen einen Link. Namen nach $ stehen für das, was die Seite einsetzt; jede Sprache hat dieselben.

language-name = Deutsch

## Der Rahmen jeder Seite

skip = Zum Inhalt springen
nav = Hauptmenü
nav-lists = Listen
nav-leaderboard = Rangliste
nav-cases = Testfälle
nav-play = Spielen
theme = Farben
theme-system = Auto
theme-light = Hell
theme-dark = Dunkel
foot-class = Klassen und Quiz
foot-languages = Sprache

## Zahlen

moves =
    { $n ->
        [0] keine Züge
        [one] { $n } Zug
       *[other] { $n } Züge
    }
answers =
    { $n ->
        [0] keine Antworten
        [one] { $n } Antwort
       *[other] { $n } Antworten
    }
points =
    { $n ->
        [0] keine Punkte
        [one] { $n } Punkt
       *[other] { $n } Punkte
    }

## Figuren, Stellungen und Züge

white = Weiß
black = Schwarz
piece =
    { $kind ->
        [p] Bauer
        [n] Springer
        [b] Läufer
        [r] Turm
        [q] Dame
        [k] König
       *[other] Figur
    }
white-piece =
    { $kind ->
        [p] weißer Bauer
        [n] weißer Springer
        [b] weißer Läufer
        [r] weißer Turm
        [q] weiße Dame
       *[k] weißer König
    }
black-piece =
    { $kind ->
        [p] schwarzer Bauer
        [n] schwarzer Springer
        [b] schwarzer Läufer
        [r] schwarzer Turm
        [q] schwarze Dame
       *[k] schwarzer König
    }
move-castling = Rochade, König von { $from } nach { $to }
move-taking =
    , schlägt { $kind ->
        [p] den Bauern
        [n] den Springer
        [b] den Läufer
        [r] den Turm
        [q] die Dame
       *[k] den König
    }
move-becoming =
    , Umwandlung in { $kind ->
        [r] einen Turm
        [b] einen Läufer
        [n] einen Springer
       *[q] eine Dame
    }
move-spoken = { $piece } von { $from } nach { $to }
rights = Weiß: { $white }. Schwarz: { $black }.
rights-both = beide Seiten
rights-king = kurz
rights-queen = lang
rights-file = mit dem Turm der { $file }-Linie
rights-none = keine
passant-on = auf { $square }: dort ist gerade ein Bauer vorbeigezogen
position-label = Die Stellung { $fen }

## Das Brett

board-label = Schachbrett
board-label-turn =
    Schachbrett, { $side ->
        [white] Weiß
       *[black] Schwarz
    } am Zug
board-keys = { $label }. Die Pfeiltasten wechseln das Feld, die Eingabetaste nimmt eine Figur auf und setzt sie ab.
board-empty = leer
board-bottom =
    { $side ->
        [white] Weiß
       *[black] Schwarz
    } ist unten
mark-last = letzter Zug
mark-legal = möglich
mark-check = im Schach
mark-chosen = ausgewählt
mark-premove = vorausgeplant
mark-held = aufgenommen
mark-from = von hier
mark-to = hierher
promotion-title = Der Bauer auf { $square } wird …
promotion-cancel = Abbrechen

## Mitmachen

name-keep = Namen speichern
flip = Brett drehen
undo = Zurücknehmen
fact-turn = Am Zug
fact-castling = Rochade
fact-passant = En passant
type-label = Zug eingeben
type-add = Hinzufügen
type-hint = Zum Beispiel e2e4, Nf3, exd5, e8=Q, O-O. Es gelten die englischen Buchstaben: K König, Q Dame, R Turm, B Läufer, N Springer.
which = Welche Figur?
which-say = Welche Figur? { $n } kommen infrage.
which-from = von { $square }
finish = Fertig
next-position = Nächste Stellung

## Mitmachen: eingetippte Züge

typed-unread = „{ $text }“ ist kein Zug. Schreib zum Beispiel e2e4, Nf3, exd5, e8=Q oder O-O.
typed-same = Ein Zug muss { $square } verlassen.
typed-no-piece =
    Auf { $square } steht keine { $side ->
        [white] weiße
       *[black] schwarze
    } Figur.
typed-other-piece =
    Die Figur auf { $square } ist { $kind ->
        [p] ein Bauer
        [n] ein Springer
        [b] ein Läufer
        [r] ein Turm
        [q] eine Dame
       *[k] ein König
    }.
typed-unreachable =
    { $side ->
        [white] Weiß
       *[black] Schwarz
    } hat { $kind ->
        [p] keinen Bauern, der
        [n] keinen Springer, der
        [b] keinen Läufer, der
        [r] keinen Turm, der
        [q] keine Dame, die
       *[k] keinen König, der
    } nach { $to } kommt, selbst auf leerem Brett. Um den Zug trotzdem aufzulisten, gib beide Felder an.
typed-unreachable-from =
    { $side ->
        [white] Weiß
       *[black] Schwarz
    } hat auf { $from } { $kind ->
        [p] keinen Bauern, der
        [n] keinen Springer, der
        [b] keinen Läufer, der
        [r] keinen Turm, der
        [q] keine Dame, die
       *[k] keinen König, der
    } nach { $to } kommt, selbst auf leerem Brett. Um den Zug trotzdem aufzulisten, gib beide Felder an.
typed-no-promotion = Nur ein Bauer, der die letzte Reihe erreicht, wird umgewandelt.
typed-no-king =
    Es gibt keinen { $side ->
        [white] weißen
       *[black] schwarzen
    } König.
typed-no-rook = Auf dieser Seite des Königs hast du keinen Turm.
typed-no-room = Auf dieser Seite ist kein Platz für die Rochade.

## Mitmachen: die Liste und die Fragen

remove-move = Entfernen: { $move }
move-twice = { $move } steht schon auf deiner Liste.
move-added =
    { $n ->
        [0] Hinzugefügt: { $move }; keine Züge auf deiner Liste.
        [one] Hinzugefügt: { $move }; { $n } Zug auf deiner Liste.
       *[other] Hinzugefügt: { $move }; { $n } Züge auf deiner Liste.
    }
move-removed =
    { $n ->
        [0] Entfernt: { $move }; keine Züge auf deiner Liste.
        [one] Entfernt: { $move }; { $n } Zug auf deiner Liste.
       *[other] Entfernt: { $move }; { $n } Züge auf deiner Liste.
    }
question-progress =
    { $n ->
        [0] Frage { $at } von { $of }; noch keine Antwort
        [one] Frage { $at } von { $of }; { $n } Antwort gegeben
       *[other] Frage { $at } von { $of }; { $n } Antworten gegeben
    }
finish-answers-text =
    { $n ->
        [0] Du hast keine Antwort gegeben.
        [one] Du hast { $n } Antwort gegeben.
       *[other] Du hast { $n } Antworten gegeben.
    }
finish-answers-open =
    { $n ->
        [one] { $n } Frage ist noch offen und zählt nicht.
       *[other] { $n } Fragen sind noch offen und zählen nicht.
    }
finish-answers-fixed = Danach lassen sich die Antworten nicht mehr ändern.
finish-list-text =
    { $n ->
        [one] Deine Liste hat { $n } Zug. Danach lässt sie sich nicht mehr ändern.
       *[other] Deine Liste hat { $n } Züge. Danach lässt sie sich nicht mehr ändern.
    }
finish-list-none = Deine Liste ist leer. Das heißt: Hier gibt es keinen legalen Zug. Danach lässt sie sich nicht mehr ändern.
skip-moves =
    { $n ->
        [0] Diese Stellung überspringen?
        [one] Überspringen und { $n } Zug verwerfen?
       *[other] Überspringen und { $n } Züge verwerfen?
    }
skip-text = Jemand anders bekommt diese Stellung.
skip-stay = Hierbleiben
skip-go = Überspringen
skip-failed = Überspringen geht gerade nicht: Der Server ist nicht erreichbar. Deine Liste bleibt erhalten.
skip-none-left = Du hast heute schon so oft übersprungen, wie es geht. Deine Liste ist noch da.
partner-waiting = Noch fehlt jemand. Du kannst schon anfangen.
partner-joined = Die andere Person sucht auch.
partner-away = Die andere Person hat die Seite verlassen. Deine Liste zählt trotzdem.
partner-finished = Die andere Person ist fertig.

## Mitmachen: das Netz, und was schiefgeht

finishing = Wird abgeschlossen …
try-again = Noch einmal versuchen
busy-wait =
    { $n ->
        [one] Der Server ist ausgelastet. Neuer Versuch in einer Sekunde …
       *[other] Der Server ist ausgelastet. Neuer Versuch in { $n } Sekunden …
    }
unreachable = Der Server ist nicht erreichbar. Bist du online?
news =
    { $n ->
        [one] Eine deiner Listen hat jetzt ein Ergebnis.
       *[other] { $n } deiner Listen haben jetzt ein Ergebnis.
    }

## Mitmachen: Dank, und was eine Liste lehrt

result-held = Diese Liste sieht aus, als wäre sie von einem Programm, und zählt deshalb noch nicht. Die Moderation sieht sie sich an.
result-late = Die Antwort wurde veröffentlicht, bevor du fertig warst. Deshalb zählt diese Liste nicht.
result-closed = Die Moderation hat diese Stellung ohne sichere Lösung geschlossen, deshalb bekommt niemand Punkte dafür.
result-points =
    { $n ->
        [0] Diesmal gibt es keine Punkte.
        [one] Du bekommst { $n } Punkt.
       *[other] Du bekommst { $n } Punkte.
    }
result-tap = Tippe einen Zug an, um ihn auf dem Brett zu sehen.
lesson-missed = Übersehen: { $n }
lesson-illegal = Nicht legal: { $n }
lesson-right = Richtig: { $n }

## Spielen: die Analyse einer Partie

game-review = Analyse
game-review-at = Stellung { $ply } von { $last } wird bewertet…
game-review-failed = Keine Analyse: { $why }.
game-review-found =
    { $n ->
        [0] Keine schweren Fehler.
        [one] Ein schwerer Fehler.
       *[other] { $n } schwere Fehler.
    }
game-review-blunder = grober Fehler
game-review-mistake = Fehler
game-review-inaccuracy = Ungenauigkeit
game-review-turn = { $move }, { $mark }: von { $before } auf { $after }

## Meine Listen

lists-title = Meine Listen
lists-none = Du hast noch keine Listen.
lists-unknown = Dieser Browser hat noch keine Listen.
lists-all-here = Jede Liste, die du beginnst, findest du hier, mit ihrem Ergebnis, sobald die Stellung geschlossen ist.
lists-begin = Züge einer Stellung finden
lists-phrase = Ich habe einen Wiederherstellungscode
lists-order = Neueste zuerst. Die Listen gehören zu deinem <a>Konto</a>.
lists-new = neu
lists-open = Nicht fertig: weitermachen
lists-expired = Die Zeit war um
lists-waiting = Wartet auf die Listen anderer
lists-held = Wartet auf die Moderation
lists-closed = Ohne Lösung geschlossen
lists-right = { $right } von { $of } richtig, { $points }
lists-earlier = Frühere Listen

## Die Seite einer Liste

results-turn =
    { $side ->
        [white] Weiß
       *[black] Schwarz
    } am Zug
results-share = { $found } von { $of }
results-found = Gefunden

## Konto

account-title = Konto
account-new-phrase = Dein Wiederherstellungscode
account-phrase-text = Schreib ihn jetzt auf: Er wird nicht noch einmal gezeigt. Er bringt deinen Namen, deine Punkte und deine Listen auf ein anderes Gerät, oder zurück, wenn deine Cookies weg sind. Wer ihn hat, kann sich als du anmelden. Ein früherer Code gilt nicht mehr.
account-you = Du bist { $name }, Person Nummer { $id }. Bisher: { $points }, { $lists }.
account-you-anonymous = Du bist Person Nummer { $id }. Bisher: { $points }, { $lists }.
account-lists =
    { $n ->
        [0] keine Listen
        [one] { $n } Liste
       *[other] { $n } Listen
    }
account-name = Name
account-name-label = In der Rangliste
account-name-hint = Lass das Feld leer, um anonym zu bleiben. Jeder Name ist nur einmal zu haben.
name-taken = Diesen Namen hat schon jemand; Groß- und Kleinschreibung macht keinen Unterschied.
phrase-bad = Eine Wiederherstellungsphrase hat zwanzig Buchstaben und Ziffern.
phrase-unknown = Diese Phrase hat niemand. Vielleicht ist sie falsch geschrieben, oder eine neuere hat sie ersetzt.
account-other-device = Auf einem anderen Gerät weitermachen
account-cookie = In diesem Browser bleibst du durch ein Cookie angemeldet. Mit einem Wiederherstellungscode meldest du dich auch anderswo an.
account-has-phrase = Du hast schon einen. Ein neuer ersetzt ihn.
account-no-phrase = Du hast noch keinen.
account-replace = Code ersetzen
account-make = Wiederherstellungscode erzeugen
account-unknown = Dieser Browser hat noch kein Konto. Du musst dich nicht registrieren: <a>Finde die Züge einer Stellung</a>, und schon hast du eins.
account-recover = Ich habe einen Wiederherstellungscode
account-phrase-label = Wiederherstellungscode
account-phrase-hint = Zwanzig Buchstaben und Ziffern.
account-becomes = Du machst dann hier als diese Person weiter. Was du in diesem Browser gefunden hast, bleibt beim jetzigen Konto.
account-be = Anmelden
account-data = Deine Daten
account-data-text = Alles, was über dich gespeichert ist, als JSON-Datei. <a>Was wie lange gespeichert wird</a>
account-download = Meine Daten herunterladen
account-leave = Abmelden
account-leave-back = Mit deinem Wiederherstellungscode kommst du zurück.
account-leave-lost = Ohne Wiederherstellungscode kommst du nicht mehr an deine Punkte und Listen.
account-leave-go = Abmelden
account-delete = Alles löschen
account-delete-text = Dein Name, deine Sitzungen, Listen und Punkte werden endgültig gelöscht. Testfälle, zu denen deine Listen beigetragen haben, bleiben: Sie enthalten nur, wie viele Leute jeden Zug aufgelistet haben.
account-delete-sure = Ja, alles über mich löschen
account-not-sure = Bitte bestätige das zuerst.
account-delete-go = Konto löschen
account-deleted = Dein Name, deine Sitzungen, Listen und Punkte sind gelöscht.

## Bilder von Stellungen

drawing-arrow = { $from } nach { $to }
drawing-arrows = Pfeile: { $arrows }.

## Die Startseite und die Stellung des Tages

time = Zeit
is-that-all = Sind das alle?
go-on-looking = Weitersuchen
day-finished = gelöst
missed-by = { $n }-mal übersehen
play-from-here = Von hier spielen

## Die Stellung des Tages: die Liste und ihr Ergebnis

wrong-n = { $n } nicht legal
move-kind =
    { $kind ->
        [capture] Schlagzüge
        [king] König
        [castling] Rochade
        [en-passant] En passant
        [promotion] Umwandlung
       *[ordinary] Andere
    }

## Warum ein Zug legal ist oder nicht

the-piece =
    { $kind ->
        [p] der Bauer
        [n] der Springer
        [b] der Läufer
        [r] der Turm
        [q] die Dame
       *[k] der König
    } auf { $square }
the-piece-object =
    { $kind ->
        [p] den Bauern
        [n] den Springer
        [b] den Läufer
        [r] den Turm
        [q] die Dame
       *[k] den König
    } auf { $square }
the-piece-indirect =
    { $kind ->
        [p] dem Bauern
        [n] dem Springer
        [b] dem Läufer
        [r] dem Turm
        [q] der Dame
       *[k] dem König
    } auf { $square }
list-and = { $first } und { $last }
list-or = { $first } oder { $last }
reason-takes = { $piece } schlägt { $taken }
reason-king-takes = { $piece } schlägt { $taken }, und dieses Feld ist nicht gedeckt
reason-king-steps = der König zieht nach { $to }, und dieses Feld ist nicht angegriffen
reason-jumps = { $piece } springt nach { $to }
reason-two-squares = { $piece } hat noch nicht gezogen und geht zwei Felder vor, beide sind leer
reason-one-square = { $piece } geht ein Feld vor
reason-along-file = { $piece } zieht auf der Linie nach { $to }, und nichts steht im Weg
reason-along-rank = { $piece } zieht auf der Reihe nach { $to }, und nichts steht im Weg
reason-along-diagonal = { $piece } zieht auf der Diagonale nach { $to }, und nichts steht im Weg
reason-castles =
    { $side ->
        [white] Weiß
       *[black] Schwarz
    } darf mit { $rook } rochieren, nichts steht im Weg, und keines der Felder { $squares } ist angegriffen
reason-castles-in-place =
    { $side ->
        [white] Weiß
       *[black] Schwarz
    } darf mit { $rook } rochieren, nichts steht im Weg, und { $squares } ist nicht angegriffen
reason-en-passant = er schlägt { $pawn } en passant, der gerade zwei Felder vorgegangen ist
reason-takes-checker = der Zug beendet das Schach, denn er schlägt { $taken }
reason-gives-check = { $giver } gibt Schach
reason-leaves-check = der König entkommt dem Schach durch { $objects }, und { $to } ist nicht angegriffen
reason-blocks-check = der Zug unterbricht das Schach durch { $checker }
reason-takes-pinner = { $piece } schlägt { $pinner }, von dort kommt die Fesselung
reason-along-pin = { $piece } ist durch { $pinner } gefesselt, bleibt aber auf der Linie der Fesselung
reason-becomes =
    der Bauer wird auf { $to } { $promotion ->
        [r] zum Turm
        [b] zum Läufer
        [n] zum Springer
       *[q] zur Dame
    }
reason-empty = { $from } ist leer
reason-not-yours =
    { $piece } gehört { $owner ->
        [white] Weiß
       *[black] Schwarz
    }, und am Zug ist { $side ->
        [white] Weiß
       *[black] Schwarz
    }
reason-moves =
    { $kind ->
        [n] ein Springer
        [b] ein Läufer
        [r] ein Turm
        [q] eine Dame
       *[k] ein König
    } zieht nicht von { $from } nach { $to }; { $kind ->
        [n] er springt zwei Felder geradeaus und eines zur Seite
        [b] er zieht auf Diagonalen
        [r] er zieht auf Reihen und Linien
        [q] sie zieht auf Reihen, Linien und Diagonalen
       *[k] er zieht ein Feld weit
    }
reason-pawn-moves =
    ein { $side ->
        [white] weißer
       *[black] schwarzer
    } Bauer zieht nicht von { $from } nach { $to }; er geht ein Feld vor, zwei von seiner ersten Reihe aus, und schlägt schräg
reason-own-piece =
    { $other } gehört selbst { $side ->
        [white] Weiß
       *[black] Schwarz
    }
reason-path-blocked = { $other } steht zwischen { $mover } und { $to }
reason-pawn-ahead = { $piece } schlägt nicht geradeaus, und dort steht { $other }
reason-pawn-diagonally = ein Bauer zieht nur schräg, wenn er schlägt, und { $to } ist leer
reason-double-step =
    ein Bauer geht nur von der { $rank ->
        [2] zweiten
       *[7] siebten
    } Reihe aus zwei Felder vor, und dieser steht auf { $from }
reason-too-late = { $other } ist nicht gerade eben zwei Felder vorgegangen und kann deshalb nicht en passant geschlagen werden
reason-must-promote = ein Bauer, der { $to } erreicht, wird zu Dame, Turm, Läufer oder Springer, und der Zug nennt die Figur nicht
reason-promoted-there =
    ein Bauer wird auf der { $rank ->
        [1] ersten
       *[8] achten
    } Reihe umgewandelt, nicht auf { $to }
reason-only-pawns =
    nur ein Bauer wird umgewandelt, { $piece } kann nicht { $promotion ->
        [r] zum Turm
        [b] zum Läufer
        [n] zum Springer
       *[q] zur Dame
    } werden
reason-king-steps-into =
    der König würde nach { $to } ziehen, und dieses Feld { $n ->
        [one] greift
       *[other] greifen
    } { $pieces } an
reason-through-king =
    { $pieces } { $n ->
        [one] greift
       *[other] greifen
    } auch { $to } an, durch den König auf { $king } hindurch
reason-protected =
    der König kann { $taken } nicht schlagen, denn dieses Feld { $n ->
        [one] deckt
       *[other] decken
    } { $pieces }
reason-kings = auf { $to } stünde der König direkt neben { $neighbour }
reason-double-check = { $pieces } geben zugleich Schach, deshalb muss der König auf { $king } ziehen
reason-not-captured = der König auf { $king } bleibt im Schach durch { $checker }, denn der Zug schlägt diese Figur nicht
reason-not-answered = der König auf { $king } bleibt im Schach durch { $checker }, denn der Zug schlägt diese Figur nicht und stellt auch auf { $squares } nichts dazwischen
reason-both-pawns =
    beim Schlagen en passant verschwinden beide Bauern von der { $rank ->
        [4] vierten
       *[5] fünften
    } Reihe, und { $pieces } { $n ->
        [one] greift
       *[other] greifen
    } den König auf { $king } an
reason-pinned = { $piece } ist durch { $objects } an den König auf { $king } gefesselt
reason-no-right =
    { $side ->
        [white] Weiß
       *[black] Schwarz
    } darf mit { $rook } nicht rochieren
reason-no-right-short =
    { $side ->
        [white] Weiß
       *[black] Schwarz
    } darf nicht kurz rochieren
reason-no-right-long =
    { $side ->
        [white] Weiß
       *[black] Schwarz
    } darf nicht lang rochieren
reason-castling-blocked = { $blocker } steht { $blocked } im Weg, der nach { $goal } ziehen würde
reason-out-of-check = der König auf { $king } steht im Schach durch { $objects }
reason-passes-over =
    der König würde über { $path } ziehen, und dieses Feld { $n ->
        [one] greift
       *[other] greifen
    } { $pieces } an
reason-lands-on =
    der König würde auf { $path } landen, und dieses Feld { $n ->
        [one] greift
       *[other] greifen
    } { $pieces } an
reason-rook-leaves =
    sobald der Turm { $corner } verlassen hat, { $n ->
        [one] greift
       *[other] greifen
    } { $pieces } den König auf { $goal } an

## Klassen und Quiz

theme-title =
    { $theme ->
        [ordinary] Gewöhnliche Stellungen
        [castling] Rochade
        [en-passant] En passant
        [promotion] Umwandlung
        [pins] Fesselungen
        [check] Schach und Doppelschach
       *[mixed] Von allem etwas
    }
theme-about =
    { $theme ->
        [ordinary] Wie sie in Partien vorkommen: viele Figuren, keine Tricks.
        [castling] Darf der König hier rochieren, und nach welcher Seite?
        [en-passant] Der Bauer, der gerade zwei Felder vorgegangen ist, kann geschlagen werden. Immer?
        [promotion] Ein Schritt, vier Züge: Dame, Turm, Läufer, Springer.
        [pins] Eine Figur, die ihren König schützt, darf ziehen, aber wohin?
        [check] Schlag die Figur, die Schach gibt, stell etwas dazwischen oder zieh den König. Bei Doppelschach kann nur der König ziehen.
       *[mixed] Einige Stellungen jeder Art, die kurzen zuerst.
    }
steps = Stellungen
position-n = Stellung { $n }
minutes =
    { $n ->
        [0] keine
        [one] { $n } Minute
       *[other] { $n } Minuten
    }
class-name = Klasse { $code }
class-positions =
    { $n ->
        [one] Eine Stellung.
       *[other] { $n } Stellungen.
    }
class-task = Finde jeweils alle legalen Züge der Seite, die am Zug ist.
class-task-limit = Finde jeweils alle legalen Züge der Seite, die am Zug ist. Zeit pro Stellung: { $limit }.
class-answers-each = Die Lösung siehst du nach jeder Stellung.
class-answers-end = Die Lösungen siehst du, wenn du mit allen fertig bist.
class-your-name = Dein Name in dieser Klasse
class-name-hint = Deine Lehrkraft sieht ihn neben deinen Listen. Es muss nicht dein richtiger Name sein.
class-begin = Anfangen
class-learn = Lerne die Regeln, indem du Züge findest
class-lead = Finde alle legalen Züge einer Stellung und erfahre sofort, was du übersehen hast und warum.
class-have-code = Ich habe einen Code
class-code-label = Der Code deiner Klasse
class-no-code = Ein Klassencode hat sechs Buchstaben und Ziffern, zum Beispiel B7K-2QX.
class-unknown = Keine Klasse hat diesen Code. Vielleicht ist er falsch geschrieben, oder die Klasse wurde gelöscht.
class-enter = Los
class-alone = Ich übe allein
class-alone-text = Zehn Stellungen zu Rochade, en passant, Fesselungen oder von allem etwas.
class-take-quiz = Zum Quiz
class-teach = Ich unterrichte
class-teach-text = Wähle Stellungen, gib deiner Klasse einen Link, und sieh in einer Tabelle, was gefunden und was übersehen wurde. Ohne Konten.
class-make = Klasse anlegen
class-new = Eine neue Klasse
class-new-lead = Du bekommst zwei Links: einen für deine Klasse, und einen für dich mit der Tabelle der Ergebnisse.
class-bad-lines =
    { $n ->
        [one] Eine Zeile lässt sich nicht verwenden:
       *[other] { $n } Zeilen lassen sich nicht verwenden:
    }
place = Zeile { $line }, Spalte { $column }
class-title = Titel
class-title-example = Rochade, erste Stunde
class-bad-title = Ein Titel hat 1 bis 80 Zeichen.
class-built-in = Eingebaute
class-theme = Thema
class-how-many = Wie viele
class-own = Eigene
class-fens = FENs, eine pro Zeile
class-fens-hint = Höchstens { $n }, aus normalem Schach. Leere Zeilen und solche, die mit # beginnen, werden übersprungen.
class-fens-board = Auf dem <a>Brett</a> kannst du eine Stellung aufbauen und ihre FEN kopieren.
class-limit = Zeit pro Stellung
class-answers = Die Lösungen sieht man
class-after-each = nach jeder Stellung
class-after-all = wenn man mit allen fertig ist
class-make-it = Klasse anlegen
class-kept = Alles über die Klasse wird nach { $n } Tagen gelöscht, oder sobald du sie löschst.
class-you-are = Du bist hier { $name }.
class-somebody-else = Jetzt benutzt jemand anders diesen Computer
class-gone = Diese Klasse gibt es nicht mehr: Die Lehrkraft hat sie gelöscht, oder ihre Zeit ist um.
join-bad-name = Ein Name hat 1 bis 32 Zeichen.
join-nickname-taken = In dieser Klasse heißt schon jemand so.
join-class-full = Die Klasse ist voll.
step-open = offen
all-results = Alle Ergebnisse
after-time = zu spät
run-finished = Fertig
quiz = Quiz
quiz-title = Quiz
quiz-lead = Jedes hat { $n } Stellungen. Finde alle legalen Züge und erfahre sofort, was du übersehen hast.
quiz-teach = Unterrichtest du? <a>Leg eine Klasse an</a>, mit denselben Stellungen oder mit eigenen.
teach-results = Ergebnisse
teach-for-students = Für deine Klasse
teach-copy = Link für die Klasse kopieren
teach-copy-own = Deinen Link kopieren
teach-copied = Kopiert
teach-link-copied = Der Link ist kopiert.
teach-copy-failed = Kopiere ihn aus der Adresszeile oder vom Link
teach-for-you = Nur für dich
teach-key = Nur die Adresse dieser Seite führt zu den Ergebnissen. Speichere sie als Lesezeichen, und gib sie nicht weiter.
teach-this-page = Diese Seite
teach-limit = Zeitvorgabe: { $limit }.
teach-answers-each = Lösungen nach jeder Stellung.
teach-answers-end = Lösungen am Ende.
teach-deleted = Wird gelöscht: { $at }.
teach-students =
    { $n ->
        [one] Eine Person, { $finished } fertig
       *[other] { $n } Personen, { $finished } fertig
    }
teach-csv = Als CSV herunterladen
teach-nobody = Noch niemand ist dabei. Neue Ergebnisse erscheinen hier von selbst.
teach-caption = Gefundene Züge von allen legalen; ein Minus zählt illegale Züge auf der Liste
teach-student = Name
teach-illegal = Illegal
teach-illegal-moves = illegale Züge
teach-late = zu spät
teach-by-all = Von allen gefunden
teach-kinds = Nach Art der Züge
teach-kinds-caption = Gefundene Züge von allen legalen der fertigen Stellungen
teach-all = Alle
teach-arrows = Die Pfeile zeigen die Züge, die am häufigsten übersehen werden.
teach-share =
    { $n ->
        [one] { $percent } % der { $legal } Züge gefunden, auf { $n } Liste.
       *[other] { $percent } % der { $legal } Züge gefunden, auf { $n } Listen.
    }
teach-no-move =
    { $n ->
        [one] Kein legaler Zug, auf { $n } Liste.
       *[other] Kein legaler Zug, auf { $n } Listen.
    }
listed-but = { $n }-mal aufgelistet, aber { $why }
teach-remove = Jemanden entfernen
teach-remove-lead = Die Listen dieser Person werden gelöscht. Der Name ist wieder frei, zum Beispiel für jemanden, der mit einem anderen Gerät zurückkommt.
teach-remove-nobody = Noch niemand ist dabei.
teach-remove-go = Entfernen
teach-back = Zurück zu den Ergebnissen
teach-choose = Bitte wählen
teach-delete = Diese Klasse löschen
teach-delete-sure = Die Klasse, alle Teilnehmenden und ihre Listen endgültig löschen
teach-delete-go = Klasse löschen

## Eine Zugliste prüfen

check-title = Zugliste prüfen
check-lead = Füge eine Stellung und eine Liste ihrer Züge ein, oder was deine Engine bei <code>go perft</code> oder <code>divide</code> ausgibt. Das Brett zeigt, was fehlt oder falsch ist, und warum. Nichts wird gespeichert.
check-legend = Durchgezogen: fehlt. Gestrichelt: falsch. Gepunktet: andere Anzahl.
check-first-arrows = Die ersten { $n } sind gezeichnet.
check-right = Richtig und vollständig
check-not-right = Noch nicht richtig
check-summary =
    { $n ->
        [one] { $n } legaler Zug, { $listed } aufgelistet.
       *[other] { $n } legale Züge, { $listed } aufgelistet.
    }
check-counts =
    { $n ->
        [0] Anzahlen bei Tiefe { $depth } verglichen: Alle stimmen.
        [one] Anzahlen bei Tiefe { $depth } verglichen: { $n } weicht ab.
       *[other] Anzahlen bei Tiefe { $depth } verglichen: { $n } weichen ab.
    }
check-total-right = Die Knotenzahl bei Tiefe { $depth } stimmt.
check-no-total = Keine Zahl im Text ist eine Knotenzahl:
check-total = Tiefe { $depth } hat { $nodes }
check-too-deep = Die Anzahlen sind zu groß, um sie hier zu vergleichen; eine kleinere Tiefe zeigt denselben Fehler schneller.
check-missing = Fehlt: { $n }
check-line = Zeile { $line }
check-counts-title = Andere Anzahl: { $n }
check-counts-text = Irgendwo unter diesen Zügen liegt ein Fehler. Geh einem nach: Lass deine Engine in der Stellung danach bis Tiefe { $depth } zählen.
check-count = gezählt { $given }, richtig { $right }
check-after = Die Stellung nach { $move }
check-repeated = Doppelt: { $n }
check-repeated-on = schon in Zeile { $line }
check-unreadable = Nicht lesbar: { $n }
check-unread = kein Zug
check-position = Stellung (FEN)
check-bad-position = Die Stellung lässt sich nicht lesen:
check-list = Züge, oder die Ausgabe von divide
check-hint = Zum Beispiel <code>e2e4 d2d4 g1f3</code>, <code>e4 d4 Nf3</code>, eine Liste in Python oder JSON oder Zeilen wie <code>e2e4: 600</code>. Andere Wörter werden übergangen.
check-go = Prüfen

## Stellungen mit ihrer Lösung, und Testfälle

pager = Seiten
pager-previous = Zurück
pager-page = Seite { $n } von { $of }
pager-next = Weiter
legal-moves =
    { $n ->
        [0] kein legaler Zug
        [one] { $n } legaler Zug
       *[other] { $n } legale Züge
    }
position-open =
    { $why ->
        [people] Die Leute sind sich einig: Das ist ein Testfall.
        [agreed] Die Leute und der Zuggenerator sind sich einig: Das ist ein Testfall.
        [gold] Die Züge waren von Anfang an bekannt; daran wird gemessen, wie genau Listen sind.
       *[retired] Die Moderation hat sie geschlossen.
    }
position-lists =
    { $n ->
        [one] Bisher { $n } Liste.
       *[other] Bisher { $n } Listen.
    }
position-moves =
    { $n ->
        [one] Der { $n } legale Zug
       *[other] Die { $n } legalen Züge
    }
position-mistakes = Von einigen aufgelistet, aber illegal
cases-lead = Stellungen, bei denen Menschen und Zuggenerator dieselben legalen Züge finden, jede mit ihrer Herkunft.
cases-none = Noch keine: Jede Liste bringt uns der ersten näher. <a>Finde ein paar Züge.</a>
cases-count =
    { $n ->
        [one] { $n } Testfall
       *[other] { $n } Testfälle
    }
cases-hardest = EPD, die schwersten zuerst
cases-certified =
    { $n ->
        [one] { $n } Liste, bestätigt am { $day }
       *[other] { $n } Listen, bestätigt am { $day }
    }
share-overlooked = { $share } übersehen

## Die Rangliste

period-all = Seit Beginn
period-week = Diese Woche
period-last-week = Letzte Woche
period-day = Heute
leaderboard-lead = Vorn ist, wer den größten Anteil der Züge richtig hat; ein paar Glückstreffer zählen weniger als viele Züge.
leaderboard-period = Zeitraum
leaderboard-mine = Meinen Platz zeigen
leaderboard-empty = Hier steht noch niemand. <a>Mach den Anfang.</a>
leaderboard-caption = Punkte gibt es für Stellungen, deren Lösung feststeht. Wochen beginnen montags um Mitternacht UTC.
leaderboard-place = Platz
leaderboard-points = Punkte
leaderboard-lists = Listen
leaderboard-right = Richtige Züge
leaderboard-you = du
anonymous = anonym { $n }

## Was Menschen übersehen

overlooked-hardest = Die schwersten Stellungen

## Über diese Seite

about-title = Über diese Seite
about-lead = Touchstone crowd { $version } sammelt Listen legaler Züge und macht aus denen, die übereinstimmen, Testfälle für Schachprogramme.
about-kept = Was über dich gespeichert wird
about-number = Eine Nummer, dein Name (falls du einen angegeben hast) und der SHA-256-Wert des Cookies, an dem dein Browser erkannt wird, und deines Wiederherstellungscodes (falls du einen hast).
about-steps = Jeder Schritt deiner Listen mit der Zeit nach deiner eigenen Uhr, und wann du jede Stellung bekommen und abgeschlossen hast; von der Stellung des Tages die fertige Liste und ihre Zeit.
about-how-long = Wie lange: Eine Sitzung endet nach einem Jahr; wer nie eine Liste oder eine Stellung des Tages begonnen hat, wird nach 30 Tagen vergessen; alles andere bleibt, bis du es löschst. Auf der <a>Seite deines Kontos</a> kannst du alles herunterladen und löschen. Testfälle bleiben: Sie enthalten nur, wie viele Leute jeden Zug aufgelistet haben.
about-classes = In einer <a>Klasse</a>: der Name, den du dort gewählt hast, und deine Listen, nur für die Lehrkraft. Alles davon wird 180 Tage nach dem Anlegen der Klasse gelöscht, oder wenn die Lehrkraft sie löscht.
about-nothing-else = Keine Adresse, keine E-Mail, kein Passwort, nichts von dem, was dein Browser über sich mitteilt. Wenn du eine Sprache wählst, merkt ein Cookie sie sich. Es gibt keine Cookies von Dritten, und nichts wird von anderen Seiten geladen.
about-public = Namen, Punkte und Plätze sind öffentlich; Listen nur als Teil von Summen.
about-ideas = Ideen
about-thesis = Die Prüfung durch viele Menschen und die 26 Stellungen der ersten Kampagne stammen aus:
about-pairs = Zwei, die sich nicht kennen und Punkte für Übereinstimmung bekommen:
about-weights = Wie viel die Antworten jeder Person wiegen:
about-order = Die Reihenfolge der Ranglisten:
about-free = Frei verwendbar
about-free-text = Die Testfälle dürfen für jeden Zweck verwendet werden. Der Quelltext steht nach Wahl unter der MIT- oder der Apache-2.0-Lizenz. Programme können die <a>API</a> verwenden.

## Seiten, auf denen steht, was schiefging

error-title = Das hat nicht geklappt
error-not-found = Hier ist nichts
error-not-found-help = Vielleicht ist die Adresse falsch geschrieben, oder die Seite gibt es nicht mehr.
error-bad-request = Das lässt sich nicht lesen
error-bad-request-help = Etwas in der Adresse oder im Formular stimmt nicht. Es wurde nichts geändert.
error-cross-site = Es wurde nichts getan
error-cross-site-help = Die Anfrage kam von einer anderen Website. Öffne die Seite hier und versuche es noch einmal.
error-too-large = Das ist zu groß
error-too-large-help = Es wurde nichts geändert. Schicke weniger auf einmal.
error-too-many-requests = Nicht so schnell
error-too-many-requests-help = Aus deinem Browser oder Netz kam mehr, als wir beantworten können.
error-busy = Gerade ist zu viel los
error-busy-help = Es wurde nichts geändert.
error-internal = Hier ist etwas schiefgegangen
error-internal-help = Das liegt an uns. Bitte versuche es in einer Minute noch einmal.
error-no-session = Das gehört zu einem anderen Browser
error-no-session-help = Eine Liste sieht man nur dort, wo sie entstanden ist. <a>Eine eigene beginnen</a>
error-unknown-list = Diese Liste gibt es nicht
error-unknown-list-help = Vielleicht ist die Adresse falsch geschrieben, oder die Liste gehört jemand anderem.
error-no-class = Diese Klasse gibt es nicht
error-no-class-help = Die Lehrkraft hat sie gelöscht, oder ihre Zeit ist vorbei.
error-wait =
    { $n ->
        [one] Bitte versuche es in einer Sekunde noch einmal.
       *[other] Bitte versuche es in { $n } Sekunden noch einmal.
    }
error-home = Zum Anfang

## Spielen

game = Partie
games = Partien
game-noscript = Das Brett braucht JavaScript.
game-board = Brett
game-board-label = Brett der Partie
game-evaluation = Bewertung
game-flip = Drehen
game-hint = Tipp
game-sound = Ton
game-moves = Züge
game-move-table = Tabelle der Züge
game-moves-caption = Die Züge der Partie
game-number = Nr.
game-no-move = Noch ist kein Zug gespielt.
game-steps = Durch die Züge gehen
game-first = Erste Stellung
game-previous = Voriger Zug
game-next = Nächster Zug
game-last = Letzte Stellung
game-new = Neue Partie
game-claim-draw = Remis beanspruchen
game-offer-draw = Remis anbieten
game-resign = Aufgeben
game-set-up = Stellung aufbauen
game-help = Tasten, Regeln, FEN
game-help-keys = Die Pfeiltasten links und rechts gehen durch die Züge, Pos1 und Ende springen zum ersten und letzten. Auf dem Brett wechseln die Pfeiltasten das Feld, und die Eingabetaste nimmt eine Figur auf und setzt sie ab.
game-help-premove = Ein Zug, den du machst, bevor du dran bist, ist vorausgeplant: Er wird gespielt, sobald er legal ist. Tipp aufs Brett oder drück Escape, um ihn zurückzunehmen.
game-help-flag = Läuft jemandem die Zeit ab, ist die Partie remis, falls die andere Seite nur noch den König hat.
game-opponent = Gegner
game-two-people = Zwei Personen an diesem Brett
game-strength = Spielstärke
game-level = Stufe { $n }: { $strength }
game-full-strength = volle Stärke
game-you-play = Du spielst
game-by-chance = Zufall
game-start = Anfang
game-begin = Los
game-standard = Normales Schach
game-960 = Schach960
game-from-fen = Eine Stellung (FEN)
game-960-number = Nummer, 0 bis 959
game-960-hint = Leer heißt: zufällig. 518 ist normales Schach.
game-free-castling = Rochade wie im Schach960
game-clock = Uhr
game-no-clock = Keine
game-plus = + { $n } Sekunden
game-other-clock = Andere
game-minutes = Minuten
game-seconds = Sekunden
game-increment = Sekunden pro Zug
game-piece-to-put = Figur zum Setzen
game-editor-hint = Wähle eine Figur, dann ihre Felder. Mit der Tastatur: Pfeiltasten wechseln das Feld, die Eingabetaste setzt die Figur, KQRBNP und kqrbnp setzen weiße und schwarze, Entf leert ein Feld.
game-white-short = Weiß, kurz
game-white-long = Weiß, lang
game-black-short = Schwarz, kurz
game-black-long = Schwarz, lang
game-passant-on = En passant auf
game-start-position = Grundstellung
game-empty-board = Leeres Brett
game-board-as-is = Brett, wie es ist
game-read = Einlesen
game-save-as = Partie speichern als
game-save = Speichern
game-saved-here = In diesem Browser gespeichert
game-none-saved = Noch keine gespeicherten Partien.
game-as-file = Als Datei
game-download = Diese Partie herunterladen
game-open-file = Datei öffnen
game-close = Schließen
game-this = Diese Partie
game-copy = Kopieren
game-download-pgn = Herunterladen
game-open-games = Partien öffnen
game-pgn-label = PGN einer oder mehrerer Partien
game-offline = Der Server ist nicht erreichbar. Deine Partie bleibt hier erhalten.
game-busy = Der Server ist ausgelastet.
game-no-answer = Der Server konnte nicht antworten: { $why }.
game-resign-ask = Diese Partie aufgeben?
game-resigns =
    Gibt { $side ->
        [white] Weiß
       *[black] Schwarz
    } auf?
game-play-on = Weiterspielen
game-offers =
    { $side ->
        [white] Weiß bietet Remis an. Nimmt Schwarz an?
       *[black] Schwarz bietet Remis an. Nimmt Weiß an?
    }
game-agree = Remis annehmen
game-hint-is = Tipp: { $move }
game-no-hint = Kein Tipp: { $why }
game-premove = Vorausgeplant: { $from } nach { $to }. Escape nimmt den Zug zurück.
game-premove-cancelled = Der vorausgeplante Zug ist zurückgenommen.
game-not-legal = { $move } ist hier nicht legal
game-illegal = { $move } ist nicht legal: { $why }
game-clock-of =
    Uhr von { $side ->
        [white] Weiß
       *[black] Schwarz
    }
game-waits = Dein Zug wartet darauf, gesendet zu werden.
game-at-first = Die erste Stellung
game-after = Nach { $move }
game-go-last = ; zum Weiterspielen geh zur letzten Stellung
game-in-check = , im Schach
game-thinking =
    touchstone denkt für { $side ->
        [white] Weiß
       *[black] Schwarz
    }
game-may-claim = Du kannst Remis beanspruchen: { $claim }.
game-claim =
    { $claim ->
        [threefold-repetition] dreimal dieselbe Stellung
       *[fifty-moves] fünfzig Züge
    }
game-engine = touchstone, Stufe { $level }
game-result =
    { $who ->
        [white] Weiß gewinnt
        [black] Schwarz gewinnt
        [draw] Remis
       *[none] Die Partie ist nicht entschieden
    }
game-reason =
    { $reason ->
        [checkmate] durch Matt
        [stalemate] durch Patt
        [insufficient-material] durch zu wenig Material zum Matt
        [fivefold-repetition] durch fünfmal dieselbe Stellung
        [seventy-five-moves] durch die 75-Züge-Regel
        [threefold-repetition] durch dreimal dieselbe Stellung, beansprucht
        [fifty-moves] durch die 50-Züge-Regel, beansprucht
        [resignation] durch Aufgabe
        [agreement] durch Einigung
        [time] durch Zeitüberschreitung
       *[time-lone-king] durch Zeitüberschreitung, denn die andere Seite hat nur noch den König
    }
game-mate =
    Matt in { $n } für { $side ->
        [white] Weiß
       *[black] Schwarz
    }
game-no-room = der Browser hat keinen Platz mehr, oder er speichert nichts für diese Seite
game-open = Öffnen
game-open-named = { $name } öffnen
game-delete = Löschen
game-delete-named = { $name } löschen
game-clock-empty = die Uhr braucht etwas Zeit: Minuten oder Sekunden
game-fen-empty = die FEN ist leer
san-short = rochiert kurz
san-long = rochiert lang
san-check = , Schach
san-mate = , Matt
san-from = { $piece } von { $from }
san-to = { $piece } nach { $to }
san-takes = { $piece } schlägt { $to }
san-becomes =
    , wird { $kind ->
        [r] zum Turm
        [b] zum Läufer
        [n] zum Springer
       *[q] zur Dame
    }
plies =
    { $n ->
        [one] { $n } Halbzug
       *[other] { $n } Halbzüge
    }
pieces-counted =
    { $n ->
        [one] { $kind ->
            [p] Bauer
            [n] Springer
            [b] Läufer
            [r] Turm
           *[q] Dame
        }
       *[other] { $n } { $kind ->
            [p] Bauern
            [n] Springer
            [b] Läufer
            [r] Türme
           *[q] Damen
        }
    }
taken-list = Geschlagen: { $pieces }.
taken-lead =
    { $n ->
        [one] { $n } Punkt Vorsprung.
       *[other] { $n } Punkte Vorsprung.
    }
evaluation-is = Bewertung: { $text }
evaluation-seen = Bewertung aus Sicht von Weiß: { $text }
evaluation-over = die Partie ist zu Ende
evaluation-unknown = gerade nicht verfügbar
editor-board = Stellung im Aufbau
editor-empty-square = leeres Feld
editor-no-square = kein Feld
editor-read-as = Das wird gelesen als { $fen }. Drück noch einmal, um von dort aus zu spielen.
file-not-json = keine Partiedatei: Es ist kein JSON
file-version = keine Partiedatei der Version { $version }
file-moves = die Züge der Datei sind keine Liste von höchstens { $n } Zügen
file-fen = die erste Stellung der Datei ist keine FEN
file-large = die Datei ist größer als 1 MiB
pgn-copied = Kopiert.
pgn-copy-failed = Der Browser erlaubt das Kopieren nicht. Der Text ist markiert: Kopiere ihn von Hand.
pgn-none = in diesem Text ist keine Partie
pgn-more = es sind mehr Partien, als gelesen werden können

## Die Seite, auf der Listen entstehen

task = Finde alle legalen Züge für { $side ->
    [white] Weiß
   *[black] Schwarz
    }
task-review = Ist dieser Zug möglich?
campaign-title = Finde alle legalen Züge
list-noscript = Zum Auflisten der Züge braucht es JavaScript. <a>Die Testfälle</a> kannst du auch ohne lesen.
list-empty = Bewege die Figuren: Jeder Zug kommt hierher, und die Figur geht zurück. Das Brett nimmt jeden Zug an, legal oder nicht.
type-moves = Züge eintippen
skip-position = Überspringen
your-list = Deine Züge
question = Ist das möglich: { $move }?
answer-yes = Ja
answer-no = Nein
answer-back = Zurück
offline = { $n ->
    [0] Offline. Deine Liste wird automatisch gesendet.
    [one] Offline: 1 Zug wartet und wird automatisch gesendet.
   *[other] Offline: { $n } Züge warten und werden automatisch gesendet.
    }
not-sent = { $n ->
    [0] Der Server ist ausgelastet. Deine Liste wird automatisch gesendet.
    [one] Der Server ist ausgelastet: 1 Zug wartet und wird automatisch gesendet.
   *[other] Der Server ist ausgelastet: { $n } Züge warten und werden automatisch gesendet.
    }
nothing-left = Du hast zu jeder Stellung eine Liste gemacht. Schau wieder vorbei, wenn es neue gibt.
list-gone = Diese Liste lässt sich nicht mehr ändern.
list-stranger = Dieser Browser ist nicht mehr angemeldet.
list-sent = { $n ->
    [0] Deine leere Liste ist angekommen.
    [one] Deine Liste ist angekommen: 1 Zug.
   *[other] Deine Liste ist angekommen: { $n } Züge.
    }
answers-sent = { $n ->
    [one] Deine Antwort ist angekommen.
   *[other] Deine { $n } Antworten sind angekommen.
    }
answers-right = { $n } von { $of } Antworten richtig
found-all = { $n ->
    [0] Richtig: Es gibt keinen legalen Zug
    [one] Du hast den einzigen legalen Zug gefunden!
   *[other] Du hast alle { $n } Züge gefunden!
    }
found-some = { $n } von { $of }: Es fehlen { $missed }
and-illegal = { $n ->
    [one] (und einer ist nicht legal)
   *[other] (und { $n } sind nicht legal)
    }
and = { $some } und { $last }
number = { $n ->
    [2] zwei
    [3] drei
    [4] vier
    [5] fünf
    [6] sechs
    [7] sieben
    [8] acht
    [9] neun
    [10] zehn
    [11] elf
    [12] zwölf
   *[other] { $n }
    }
moves-of-kind = { $kind ->
    [n] { $n ->
        [one] ein Springerzug
       *[other] { $number } Springerzüge
        }
    [b] { $n ->
        [one] ein Läuferzug
       *[other] { $number } Läuferzüge
        }
    [r] { $n ->
        [one] ein Turmzug
       *[other] { $number } Turmzüge
        }
    [q] { $n ->
        [one] ein Damenzug
       *[other] { $number } Damenzüge
        }
    [k] { $n ->
        [one] ein Königszug
       *[other] { $number } Königszüge
        }
    [castling] { $n ->
        [one] die Rochade
       *[other] beide Rochaden
        }
    [passant] { $n ->
        [one] ein Schlagen en passant
       *[other] { $number } Schlagzüge en passant
        }
    [promotion] { $n ->
        [one] eine Umwandlung
       *[other] { $number } Umwandlungen
        }
   *[p] { $n ->
        [one] ein Bauernzug
       *[other] { $number } Bauernzüge
        }
    }
result-lacking = { $n ->
    [one] Noch 1 Liste, und die Stellung wird ein Testfall für Schachprogramme.
   *[other] Noch { $n } Listen, und die Stellung wird ein Testfall für Schachprogramme.
    }
result-waiting = Über diese Stellung entscheidet die Moderation. Das Ergebnis steht dann bei deinen Listen.
result-hidden = Du siehst die Lösungen, wenn du mit allen Stellungen fertig bist.
result-too-late = Sie kam nach Ablauf der Zeit und zählt deshalb nicht.
day-first = Du bist heute der oder die Erste.
day-beaten =
    { $others ->
        [one] { $beaten ->
            [0] Eine andere Person war heute besser.
           *[other] Du warst heute besser als die eine andere Person.
        }
       *[other] { $beaten ->
            [0] Alle { $others } anderen waren heute besser.
           *[other] Du warst heute besser als { $beaten } von { $others } Leuten.
        }
    }
day-streak =
    { $n ->
        [one] Tag 1 deiner Serie.
       *[other] { $n } Tage in Folge.
    }
agreement = { $points ->
    [one] Ihr seid euch bei { $both } Zügen einig: 1 Punkt für jeden.
   *[other] Ihr seid euch bei { $both } Zügen einig: { $points } Punkte für jeden.
    }
offer-timed = Gegen die Uhr
offer-pair = Zu zweit
step-sent = abgegeben
you = Du
purpose-campaign = Liste
purpose-timed = Gegen die Uhr
purpose-pair = Zu zweit
purpose-review = Zweiter Blick
purpose-daily = Stellung des Tages
purpose-class = Klasse
lists-hidden = Die Lösungen kommen, wenn du mit der Klasse fertig bist
lists-scored = Ausgewertet
nav-home = Züge auflisten
nav-class = Klassen
nav-check = Züge oder Perft prüfen
nav-account = Konto
nav-about = Über diese Seite
nav-admin = Moderation
