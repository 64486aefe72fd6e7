package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/figure"
)

// row is a figure: the median of several runs, the lowest and the highest.
type row struct {
	name                    string
	median, lowest, highest float64
	unit                    string
}

func newRow(name, unit string, values []float64) row {
	values = slices.Sorted(slices.Values(values))
	return row{name, values[len(values)/2], values[0], values[len(values)-1], unit}
}

// report is what was measured at one time.
type report struct {
	at   string
	rows []row
}

func (r *report) add(only *regexp.Regexp, rows ...row) {
	for _, one := range rows {
		if only.MatchString(one.name) {
			r.rows = append(r.rows, one)
		}
	}
	slices.SortStableFunc(r.rows, func(a, b row) int { return cmp.Compare(kind(a.name), kind(b.name)) })
}

func kind(name string) string { return name[:strings.IndexByte(name, '.')] }

func (r report) find(name string) (row, bool) {
	i := slices.IndexFunc(r.rows, func(one row) bool { return one.name == name })
	if i < 0 {
		return row{}, false
	}
	return r.rows[i], true
}

// place says at which commit, when and where something is measured.
func place(root string, now time.Time) string {
	commit := "no commit"
	describe := exec.Command("git", "-C", root, "describe", "--always", "--dirty= and changes", "--abbrev=8",
		"--exclude=*")
	if said, err := describe.Output(); err == nil {
		commit = strings.TrimSpace(string(said))
	}
	busy := ""
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		busy = ", load " + strings.Fields(string(text))[0] + " at the end"
	}
	return fmt.Sprintf("%s on %s, %s on %d processors%s", commit, now.UTC().Format(time.DateOnly), runtime.Version(),
		runtime.NumCPU(), busy)
}

const (
	heading = "# The figures, as `make figures` measured them last\n\nAt "
	columns = "| figure | median | lowest | highest | unit |\n|---|---|---|---|---|\n"
)

// String is the report as it is kept.
func (r report) String() string {
	var b strings.Builder
	b.WriteString(heading + r.at + "\n\n" + columns)
	for _, one := range r.rows {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", one.name, digits(one.median), digits(one.lowest),
			digits(one.highest), one.unit)
	}
	return b.String()
}

// digits are three of a figure, or all before the point.
func digits(v float64) string {
	if v >= 100 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	short, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	return strconv.FormatFloat(short, 'f', -1, 64)
}

// readLast reads a report that was kept. Without one it is empty.
func readLast(file string) (report, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return report{at: "never"}, nil
	}
	if err != nil {
		return report{}, err
	}
	r, err := parseFigures(string(text))
	if err != nil {
		return r, fmt.Errorf("%s: %w", file, err)
	}
	return r, nil
}

// parseFigures reads what String writes.
func parseFigures(text string) (r report, err error) {
	rest, is := strings.CutPrefix(text, heading)
	at, lines, below := strings.Cut(rest, "\n\n"+columns)
	if !is || !below {
		return r, errors.New("it does not begin as make figures writes it")
	}
	r.at = at
	for line := range strings.Lines(lines) {
		cells := strings.Split(strings.TrimSuffix(line, " |\n"), " | ")
		if len(cells) != 5 {
			return r, fmt.Errorf("%q is not a figure", line)
		}
		one := row{name: strings.TrimPrefix(cells[0], "| "), unit: cells[4]}
		for i, to := range []*float64{&one.median, &one.lowest, &one.highest} {
			if *to, err = strconv.ParseFloat(cells[1+i], 64); err != nil {
				return r, fmt.Errorf("%q is not a number", cells[1+i])
			}
		}
		r.rows = append(r.rows, one)
	}
	if r.String() != text {
		return r, errors.New("it is not as make figures writes it")
	}
	return r, nil
}

// compare writes the table of what was measured last and now.
func compare(out io.Writer, last, now report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "last: %s\nnow: %s\n\n", last.at, now.at)
	b.WriteString("| figure | last | now | change | lowest to highest | unit |\n|---|---|---|---|---|---|\n")
	for _, one := range now.rows {
		before, change := "", "new"
		if was, known := last.find(one.name); known {
			before, change = digits(was.median), changed(was, one)
		}
		spread := ""
		if one.lowest != one.highest {
			spread = digits(one.lowest) + " to " + digits(one.highest)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", one.name, before, digits(one.median), change,
			spread, one.unit)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// changed says how much a figure has changed, if it has left what was measured before.
func changed(last, now row) string {
	if now.median == last.median || math.Abs(now.median-last.median) <= figure.Tolerance*last.median {
		return ""
	}
	how := "better"
	if now.median > last.median {
		how = "**worse**"
	}
	if now.lowest <= last.highest && last.lowest <= now.highest {
		how += ", within what is measured"
	}
	return figure.Percent(last.median, now.median) + " " + how
}
