package main

import (
	"context"
	"flag"
	"slices"
)

// command is one of sabot's commands: what it is called, what it says of itself with -h, and what it does.
type command struct {
	// name is a word, or two: a group and the command in it.
	name string
	// was is a name under which it still answers, so that a script goes on; it then says where the command went.
	was string
	// run parses args by set, which has the command's name.
	run func(ctx context.Context, set *flag.FlagSet, args []string, e env) error
	// needs is what not every system has, without which the command refuses.
	needs needs

	args, what string
	// arguments explain the words in capitals of args.
	arguments []string
	examples  []string
}

// section is what belongs together in the list of commands.
type section struct {
	title    string
	commands []command
}

const (
	theJournal = "JOURNAL: the folder of a journal, such as /var/lib/sabot/journal; a running table's may be read, too"
	theHouse   = "HOUSE: one of sabot rules list, or the file of a house's own, which ends in .yaml"
)

// sections are all commands. They are made when they are asked for: what some of them do asks for the list.
func sections() []section {
	return []section{
		{"At the table", slices.Concat(tableCommands(), keepingCommands())},
		{"What a journal tells", slices.Concat(journalCommands(), recordCommands())},
		{"Rules, and what they are worth", rulesCommands()},
		{"Configuration and languages", configCommands()},
		{"Keys, and the lines of people and screens", slices.Concat(keyCommands(), keyFileCommands())},
		{"Shoes", shoeCommands()},
		{"For engineers", engineerCommands()},
	}
}

// commands are all of them, in the order of the list.
func commands() (all []command) {
	for _, s := range sections() {
		all = append(all, s.commands...)
	}
	return all
}

func tableCommands() []command {
	return []command{
		{
			name: "doctor", run: examine, needs: linux,
			args: "[--config FILE] [--json]",
			what: "say what is right and what is wrong with a table, its computer and its configuration, and " +
				"what to do",
			arguments: []string{
				"FILE: the table's configuration; what may not be read is said, sudo sabot doctor reads all",
			},
			examples: []string{"sabot doctor --config /etc/sabot/sabot.yaml", "sabot doctor --json"},
		},
		{
			name: "devices", run: listDevices, needs: linux,
			args:     "[--config FILE]",
			what:     "list ports, pins and buses, and what is wrong with them",
			examples: []string{"sabot devices", "sabot devices --config /etc/sabot/sabot.yaml --user sabot"},
		},
		{
			name: "devices watch", run: watchDevices, needs: linux,
			args:      "--config FILE",
			what:      "show what comes from a table's devices until it is interrupted; stop sabotd first",
			arguments: []string{"FILE: the table's configuration"},
			examples:  []string{"sabot devices watch --config /etc/sabot/sabot.yaml"},
		},
		{
			name: "watch", run: watch, needs: warned,
			args:      "[--language NAME] [--ca FILE] [--key FILE] [URL]",
			what:      "show a running table in this terminal",
			arguments: []string{"URL: the address of the table's page; without it, that of a table on this computer"},
			examples: []string{
				"sabot watch",
				"sabot watch --language it --key screen.key https://bj-1.example:8443/",
			},
		},
	}
}

// keepingCommands keep a table: its copies, its versions, and what is sent to who helps.
func keepingCommands() []command {
	return []command{
		{
			name: "backup", run: backupTable, needs: permissions,
			args: "[--config FILE] [--recipients FILE] TARGET",
			what: "copy a table's journal, configuration and keys to a folder, a stick or another machine, while " +
				"it deals",
			arguments: []string{
				"TARGET: a folder, such as where a stick is mounted, or one on another machine as user@host:folder",
			},
			examples: []string{
				"sabot backup --config table.yaml --without-keys --same-disk backups",
				"sabot backup --list backups",
				"sabot backup --recipients /etc/sabot/backup.recipients sabot-backup@nas.example:tables",
			},
		},
		{
			name: "restore", run: restoreTable, needs: permissions,
			args:      "[--identity FILE] [--key FILE] BACKUP",
			what:      "put a table back from a backup on a new card, or check that it could be",
			arguments: []string{"BACKUP: what was the target of the backups, or the folder of one table in it"},
			examples: []string{
				"sabot restore --check --config table.yaml --although-anybody-may-have-made-it backups",
				"sabot restore --key bj-1.pub --identity backup.identity /media/stick",
			},
		},
		{
			name: "update", run: updateTable, needs: linux,
			args: "[--previous FILE] FILE",
			what: "install a newer signed package, between two rounds; it is taken back if the table is not ready " +
				"with it",
			arguments: []string{
				"FILE: a package of Sabot for this machine, with its signature FILE.minisig beside it",
			},
			examples: []string{"sabot update sabot_1.4.0_arm64.deb", "sabot update --status"},
		},
		{
			name: "bundle", run: bundleTable, needs: permissions,
			args: "[--config FILE] [--rounds N] PATH",
			what: "put logs, configuration, versions and the last rounds of a table, without secrets, into one " +
				"file for those who help",
			arguments: []string{"PATH: the file to make, .tar.gz, or a folder, such as where a stick is mounted"},
			examples: []string{
				"sabot bundle --config table.yaml --rounds 5 table.tar.gz",
				"sudo sabot bundle /media/stick",
			},
		},
	}
}

func journalCommands() []command {
	return []command{
		{
			name: "journal audit", was: "audit", run: auditJournal, needs: warned,
			args:      "[--key FILE] [--audit-key FILE] JOURNAL",
			what:      "check everything in a journal from its first input on",
			arguments: []string{theJournal},
			examples: []string{
				"sabot journal audit --key bj-1.pub --audit-key bj-1.audit journal",
				"sabot journal audit --key bj-1.pub --witness bj-1.witness journal",
				"sabot journal audit --round 2 journal",
			},
		},
		{
			name: "journal jackpots", run: auditJackpots,
			args:      "[--meter AMOUNT] JOURNAL...",
			what:      "add up, by their journals alone, what tables that play for one jackpot have fed and paid",
			arguments: []string{"JOURNAL...: the folders of the journals of all tables that play for it"},
			examples:  []string{"sabot journal jackpots bj-1 bj-2"},
		},
		{
			name: "journal verify", was: "verify", run: verify,
			args:      "JOURNAL",
			what:      "check a journal's numbers and its chain of hashes",
			arguments: []string{theJournal},
			examples:  []string{"sabot journal verify journal"},
		},
		{
			name: "journal recall", was: "recall", run: recallRounds,
			args: "[--box N] JOURNAL [ROUND]",
			what: "show what happened in past rounds, from the record",
			arguments: []string{
				theJournal,
				"ROUND: a round's number, or -1 for the last; without it, the last rounds are listed",
			},
			examples: []string{"sabot journal recall journal", "sabot journal recall --box 1 journal 2"},
		},
		{
			name: "journal irregularities", was: "irregularities", run: printIrregularities,
			args:      "JOURNAL",
			what:      "count a journal's irregularities by dealer, shift and kind",
			arguments: []string{theJournal},
			examples:  []string{"sabot journal irregularities journal"},
		},
	}
}

// recordCommands write what a journal has as something else.
func recordCommands() []command {
	return []command{
		{
			name: "journal transcript", was: "transcript", run: printTranscript,
			args:      "JOURNAL",
			what:      "print a journal's inputs as a transcript",
			arguments: []string{theJournal},
			examples: []string{
				"sabot journal transcript journal > night.jsonl",
				"sabot journal transcript journal | sabot replay -",
			},
		},
		{
			name: "journal events", was: "events", run: printEvents,
			args:      "JOURNAL",
			what:      "print a journal's outputs, one a line",
			arguments: []string{theJournal},
			examples:  []string{"sabot journal events journal"},
		},
		{
			name: "journal export", was: "export", run: exportTables, needs: warned,
			args:      "--to FORMAT JOURNAL PATH",
			what:      "write a journal's records, events and rounds as tables: SQLite, CSV or Parquet",
			arguments: []string{theJournal, "PATH: the file or, of CSV and Parquet, the folder to make"},
			examples: []string{
				"sabot journal export --to sqlite journal night.sqlite",
				"sabot journal export --to csv --rounds 1..2 journal tables",
			},
		},
		{
			name: "journal state", was: "state", run: printState,
			args:      "JOURNAL [RECORD]",
			what:      "print in one line where the table stood after a record, for a bug report",
			arguments: []string{theJournal, "RECORD: a record's number; without it, the last"},
			examples:  []string{"sabot journal state journal 5"},
		},
		{
			name: "journal republish", was: "republish", run: republish, needs: permissions,
			args: "--config FILE --from N [--to M]",
			what: "send events of a table's journal to the pit again",
			arguments: []string{
				"FILE: the table's configuration, which names its journal and its broker",
				"N, M: the numbers of the first and the last event",
			},
			examples: []string{"sabot journal republish --config /etc/sabot/sabot.yaml --from 1200 --to 1350"},
		},
	}
}

func rulesCommands() []command {
	return []command{
		{
			name: "rules list", run: listHouses,
			what:     "list the houses that come with Sabot",
			examples: []string{"sabot rules list"},
		},
		{
			name: "rules show", run: showHouse,
			args:      "[--language LANGUAGE] HOUSE",
			what:      "show all rules and paytables of a house in plain words, with the source of each",
			arguments: []string{theHouse},
			examples:  []string{"sabot rules show wiesbaden", "sabot rules show --language it ./my-house.yaml"},
		},
		{
			name: "rules check", run: checkHouse,
			args: "FILE",
			what: "list everything that is wrong with a house's own file; of one that is good, deal 10,000 rounds " +
				"with engine, second book and odds beside each other",
			arguments: []string{"FILE: a house profile, as docs/houses.md describes it"},
			examples:  []string{"sabot rules check my-house.yaml"},
		},
		{
			name: "rules new", run: newHouse,
			args: "[--language LANGUAGE] FILE",
			what: "ask what a rule sheet answers, write a commented profile with room for each source, and say what " +
				"the sheet left open; answers may be piped",
			arguments: []string{"FILE: the profile to write, which must not exist"},
			examples:  []string{"sabot rules new --language it casa.yaml"},
		},
		{
			name: "rules odds", was: "odds", run: workOutOdds,
			args:      "[--house HOUSE|FILE] [--set KEY=VALUE] | --compare A B",
			what:      "work out what the rules are worth: the edge of every wager, and the best play",
			arguments: []string{"A: a house, or the file of one, to put beside another", "B: the other"},
			examples: []string{
				"sabot rules odds --house schaffhausen --wager perfect-pairs",
				"sabot rules odds --house wiesbaden --chart",
				"sabot rules odds --house schaffhausen --set pays.black_jack=6:5 --set split.max=1",
				"sabot rules odds --compare st-moritz st-moritz-65",
			},
		},
	}
}

func configCommands() []command {
	return []command{
		{
			name: "config check", was: "check-config", run: checkConfig, needs: warned,
			args:      "[--user NAME] FILE",
			what:      "list everything that is wrong with a configuration",
			arguments: []string{"FILE: a table's configuration, such as /etc/sabot/sabot.yaml"},
			examples:  []string{"sabot config check sabot.yaml"},
		},
		{
			name: "config history", run: configHistory,
			args:     "[--config FILE]",
			what:     "list what a configuration was before each of its changes, the newest first, by number",
			examples: []string{"sabot config history --config sabot.yaml"},
		},
		{
			name: "config diff", run: configDiff,
			args: "[--config FILE] [NUMBER [NUMBER]]",
			what: "show what has changed since a number of the history, since the newest without one, or " +
				"between two",
			arguments: []string{"NUMBER: one of sabot config history"},
			examples:  []string{"sabot config diff --config sabot.yaml", "sabot config diff --config sabot.yaml 1 2"},
		},
		{
			name: "config restore", run: configRestore, needs: permissions,
			args: "[--config FILE] [--user NAME] NUMBER",
			what: "put a configuration back as it was before a change, if sabotd can use it; what is there now " +
				"is kept, too",
			arguments: []string{"NUMBER: one of sabot config history"},
			examples:  []string{"sabot config restore --config sabot.yaml 1"},
		},
		{
			name: "config words", was: "check-words", run: checkWords,
			args: "[--print LANGUAGE] [FILE…]",
			what: "list everything that is wrong with language files, and what is not translated; without a " +
				"file, in Sabot's own",
			arguments: []string{"FILE: a language file, as docs/languages.md describes it"},
			examples: []string{
				"sabot config words --print it > ticino.properties",
				"sabot config words ticino.properties",
			},
		},
	}
}

func keyCommands() []command {
	return []command{
		{
			name: "key pin", was: "pin", run: makePIN,
			args:      "NAME",
			what:      "make a supervisor's or dealer's line for the configuration; asks for the PIN",
			arguments: []string{"NAME: the supervisor, as the record is to name him"},
			examples:  []string{"sabot key pin anna", "echo 58219 | sabot key pin anna"},
		},
		{
			name: "key badge", was: "badge", run: makeBadge,
			args:      "[--like HASH] NAME",
			what:      "make a dealer's line for the configuration; reads the badge",
			arguments: []string{"NAME: the dealer, as the record is to name him"},
			examples:  []string{"echo 0041779988 | sabot key badge d7"},
		},
		{
			name: "key screen", was: "screen-key", run: screenKey,
			args: "[--own] [--url URL] NAME ROLE",
			what: "make a key for a screen on the network, and its line for the configuration",
			arguments: []string{
				"NAME: the screen, in letters, digits and -",
				"ROLE: what it may do: view, guest, dealer or supervisor",
			},
			examples: []string{
				"sabot key screen --url https://bj-1.example:8443/ touch dealer",
				"sabot key screen --own --url https://bj-1.example:8443/ kiosk supervisor",
			},
		},
	}
}

// keyFileCommands make files of keys.
func keyFileCommands() []command {
	return []command{
		{
			name: "key certificate", was: "certificate", run: makeCertificate, needs: permissions,
			args: "[--days N] FOLDER NAME…",
			what: "make a self-signed certificate for a bench's page",
			arguments: []string{
				"FOLDER: where page.crt and page.key are written",
				"NAME: the names and addresses by which screens reach the table's computer",
			},
			examples: []string{"sabot key certificate --days 90 . bj-1.example 192.0.2.10"},
		},
		{
			name: "key journal", was: "journal-key", run: journalKey, needs: permissions,
			args:      "[--public] FILE",
			what:      "make the key that seals a journal, or print the public half of one",
			arguments: []string{"FILE: the key's file, which must not be there yet"},
			examples: []string{
				"sabot key journal journal.key > journal.pub",
				"sabot key journal --public journal.key",
			},
		},
		{
			name: "key audit", was: "audit-key", run: auditKey, needs: permissions,
			args:      "JOURNAL",
			what:      "print the key with which an auditor checks every line of a journal, and forget it at the table",
			arguments: []string{"JOURNAL: the journal's folder, at the table"},
			examples:  []string{"sabot key audit journal > bj-1.audit"},
		},
		{
			name: "key command", was: "command-key", run: commandKey, needs: permissions,
			args: "[--public] [--person NAME] NAME FILE",
			what: "make a key with which the pit signs commands to tables, and its line for the configuration",
			arguments: []string{
				"NAME: the key, in letters, digits and -",
				"FILE: the key's file, which must not be there yet",
			},
			examples: []string{
				"sabot key command --person anna anna anna.key",
				"sabot key command --public --person anna anna anna.key",
			},
		},
	}
}

func shoeCommands() []command {
	return []command{
		{
			name: "shoe sim", was: "sim", run: sim, needs: linux,
			args:      "[--driver MAKE] [--port …]",
			what:      "simulate a shoe for the bench, with keys to draw from it",
			arguments: []string{"MAKE: the make of shoe that is simulated"},
			examples: []string{
				"sabot shoe sim --port /tmp/shoe",
				"sabot shoe sim --driver bee-tek --port tcp://127.0.0.1:4001",
			},
		},
		{
			name: "shoe key", was: "shoe-key", run: shoeKey, needs: permissions,
			args:      "FILE",
			what:      "make a new key for a shoe and this table",
			arguments: []string{"FILE: the key's file, which must not be there yet"},
			examples:  []string{"sabot shoe key shoe.key"},
		},
	}
}

func engineerCommands() []command {
	return []command{
		{
			name: "replay", run: replay,
			args: "[--house NAME|FILE] FILE|JOURNAL|-",
			what: "put a transcript, a journal or a part of one through the engine and print what follows",
			arguments: []string{
				"FILE: a transcript: JSON lines, packed by zstd or not; a part of a journal; or - for standard input",
				"JOURNAL: the folder of a journal",
			},
			examples: []string{"sabot replay round.jsonl", "sabot replay --house st-moritz round.jsonl"},
		},
		{
			name: "version", run: printVersion,
			what:     "print the version",
			examples: []string{"sabot version"},
		},
	}
}
