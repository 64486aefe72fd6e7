package tabletest

import (
	"iter"
	"strconv"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/vocab"
)

// FilledInputs are inputs of every kind in each of its forms, with a value in each field that a line of it has, but for
// some of those that may be missing.
func FilledInputs(dice Dice) iter.Seq[vocab.Input] {
	return eachFilled(dice, vocab.Inputs[:], vocab.InEvery[:], func(in *vocab.Input, kind int) {
		in.Kind = vocab.InputKind(kind)
	})
}

// FilledOutputs are the same of outputs.
func FilledOutputs(dice Dice) iter.Seq[vocab.Output] {
	return eachFilled(dice, vocab.Outputs[:], nil, func(out *vocab.Output, kind int) { out.Kind = vocab.Kind(kind) })
}

// ofEach is how many lines there are of each form.
const ofEach = 40

func eachFilled[L any](dice Dice, rows, every []vocab.Line[L], setKind func(*L, int)) iter.Seq[L] {
	return func(yield func(L) bool) {
		for kind := range rows {
			row := &rows[kind]
			for i := range ofEach * max(1, len(row.Forms)) {
				form := i / ofEach
				if row.Name == "" || row.Forms != nil && row.Forms[form] == "" {
					continue
				}
				l, is := filled(dice, row, form, every...)
				if setKind(&l, kind); is && !yield(l) {
					return
				}
			}
		}
	}
}

// filled is a line of a form; it is false for a form that no line has.
func filled[L any](dice Dice, row *vocab.Line[L], form int, every ...vocab.Line[L]) (l L, is bool) {
	for range 1000 { // the dice decide on the form of what has no field that does
		l = *new(L)
		for i := range every {
			fill(dice, &every[i], form, &l)
		}
		fill(dice, row, form, &l)
		if row.Form == nil || int(row.Form(&l)) == form {
			return l, true
		}
	}
	return l, false
}

func fill[L any](dice Dice, row *vocab.Line[L], form int, l *L) {
	if row.Room != nil {
		row.Room(l)
	}
	for _, f := range row.Fields {
		switch {
		case f.Only != 0 && f.Only>>form&1 == 0:
		case f.Null != nil && f.NullIn>>form&1 == 1:
			*f.Null(l) = true
		case f.Need == vocab.Required || dice.IntN(4) > 0:
			draw(dice, f, form, row.By == f.Name, l)
		}
	}
	if row.Infer != nil {
		row.Infer(l)
	}
}

// draw gives a field a value, that of the form where it decides on it.
func draw[L any](dice Dice, f *vocab.Field[L], form int, decides bool, l *L) {
	if f.Given != nil {
		*f.Given(l) = true
	}
	switch f.Type {
	case vocab.TypeText, vocab.TypeName:
		*f.Text(l) = strange(dice)
	case vocab.TypeWord:
		*f.Text(l) = f.Names[anyNamed(dice, f.Names)]
	case vocab.TypeNamed:
		if decides && form < len(f.Names) && f.Names[form] != "" {
			f.SetNumber(l, int64(form))
		} else {
			f.SetNumber(l, int64(anyNamed(dice, f.Names)))
		}
	case vocab.TypeCard:
		f.SetNumber(l, int64(anyNamed(dice, f.Names)))
	case vocab.TypeTruth:
		f.SetNumber(l, int64(dice.IntN(2)))
	case vocab.TypeAmount:
		f.SetNumber(l, int64(1+dice.IntN(int(min(f.Most, 1<<30))))*int64(1-2*dice.IntN(2)))
	case vocab.TypeCount, vocab.TypePositive, vocab.TypeMoment:
		f.SetNumber(l, int64(1+dice.IntN(int(min(f.Most, 1<<30)))))
	case vocab.TypeApart:
		f.SetNumber(l, int64(1+dice.IntN(100)))
	default:
		drawList(dice, f, l)
	}
}

// drawList gives a field a value that is more than a number or a text.
func drawList[L any](dice Dice, f *vocab.Field[L], l *L) {
	switch f.Type {
	case vocab.TypeRatio:
		*f.Ratio(l) = money.Ratio{Num: int64(1 + dice.IntN(9)), Den: int64(1 + dice.IntN(9))}
	case vocab.TypeTexts:
		*f.Texts(l) = []string{strange(dice), strange(dice)}
	case vocab.TypeCalls:
		calls := vocab.Calls(0).With(vocab.Call(anyNamed(dice, f.Names))).With(vocab.Call(anyNamed(dice, f.Names)))
		f.SetNumber(l, int64(calls))
	case vocab.TypeChoices:
		*f.Choices(l) = irregularity.Of(irregularity.Choice(anyNamed(dice, f.Names)), irregularity.Burn)
	case vocab.TypeCards:
		*f.Cards(l) = []card.Card{card.Card(anyNamed(dice, f.Names)), card.Joker}
	case vocab.TypeChips:
		*f.Chips(l) = []vocab.Chips{{Value: int64(1 + dice.IntN(1000)), Pieces: int64(dice.IntN(20))}}
	case vocab.TypeDue:
		*f.Due(l), _ = filled(dice, &vocab.Dues[0], anyNamed(dice, vocab.Dues[0].Forms))
	}
}

// anyNamed is a value that has a name.
func anyNamed(dice Dice, names []string) int {
	for {
		if n := dice.IntN(len(names)); names[n] != "" {
			return n
		}
	}
}

// strange is a text as nobody else has it.
func strange(dice Dice) string {
	return []string{"Anna #", "a=b 'c' ", `„\"`, "王;|", "d"}[dice.IntN(5)] + strconv.Itoa(dice.IntN(1000))
}
