package main

import (
	"database/sql"
	"flag"
	"path/filepath"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

var earlierPrograms = flag.String("versions.earlier", "",
	"the folder with sabot-pit of an earlier version, for TestRollingUpgrade: make versions-test")

// TestRollingUpgrade: three nodes of an earlier version are upgraded one after the other while tables are dealt at, as
// docs/floor.md says. The first new one brings the database to its form while the others write. Each record is in it
// once, and the jackpot adds up.
func TestRollingUpgrade(t *testing.T) {
	if *earlierPrograms == "" {
		tier.Elsewhere(t, "make versions-test builds an earlier version, and starts it")
	}
	c := newCluster(t, numbered(12), filepath.Join(*earlierPrograms, "sabot-pit"))
	for i := range c.nodes {
		c.start(i)
	}
	*chaosPace = time.Second
	_, r := dealtAt(t, c)
	r.shares("the nodes of the earlier version share the tables")
	c.program = processes.Binary(t, "sabot-pit")
	for i, n := range c.nodes {
		n.run.Stop()
		soundLog(t, n.run)
		c.start(i)
		r.shares(n.name + " has its share again")
	}
	r.rest()
}

// shares waits until each node has its share of the tables, and everything is kept that tables have said until now.
func (r *room) shares(what string) {
	r.t.Helper()
	db, err := sql.Open("pgx", r.dsn(r.watch))
	if err != nil {
		r.t.Fatal(err)
	}
	defer db.Close()
	wait(r.t, what, func() bool {
		for _, n := range r.nodes {
			var parts int
			err := db.QueryRowContext(r.t.Context(), `SELECT count(*) FROM part WHERE node LIKE $1`,
				n.name+"-%").Scan(&parts)
			if err != nil || parts < 10 {
				return false
			}
		}
		return true
	})
	said := map[string]uint64{}
	for _, s := range r.seats {
		said[s.name.Name()] = s.head()
	}
	wait(r.t, what+", and all is kept", func() bool {
		has := headsIn(r.t.Context(), db)
		for name, head := range said {
			if has[name] < head {
				return false
			}
		}
		return true
	})
}
