package backup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"filippo.io/age"
)

// secrets are the files that are sealed together, by their roles.
type secrets struct {
	Files []secretFile `json:"files"`
}

type secretFile struct {
	Role string `json:"role"`
	Text []byte `json:"text"`
}

const (
	// mostFile limits one file of a table besides its journal, in bytes.
	mostFile = 4 << 20
	// mostSecrets limits all that are sealed.
	mostSecrets = 64 << 20
	// mostKeys limits a file of recipients or identities.
	mostKeys = 64 << 10
)

// seal encrypts files so that only the holders of the recipients' identities can read them.
func seal(files []secretFile, to []age.Recipient) ([]byte, error) {
	text, err := json.Marshal(secrets{files})
	if err != nil {
		return nil, err
	}
	var sealed bytes.Buffer
	w, err := age.Encrypt(&sealed, to...)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return sealed.Bytes(), nil
}

// unseal reads what seal wrote, by role.
func unseal(sealed io.Reader, by []age.Identity) (map[string][]byte, error) {
	r, err := age.Decrypt(sealed, by...)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(r, mostSecrets+1))
	if err != nil {
		return nil, err
	}
	if len(text) > mostSecrets {
		return nil, fmt.Errorf("they have more than %d bytes", mostSecrets)
	}
	var s secrets
	if err := strict(text, &s); err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, f := range s.Files {
		files[f.Role] = f.Text
	}
	return files, nil
}

// Recipients reads a file of age recipients, a line each: whoever holds one of their identities can read the secrets.
func Recipients(path string) ([]age.Recipient, error) {
	text, err := short(path)
	if err != nil {
		return nil, fmt.Errorf("the recipients of the secrets cannot be read: %w", err)
	}
	to, err := age.ParseRecipients(bytes.NewReader(text))
	if err != nil {
		return nil,
			fmt.Errorf("the recipients of the secrets in %s: %w: it takes the lines that age-keygen prints as "+
				"public keys, age1…", path, err)
	}
	return to, nil
}

// Identities reads the file that age-keygen makes.
func Identities(path string) ([]age.Identity, error) {
	text, err := short(path)
	if err != nil {
		return nil, fmt.Errorf("the identity cannot be read: %w", err)
	}
	by, err := age.ParseIdentities(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s is not the file of an identity: give the one that age-keygen made", path)
	}
	return by, nil
}

// short reads a file that people write.
func short(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, mostKeys+1))
	if err = errors.Join(err, f.Close()); err == nil && len(text) > mostKeys {
		err = fmt.Errorf("it has more than %d bytes", mostKeys)
	}
	return text, err
}
