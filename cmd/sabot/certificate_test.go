package main

import (
	"crypto/tls"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestCertificate: a server can use the files, nobody else can read the key, and nothing
// is overwritten.
func TestCertificate(t *testing.T) {
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "page.crt"), filepath.Join(dir, "page.key")
	got := sabot(t, "", "key", "certificate", "--days", "30", dir, "table-1.example", "192.0.2.1")
	if got.Status != exitOK || got.Err != "" {
		t.Fatalf("ended with %+v", got)
	}
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"table-1.example", "192.0.2.1"} {
		if err := pair.Leaf.VerifyHostname(name); err != nil {
			t.Error(err)
		}
	}
	if left := time.Until(pair.Leaf.NotAfter); left > 31*24*time.Hour || left < 29*24*time.Hour {
		t.Errorf("it is good for %v", left)
	}
	if info, err := os.Stat(key); err != nil || info.Mode().Perm()&0o007 != 0 {
		t.Errorf("the key is %v, %v", info.Mode(), err)
	}
	wantFailure(t, sabot(t, "", "key", "certificate", dir, "other.example"), exitFailed, key, "exists")
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	wantFailure(t, sabot(t, "", "key", "certificate", dir, "other.example"), exitFailed, cert, "exists")
	if _, err := os.Stat(key); !os.IsNotExist(err) {
		t.Errorf("a key without its certificate remains: %v", err)
	}
	if again, err := os.ReadFile(cert); err != nil || len(again) == 0 {
		t.Errorf("the certificate was changed: %v", err)
	}
	wantFailure(t, sabot(t, "", "key", "certificate", t.TempDir(), "table_1"), exitFailed, `"table_1" is not the name`)
}
