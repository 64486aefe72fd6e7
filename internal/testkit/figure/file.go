package figure

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sabot-table/sabot/internal/securefile"
)

// File is where the figures stand, from the root of the module.
const File = "internal/testkit/figure/figures.txt"

// head stands above the figures.
const head = `# What Sabot costs on any machine. The test of each figure fails where it is more than 5 % worse or better than here, and
# names the command that writes the new value and the reason: do not write here by hand. Bytes of programs are those of
# linux/amd64 without what a debugger needs.
`

// Row is one figure. Less is better.
type Row struct {
	// Name begins with what is measured, and a point.
	Name  string
	Value float64
	Unit  string
	// Was is the value before, and Why the reason for which it changed; "" for a figure that never did.
	Was float64
	Why string
}

// kind is the first word of the name.
func (r Row) kind() string {
	kind, _, _ := strings.Cut(r.Name, ".")
	return kind
}

var (
	names  = regexp.MustCompile(`^[a-z]+(\.[a-z-]+)+$`)
	units  = regexp.MustCompile(`^[a-zA-Z][a-zA-Z, -]*$`)
	apart  = regexp.MustCompile(` {2,}`)
	reason = regexp.MustCompile(`^was ([0-9.]+): (.+)$`)
)

// ReadFile reads the figures of a file.
func ReadFile(file string) ([]Row, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	rows, err := Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return rows, nil
}

// Parse reads figures. The text must be as Format writes it.
func Parse(text string) (rows []Row, err error) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		r, err := parseRow(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if _, twice := find(rows, r.Name); twice {
			return nil, fmt.Errorf("line %d: %s is there twice", n, r.Name)
		}
		rows = append(rows, r)
	}
	if Format(rows) != text {
		return nil,
			errors.New("the lines are not in their order, or their columns not below each other: take the file of " +
				"the last commit, " +
				"and let the tests write it")
	}
	return rows, nil
}

func parseRow(line string) (r Row, err error) {
	columns := apart.Split(line, -1)
	if len(columns) < 3 || len(columns) > 4 {
		return r,
			fmt.Errorf("%q is not a name, a value, a unit and perhaps a reason, with two spaces or more between them",
				line)
	}
	r.Name, r.Unit = columns[0], columns[2]
	if !names.MatchString(r.Name) {
		return r, fmt.Errorf("%q is not a name, such as page.card.bytes", r.Name)
	}
	if !units.MatchString(r.Unit) {
		return r, fmt.Errorf("%q is not a unit, such as bytes a card", r.Unit)
	}
	if r.Value, err = parseNumber(columns[1]); err != nil {
		return r, err
	}
	if len(columns) == 4 {
		parts := reason.FindStringSubmatch(columns[3])
		if parts == nil {
			return r, fmt.Errorf("%q is not a reason, such as \"was 12: what it is good for\"", columns[3])
		}
		r.Why = parts[2]
		r.Was, err = parseNumber(parts[1])
	}
	return r, err
}

// parseNumber reads what number writes.
func parseNumber(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 || number(round(v)) != text {
		return 0, fmt.Errorf("%q is not a number with up to two digits after the point", text)
	}
	return v, nil
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// Format writes figures, sorted, with a line between two kinds.
func Format(rows []Row) string {
	rows = slices.SortedFunc(slices.Values(rows), func(a, b Row) int { return cmp.Compare(a.Name, b.Name) })
	var name, value, unit int
	for _, r := range rows {
		name, value, unit = max(name, len(r.Name)), max(value, len(number(r.Value))),
			max(unit, utf8.RuneCountInString(r.Unit))
	}
	var b strings.Builder
	b.WriteString(head)
	last := ""
	for _, r := range rows {
		if r.kind() != last {
			b.WriteByte('\n')
		}
		last = r.kind()
		because := ""
		if r.Why != "" {
			because = fmt.Sprintf("was %s: %s", number(r.Was), r.Why)
		}
		line := fmt.Sprintf("%-*s  %*s  %-*s  %s", name, r.Name, value, number(r.Value), unit, r.Unit, because)
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

func find(rows []Row, name string) (Row, bool) {
	i := slices.IndexFunc(rows, func(r Row) bool { return r.Name == name })
	if i < 0 {
		return Row{}, false
	}
	return rows[i], true
}

// record writes a figure into the file, with the reason for which it is another now. Tests of several packages may do
// so at the same time.
func record(file string, now Row, reason string) (err error) {
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := securefile.WaitLock(f); err != nil {
		return err
	}
	rows, err := ReadFile(file)
	if err != nil {
		return err
	}
	if before, known := find(rows, now.Name); known {
		now.Was, now.Why = before.Value, strings.Join(strings.Fields(reason), " ")
		rows = slices.DeleteFunc(rows, func(r Row) bool { return r.Name == now.Name })
	}
	text := Format(append(rows, now))
	if _, err := Parse(text); err != nil {
		return err
	}
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err = f.WriteAt([]byte(text), 0)
	return err
}
