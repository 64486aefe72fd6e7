package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/table/profile"
)

// listHouses lists the houses that come with Sabot.
func listHouses(_ context.Context, set *flag.FlagSet, args []string, e env) error {
	if err := none(set, args, e); err != nil {
		return err
	}
	return writeHouses(e.out, profile.Built())
}

// writeHouses prints a line for each house of a book.
func writeHouses(w io.Writer, book profile.Book) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, name := range book.Names() {
		r := book[name]
		fmt.Fprintf(table, "%s\t%s\t%s\t%.12s\n", r.House, r.Title, r.Game, r.Fingerprint)
	}
	return table.Flush()
}

// showHouse prints all rules and paytables of a house in plain words.
func showHouse(ctx context.Context, set *flag.FlagSet, args []string, e env) error {
	speaks := languageFlag(set, display.BuiltIn(), "say it in this `language`")
	house, err := one(set, args, "house or file", e)
	if err != nil {
		return err
	}
	language, err := speaks()
	if err != nil {
		return err
	}
	book, name, err := openHouse(house)
	if err != nil {
		return err
	}
	if err := writePage(e.out, language, book[name]); err != nil {
		return err
	}
	return writeOdds(ctx, house, book[name].Rules, e)
}

// openHouse finds a house by name or file. It returns a book that contains it, and the
// house's name.
func openHouse(house string) (profile.Book, string, error) {
	book, name, err := profile.Built().Open(house, configfile.ProfileWordsAlone)
	var unknown *profile.UnknownError
	switch {
	case errors.As(err, &unknown):
		return nil, "", errUsage(err.Error())
	case err != nil:
		return nil, "", unusable(err)
	}
	return book, name, nil
}

// checkHouse lists everything that is wrong with a house's own file at once, or deals rounds by it.
func checkHouse(ctx context.Context, set *flag.FlagSet, args []string, e env) error {
	path, err := one(set, args, "file", e)
	if err != nil {
		return err
	}
	data, err := strictyaml.ReadFile(open(path, e))
	if err != nil {
		return err
	}
	r, err := profile.Built().Parse(path, data, configfile.ProfileWordsAlone)
	if err != nil {
		return unusable(err)
	}
	if _, err := fmt.Fprintf(e.out, "%s is good: house %s, %s, fingerprint %.12s\n", path, r.House, r.Title,
		r.Fingerprint); err != nil {
		return err
	}
	report, err := reportOf(ctx, r.Rules, e)
	if err != nil {
		return err
	}
	if err := tryHouse(ctx, report, e); err != nil {
		return err
	}
	warnOfGifts(report.Wagers, e)
	return nil
}

// unusable puts a list of faults on lines of its own.
func unusable(err error) error {
	var faults strictyaml.Faults
	if errors.As(err, &faults) {
		return fmt.Errorf("the rules cannot be used:\n%w", err)
	}
	return err
}
