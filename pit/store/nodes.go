package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
)

// Several programs share a PostgreSQL database by parts of its tables. Who holds a part's advisory lock, on a session
// of its own, writes the tables of the part. The lock ends with the session, so a node that died loses it by itself; a
// machine that has lost its power or its network, or a program that hangs, by PostgreSQL's idle_session_timeout. That
// alone would let a node that does not know of it yet write once more. So each node that takes a part draws a number,
// its epoch, and each transaction that writes compares it, and holds its row: who takes a part waits for what is being
// written, and who has lost it writes nothing any more.

const (
	// parts is into how many parts the tables are divided: of few, one node would have far more than another.
	parts = 32
	// partClass is the first number of the parts' advisory locks; the second is the part's. Of nodeClass all nodes
	// share one: they are counted by it.
	partClass = 0x5ab0
	nodeClass = 0x5ab1
	// lookEvery is how often a node shows that it is there, and looks for parts that nobody has; usualSilence is
	// when PostgreSQL ends the session of one that says nothing, unless the options say another.
	lookEvery    = 500 * time.Millisecond
	usualSilence = 3 * time.Second
	// locked are the advisory locks of a class that somebody has in this database.
	locked = ` FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND objsubid = 2 AND granted
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
)

// partOf is the part of a table.
func partOf(table topic.Table) int {
	h := fnv.New32a()
	h.Write([]byte(table.String())) //nolint:errcheck // never fails
	return int(h.Sum32() % parts)
}

// Listener is told what other nodes do. It must not keep the caller waiting: a node that says nothing is taken for
// dead.
type Listener interface {
	// Moved says that this node has taken parts of the tables, or lost some.
	Moved()
	// Alerts are alerts as another node keeps them, and Words what people have said of alerts anywhere.
	Alerts([]floor.Alert)
	Words([]floor.Word)
	// Database says that the database cannot be used, and why; nil once it can.
	Database(err error)
}

// Nodes are those that share a database, and what this one has of it.
type Nodes struct {
	store   *Store
	source  string
	id      string // of one start of the program
	silence time.Duration

	mu sync.Mutex
	// held are the epochs of the parts that this node may write, 0 for none; answers says of which it was the last to
	// hold the lock, as far as it knows, and died that it has taken them from one that had not given them back.
	held    [parts]int64
	answers [parts]bool
	died    [parts]time.Time
	live    bool
}

func newNodes(s *Store, o Options) *Nodes {
	return &Nodes{
		store: s, source: o.Source, id: o.Node + "-" + rand.Text()[:8], silence: cmp.Or(o.Silence, usualSilence),
	}
}

// round is how long looking may take: a node knows that its session is lost before others have what it held.
func (n *Nodes) round() time.Duration { return n.silence * 5 / 6 }

// Epoch names the time for which this node may write a table, 0 while it may not.
func (n *Nodes) Epoch(table topic.Table) int64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.held[partOf(table)]
}

// Answers says whether this node tells people of a table: it writes it, or was the last to do so as far as it knows.
// The zero table is the pit itself, and each node answers for itself.
func (n *Nodes) Answers(table topic.Table) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return table == topic.Table{} || n.answers[partOf(table)]
}

// Inherited says whether a table was taken over a moment ago from a node that has died.
func (n *Nodes) Inherited(table topic.Table) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	const moment = 5 * time.Second
	return table != topic.Table{} && time.Since(n.died[partOf(table)]) < moment
}

// Held is how many parts of the tables this node may write, of [Nodes.Parts].
func (n *Nodes) Held() (held int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, epoch := range n.held {
		if epoch != 0 {
			held++
		}
	}
	return held
}

// Parts is how many parts there are.
func (n *Nodes) Parts() int { return parts }

// Live says whether the database is reached.
func (n *Nodes) Live() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.live
}

// Run takes a fair share of the tables, and tells what other nodes do, until the context ends. Then it gives all back.
func (n *Nodes) Run(ctx context.Context, to Listener) {
	for ctx.Err() == nil {
		err := n.session(ctx, to)
		if ctx.Err() != nil {
			return
		}
		n.lose(to)
		to.Database(fmt.Errorf("this node has lost its session at the database, and writes nothing: %w", err))
		select {
		case <-ctx.Done():
		case <-time.After(lookEvery):
		}
	}
}

// lose forgets what the session held. Whom people hear of a table from stays the same until another node has it.
func (n *Nodes) lose(to Listener) {
	n.mu.Lock()
	n.held, n.live = [parts]int64{}, false
	n.mu.Unlock()
	n.store.lines.use("")
	to.Moved()
}

// session holds parts on one connection, until that is lost.
func (n *Nodes) session(ctx context.Context, to Listener) error {
	s := &share{Nodes: n, to: to}
	if err := s.connect(ctx); err != nil {
		return err
	}
	defer s.close()
	if err := s.begin(ctx); err != nil {
		return err
	}
	to.Database(nil)
	for ctx.Err() == nil {
		// An end that comes while the database is asked would cut the session, and the node would be taken for dead.
		if err := s.look(context.WithoutCancel(ctx)); err != nil {
			return err
		}
		if err := s.listen(ctx, s.conn); err != nil {
			return err
		}
	}
	return s.giveBack()
}

// connect opens a session that PostgreSQL ends soon after it has heard nothing.
func (s *share) connect(ctx context.Context) error {
	c, err := postgresOf(s.source, answerWithin)
	if err != nil {
		return err
	}
	c.ConnectTimeout = s.round()
	ctx, stop := context.WithTimeout(ctx, 2*s.round()) // of several hosts, one may be gone
	defer stop()
	s.conn, err = pgx.ConnectConfig(ctx, c)
	if err != nil {
		return err
	}
	// Not what was dialled last: of a server that did not answer, pgx calls off by another connection what was asked.
	s.at = s.conn.PgConn().Conn().RemoteAddr().String()
	for name, value := range map[string]string{
		"application_name": s.id, "idle_session_timeout": fmt.Sprint(s.silence.Milliseconds()), "lock_timeout": "1s",
		"synchronous_commit":  "off", // of what is only for now
		"tcp_keepalives_idle": "1", "tcp_keepalives_interval": "1", "tcp_keepalives_count": "2",
	} {
		// A server that does not know one of them, before PostgreSQL 14, finds out later that a machine is gone.
		if _, err := s.conn.Exec(ctx, `SELECT set_config(name, $2, false) FROM pg_settings WHERE name = $1`, name,
			value); err != nil {
			return errors.Join(err, s.conn.Close(ctx))
		}
	}
	return nil
}

// share is what a node has of the tables over one session.
type share struct {
	*Nodes
	conn *pgx.Conn
	at   string // the server's address
	to   Listener
	// others are alerts that other nodes have kept since they were read last.
	others []string
}

func (s *share) close() {
	ctx, stop := context.WithTimeout(context.Background(), s.round())
	defer stop()
	s.conn.Close(ctx) //nolint:errcheck // its locks end with it
}

// begin finds out what became of everything while there was no session.
func (s *share) begin(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, s.round())
	defer stop()
	if _, err := s.conn.Exec(ctx, `LISTEN `+alertChannel+`; LISTEN `+meterChannel); err != nil {
		return err
	}
	s.store.tellMeters() // what was said meanwhile was not heard
	if _, err := s.conn.Exec(ctx, `SELECT pg_advisory_lock_shared($1, 0)`, nodeClass); err != nil {
		return err
	}
	rows, err := s.conn.Query(ctx, `SELECT number FROM part WHERE node NOT IN ('', $1)`, s.id)
	if err != nil {
		return err
	}
	taken, err := pgx.CollectRows(rows, pgx.RowTo[int])
	if err != nil {
		return err
	}
	s.mu.Lock()
	for _, part := range taken {
		s.answers[part] = false
	}
	s.live = true
	s.mu.Unlock()
	s.store.lines.use(s.at)
	return s.allAlerts(ctx)
}

// look shows that the node is there, and takes or gives back parts.
func (s *share) look(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, s.round())
	defer stop()
	var nodes int
	if err := s.conn.QueryRow(ctx, `SELECT count(*)`+locked, nodeClass).Scan(&nodes); err != nil {
		return err
	}
	moved, err := s.share((parts + nodes - 1) / max(1, nodes))
	if moved {
		s.to.Moved()
	}
	if err != nil {
		return err
	}
	if err := s.words(ctx); err != nil {
		return err
	}
	return s.alerts(ctx)
}

// share has so many parts, if there are as many that nobody has.
func (s *share) share(fair int) (moved bool, err error) {
	ctx, stop := context.WithTimeout(context.Background(), s.round())
	defer stop()
	var own []int
	s.mu.Lock()
	for part, epoch := range s.held {
		if epoch != 0 {
			own = append(own, part)
		}
	}
	s.mu.Unlock()
	for len(own) > fair {
		last := own[len(own)-1]
		if err := s.release(ctx, last); err != nil {
			return true, err
		}
		own, moved = own[:len(own)-1], true
	}
	if len(own) >= fair {
		return moved, nil
	}
	rows, err := s.conn.Query(ctx, `SELECT number FROM part WHERE number NOT IN (SELECT objid::bigint`+locked+`)
		ORDER BY random() LIMIT $2`, partClass, fair-len(own))
	if err != nil {
		return moved, err
	}
	free, err := pgx.CollectRows(rows, pgx.RowTo[int])
	for _, part := range free {
		if err != nil {
			break
		}
		var taken bool
		taken, err = s.take(ctx, part)
		moved = moved || taken
	}
	return moved, err
}

// take takes a part, if nobody has it.
func (s *share) take(ctx context.Context, part int) (taken bool, err error) {
	if err := s.conn.QueryRow(ctx, `SELECT pg_try_advisory_lock($1, $2)`, partClass, part).Scan(&taken); err != nil ||
		!taken {
		return false, err
	}
	epoch, before, err := s.draw(ctx, part)
	if err != nil { // what was written last is not yet over
		_, failed := s.conn.Exec(ctx, `SELECT pg_advisory_unlock($1, $2)`, partClass, part)
		return false, failed
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held[part], s.answers[part], s.died[part] = epoch, true, time.Time{}
	if before != "" && before != s.id {
		s.died[part] = time.Now()
	}
	return true, nil
}

// draw draws the epoch of a part that this session has locked, which ends all others. It waits for whoever writes yet.
func (s *share) draw(ctx context.Context, part int) (epoch int64, before string, err error) {
	epoch = drawn()
	tx, err := s.conn.Begin(ctx)
	if err != nil {
		return 0, "", err
	}
	defer tx.Rollback(ctx) //nolint:errcheck // after a commit there is nothing to do
	if _, err := tx.Exec(ctx, `SET LOCAL synchronous_commit = on`); err != nil {
		return 0, "", err
	}
	if err := tx.QueryRow(ctx, `SELECT node FROM part WHERE number = $1 FOR UPDATE`, part).Scan(&before); err != nil {
		return 0, "", err
	}
	_, err = tx.Exec(ctx, `UPDATE part SET epoch = $2, node = $3 WHERE number = $1`, part, epoch, s.id)
	if err != nil {
		return 0, "", err
	}
	return epoch, before, tx.Commit(ctx)
}

// release gives a part back.
func (s *share) release(ctx context.Context, part int) error {
	s.mu.Lock()
	s.held[part], s.answers[part] = 0, false
	s.mu.Unlock()
	if _, err := s.conn.Exec(ctx, `UPDATE part SET node = '' WHERE number = $1`, part); err != nil {
		return err
	}
	_, err := s.conn.Exec(ctx, `SELECT pg_advisory_unlock($1, $2)`, partClass, part)
	return err
}

// giveBack gives everything back, so that others need not wait.
func (s *share) giveBack() error {
	ctx, stop := context.WithTimeout(context.Background(), s.round())
	defer stop()
	s.mu.Lock()
	s.held, s.live = [parts]int64{}, false
	s.mu.Unlock()
	_, err := s.conn.Exec(ctx, `UPDATE part SET node = '' WHERE node = $1`, s.id)
	return err
}

// notified is a session as far as it tells of what other sessions have said.
type notified interface {
	WaitForNotification(context.Context) (*pgconn.Notification, error)
	IsClosed() bool
}

// listen waits for what other nodes say, until it is time to look again. What was heard at that very moment counts.
func (s *share) listen(ctx context.Context, session notified) error {
	until, stop := context.WithTimeout(ctx, lookEvery)
	defer stop()
	for {
		said, err := session.WaitForNotification(until)
		switch {
		case err != nil && until.Err() != nil && !session.IsClosed():
			return nil
		case err != nil:
			return err
		case said.Channel == meterChannel:
			s.store.tellMeters()
			continue
		case said.Payload == "":
			return nil // a word
		}
		s.others = append(s.others, said.Payload)
	}
}

// fence says which epoch a transaction writes a table by, and keeps everybody else from writing it before its end.
func (w *writer) fence(table topic.Table) (epoch int64, err error) {
	if !w.store.postgres {
		return 0, nil
	}
	part := partOf(table)
	if epoch, is := w.fences[part]; is {
		return epoch, nil
	}
	if n := w.store.nodes; n != nil {
		epoch, err = w.heldBy(n, table)
	} else {
		epoch, err = w.heldAlone(part)
	}
	if err == nil {
		w.fences[part] = epoch
	}
	return epoch, err
}

// heldBy is the epoch of a node, if it may still write: whoever takes the part over waits for the transaction's end.
// That nobody has done so is found out together with what is written, since it rarely is so.
func (w *writer) heldBy(n *Nodes, table topic.Table) (int64, error) {
	epoch := n.Epoch(table)
	if epoch == 0 {
		return 0, refusal{ErrElsewhere}
	}
	asked := w.batch.Queue(`SELECT epoch FROM part WHERE number = $1 FOR SHARE`, partOf(table))
	asked.QueryRow(func(row pgx.Row) error {
		var is int64
		err := row.Scan(&is)
		return cmp.Or(err, unless(is == epoch, ErrElsewhere))
	})
	return epoch, nil
}

// heldAlone takes a part for the transaction, as a command does that runs while no node does.
func (w *writer) heldAlone(part int) (epoch int64, err error) {
	free := false
	for tries := 0; err == nil && !free; tries++ {
		switch {
		case tries == 30:
			return 0, refusal{ErrElsewhere}
		case tries > 0:
			time.Sleep(100 * time.Millisecond) // one that has just died is not yet gone
		}
		_, err = w.row(`SELECT pg_try_advisory_xact_lock($1, $2)`, []any{partClass, part}, []any{&free})
	}
	if err == nil {
		_, err = w.row(`SELECT epoch FROM part WHERE number = $1 FOR UPDATE`, []any{part}, []any{&epoch})
	}
	if err != nil || epoch == w.own {
		return epoch, err
	}
	// Another program has written what is remembered of its tables, if anything is.
	maps.DeleteFunc(w.keepers, func(_ string, k *keeper) bool { return partOf(k.table) == part })
	err = w.exec(`UPDATE part SET epoch = $2, node = '' WHERE number = $1`, part, w.own)
	return w.own, err
}

// drawn is an epoch that nobody has had.
func drawn() int64 {
	var random [8]byte
	rand.Read(random[:]) //nolint:errcheck // never fails
	return int64(binary.BigEndian.Uint64(random[:])>>1) | 1
}
