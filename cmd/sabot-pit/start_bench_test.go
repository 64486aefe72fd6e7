package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/pit/topic"
)

// BenchmarkStart starts the pit of a house with one machine, with the broker inside and SQLite, in which the records of
// 60 tables are kept, and takes turns with a program that only says that it is ready.
//
//	go test ./cmd/sabot-pit -run '^$' -bench Start -benchtime 10x
func BenchmarkStart(b *testing.B) {
	folder := processes.FastDir(b)
	config, source, names := filepath.Join(folder, "pit.yaml"), filepath.Join(folder, "pit.db"), numbered(60)
	text := fmt.Sprintf("site: %s\ntables: [%s]\nbroker: {listen: %q}\nstore: {source: %q, time_zone: Europe/Berlin}\n"+
		"web: {listen: \"127.0.0.1:0\"}\n", clusterSite, strings.Join(names, ", "), system.Address(b), source)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	keepRounds(b, source, folder, names)
	program, least := processes.Binary(b, "sabot-pit"), processes.Bare(b)
	processes.Start(b, program, "--config", config).Stop() // the broker's folder is there from now on
	processes.Starts(b, least, func() {}, program, "--config", config)
}

// keepRounds has the pit's database keep a hundred rounds of each table.
func keepRounds(b *testing.B, source, folder string, names []string) {
	b.Helper()
	s := openAlone(b, source)
	for i, name := range names {
		n := journaltest.NewNight(b, filepath.Join(folder, name), "wiesbaden", uint64(i))
		n.Now, n.Flushed = time.Now().Add(-2*time.Hour), 4096
		n.Rounds(100)
		table, err := topic.NewTable(clusterSite, name)
		if err == nil {
			err = s.Refill(b.Context(), table, n.Journal.Reader, nil)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
