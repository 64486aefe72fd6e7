package store

import (
	"context"
	"database/sql"
	"time"
)

// SignedReport is a shift report that somebody has signed.
type SignedReport struct {
	// Shift is the name of a part of the gaming day, "" for all of it, and From and Until when that is.
	Shift       string
	From, Until time.Time
	At          time.Time
	Who, Role   string
	// Report is what was signed.
	Report string
}

// SignReport keeps a signature. It returns once that is durable.
func (s *Store) SignReport(ctx context.Context, r SignedReport) error {
	return s.Change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx,
			`INSERT INTO report_signed (began, ended, at, who, role, day, shift, report) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
			r.From.UnixNano(), r.Until.UnixNano(), r.At.UnixNano(), r.Who, r.Role, int64(s.day.Of(r.From)),
			r.Shift, r.Report)
		return err
	})
}

// SignedReports are the signatures under the report of a time, the first one first.
func (s *Store) SignedReports(ctx context.Context, from, until time.Time) (list []SignedReport, err error) {
	defer about(&err, "read who has signed a report")
	return rowsAs(ctx, s.read, func(row scan) (SignedReport, error) {
		r := SignedReport{From: from, Until: until}
		var at int64
		err := row(&at, &r.Who, &r.Role, &r.Shift, &r.Report)
		r.At = s.day.local(at)
		return r, err
	}, `SELECT at, who, role, shift, report FROM report_signed WHERE began = $1 AND ended = $2 ORDER BY at, who`,
		from.UnixNano(), until.UnixNano())
}
