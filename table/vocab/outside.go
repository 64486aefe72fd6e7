package vocab

import "github.com/sabot-table/sabot/table/plaintext"

// TextError is a text that may not come in: what is wrong with it, and in which field it is.
type TextError struct{ Field, What string }

// Error says both.
func (e *TextError) Error() string { return e.Field + ": " + e.What }

// CheckTexts finds the first text of an input that may not come in from outside. The error is
// a *TextError. An input that was recorded by an earlier version may fail, and is taken again
// all the same.
func (in *Input) CheckTexts() error {
	var found *TextError
	in.texts(func(f *Field[Input], text *string) {
		if what := f.Wrong(*text); what != "" && found == nil {
			found = &TextError{f.Name, what}
		}
	})
	if found == nil {
		return nil
	}
	return found
}

// ShowTexts makes all texts of an input such as may come in, for those who cannot refuse
// what a device or the table itself says: what is hidden in them is written visibly, what
// has no place there as _, and what is too long is cut.
func (in *Input) ShowTexts() {
	in.texts(func(f *Field[Input], text *string) {
		if f.Wrong(*text) != "" {
			*text = fitting(f, plaintext.Visible(*text))
		}
	})
}

// fitting makes a text that the field takes of one that can be seen.
func fitting(f *Field[Input], text string) string {
	var fits []rune
	for _, r := range text {
		if r != ' ' && f.Wrong(string(r)) != "" {
			r = '_'
		}
		fits = append(fits, r)
	}
	for len(fits) > 0 && f.Wrong(plaintext.Trim(string(fits))) != "" {
		fits = fits[:len(fits)-1]
	}
	return plaintext.Trim(string(fits))
}

// texts yields the texts of an input that may come from outside.
func (in *Input) texts(yield func(*Field[Input], *string)) {
	for i := range InEvery {
		textsOf(in, InEvery[i].Fields, yield)
	}
	if int(in.Kind) < len(Inputs) {
		textsOf(in, Inputs[in.Kind].Fields, yield)
	}
}

func textsOf(in *Input, fields []*Field[Input], yield func(*Field[Input], *string)) {
	for _, f := range fields {
		switch {
		case f.Wrong == nil:
		case f.Text != nil:
			yield(f, f.Text(in))
		case f.Texts != nil:
			for j := range *f.Texts(in) {
				yield(f, &(*f.Texts(in))[j])
			}
		}
	}
}
