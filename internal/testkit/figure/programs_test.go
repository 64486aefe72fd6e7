package figure_test

import (
	"debug/elf"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/figure"
	"github.com/sabot-table/sabot/internal/testkit/processes"
)

func TestMain(m *testing.M) { processes.Main(m) }

const commands = "github.com/sabot-table/sabot/cmd/"

// TestFigures: how large the programs are, and of how many packages.
func TestFigures(t *testing.T) {
	if figure.RaceDetector || runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Logf("the figures are those of linux/amd64 without the race detector, and this is %s/%s", runtime.GOOS,
			runtime.GOARCH)
		return
	}
	t.Setenv("CGO_ENABLED", "0") // as they are released
	figure.Check(t, "program.sabotd.bytes", loaded(t, "sabotd"), "bytes")
	figure.Check(t, "program.sabot.bytes", loaded(t, "sabot"), "bytes")
	figure.Check(t, "program.sabot-pit.bytes", loaded(t, "sabot-pit"), "bytes")
	figure.Check(t, "program.sabot-demo.bytes", loaded(t, "sabot-demo"), "bytes")
	bytes, allocations := beforeMain(t, "sabotd")
	figure.Check(t, "program.sabotd.init-bytes", bytes, "bytes allocated before main begins")
	figure.Check(t, "program.sabotd.init-allocations", allocations, "allocations before main begins")
	bytes, allocations = beforeMain(t, "sabot")
	figure.Check(t, "program.sabot.init-bytes", bytes, "bytes allocated before main begins")
	figure.Check(t, "program.sabot.init-allocations", allocations, "allocations before main begins")
	bytes, allocations = beforeMain(t, "sabot-pit")
	figure.Check(t, "program.sabot-pit.init-bytes", bytes, "bytes allocated before main begins")
	figure.Check(t, "program.sabot-pit.init-allocations", allocations, "allocations before main begins")
	linked := packages(t)
	figure.Check(t, "program.sabotd.packages", linked["sabotd"], "packages")
	figure.Check(t, "program.sabot.packages", linked["sabot"], "packages")
	figure.Check(t, "program.sabot-pit.packages", linked["sabot-pit"], "packages")
	figure.Check(t, "program.sabot-demo.packages", linked["sabot-demo"], "packages")
}

// loaded is how much of a program is mapped into memory: what remains of it without symbols and what a debugger needs.
func loaded(t *testing.T, command string) (bytes float64) {
	t.Helper()
	f, err := elf.Open(processes.Binary(t, command))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, part := range f.Progs {
		if part.Type == elf.PT_LOAD {
			bytes += float64(part.Filesz)
		}
	}
	return bytes
}

// initialised is what the runtime says of a package, with GODEBUG=inittrace=1.
var initialised = regexp.MustCompile(`(?m)^init (\S+) @.* ([0-9]+) bytes, ([0-9]+) allocs$`)

// beforeMain is what the variables of a program's packages allocate, on which its start and its memory depend. A failed
// test shows which packages allocate the most.
func beforeMain(t *testing.T, command string) (bytes, allocations float64) {
	t.Helper()
	program := exec.Command(processes.Binary(t, command), "--version")
	program.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	said, err := program.CombinedOutput()
	lines := initialised.FindAllStringSubmatch(string(said), -1)
	if len(lines) < 100 { // its status does not matter: not every program has such a flag
		t.Fatalf("%s: %v\n%s", program, err, said)
	}
	var most []string
	for _, found := range lines {
		b, err := strconv.ParseFloat(found[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		n, err := strconv.ParseFloat(found[3], 64)
		if err != nil {
			t.Fatal(err)
		}
		bytes, allocations = bytes+b, allocations+n
		if b >= 100_000 {
			most = append(most, found[0])
		}
	}
	t.Logf("%s before main begins:\n%s", command, strings.Join(most, "\n"))
	return bytes, allocations
}

// packages counts what each program is made of, the standard library's packages among it.
func packages(t *testing.T) map[string]float64 {
	t.Helper()
	names := []string{"sabotd", "sabot", "sabot-pit", "sabot-demo"}
	args := []string{"list", "-json=ImportPath,Deps"}
	for _, name := range names {
		args = append(args, commands+name)
	}
	list := exec.Command("go", args...)
	list.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	list.Stderr = os.Stderr
	out, err := list.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := list.Start(); err != nil {
		t.Fatal(err)
	}
	counts := map[string]float64{}
	for listed := json.NewDecoder(out); ; {
		var one struct {
			ImportPath string
			Deps       []string
		}
		if err := listed.Decode(&one); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		counts[one.ImportPath[len(commands):]] = float64(len(one.Deps) + 1)
	}
	if err := list.Wait(); err != nil {
		t.Fatalf("go list: %v", err)
	}
	return counts
}
