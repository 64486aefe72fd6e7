package configfile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/internal/strictyaml"
)

// Password reads a password from the file that a key names: the first line, without its line end. It is empty if no
// file is named.
func Password(key, path string) (string, error) {
	if path == "" {
		return "", nil
	}
	data, err := Read(securefile.Password, path)
	if err != nil {
		return "", Unread(key, err)
	}
	password := strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r")
	if password == "" || strings.ContainsAny(password, "\r\n") {
		return "", fmt.Errorf("%s %s: the file must hold the password on one line, and nothing else", key, path)
	}
	return password, nil
}

// Read reads a file that not everybody may read, as strictyaml.ReadFile does.
func Read(kind securefile.Kind, path string) ([]byte, error) {
	f, err := securefile.Item{Kind: kind, Path: path}.Open()
	if err != nil {
		return nil, err
	}
	return strictyaml.ReadFile(f, nil)
}

// Unread says why a file could not be read, and what to do.
func Unread(key string, err error) error {
	if _, wrong := errors.AsType[*securefile.Fault](err); wrong {
		return fmt.Errorf("%s: %w", key, err)
	}
	return fmt.Errorf("read %s: %w; let the user that runs the daemon read it", key, err)
}
