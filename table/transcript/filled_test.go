package transcript_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// filledInputs and filledOutputs are lines of every kind in each of its forms, with values in all fields.
var (
	filledInputs  = tabletest.FilledInputs(rand.New(rand.NewPCG(11, 1)))
	filledOutputs = tabletest.FilledOutputs(rand.New(rand.NewPCG(11, 2)))
)

// TestEveryFieldSurvives: what all fields of all kinds say is written, read and written again as it was.
func TestEveryFieldSurvives(t *testing.T) {
	p := transcript.NewParser(nil)
	p.AnyHouse = true
	for in := range filledInputs {
		in.Line = 7
		line := transcript.AppendInput(nil, &in)
		got, err := p.Parse(line, in.Line)
		if err != nil || !reflect.DeepEqual(got, in) {
			t.Fatalf("%s: %v\n got %+v\nwant %+v", line, err, got, in)
		}
		loosely, is := p.ReadInput(line)
		if loosely.Line = in.Line; !is || !reflect.DeepEqual(loosely, in) {
			t.Fatalf("%s: as of another version\n got %+v\nwant %+v", line, loosely, in)
		}
	}
	for out := range filledOutputs {
		line := transcript.AppendOutput(nil, &out)
		got, err := p.ParseOutput(line, 1)
		if err != nil || !reflect.DeepEqual(got, out) {
			t.Fatalf("%s: %v\n got %+v\nwant %+v", line, err, got, out)
		}
		if loosely, is := p.ReadOutput(line); !is || !reflect.DeepEqual(loosely, out) {
			t.Fatalf("%s: as of another version\n got %+v\nwant %+v", line, loosely, out)
		}
	}
}

// TestEveryPartIsOfSomeKind: what an input or an output holds is said by the lines of a kind.
func TestEveryPartIsOfSomeKind(t *testing.T) {
	said := map[string]bool{}
	for in := range filledInputs {
		notePart(said, "Input", reflect.ValueOf(in))
	}
	for out := range filledOutputs {
		notePart(said, "Output", reflect.ValueOf(out))
	}
	for path, is := range said {
		if is == slices.Contains(unsaid, path) {
			t.Errorf("a kind says %s: %t", path, is)
		}
	}
}

// unsaid are the parts that no line says.
var unsaid = []string{
	"Input.Line", "Input.Rules", "Output.Trouble.Undone.Was.Allowed", "Output.Trouble.Undone.Now.Allowed",
}

// notePart notes of each part of a value, and of what is behind its pointers, whether it was ever set.
func notePart(said map[string]bool, path string, v reflect.Value) {
	switch {
	case v.Kind() == reflect.Struct && v.Type().Field(0).IsExported():
		for i := range v.NumField() {
			notePart(said, path+"."+v.Type().Field(i).Name, v.Field(i))
		}
		return
	case v.Kind() == reflect.Pointer && !v.IsNil() && v.Type() != reflect.TypeFor[*vocab.Input]():
		// which has but a few
		notePart(said, path, v.Elem())
	}
	said[path] = said[path] || !v.IsZero()
}

// TestEveryFieldHasAPlaceOfItsOwn: no two fields of a line are kept in the same part.
func TestEveryFieldHasAPlaceOfItsOwn(t *testing.T) {
	for in := range filledInputs {
		checkPlaces(t, &vocab.Inputs[in.Kind], &in)
	}
	for out := range filledOutputs {
		checkPlaces(t, &vocab.Outputs[out.Kind], &out)
	}
}

func checkPlaces[L any](t *testing.T, row *vocab.Line[L], l *L) {
	t.Helper()
	at := map[uintptr]string{}
	for _, f := range row.Fields {
		var place any
		switch {
		case f.Only != 0 && f.Only>>row.Form(l)&1 == 0:
			continue
		case f.At != nil:
			place = f.At(l)
		case f.Text != nil:
			place = f.Text(l)
		default:
			continue
		}
		p := reflect.ValueOf(place).Pointer()
		if other, taken := at[p]; taken {
			t.Fatalf("%s: %s and %s are kept in the same part", row.Name, other, f.Name)
		}
		at[p] = f.Name
	}
}
