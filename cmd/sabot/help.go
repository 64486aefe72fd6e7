package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"

	"github.com/sabot-table/sabot/cmd/internal/usage"
)

// explanation is what -h says of a command beside its options. args and what are those of the
// list of commands, but for the commands below another.
type explanation struct {
	name       string
	args, what string
	arguments  []string
	examples   []string
}

const (
	theJournal    = "JOURNAL: the folder of a journal, such as /var/lib/sabot/journal; a running table's may be read, too"
	theTranscript = "FILE: JSON lines, packed by zstd or not, or - for standard input"
	theHouse      = "HOUSE: one of sabot rules list, or the file of a house's own, which ends in .yaml"
)

// explanations are of every command.
var explanations = []explanation{
	{
		name: "replay",
		arguments: []string{
			"FILE: a transcript: JSON lines, packed by zstd or not; a part of a journal; or - for standard input",
			"JOURNAL: the folder of a journal",
		},
		examples: []string{"sabot replay round.jsonl", "sabot replay --house st-moritz round.jsonl"},
	},
	{
		name:      "check-words",
		arguments: []string{"FILE: a language file, as docs/languages.md describes it"},
		examples:  []string{"sabot check-words --print it > ticino.properties", "sabot check-words ticino.properties"},
	},
	{
		name:      "check-config",
		arguments: []string{"FILE: a table's configuration, such as /etc/sabot/sabot.yaml"},
		examples:  []string{"sabot check-config sabot.yaml"},
	},
	{
		name:      "config",
		arguments: []string{"history: list what is kept", "diff: show what was changed", "restore: put one back; each says more with -h"},
		examples:  []string{"sabot config history --config sabot.yaml", "sabot config diff --config sabot.yaml 1"},
	},
	{
		name: "config history",
		args: "[--config FILE]", what: "list what a configuration was before each of its changes, the newest first, by number",
		examples: []string{"sabot config history --config sabot.yaml"},
	},
	{
		name: "config diff",
		args: "[--config FILE] [NUMBER [NUMBER]]", what: "show what has changed since a number of the history, since the newest without one, or between two",
		arguments: []string{"NUMBER: one of sabot config history"},
		examples:  []string{"sabot config diff --config sabot.yaml", "sabot config diff --config sabot.yaml 1 2"},
	},
	{
		name: "config restore",
		args: "[--config FILE] [--user NAME] NUMBER", what: "put a configuration back as it was before a change, if sabotd can use it; what is there now is kept, too",
		arguments: []string{"NUMBER: one of sabot config history"},
		examples:  []string{"sabot config restore --config sabot.yaml 1"},
	},
	{
		name:      "pin",
		arguments: []string{"NAME: the supervisor, as the record is to name him"},
		examples:  []string{"sabot pin anna", "echo 58219 | sabot pin anna"},
	},
	{
		name:      "badge",
		arguments: []string{"NAME: the dealer, as the record is to name him"},
		examples:  []string{"echo 0041779988 | sabot badge d7"},
	},
	{
		name:      "screen-key",
		arguments: []string{"NAME: the screen, in letters, digits and -", "ROLE: what it may do: view, guest, dealer or supervisor"},
		examples:  []string{"sabot screen-key --url https://bj-1.example:8443/ touch dealer", "sabot screen-key --own --url https://bj-1.example:8443/ kiosk supervisor"},
	},
	{
		name:      "certificate",
		arguments: []string{"FOLDER: where page.crt and page.key are written", "NAME: the names and addresses by which screens reach the table's computer"},
		examples:  []string{"sabot certificate --days 90 . bj-1.example 192.0.2.10"},
	},
	{
		name:      "rules",
		arguments: []string{"list: the houses that come with Sabot", "show HOUSE: all rules and paytables of one, and where each comes from", "check FILE: what is wrong with a house's own file"},
		examples:  []string{"sabot rules list", "sabot rules show wiesbaden", "sabot rules check my-house.yaml"},
	},
	{name: "rules list", what: "list the houses that come with Sabot", examples: []string{"sabot rules list"}},
	{
		name: "rules show",
		args: "HOUSE", what: "show all rules and paytables of a house in plain words, with the source of each",
		arguments: []string{theHouse}, examples: []string{"sabot rules show wiesbaden", "sabot rules show ./my-house.yaml"},
	},
	{
		name: "rules check",
		args: "FILE", what: "list everything that is wrong with a house's own file",
		arguments: []string{"FILE: a house profile, as docs/houses.md describes it"}, examples: []string{"sabot rules check my-house.yaml"},
	},
	{
		name:      "odds",
		arguments: []string{"A: a house, or the file of one, to put beside another", "B: the other"},
		examples: []string{
			"sabot odds --house schaffhausen --wager perfect-pairs", "sabot odds --house wiesbaden --chart",
			"sabot odds --house schaffhausen --set pays.black_jack=6:5 --set split.max=1", "sabot odds --compare st-moritz st-moritz-65",
		},
	},
	{name: "transcript", arguments: []string{theJournal}, examples: []string{"sabot transcript journal > night.jsonl", "sabot transcript journal | sabot replay -"}},
	{name: "events", arguments: []string{theJournal}, examples: []string{"sabot events journal"}},
	{
		name:      "export",
		arguments: []string{theJournal, "PATH: the file or, of CSV and Parquet, the folder to make"},
		examples:  []string{"sabot export --to sqlite journal night.sqlite", "sabot export --to csv --rounds 1..2 journal tables"},
	},
	{name: "irregularities", arguments: []string{theJournal}, examples: []string{"sabot irregularities journal"}},
	{
		name:      "audit",
		arguments: []string{theJournal},
		examples:  []string{"sabot audit --key bj-1.pub --audit-key bj-1.audit journal", "sabot audit --key bj-1.pub --witness bj-1.witness journal", "sabot audit --round 2 journal"},
	},
	{name: "verify", arguments: []string{theJournal}, examples: []string{"sabot verify journal"}},
	{
		name:      "journal-key",
		arguments: []string{"FILE: the key's file, which must not be there yet"},
		examples:  []string{"sabot journal-key journal.key > journal.pub", "sabot journal-key --public journal.key"},
	},
	{
		name:      "audit-key",
		arguments: []string{"JOURNAL: the journal's folder, at the table"},
		examples:  []string{"sabot audit-key journal > bj-1.audit"},
	},
	{
		name:      "command-key",
		arguments: []string{"NAME: the key, in letters, digits and -", "FILE: the key's file, which must not be there yet"},
		examples:  []string{"sabot command-key --person anna anna anna.key", "sabot command-key --public --person anna anna anna.key"},
	},
	{
		name:      "shoe-key",
		arguments: []string{"FILE: the key's file, which must not be there yet"},
		examples:  []string{"sabot shoe-key shoe.key"},
	},
	{
		name:      "recall",
		arguments: []string{theJournal, "ROUND: a round's number, or -1 for the last; without it, the last rounds are listed"},
		examples:  []string{"sabot recall journal", "sabot recall --box 1 journal 2"},
	},
	{
		name:      "state",
		arguments: []string{theJournal, "RECORD: a record's number; without it, the last"},
		examples:  []string{"sabot state journal 5"},
	},
	{
		name:      "republish",
		arguments: []string{"FILE: the table's configuration, which names its journal and its broker", "N, M: the numbers of the first and the last event"},
		examples:  []string{"sabot republish --config /etc/sabot/sabot.yaml --from 1200 --to 1350"},
	},
	{
		name:      "backup",
		arguments: []string{"TARGET: a folder, such as where a stick is mounted, or one on another machine as user@host:folder"},
		examples: []string{
			"sabot backup --config table.yaml --without-keys --same-disk backups", "sabot backup --list backups",
			"sabot backup --recipients /etc/sabot/backup.recipients sabot-backup@nas.example:tables",
		},
	},
	{
		name:      "restore",
		arguments: []string{"BACKUP: what was the target of the backups, or the folder of one table in it"},
		examples:  []string{"sabot restore --check --config table.yaml --although-anybody-may-have-made-it backups", "sabot restore --key bj-1.pub --identity backup.identity /media/stick"},
	},
	{
		name:      "update",
		arguments: []string{"FILE: a package of Sabot for this machine, with its signature FILE.minisig beside it"},
		examples:  []string{"sabot update sabot_1.4.0_arm64.deb", "sabot update --status"},
	},
	{
		name:      "watch",
		arguments: []string{"URL: the address of the table's page; without it, that of a table on this computer"},
		examples:  []string{"sabot watch", "sabot watch --language it --key screen.key https://bj-1.example:8443/"},
	},
	{
		name:      "doctor",
		arguments: []string{"FILE: the table's configuration; what may not be read is said, sudo sabot doctor reads all"},
		examples:  []string{"sabot doctor --config /etc/sabot/sabot.yaml", "sabot doctor --json"},
	},
	{
		name:      "bundle",
		arguments: []string{"PATH: the file to make, .tar.gz, or a folder, such as where a stick is mounted"},
		examples:  []string{"sabot bundle --config table.yaml --rounds 5 table.tar.gz", "sudo sabot bundle /media/stick"},
	},
	{
		name:      "devices",
		arguments: []string{"watch: show them at work; sabot devices watch -h says more"},
		examples:  []string{"sabot devices", "sabot devices --config /etc/sabot/sabot.yaml --user sabot"},
	},
	{
		name: "devices watch",
		args: "--config FILE", what: "show what comes from a table's devices until it is interrupted; stop sabotd first",
		arguments: []string{"FILE: the table's configuration"},
		examples:  []string{"sabot devices watch --config /etc/sabot/sabot.yaml"},
	},
	{
		name:      "sim",
		arguments: []string{"MAKE: the make of shoe that is simulated"},
		examples:  []string{"sabot sim --port /tmp/shoe", "sabot sim --driver bee-tek --port tcp://127.0.0.1:4001"},
	},
	{name: "version", examples: []string{"sabot version"}},
}

// pageOf is what a command says of itself.
func pageOf(name string) usage.Page {
	var t explanation
	if at := slices.IndexFunc(explanations, func(one explanation) bool { return one.name == name }); at >= 0 {
		t = explanations[at]
	}
	for _, c := range commands() {
		if c.name == name {
			t.args, t.what = c.args, c.what
		}
	}
	line := "sabot " + name
	if t.args != "" {
		line += " " + t.args
	}
	return usage.Page{Line: line, What: t.what, Arguments: t.arguments, Examples: t.examples}
}

// explain writes what a command says of itself, and ends it. set has its options.
func explain(name string, set *flag.FlagSet, e env) error {
	return errors.Join(flag.ErrHelp, pageOf(name).Write(e.out, set))
}

func help(w io.Writer) {
	fmt.Fprintln(w, "sabot: the tool for the bench and the auditor of a Sabot table")
	fmt.Fprintln(w)
	for _, c := range commands() {
		fmt.Fprintf(w, "  sabot %-14s %-28s %s\n", c.name, c.args, c.what)
	}
	fmt.Fprintln(w, "\nFILE may be - for standard input. JOURNAL is the folder of a journal. Exit status: 0 all is well, 1 something is wrong, 2 usage.")
	fmt.Fprintln(w, "sabot help COMMAND, or sabot COMMAND -h, says more and gives an example.")
}
