package securefile_test

import (
	"crypto/ecdsa"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/securefile"
)

var kind = securefile.KeyKind{Make: "sabot-pit", User: "sabot-pit", Kept: "it is in use"}

// TestAKeyIsMadeOnce: the second time it is read, and only its owner may.
func TestAKeyIsMadeOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	var keys []*ecdsa.PrivateKey
	for range 2 {
		key, err := kind.OrNewP256(path)
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
	}
	if !keys[0].Equal(keys[1]) {
		t.Error("another key is read than was made")
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
	if _, err := kind.NewP256(path); err == nil || !strings.Contains(err.Error(), "it is in use") {
		t.Errorf("a second one is made: %v", err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := kind.OrNewP256(path); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("one that others may read is read: %v", err)
	}
}

// TestAKeyOfAnotherKind is refused, and not replaced.
func TestAKeyOfAnotherKind(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	if _, err := kind.New(path); err != nil {
		t.Fatal(err)
	}
	if _, err := kind.OrNewP256(path); err == nil || !strings.Contains(err.Error(), "it is not a key for ECDSA") {
		t.Errorf("an Ed25519 key: %v", err)
	}
	p256 := path + "2"
	if _, err := kind.NewP256(p256); err != nil {
		t.Fatal(err)
	}
	if _, err := kind.Read(p256); err == nil || !strings.Contains(err.Error(), "it is not an Ed25519 key") {
		t.Errorf("a key for ECDSA: %v", err)
	}
}
