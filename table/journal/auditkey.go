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
	file := path + AuditKeyEnd
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil,
			fmt.Errorf("there is no audit key beside %s: it was taken to the house before, or the journal is not "+
				"sealed, or no start of this version has continued it yet", path)
	case err == nil && !info.Mode().IsRegular(): // somebody else put it there, and nobody may ever write to a pipe
		return nil,
			fmt.Errorf("%s is no file: somebody has put it in the place of the audit key, which the table does not "+
				"keep elsewhere. "+
				"If the house has not taken the key, the codes so far can be checked by nobody, and the seals still "+
				"can: tell the auditor", file)
	}
	return ReadAuditFile(file)
}

// ForgetAuditKeys removes them from the table.
func ForgetAuditKeys(path string) error {
	if err := os.Remove(path + AuditKeyEnd); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// ReadAuditFile reads the file in which a house keeps a table's audit keys, one a line. The file may be a pipe, from a
// program that decrypts them. Errors contain nothing of the keys.
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
