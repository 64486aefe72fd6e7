//go:build board

package main

import (
	"crypto/ed25519"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/board"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/table/journal"
)

// TestBoardArmv7 runs the programs for 32-bit ARM in user emulation: they check a house's
// rules, deal a demonstration whose journal passes the audit on this machine, and replay
// its inputs with the same outputs.
func TestBoardArmv7(t *testing.T) {
	if err := board.Tools(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	programs, err := board.Build(t.Context(), dir, "armv7", "cmd/sabotd", "cmd/sabot-demo", "cmd/sabot")
	if err != nil {
		t.Fatal(err)
	}
	runs := func(program string, args ...string) string {
		t.Helper()
		var said strings.Builder
		cmd := exec.CommandContext(t.Context(), emulator, append([]string{programs[program]}, args...)...)
		cmd.Stderr = &said
		out, err := cmd.Output() // however long it takes: 10,000 rounds are dealt, at the pace of this machine
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", program, args, err, said.String())
		}
		return string(out)
	}
	contains(t, runs("sabotd", "--version"), "sabotd ")
	contains(t, runs("sabot", "version"), "sabot ")
	house := filepath.Join(dir, "mine.yaml")
	write(t, house, mine)
	contains(t, runs("sabot", "rules", "check", house), "mine")

	const rounds = 5
	w := &world{t: t, path: filepath.Join(processes.FastDir(t), "kept.db")}
	still := processes.StoodStill(t)
	process := processes.StartWith(t, []string{"TMPDIR=" + processes.FastDir(t)}, emulator, programs["sabot-demo"],
		"--pace", "0s", "--rounds", "5", "--seed", "9", "--web", "127.0.0.1:0", "--broker", "127.0.0.1:0",
		"--journal", w.path)
	if status := process.Wait(); status != exitOK || process.Complaints(still) != "" {
		t.Fatalf("the demonstration ended with status %d:\n%s", status, process.Log())
	}
	key, err := journal.ReadKeyFile(w.path + ".key")
	if err != nil {
		t.Fatal(err)
	}
	w.public = key.Public().(ed25519.PublicKey)
	w.audited(rounds)
	inputs, outputs := w.records()
	transcript := filepath.Join(dir, "demo.jsonl")
	write(t, transcript, inputs)
	sameLines(t, "the replay", runs("sabot", "replay", transcript), outputs)
}

// emulator runs a program for 32-bit ARM.
const emulator = "qemu-arm"
