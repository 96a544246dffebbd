### Die Texte der Seiten auf Deutsch. docs/crowd-languages.md beschreibt, wie eine Sprache hinzukommt.
### <a> und </a> umschließen einen Link. Namen nach $ stehen für das, was die Seite einsetzt; jede Sprache hat dieselben.

language-name = Deutsch

## Der Rahmen jeder Seite

skip = Zum Inhalt springen
nav = Hauptmenü
nav-contribute = Mitmachen
nav-daily = Tagesbretter
nav-variants = Varianten
nav-lists = Listen
nav-leaderboard = Rangliste
nav-cases = Testfälle
nav-play = Spielen
theme = Farben
theme-system = Auto
theme-light = Hell
theme-dark = Dunkel
foot-overlooked = Was Menschen übersehen
foot-class = Klassen und Quiz
foot-about = Über diese Seite
foot-check = Zugliste prüfen
foot-api = API
foot-moderators = Moderation
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
passant-none = nicht möglich
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

## Die Arten mitzumachen

mode-calm = In Ruhe
mode-timed = Auf Zeit
mode-pair = Zu zweit
mode-missing = Was andere übersehen
mode-review = Zweiter Blick
task-title-calm = Finde alle legalen Züge
task-title-timed = Finde alle legalen Züge
task-title-pair = Finde alle legalen Züge
task-title-missing = Finde, was andere übersehen haben
task-title-review = Ist dieser Zug legal?
task-help-calm = Führe die Züge nacheinander aus; die Figur geht jedes Mal zurück. Ob ein Zug legal ist, erfährst du hier nicht.
task-help-timed = Finde so viele, wie du siehst. Die Liste endet von selbst, wenn die Zeit abgelaufen ist.
task-help-pair = Jemand, den du nicht kennst, bekommt dieselbe Stellung. Für jeden Zug, den ihr beide findet, bekommt ihr Punkte.
task-help-missing = Die meisten Züge dieser Stellung sind geklärt und zählen nicht mehr; sie werden nicht gezeigt. Finde die übrigen. Ein geklärter Zug auf deiner Liste schadet nicht.
task-help-review = Über einige dieser Züge sind sich die Leute nicht einig. Sieh dir den Pfeil an und sag, was du meinst.

## Mitmachen

contribute-title = Mitmachen
contribute-noscript = Zum Auflisten der Züge braucht es JavaScript: für das Brett und dafür, dass die Liste auch ohne Netz erhalten bleibt.
contribute-without = Die <a>Testfälle</a> kommen ohne aus.
choose-title = Finde die Züge
choose-lead = Du bekommst eine Stellung und listest alle legalen Züge der Seite auf, die am Zug ist. Wie viele es sind, verrät dir niemand. Listen, die übereinstimmen, werden zu Testfällen für Schachprogramme.
card-calm = Alle Züge, ohne Zeitdruck.
card-timed = So viele, wie du siehst, bis die Zeit abläuft. Mit eigener Rangliste.
card-pair = Dieselbe Stellung wie jemand, den du nicht kennst, ohne Kontakt. Punkte für jeden Zug, den ihr beide findet; ein halber Punkt Abzug für jeden, den nur einer hat.
card-missing = Geklärte Züge zählen nicht mehr. Finde die übrigen.
card-review = Einzelne Züge, über die sich die Leute nicht einig sind: ja oder nein?
name-label = Dein Name in der Rangliste
name-hint = Du kannst das Feld leer lassen und anonym bleiben. Bis zu 32 Zeichen, für alle sichtbar.
name-keep = Namen speichern
name-kept = Du heißt jetzt „{ $name }“.
name-none = Alles bleibt, wie es ist; Züge zählen auch ohne Namen.
name-account = Konto: andere Geräte, deine Daten
ready-title = Liste auf Zeit
ready-lead = Die Uhr läuft, sobald die Stellung erscheint, und die Liste endet von selbst. Halte dich bereit.
ready-start = Stellung zeigen
another-way = Andere Spielart
time-left = Verbleibende Zeit
flip = Brett drehen
undo = Zurücknehmen
use-plain = Einfaches Brett verwenden
use-drawn = Gezeichnetes Brett verwenden
fact-turn = Am Zug
fact-castling = Rochade
fact-passant = En passant
turn-960 = { $side } (Schach960: zur Rochade schlägt der König den eigenen Turm)
type-label = Zug eingeben
type-add = Hinzufügen
type-hint = Zum Beispiel e2e4, Nf3, exd5, e8=Q, O-O. Es gelten die englischen Buchstaben: K König, Q Dame, R Turm, B Läufer, N Springer.
which = Welche Figur?
which-say = Welche Figur? { $n } kommen infrage.
which-from = von { $square }
your-list = Deine Liste:
list-empty = Hier erscheinen die Züge, die du angibst.
yes-legal = Ja, er ist legal
no-illegal = Nein, ist er nicht
back = Zurück
skip-position = Stellung überspringen
finish = Fertig
done-title = Danke
next-position = Nächste Stellung
my-lists = Meine Listen
result-page = Die Seite dieser Liste
confirm-finish = Liste abschließen?
go-on-listing = Weitersuchen

## Mitmachen: eingetippte Züge

typed-unread = „{ $text }“ lässt sich nicht als Zug lesen. Schreib e2e4, Nf3, exd5, e8=Q oder O-O.
typed-same = Ein Zug führt auf ein anderes Feld als { $square }.
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
    } nach { $to } kommt, selbst auf leerem Brett. Gib beide Felder an, um den Zug trotzdem aufzulisten.
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
    } nach { $to } kommt, selbst auf leerem Brett. Gib beide Felder an, um den Zug trotzdem aufzulisten.
typed-no-promotion = Nur ein Bauer, der die letzte Reihe erreicht, wird umgewandelt.
typed-no-king =
    Es gibt keinen { $side ->
        [white] weißen
       *[black] schwarzen
    } König.
typed-no-rook = Auf dieser Seite des Königs steht kein eigener Turm.
typed-no-room = Auf dieser Seite hat der König keine zwei Felder.

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
question-none = Hier gibt es keine Frage.
question-can = Darf { $side } so ziehen:
question-last = Das war die letzte Frage. Du kannst jetzt abschließen.
question-progress =
    { $n ->
        [0] Frage { $at } von { $of }; noch keine Antwort
        [one] Frage { $at } von { $of }; { $n } Antwort gegeben
       *[other] Frage { $at } von { $of }; { $n } Antworten gegeben
    }
finish-answers = Antworten abschließen?
go-on-answering = Weiter antworten
finish-answers-text =
    { $n ->
        [0] Du hast keine Antwort gegeben.
        [one] Du hast { $n } Antwort gegeben.
       *[other] Du hast { $n } Antworten gegeben.
    }
finish-answers-open =
    { $n ->
        [one] { $n } Frage ohne Antwort zählt nicht.
       *[other] { $n } Fragen ohne Antwort zählen nicht.
    }
finish-answers-fixed = Abgeschlossene Antworten lassen sich nicht mehr ändern.
finish-list-text =
    { $n ->
        [one] Deine Liste hat { $n } Zug. Eine abgeschlossene Liste lässt sich nicht mehr ändern.
       *[other] Deine Liste hat { $n } Züge. Eine abgeschlossene Liste lässt sich nicht mehr ändern.
    }
finish-list-none = Deine Liste ist leer. Das heißt: Hier gibt es keinen legalen Zug. Eine abgeschlossene Liste lässt sich nicht mehr ändern.
finish-missing-none = Deine Liste ist leer. Das heißt: Es fehlt kein Zug. Eine abgeschlossene Liste lässt sich nicht mehr ändern.
skip-moves =
    { $n ->
        [0] Überspringen und keine Züge verwerfen?
        [one] Überspringen und { $n } Zug verwerfen?
       *[other] Überspringen und { $n } Züge verwerfen?
    }
skip-answers =
    { $n ->
        [0] Überspringen und keine Antworten verwerfen?
        [one] Überspringen und { $n } Antwort verwerfen?
       *[other] Überspringen und { $n } Antworten verwerfen?
    }
skip-text = Die Stellung bekommt jemand anders.
skip-stay = Behalten
skip-go = Überspringen
skip-failed = Die Stellung lässt sich gerade nicht überspringen: Der Server ist nicht erreichbar. Deine Liste bleibt erhalten.
skip-none-left = Du hast so viele Stellungen übersprungen, wie an einem Tag möglich sind. Deine Liste bleibt erhalten.
skipped = Übersprungen.
seconds-left = Noch 15 Sekunden
time-up = Die Zeit ist abgelaufen.
partner-waiting = es fehlt noch jemand; du kannst schon anfangen
partner-joined = die andere Person sucht auch
partner-away = die andere Person hat die Seite geschlossen; deine Liste zählt trotzdem
partner-finished = die andere Person ist fertig

## Mitmachen: das Netz, und was schiefgeht

sending-steps =
    { $n ->
        [one] { $n } Schritt ist noch nicht gesendet ({ $why }). Nichts geht verloren; es wird von selbst wieder versucht.
       *[other] { $n } Schritte sind noch nicht gesendet ({ $why }). Nichts geht verloren; es wird von selbst wieder versucht.
    }
sending-answers =
    { $n ->
        [one] { $n } Antwort ist noch nicht gesendet ({ $why }). Nichts geht verloren; es wird von selbst wieder versucht.
       *[other] { $n } Antworten sind noch nicht gesendet ({ $why }). Nichts geht verloren; es wird von selbst wieder versucht.
    }
sending-finish = Der Abschluss ist noch nicht gesendet ({ $why }). Nichts geht verloren; es wird von selbst wieder versucht.
why-busy = der Server ist ausgelastet
why-network = kein Netz
why-server = der Server hat ein Problem
finishing = Wird abgeschlossen …
saved = Alles ist gespeichert.
any-campaign = Stellungen aus allen Kampagnen
try-again = Noch einmal versuchen
new-position = Neue Stellung holen
late-steps = Diese Liste war schon abgeschlossen, bevor deine letzten Schritte ankamen: in einem anderen Fenster, oder weil ihre Zeit um war. Sie bleibt, wie sie da war.
was-on-list = Diese Züge standen darauf: { $moves }.
refused-gone = Die Zeit für diese Stellung ist um, deshalb hat sie jemand anders bekommen. Deine Liste kann nicht mehr zählen.
refused-stranger = Der Server kennt dich nicht mehr, vielleicht weil Cookies gelöscht wurden. Diese Liste lässt sich nicht fortsetzen; du kannst eine neue beginnen.
refused-other = Der Server hat die Liste nicht angenommen: { $why }.
nothing-left = Du hattest schon alle Stellungen. Schau wieder vorbei, wenn es neue gibt.
nothing-campaign = In dieser Kampagne ist keine Stellung offen, die du noch nicht hattest.
nothing-review = Für einen zweiten Blick gibt es gerade nichts: Keine strittige Stellung, die du nicht schon gesehen hast.
nothing-missing = Noch keine Stellung, die du nicht gesehen hast, hat genug Listen.
busy-wait = Es sind viele Leute hier, oder du warst sehr schnell. Warte { $seconds } Sekunden und versuch es noch einmal.
unreachable = Der Server ist nicht erreichbar. Hast du Netz?
no-position = Es gibt keine Stellung: { $why }.
news =
    { $n ->
        [one] Eine deiner Listen hat jetzt ein Ergebnis.
       *[other] { $n } deiner Listen haben jetzt ein Ergebnis.
    }

## Mitmachen: Dank, und was eine Liste lehrt

done-list =
    { $n ->
        [0] Deine Liste ist fertig: keine Züge.
        [one] Deine Liste ist fertig: { $n } Zug.
       *[other] Deine Liste ist fertig: { $n } Züge.
    }
done-answers =
    { $n ->
        [0] Dein zweiter Blick ist fertig: keine Antworten.
        [one] Dein zweiter Blick ist fertig: { $n } Antwort.
       *[other] Dein zweiter Blick ist fertig: { $n } Antworten.
    }
done-list-plain = Deine Liste ist fertig.
done-answers-plain = Dein zweiter Blick ist fertig.
result-later = Das Ergebnis kommt, wenn die Stellung geschlossen wird: sobald sich genug Leute einig sind. Du findest es dann unter „Meine Listen“.
result-held = Diese Liste kam schneller zustande, als Hände ziehen können, deshalb zählt sie noch nicht. Die Moderation sieht sie sich an.
result-late = Die Stellung war schon geschlossen, bevor deine Liste fertig war, und die Lösung war für alle zu sehen. Deshalb zählt die Liste nicht und bringt keine Punkte.
result-closed = Die Moderation hat diese Stellung ohne sichere Lösung geschlossen. Deshalb bekommt dafür niemand Punkte.
result-points =
    { $n ->
        [0] Die Lösung dieser Stellung steht fest. Du bekommst keine Punkte.
        [one] Die Lösung dieser Stellung steht fest. Du bekommst { $n } Punkt.
       *[other] Die Lösung dieser Stellung steht fest. Du bekommst { $n } Punkte.
    }
result-right =
    { $n ->
        [0] keine richtigen Züge
        [one] { $n } richtiger Zug
       *[other] { $n } richtige Züge
    }
result-said = { $right }, { $missed } übersehen, { $wrong } nicht legal, { $points }.
agreement-both =
    { $n ->
        [0] Ihr habt keine gemeinsamen Züge;
        [one] Ihr habt { $n } gemeinsamen Zug;
       *[other] Ihr habt { $n } gemeinsame Züge;
    }
agreement-one = { $one } nur auf einer Liste, dafür je ein halber Punkt Abzug.
agreement-points =
    { $n ->
        [0] Keine Punkte für euch.
        [one] { $n } Punkt für jeden von euch.
       *[other] { $n } Punkte für jeden von euch.
    }
partner-later = Die andere Person ist noch nicht fertig. Die Punkte für gemeinsame Züge erscheinen hier, wenn du bleibst.
lesson-found =
    { $n ->
        [0] Du hast { $found } von 0 legalen Zügen gefunden.
        [one] Du hast { $found } von { $n } legalen Zug gefunden.
       *[other] Du hast { $found } von { $n } legalen Zügen gefunden.
    }
lesson-missed = Übersehen: { $n }
lesson-illegal = Nicht legal: { $n }
lesson-right = Richtig: { $n }
legend-missed = Grüne Pfeile: Züge, die du übersehen hast.
legend-illegal = Blaue Pfeile: Züge auf deiner Liste, die nicht legal sind.
legend-alone = Zeig auf einen Zug, um nur ihn zu sehen.
lesson-board = Die Stellung deiner Liste

## Mitmachen: Varianten

choose-variants = Es gibt auch <a>Schachvarianten</a>, deren Regeln hier kein Programm kennt.
rules-title = Die Regeln
rules-of = Die Regeln von { $title }
rules-failed = Die Regeln lassen sich gerade nicht laden. Sie erscheinen, wenn du die Seite neu öffnest.
variant-hint = Zum Beispiel e2e4, e7e8q oder N@f3.
variant-promotion = { $piece } auf { $square } wird …
variant-stays = Bleibt { $piece }
variant-dropped = { $piece } eingesetzt auf { $to }
variant-taking = , schlägt { $piece }
variant-becoming = , Umwandlung in { $piece }
variant-no-hand =
    { $side ->
        [white] Weiß
       *[black] Schwarz
    } hat kein { $letter } zum Einsetzen.
variant-unread = „{ $text }“ lässt sich nicht als Zug lesen. Schreib e2e4, e7e8q oder N@f3.
variant-no-promotion = { $piece } wird auf { $square } nicht zu „{ $letter }“.
variant-off = { $square } gibt es auf diesem Brett nicht.
variant-piece =
    { $side ->
        [white] Weiß:
       *[black] Schwarz:
    } { $piece }
variant-pocket =
    { $side ->
        [white] Weiß
       *[black] Schwarz
    }: Figuren zum Einsetzen

## Spielen: die Analyse einer Partie

game-review = Analyse
game-review-at = Stellung { $ply } von { $last } wird bewertet…
game-review-failed = Keine Analyse: { $why }.
game-review-found =
    { $n ->
        [0] Kein Zug hat viel verschenkt.
        [one] Ein Zug hat viel verschenkt.
       *[other] { $n } Züge haben viel verschenkt.
    }
game-review-blunder = grober Fehler
game-review-mistake = Fehler
game-review-inaccuracy = Ungenauigkeit
game-review-turn = { $move }, { $mark }: von { $before } auf { $after }

## Meine Listen

lists-title = Meine Listen
lists-none = Du hast hier noch keine Liste.
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

results-title = Deine Liste
results-turn =
    { $side ->
        [white] Weiß
       *[black] Schwarz
    } am Zug
results-open = Die Liste ist noch nicht fertig. <a>Weitermachen</a>
results-waiting = Die Lösung steht noch nicht fest. Sie erscheint hier, wenn genug Leute diese Stellung bearbeitet haben und die Stellung geschlossen ist; <a>deine Listen</a> zeigen es dann an.
results-file = Meine Züge als Datei
results-listed = Auf deiner Liste
results-agreement =
    { $n ->
        [one] { $n } Punkt für Übereinstimmung bleibt.
       *[other] { $n } Punkte für Übereinstimmung bleiben.
    }
results-points = Punkte
results-found-short = gefunden
results-share = { $found } von { $of }
results-illegal-short = nicht legal
results-missed = Übersehen
results-nothing = Nichts: Du hast alle legalen Züge gefunden.
results-illegal = Auf deiner Liste, aber nicht legal
results-found = Gefunden

## Konto

account-title = Konto
account-new-phrase = Dein Wiederherstellungscode
account-phrase-text = Schreib ihn jetzt auf: Er wird nicht noch einmal gezeigt. Auf einem anderen Gerät, oder wenn Cookies gelöscht wurden, bringt er deinen Namen, deine Punkte und deine Listen zurück. Wer ihn hat, kann sich als du anmelden. Ein früherer Code gilt nicht mehr.
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
account-name-hint = Leer heißt anonym. Niemand sonst kann denselben Namen haben.
account-other-device = Dieselbe Person auf einem anderen Gerät
account-cookie = Dein Browser wird an einem Cookie erkannt. Mit einem Wiederherstellungscode bist du auch anderswo dieselbe Person.
account-has-phrase = Du hast schon einen; ein neuer ersetzt ihn.
account-no-phrase = Du hast noch keinen.
account-replace = Code ersetzen
account-make = Wiederherstellungscode erzeugen
account-unknown = Dieser Browser ist noch nicht bekannt. Du brauchst kein Konto: <a>Finde die Züge einer Stellung</a>, und schon hast du eins.
account-recover = Ich habe einen Wiederherstellungscode
account-phrase-label = Wiederherstellungscode
account-phrase-hint = Zwanzig Buchstaben und Ziffern.
account-becomes = Dieser Browser ist dann diese Person; was er bisher aufgelistet hat, bleibt bei der Person, die er war.
account-be = Als diese Person weitermachen
account-data = Deine Daten
account-data-text = Alles, was über dich gespeichert ist, als JSON-Datei. <a>Was wie lange gespeichert wird</a>
account-download = Meine Daten herunterladen
account-leave = Diesen Browser abmelden
account-leave-back = Dein Wiederherstellungscode bringt dich zurück.
account-leave-lost = Ohne Wiederherstellungscode führt kein Weg zurück zu deinen Punkten und Listen.
account-leave-go = Abmelden
account-delete = Alles löschen
account-delete-text = Dein Name, deine Sitzungen, Listen und Punkte werden endgültig gelöscht. Testfälle, zu denen deine Listen beigetragen haben, bleiben: Sie enthalten nur, wie viele Leute jeden Zug aufgelistet haben.
account-delete-sure = Das möchte ich
account-not-sure = Bestätige zuerst, dass du das möchtest.
account-delete-go = Mich löschen
account-deleted = Dein Name, deine Sitzungen, Listen und Punkte sind gelöscht.
