package store

import (
	"cmp"
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/pit/topic"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Options say where the store is, and how it counts.
type Options struct {
	// Source is the path of a SQLite file, which is made if it is missing, or the address of
	// a PostgreSQL database that exists: postgres://user:password@host/database.
	Source string
	// Day is the house's gaming day. Figures that were counted by another one stay as they
	// are until Rebuild.
	Day Day
	// KeepDays is for how many gaming days records and rounds are kept; 0 keeps all. Sums stay.
	KeepDays int
	// KeepSites are the days in its place for the tables of a site.
	KeepSites map[string]int
	// Node is this program's name among several that share a PostgreSQL database; "" for one that is alone, such as a
	// command. A node writes nothing of tables before Share has taken them.
	Node string
	// Silence is after which time others take what a node has that says nothing; it is well over a second, and 0 is
	// three.
	Silence time.Duration
	// Log gets what is not an error of the caller's; nil is slog.Default.
	Log *slog.Logger
}

// Store is an open store. Its methods may be called by several goroutines.
type Store struct {
	// write has one connection for SQLite, which has one writer; read has several.
	write, read *sql.DB
	fixed       fixed // on read
	postgres    bool
	day         Day
	log         *slog.Logger
	news        news
	nodes       *Nodes // nil for one that is alone
	lines       lines
	waits       waits
	metered     chan struct{}

	jobs      chan *job
	closing   chan struct{}
	done      chan struct{}
	retaining sync.WaitGroup
}

// Day is the house's gaming day.
func (s *Store) Day() Day { return s.day }

// Nodes are those that share the database, nil for a store that is alone.
func (s *Store) Nodes() *Nodes { return s.nodes }

// Kept is closed when more of a table's records are kept. Of a table that another node writes, that is looked at anew.
func (s *Store) Kept(table topic.Table) <-chan struct{} {
	more := s.news.of(table)
	if s.nodes != nil && s.nodes.Epoch(table) == 0 {
		time.AfterFunc(lookAgain, func() { s.news.tell(table) })
	}
	return more
}

// lookAgain is after how long it is looked whether another node has kept more.
const lookAgain = 2 * time.Second

// IsPostgres says whether a source is the address of a PostgreSQL database.
func IsPostgres(source string) bool {
	return strings.HasPrefix(source, "postgres://") || strings.HasPrefix(source, "postgresql://")
}

// Open opens a store, and brings its tables to the form that this version writes. It fails if
// the database cannot be reached: try again.
func Open(ctx context.Context, o Options) (*Store, error) {
	s := &Store{
		postgres: IsPostgres(o.Source), day: o.Day, log: cmp.Or(o.Log, slog.Default()),
		jobs: make(chan *job), closing: make(chan struct{}), done: make(chan struct{}),
		metered: make(chan struct{}, 1),
	}
	connect := connectSQLite
	if s.postgres {
		connect = connectPostgres
	}
	if err := connect(s, o.Source); err != nil {
		return nil, fmt.Errorf("open the pit's store: %w", err)
	}
	s.fixed = fixed{db: s.read, postgres: s.postgres, prepared: &sync.Map{}}
	if err := s.migrate(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open the pit's store %s: %w", Redacted(o.Source), err), s.disconnect())
	}
	if s.postgres && o.Node != "" {
		s.nodes = newNodes(s, o)
	}
	go s.run()
	if o.KeepDays > 0 || len(o.KeepSites) > 0 {
		s.retaining.Add(1)
		go s.retain(o.KeepDays, o.KeepSites)
	}
	return s, nil
}

// Redacted is a source without its password, for logs.
func Redacted(source string) string {
	if address, err := url.Parse(source); err == nil && IsPostgres(source) {
		return address.Redacted()
	}
	if IsPostgres(source) {
		return "postgres://…"
	}
	return source
}

// connectSQLite: each commit is durable when it returns, and readers are not kept waiting.
func connectSQLite(s *Store, path string) (err error) {
	if path == "" {
		return errors.New("no file is named: give the path of a SQLite file, or postgres://…")
	}
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	// SQLite would let everybody read it; what it puts beside the file has the file's mode.
	if err := securefile.New(path, nil); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	address := func(options url.Values) string {
		return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: options.Encode()}).String()
	}
	s.write, err = sql.Open("sqlite", address(url.Values{
		"_pragma": {"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "cache_size(-65536)"},
		"_txlock": {"immediate"},
	}))
	if err != nil {
		return err
	}
	s.write.SetMaxOpenConns(1)
	s.read, err = sql.Open("sqlite",
		address(url.Values{"_pragma": {"busy_timeout(10000)", "query_only(1)", "cache_size(-32768)"}}))
	if err != nil {
		return errors.Join(err, s.write.Close())
	}
	s.read.SetMaxOpenConns(max(4, runtime.NumCPU()))
	return nil
}

func connectPostgres(s *Store, source string) (err error) {
	c, err := postgresOf(source, answerWithin)
	if err != nil {
		return err
	}
	c.DialFunc = s.lines.through(c.DialFunc)
	s.write = stdlib.OpenDB(*c)
	s.write.SetMaxOpenConns(max(8, 2*runtime.NumCPU()))
	s.write.SetConnMaxIdleTime(5 * time.Minute)
	s.read = s.write
	return nil
}

// migrate brings the database's tables to the newest form. Of several programs that start together, one does.
func (s *Store) migrate(ctx context.Context) (err error) {
	if s.postgres {
		one, err := s.write.Conn(ctx)
		if err != nil {
			return err
		}
		defer one.Close() //nolint:errcheck // its session ends with it, and so does the lock
		if _, err := one.ExecContext(ctx, `SELECT pg_advisory_lock(371464)`); err != nil {
			return err
		}
		defer one.ExecContext(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock(371464)`) //nolint:errcheck // as above
	}
	return s.migrateAlone(ctx)
}

func (s *Store) migrateAlone(ctx context.Context) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	dialect := goose.DialectSQLite3
	if s.postgres {
		dialect = goose.DialectPostgres
	}
	provider, err := goose.NewProvider(dialect, s.write, files, goose.WithAllowOutofOrder(true))
	if err != nil {
		return err
	}
	was, newest, err := provider.GetVersions(ctx)
	if err != nil {
		return err
	}
	if was > newest {
		return fmt.Errorf("it was written by a newer version of sabot-pit (schema %d; this one knows %d): install "+
			"that version again", was, newest)
	}
	results, err := provider.Up(ctx)
	for _, r := range results {
		s.log.Info("the pit's store was migrated", "migration", r.Source.Path, "took", r.Duration)
	}
	if err != nil {
		return err
	}
	if err := s.sealLog(ctx); err != nil {
		return err
	}
	return s.layOut(ctx)
}

// Close waits for what is being written, and closes the store.
func (s *Store) Close() error {
	close(s.closing)
	<-s.done
	s.retaining.Wait()
	return s.disconnect()
}

func (s *Store) disconnect() error {
	if s.postgres {
		return s.write.Close()
	}
	return errors.Join(s.read.Close(), s.write.Close())
}
