package doctor

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
)

// unpacked is all that is in a bundle.
func unpacked(t *testing.T, file []byte) string {
	t.Helper()
	zip, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for tape := tar.NewReader(zip); ; {
		head, err := tape.Next()
		if errors.Is(err, io.EOF) {
			return all.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString(head.Name + "\n")
		if _, err := io.Copy(&all, tape); err != nil {
			t.Fatal(err)
		}
	}
}
