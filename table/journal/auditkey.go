package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// AuditKeys are those of the table that writes the journal at path and that nobody has taken to the house yet.
func AuditKeys(path string) ([]AuditKey, error) {
	keys, err := ReadAuditFile(path + AuditKeyEnd)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("there is no audit key beside %s: it was taken to the house before, or the journal is not sealed, or no start of this version has continued it yet", path)
	}
	return keys, err
}

// ForgetAuditKeys removes them from the table.
func ForgetAuditKeys(path string) error {
	if err := os.Remove(path + AuditKeyEnd); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// ReadAuditFile reads the file in which a house keeps a table's audit keys, one a line. Errors contain nothing of the keys.
func ReadAuditFile(path string) (keys []AuditKey, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the audit key cannot be read: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(f, mostKeptBytes+1))
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("the audit key in %s cannot be read: %w", path, err)
	}
	keys, err = parseAuditLines(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return keys, nil
}

// CheckCodes has walks check the codes of all frames that follow from one of the keys.
func (r *Reader) CheckCodes(keys []AuditKey) { r.auditKeys = slices.Clone(keys) }

// auditKey is the key of the first code that follows from an audit key, where there is one of that name.
func (r *Reader) auditKey(by string) (ratchet, bool) {
	for _, key := range r.auditKeys {
		if key.By() == by {
			return key.first(), true
		}
	}
	return ratchet{}, false
}
