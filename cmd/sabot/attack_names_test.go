package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table/journal"
)

// TestAttackToolsPrintNames has every tool read a journal of before, whose names nobody checked. Nothing steers the
// terminal, no name begins a line of its own, and the record is read all the same.
func TestAttackToolsPrintNames(t *testing.T) {
	tier.Soak(t, "a built program is attacked for seconds")
	path := recorded(t, evilTranscript(evilNames))
	parts, err := filepath.Glob(filepath.Join(path, "*"))
	if err != nil || len(parts) == 0 {
		t.Fatal(parts, err)
	}
	runs := [][]string{
		{"replay", path},
		{"replay", parts[0]},
		{"journal", "transcript", path},
		{"journal", "events", path},
		{"journal", "irregularities", path},
		{"journal", "audit", path},
		{"journal", "audit", "--json", path},
		{"journal", "verify", path},
		{"journal", "state", path},
		{"journal", "recall", path},
		{"journal", "recall", "--json", path},
		{"journal", "recall", "--last", "100", path},
		{"journal", "recall", "--last", "100", "--box", "1", path},
		{"journal", "export", "--to", "csv", path, filepath.Join(t.TempDir(), "csv")},
	}
	for i := 0; i < len(evilNames); i += 5 {
		n := strconv.Itoa(i + 1)
		runs = append(runs, []string{"journal", "recall", path, n}, []string{"journal", "recall", "--json", path, n},
			[]string{"journal", "recall", "--proof", path, n}, []string{"journal", "audit", "--round", n, path})
	}
	runs = append(runs, []string{"journal", "state", path, "16"}) // the name lies on the table
	tries, through := 0, 0
	for _, args := range runs {
		tries++
		got := sabot(t, "", args...)
		if got.Status != exitOK && args[1] != "audit" || got.Err != "" {
			t.Errorf("sabot %v ended with status %d, %q", args, got.Status, got.Err)
		}
		if what := steering(got.Out); what != "" {
			through++
			t.Errorf("sabot %v: %s", args, what)
		}
	}
	attack.Report(t, "names on record that steer the terminal of a tool's user", tries, through)
}

// TestAttackForgedRecord has every tool read what somebody with the card wrote: a journal whose hashes fit, and one in
// whose file bytes were changed.
func TestAttackForgedRecord(t *testing.T) {
	var forgeries []string
	for _, evil := range []string{"\x1b[2J\x1b[H\n" + forged, "\u202e\u009b2J\x00", "\xff\x9b2J\u2028" + forged} {
		quoted, err := json.Marshal(evil)
		if err != nil {
			t.Fatal(err)
		}
		forgeries = append(forgeries, planted(t, "sabotd "+evil, strings.Trim(string(quoted), `"`)))
		changed := planted(t, "sabotd PLANTED", "PLANTED")
		parts, _ := filepath.Glob(filepath.Join(changed, "*")) // its pattern is good
		for _, part := range parts {
			text, err := os.ReadFile(part)
			if err == nil {
				err = os.WriteFile(part, bytes.ReplaceAll(text, []byte("PLANTED"), []byte(evil)), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		forgeries = append(forgeries, changed)
	}
	tries, through := 0, 0
	for _, path := range forgeries {
		for _, args := range [][]string{
			{"replay", path},
			{"journal", "transcript", path},
			{"journal", "events", path},
			{"journal", "irregularities", path},
			{"journal", "audit", path},
			{"journal", "audit", "--json", path},
			{"journal", "audit", "--round", "1", path},
			{"journal", "verify", path},
			{"journal", "state", path},
			{"journal", "recall", path},
			{"journal", "recall", path, "1"},
			{"journal", "recall", "--json", path, "1"},
			{"journal", "recall", "--proof", path, "1"},
		} {
			tries++
			got := sabot(t, "", args...)
			if what := steering(got.Out) + steering(got.Err); what != "" {
				through++
				t.Errorf("sabot %v: %s", args, what)
			}
		}
	}
	attack.Report(t, "raw bytes in a record that steer the terminal of a tool's user", tries, through)
}

// planted is a journal that a program wrote, with a text wherever one can stand in JSON.
func planted(t *testing.T, program, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "journal")
	j, err := journal.Open(path, journal.Options{Program: program})
	if err == nil {
		err = j.Append([]journal.Entry{
			{Round: 1, Input: []byte(`{"in":"open"}`), Outputs: []byte(`{"out":"opened","round":1}` + "\n")},
			{
				Round: 1, Input: []byte(`{"in":"note","code":"` + text + `"}`),
				Outputs: []byte(`{"out":"` + text + `"}` + "\n"),
			},
			{
				Round: 1, Input: []byte(`{"in":"` + text + `"}`),
				Outputs: []byte(`{"out":"irregular","code":"unread-card","by":"` + text + `"}` + "\n"),
			},
			{
				Round: 1, Input: []byte(`{"in":"dealer","name":"` + text + `"}`),
				Outputs: []byte(`{"out":"dealer","name":"` + text + `","shift":"` + text + `"}` + "\n"),
			},
		})
	}
	if err == nil {
		err = j.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAttackToolsRefuse: files and arguments that others made are refused, or taken, without steering the terminal.
func TestAttackToolsRefuse(t *testing.T) {
	tries, through := 0, 0
	for _, evil := range []string{
		"\xff\x9b2J", evilNames[0], evilNames[1], "a\u2028" + forged, "\u202egnol",
		"\u009b31m", "a\x00b",
	} {
		quoted, err := json.Marshal(evil)
		if err != nil {
			t.Fatal(err)
		}
		strict := write(t, setup+`{"in":"open"}`+"\n"+`{"in":"stake","box":1,"wager":"main","amount":1000,"bettor":`+
			string(quoted)+"}\n")
		config := write(t,
			"site: a\ntable: b\nhouse: wiesbaden\nshoe: {port: /dev/x}\nsupervisors:\n  names:\n    - {name: "+
				string(quoted)+", pin: x}\n")
		text := write(t, evil)
		for _, args := range [][]string{
			{"replay", strict},
			{"config", "check", config},
			{"config", "diff", "--config", changedTo(t, config, text)},
			{"config", "restore", "--config", changedTo(t, text, config), "1"},
			{"replay", text},
			{"config", "check", text},
			{"config", "words", text},
			{"rules", "check", text},
			{"rules", "show", text},
			{"key", "journal", "--public", text},
			{"key", "command", "--public", "a", text},
			{"journal", "audit", text},
			{"devices", "--config", config},
			{"journal", "republish", "--config", config, "--from", "1"},
			{"shoe", "sim", "--scenario", text},
		} {
			tries++
			got := sabot(t, "", args...)
			if what := steering(got.Out) + steering(got.Err); what != "" || got.Status == exitOK &&
				strings.TrimSpace(evil) != "" && args[1] == strict {
				through++
				t.Errorf("sabot %v of %q ended with %+v: %s", args, evil, got, what)
			}
		}
		if strings.ContainsRune(evil, 0) {
			continue // no argument can have it
		}
		for _, args := range [][]string{
			{"key", "pin", evil},
			{"journal", "verify", evil},
			{evil},
			{"replay", "--house", evil, text},
			{"watch", evil},
			{"help", evil},
			{"replay", "--" + evil, "x"},
		} {
			tries++
			got := sabot(t, "", args...)
			if what := steering(got.Out) + steering(got.Err); what != "" || got.Status == exitOK {
				through++
				t.Errorf("sabot %q ended with %+v: %s", args, got, what)
			}
		}
	}
	attack.Report(t, "files and arguments that steer the terminal", tries, through)
}

// fillTexts puts a text into every text of a value.
func fillTexts(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Pointer:
		if !v.IsNil() {
			fillTexts(v.Elem(), text)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fillTexts(v.Field(i), text)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			fillTexts(v.Index(i), text)
		}
	}
}

// painted takes out of what watch has painted its own sequences for the screen.
var painted = strings.NewReplacer("\x1b[H", "", "\x1b[K", "", "\x1b[J", "", "\r\n", "\n")

// drawn runs sabot watch until it has drawn so many screens, or ends by itself.
func drawn(t *testing.T, url string, screens int) string {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), processes.Deadline)
	defer stop()
	out, terminal := io.Pipe()
	var errOut bytes.Buffer
	go func() {
		run(ctx, []string{"watch", url}, env{nil, terminal, &errOut})
		_ = terminal.Close() // always nil
	}()
	var seen bytes.Buffer
	for buf := make([]byte, 4096); strings.Count(seen.String(), "\x1b[J") < screens; {
		n, err := out.Read(buf)
		seen.Write(buf[:n])
		if err != nil {
			break
		}
	}
	stop()
	_, _ = io.Copy(&seen, out) // until watch has ended
	return painted.Replace(seen.String()) + errOut.String()
}

// TestAttackWatch: a server that is no table may send whatever it wants to whoever watches.
func TestAttackWatch(t *testing.T) {
	tries, through := 0, 0
	try := func(what, evil, url string, screens int) {
		t.Helper()
		tries++
		seen := drawn(t, url, screens)
		if wrong := steering(seen); wrong != "" || seen == "" {
			through++
			t.Errorf("%s with %q: %s\n%q", what, evil, wrong, seen)
		}
	}
	for i := 0; i < len(evilNames); i += 4 {
		evil := evilNames[i]
		v := displaytest.Named([]string{"full", "bets", "long"}[i%3])
		view := reflect.ValueOf(&v).Elem()
		house := v.House
		fillTexts(view, evil)
		if i%2 == 0 {
			v.House = house
		}
		body, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: %s\n\n", body)
		}))
		try("a view", evil, server.URL, 2) // the second says that the table is lost
		server.Close()
		raw := rawServer(t, "HTTP/1.1 404 "+strings.NewReplacer("\r", "", "\n", "").Replace(evil)+
			"\r\nContent-Length: 0\r\n\r\n")
		try("a status", evil, raw, 1)
		raw = rawServer(t, "HTTP/1.1 302 Found\r\nLocation: http://"+
			strings.NewReplacer("\r", "", "\n", "").Replace(evil)+"/\r\nContent-Length: 0\r\n\r\n")
		try("a redirection", evil, raw, 1)
		raw = rawServer(t, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {"+evil+"\n\n")
		try("what is no view", evil, raw, 1)
	}
	attack.Report(t, "a server that steers the terminal of whoever watches", tries, through)
}

// rawServer answers each connection with the same bytes.
func rawServer(t *testing.T, answer string) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_ = c.SetDeadline(time.Now().Add(processes.Deadline))
			buf := make([]byte, 4096)
			_, _ = c.Read(buf)
			_, _ = io.WriteString(c, answer)
			_ = c.Close()
		}
	}()
	return "http://" + l.Addr().String() + "/"
}

// TestJSONKeepsItsValues: what JSON's escapes are written for is the same text, and --raw prints the bytes.
func TestJSONKeepsItsValues(t *testing.T) {
	path := recorded(t, evilTranscript(evilNames))
	escaped, raw := sabot(t, "", "journal", "transcript", path), sabot(t, "", "journal", "transcript", "--raw", path)
	if raw.Status != exitOK || steering(raw.Out) == "" || escaped.Out == raw.Out {
		t.Fatalf("--raw prints %q", raw.Out[:min(len(raw.Out), 300)])
	}
	was, is := strings.Split(raw.Out, "\n"), strings.Split(escaped.Out, "\n")
	if len(was) != len(is) {
		t.Fatalf("%d lines became %d", len(was), len(is))
	}
	for i := range was {
		var a, b any
		if was[i] != "" && (json.Unmarshal([]byte(was[i]), &a) != nil || json.Unmarshal([]byte(is[i]), &b) != nil ||
			!reflect.DeepEqual(a, b)) {
			t.Errorf("%q is printed as %q", was[i], is[i])
		}
	}
	// The transcript of a journal of before is played again only on request.
	night := write(t, escaped.Out)
	wantFailure(t, processes.Ended{Status: exitFailed, Err: sabot(t, "", "replay", night).Err}, exitFailed,
		"line 2, column", "hidden character")
	again, from := sabot(t, "", "replay", "--as-recorded", night), sabot(t, "", "replay", path)
	if again.Status != exitOK || again.Out != from.Out || again.Out == "" {
		t.Errorf("the transcript is played as\n%.300s %s\nand the journal as\n%.300s", again.Out, again.Err, from.Out)
	}
	one := sabot(t, "", "journal", "recall", "--json", path, "1")
	var round struct {
		Boxes []struct{ Stakes []struct{ Bettor string } }
	}
	if err := json.Unmarshal([]byte(one.Out), &round); err != nil || len(round.Boxes) != 1 ||
		round.Boxes[0].Stakes[0].Bettor != evilNames[0] {
		t.Errorf("the round is %+v, %v", round, err)
	}
}
