package sqlitefile

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
	"pgregory.net/rapid"
)

// database makes a database by SQL.
func database(t testing.TB, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "db")
	execute(t, path, statements...)
	return path
}

func execute(t testing.TB, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	must(t, err)
	db.SetMaxOpenConns(1)
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	must(t, db.Close())
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// place is what a reader must know of a table.
func place(t testing.TB, path string) (size int, count int64, root uint32) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	must(t, err)
	must(t, db.QueryRow(`SELECT page_size, page_count, rootpage FROM pragma_page_size, pragma_page_count, sqlite_schema
		WHERE name = 't'`).Scan(&size, &count, &root))
	must(t, db.Close())
	return size, count, root
}

// byWalk reads table t from its pages, each row as text.
func byWalk(t testing.TB, path string) []string {
	t.Helper()
	f, err := os.Open(path)
	must(t, err)
	defer f.Close()
	size, count, root := place(t, path)
	w, err := NewWalk(NewFile(f), size, count, root)
	must(t, err)
	var all []string
	var b Batch
	for {
		err := w.Next(&b)
		if errors.Is(err, io.EOF) {
			return all
		}
		must(t, err)
		for _, row := range b.Rows {
			all = append(all, text(t, row))
		}
	}
}

func text(t testing.TB, row Row) string {
	values, err := row.Columns(nil)
	must(t, err)
	var s strings.Builder
	fmt.Fprintf(&s, "%d:", row.ID)
	for _, v := range values {
		switch v.Kind {
		case Null:
			s.WriteString(" null")
		case Integer:
			fmt.Fprintf(&s, " %d", v.Int)
		case Float:
			s.WriteString(" float")
		case Text:
			fmt.Fprintf(&s, " '%s'", v.Bytes)
		case Blob:
			fmt.Fprintf(&s, " %x", v.Bytes)
		}
	}
	return s.String()
}

// bySQL reads the same as SQLite does.
func bySQL(t testing.TB, path string) []string {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer db.Close()
	rows, err := db.Query(`SELECT id, a, b FROM t ORDER BY id`)
	must(t, err)
	defer rows.Close()
	var all []string
	for rows.Next() {
		var id int64
		var a, b any
		must(t, rows.Scan(&id, &a, &b))
		all = append(all, fmt.Sprintf("%d: null %s %s", id, shown(a), shown(b)))
	}
	must(t, rows.Err())
	return all
}

func shown(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return "'" + v + "'"
	case []byte:
		return fmt.Sprintf("%x", v)
	case float64:
		return "float"
	default:
		return fmt.Sprint(v)
	}
}

const table = `CREATE TABLE t (id INTEGER PRIMARY KEY, a, b)`

func compare(t testing.TB, path string) []string {
	t.Helper()
	got, want := byWalk(t, path), bySQL(t, path)
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("row %d is %.200s, SQLite has %.200s", i, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%d rows, SQLite has %d", len(got), len(want))
	}
	return got
}

// TestValues reads every kind of value, and the longest and shortest integers.
func TestValues(t *testing.T) {
	var rows []string
	for _, v := range []string{
		"NULL", "0", "1", "-1", "127", "-128", "32767", "-32768", "8388607", "-8388608", "2147483647", "-2147483648",
		"140737488355327", "-140737488355328", "9223372036854775807", "-9223372036854775808", "0.5", "''", "'ä♠'", "x''", "x'00ff'",
	} {
		rows = append(rows, fmt.Sprintf("(%s, 'behind')", v))
	}
	path := database(t, table, `INSERT INTO t (a, b) VALUES `+strings.Join(rows, ", "),
		`INSERT INTO t VALUES (-9223372036854775808, 1, 2), (9223372036854775807, 3, 4), (300, 5, 6), (70000, 7, 8)`)
	if got := compare(t, path); len(got) != 25 {
		t.Errorf("%d rows, want 25", len(got))
	}
}

// TestEmpty: a table without rows, and one whose rows were all deleted.
func TestEmpty(t *testing.T) {
	compare(t, database(t, table))
	const many = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO t SELECT i, i, zeroblob(100) FROM n`
	path := database(t, table, many)
	if got := compare(t, path); len(got) != 20000 {
		t.Errorf("%d rows, want 20000", len(got))
	}
	execute(t, path, `DELETE FROM t WHERE id BETWEEN 100 AND 19000`)
	compare(t, path)
	execute(t, path, `DELETE FROM t`)
	compare(t, path)
}

// TestAnyTable compares tables of any shape with what SQLite reads: pages of any
// size, long rows, other tables between, rows changed and deleted.
func TestAnyTable(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		must(t, err)
		path := filepath.Join(dir, "db")
		size := 512 << rapid.IntRange(0, 7).Draw(rt, "page size")
		statements := []string{fmt.Sprintf("PRAGMA page_size = %d", size), table, `CREATE TABLE other (a)`}
		for range rapid.IntRange(1, 12).Draw(rt, "statements") {
			id := rapid.IntRange(-50, 4000).Draw(rt, "id")
			n := rapid.IntRange(1, 300).Draw(rt, "rows")
			length := rapid.SampledFrom([]int{0, 1, 40, 200, 470, 500, 1000, 4050, 4100, 70000}).Draw(rt, "length")
			statements = append(statements, rapid.SampledFrom([]string{
				fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT %d UNION ALL SELECT i + 1 FROM n WHERE i < %d)
					REPLACE INTO t SELECT i, hex(zeroblob(i * 7 %% 60)), zeroblob(%d) FROM n`, id, id+n, min(length, 9000/n*100)),
				fmt.Sprintf(`DELETE FROM t WHERE id BETWEEN %d AND %d`, id, id+n),
				fmt.Sprintf(`INSERT INTO other VALUES (zeroblob(%d))`, length),
			}).Draw(rt, "statement"))
		}
		execute(t, path, statements...)
		compare(t, path)
	})
}

// memory is a database in memory.
func memory(t testing.TB, path string) []byte {
	b, err := os.ReadFile(path)
	must(t, err)
	return b
}

// FuzzDamage spoils a database: whatever is in its pages, the walk ends, and no row
// is made up out of memory that is not the file's.
func FuzzDamage(f *testing.F) {
	path := database(f, "PRAGMA page_size = 512", table,
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) INSERT INTO t SELECT i, 'text', zeroblob(i * 13 % 900) FROM n`)
	size, count, root := place(f, path)
	sound := memory(f, path)
	f.Add(uint32(0), []byte{1})
	f.Add(uint32(512), []byte{0x05, 0, 0, 0xff, 0xff})
	f.Add(uint32(1024), []byte{0x0d, 0, 0, 0, 200})
	f.Add(uint32(20), []byte{0xff})
	f.Add(uint32(len(sound)-600), []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, at uint32, patch []byte) {
		spoilt := slices.Clone(sound)
		copy(spoilt[int(at)%len(spoilt):], patch)
		w, err := NewWalk(NewFile(bytes.NewReader(spoilt)), size, count, root)
		if err != nil {
			return
		}
		var b Batch
		var values []Value
		for range 10 * count {
			if err := w.Next(&b); errors.Is(err, io.EOF) {
				return
			}
			for _, row := range b.Rows {
				values, _ = row.Columns(values)
			}
		}
		t.Fatal("the walk does not end")
	})
}

// TestDamage: what is wrong is told with its page, and the rows around it are read.
func TestDamage(t *testing.T) {
	path := database(t, table,
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO t SELECT i, 'text', zeroblob(100) FROM n`)
	size, count, root := place(t, path)
	sound := memory(t, path)
	for name, c := range map[string]struct {
		spoil func(file []byte) []byte
		want  string
	}{
		"no leaf":        {func(f []byte) []byte { f[10*size] = 0x0a; return f }, "page 11 of the file: damaged: it is of kind 10"},
		"too many rows":  {func(f []byte) []byte { f[10*size+3] = 0x40; return f }, "page 11 of the file: damaged: it has 16"},
		"row outside":    {func(f []byte) []byte { f[10*size+8] = 0xff; return f }, "page 11 of the file: row 1 in it: damaged: it goes on"},
		"to nowhere":     {func(f []byte) []byte { copy(f[int(root-1)*size+8:], "\x00\x00\x00\x00"); return f }, "page 0 of the file"},
		"file cut off":   {func(f []byte) []byte { return f[:10*size+100] }, "page 11 of the file: "},
		"its own child":  {func(f []byte) []byte { copy(f[10*size:], f[(root-1)*uint32(size):root*uint32(size)]); return f }, ""},
		"no database":    {func(f []byte) []byte { f[0] = 's'; return f }, "does not begin as a database does"},
		"UTF-16":         {func(f []byte) []byte { f[59] = 2; return f }, "its texts are not UTF-8"},
		"reserved":       {func(f []byte) []byte { f[20] = 255; return f }, ""},
		"endless number": {func(f []byte) []byte { copy(f[11*size-9:], "\xff\xff\xff\xff\xff\xff\xff\xff\xff"); return f }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			rows, err := walkAll(NewFile(bytes.NewReader(c.spoil(slices.Clone(sound)))), size, count, root)
			if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error is %v, want %q", err, c.want)
			}
			var page *PageError
			if err != nil && !errors.As(err, &page) {
				t.Errorf("the error names no page: %v", err)
			}
			if strings.Contains(c.want, "page 11 ") && name != "file cut off" && (rows < 1900 || rows >= 2000) {
				t.Errorf("%d rows of 2000 were read", rows)
			}
		})
	}
}

// walkAll walks and gives the first error.
func walkAll(pages Pages, size int, count int64, root uint32) (rows int, first error) {
	w, err := NewWalk(pages, size, count, root)
	if err != nil {
		return 0, err
	}
	var b Batch
	for {
		err := w.Next(&b)
		rows += len(b.Rows)
		if errors.Is(err, io.EOF) {
			return rows, first
		}
		if first == nil {
			first = err
		}
	}
}

func TestPageSizes(t *testing.T) {
	for _, size := range []int{0, 256, 1000, 131072} {
		if _, err := NewWalk(NewFile(bytes.NewReader(nil)), size, 1, 1); err == nil {
			t.Errorf("pages of %d bytes were taken", size)
		}
	}
}
