package processes

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Bare builds a program that says that it is ready, and waits for its end: with it the start of others is compared.
func Bare(t testing.TB) (binary string) {
	t.Helper()
	const source = `package main

import (
	"fmt"
	"time"
)

func main() {
	fmt.Println("  page  http://127.0.0.1/")
	time.Sleep(time.Hour)
}
`
	folder := t.TempDir()
	file, binary := filepath.Join(folder, "main.go"), filepath.Join(folder, "bare")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", binary, file)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the bare program: %v\n%s", err, said)
	}
	return binary
}
