package main

import (
	"crypto/ed25519"
	"iter"

	"github.com/sabot-table/sabot/table/journal"
)

// logSink writes the new journal to a folder.
type logSink struct {
	*journal.Import
	folder string
}

func beginLog(folder string, former journal.Former, key ed25519.PrivateKey) (importSink, error) {
	i, err := journal.NewImport(folder, former, journal.Options{Key: key})
	if err != nil {
		return nil, err
	}
	return &logSink{i, folder}, nil
}

func (s *logSink) Records() iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		r, err := journal.OpenReadOnly(s.folder)
		if err != nil {
			yield(journal.Record{}, err)
			return
		}
		defer r.Close() // it only reads
		r.Records(1)(yield)
	}
}
