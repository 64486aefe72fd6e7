package docs

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/vocab"
)

// TestFields holds the contract's tables of fields to the vocabulary, from which lines are
// written and read.
func TestFields(t *testing.T) {
	page := readPage(t, contract)
	text := page
	text = between(t, text, "inputs", fieldTable(vocab.Inputs[:], vocab.InEvery[:]...))
	text = between(t, text, "outputs", fieldTable(vocab.Outputs[:]))
	if text == page {
		return
	}
	if !rewrite() {
		t.Fatalf("the tables of fields in %s do not follow the vocabulary: run go test ./docs -run Fields -rewrite",
			contract)
	}
	if err := os.WriteFile(contract, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// between puts a table between the marks of its name.
func between(t *testing.T, page, name, table string) string {
	t.Helper()
	begin, end := "<!-- fields of "+name+" -->\n", "<!-- end of fields -->\n"
	before, rest, found := strings.Cut(page, begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no marks for the fields of %s", contract, name)
	}
	return before + begin + "\n" + table + "\n" + end + after
}

// fieldTable is a table of every field of every kind, a row a field. Kinds without fields
// of their own have one row.
func fieldTable[L any](lines []vocab.Line[L], common ...vocab.Line[L]) string {
	var b strings.Builder
	b.WriteString("| line | field | value | in the line | meaning |\n|---|---|---|---|---|\n")
	for i := range common {
		for _, f := range common[i].Fields {
			fieldRow(&b, "every line", nil, f)
		}
	}
	for i := range lines {
		line := &lines[i]
		name := "`" + line.Name + "`: " + line.Meaning
		switch {
		case line.Name == "":
			continue
		case len(line.Fields) == 0:
			fmt.Fprintf(&b, "| %s | | | | |\n", name)
		}
		for _, f := range line.Fields {
			fieldRow(&b, name, line.Forms, f)
			name = ""
		}
	}
	return b.String()
}

func fieldRow[L any](b *strings.Builder, line string, forms []string, f *vocab.Field[L]) {
	fmt.Fprintf(b, "| %s | `%s` | %s | %s | %s |\n", line, f.Name, valueWords(f), needWords(f, forms), f.Meaning)
}

var typeWords = map[vocab.Type]string{
	vocab.TypeText: "text", vocab.TypeName: "text, not empty", vocab.TypeMoment: "RFC 3339",
	vocab.TypeCount:    "number from 0",
	vocab.TypePositive: "number from 1", vocab.TypeApart: "number from 1, or -1", vocab.TypeAmount: "number",
	vocab.TypeNamed: "name", vocab.TypeWord: "name",
	vocab.TypeCard: "card", vocab.TypeTruth: "true or false", vocab.TypeRatio: "text such as `3:2`",
	vocab.TypeTexts: "list of texts",
	vocab.TypeCalls: "list of calls", vocab.TypeChoices: "list of choices", vocab.TypeCards: "list of cards",
	vocab.TypeChips: "list of chips such as `500x20`: the value in minor units, and how many",
	vocab.TypeDue:   "object with `to`, `box`, `hand`, `cards`",
}

func valueWords[L any](f *vocab.Field[L]) string {
	words := typeWords[f.Type]
	if f.Unit != "" {
		words += ", " + f.Unit
	}
	if f.NullIn != 0 {
		words += ", or null"
	}
	return words
}

func needWords[L any](f *vocab.Field[L], forms []string) string {
	words := map[vocab.Need]string{
		vocab.Required: "always", vocab.Optional: "may be missing",
		vocab.Assumed: "may be missing",
	}[f.Need]
	if f.Only == 0 {
		return words
	}
	var with []string
	for i, form := range forms {
		if f.Only>>i&1 == 1 {
			with = append(with, form)
		}
	}
	if f.Need == vocab.Required {
		return "with " + strings.Join(with, ", ")
	}
	return words + "; only with " + strings.Join(with, ", ")
}

// TestEveryFieldIsDescribed: no row of the vocabulary lacks what people must know of it.
func TestEveryFieldIsDescribed(t *testing.T) {
	described(t, vocab.Inputs[:])
	described(t, vocab.Outputs[:])
	described(t, vocab.Dues[:])
}

func described[L any](t *testing.T, lines []vocab.Line[L]) {
	t.Helper()
	for _, line := range lines {
		if line.Name != "" && line.Meaning == "" {
			t.Errorf("nothing says what %s means", line.Name)
		}
		for _, f := range line.Fields {
			if f.Name == "" || typeWords[f.Type] == "" || f.Need == 0 || f.Meaning == "" ||
				strings.Contains(f.Meaning, "|") {
				t.Errorf("%s: the field %q is not described: %+v", line.Name, f.Name, f)
			}
		}
	}
}
