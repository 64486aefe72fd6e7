package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/words"
	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/strictyaml"
)

// checkWords lists everything that is wrong with language files, and what they leave in
// English; without a file it checks those that come with Sabot.
func checkWords(_ context.Context, set *flag.FlagSet, args []string, e env) error {
	example := set.String("print", "", "print the file of this `language` of Sabot's, such as en or de-CH")
	if err := parse(set, args, e); err != nil {
		return err
	}
	if *example != "" {
		return printWords(*example, e.out)
	}
	var wrong error
	for _, path := range set.Args() {
		data, err := strictyaml.ReadFile(open(path, e))
		if err != nil {
			return err
		}
		wrong = errors.Join(wrong, tellWords(words.Parse(path, data), e.out))
	}
	if set.NArg() == 0 {
		for _, name := range words.Names() {
			wrong = errors.Join(wrong, tellWords(words.BuiltIn(name), e.out))
		}
	}
	if wrong != nil {
		return fmt.Errorf("the words cannot be used:\n%w", wrong)
	}
	return nil
}

// printWords prints a language file that comes with Sabot, for a translator to start from.
func printWords(name string, w io.Writer) error {
	text, err := words.Source(name)
	if err != nil {
		return errUsage(fmt.Sprintf("Sabot has no language %q; it has %q", name, words.Names()))
	}
	_, err = w.Write(text)
	return err
}

// tellWords prints what is not translated in a language file, and returns its faults.
func tellWords(f words.File, w io.Writer) error {
	wrong := configfile.CheckLanguage(f, display.BuiltIn())
	var gaps []display.Gap
	if f.Text(words.Code) != "" { // Switzerland's takes what it lacks from the language itself
		gaps = display.Gaps(f)
	}
	for _, gap := range gaps {
		said := fmt.Sprintf("%s: not translated: %s = %s", f.Name, gap.Key, gap.English)
		if gap.Line > 0 {
			said = fmt.Sprintf("%s:%d: as in English: %s; translate it, or write en, kept: above it if that is on "+
				"purpose", f.Name, gap.Line, gap.Key)
		}
		if _, err := fmt.Fprintln(w, said); err != nil {
			return err
		}
	}
	state := "in order"
	if len(wrong) > 0 {
		state = fmt.Sprintf("not in order, with %d faults", len(wrong))
	}
	_, err := fmt.Fprintf(w, "%s is %s: %s, %d texts, %d not translated\n", f.Name, state,
		cmp.Or(f.Text(words.Name), f.Text(words.Tag)), len(f.Entries), len(gaps))
	return cmp.Or(wrong.Err(), err)
}
