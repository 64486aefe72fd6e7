package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/internal/site"
)

// mostDays is the longest validity that browsers accept, a little more than a year.
const mostDays = 397

// makeCertificate writes page.crt and page.key into a folder that has neither.
func makeCertificate(_ context.Context, set *flag.FlagSet, args []string, e env) error {
	days := set.Int("days", mostDays, "the `number` of days for which it is valid")
	if err := parse(set, args, e); err != nil {
		return err
	}
	switch {
	case set.NArg() < 2:
		return errUsage("it takes a folder, and the names and addresses of the table's machine; options come " +
			"before them")
	case *days < 1 || *days > mostDays:
		return errUsage(fmt.Sprintf("--days takes a number from 1 to %d", mostDays))
	}
	return writeCertificate(set.Arg(0), set.Args()[1:], *days, e)
}

func writeCertificate(folder string, names []string, days int, e env) error {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	now := time.Now()
	cert, key, err := site.SelfSigned(names, now.Add(-time.Hour), now.AddDate(0, 0, days))
	if err != nil {
		return fmt.Errorf("making the certificate: %w", err)
	}
	certFile, keyFile := filepath.Join(folder, "page.crt"), filepath.Join(folder, "page.key")
	if err := securefile.New(keyFile, key); err != nil {
		return fmt.Errorf("writing the certificate's key: %w; existing files are not overwritten", err)
	}
	if err := securefile.NewPublic(certFile, cert); err != nil {
		return errors.Join(fmt.Errorf("writing the certificate: %w; existing files are not overwritten", err),
			os.Remove(keyFile))
	}
	_, err = fmt.Fprintf(e.out, `A certificate is in %s, and its key in %s. Next:

  chown sabot %s          so that the daemon can read it, and nobody else
  web: {cert_file: %s, key_file: %s}    in the table's configuration

Have each screen's browser trust the certificate.
`, certFile, keyFile, keyFile, certFile, keyFile)
	return err
}
