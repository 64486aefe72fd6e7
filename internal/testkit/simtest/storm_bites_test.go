package simtest_test

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/tier"
)

var (
	stormBites  = flag.Duration("storm.bites", 0, "how long TestStormBites looks for each defect")
	stormDefect = flag.String("storm.defect", "", "the only defect that TestStormBites puts in")
)

// root is the module's folder.
const root = "../../.."

// TestStormDefects: every defect of the storm's collection can be put into the sources as they are.
func TestStormDefects(t *testing.T) {
	for _, patch := range defects(t) {
		t.Run(name(patch), func(t *testing.T) { overlay(t, patch) })
	}
}

// TestStormBites puts in one defect after the other, and says within how many table-hours the storm finds it.
func TestStormBites(t *testing.T) {
	if *stormBites == 0 {
		tier.Elsewhere(t, "make storm-bites runs it")
	}
	for _, patch := range defects(t) {
		if *stormDefect != "" && *stormDefect != name(patch) {
			continue
		}
		t.Run(name(patch), func(t *testing.T) {
			program := filepath.Join(t.TempDir(), "storm.test")
			build := exec.Command("go", "test", "-c", "-overlay", overlay(t, patch), "-o", program, ".")
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("building: %v\n%s", err, out)
			}
			storm := exec.Command(program, "-test.run=^TestStorm$", "-test.v", "-test.timeout=0", "-storm.first",
				"-storm.for="+stormBites.String(), "-storm.makes="+about(t, patch, "makes"))
			began := time.Now()
			out, err := storm.CombinedOutput()
			found := firstFinding.FindStringSubmatch(string(out))
			switch {
			case err == nil:
				t.Errorf("not found in %v:\n%s", *stormBites, out)
			case found == nil:
				t.Errorf("the storm ended with %v:\n%s", err, out)
			default:
				t.Logf("found after %s table-hours, in %v: %s", found[1],
					time.Since(began).Round(time.Second), found[2])
			}
		})
	}
}

// firstFinding is what runStorms says of it.
var firstFinding = regexp.MustCompile(`after (\d+) table-hours finds:\s+\[(.{0,160})`)

// defects are the patches, each of which brings one defect.
func defects(t *testing.T) []string {
	t.Helper()
	patches, err := filepath.Glob(root + "/internal/testkit/simtest/testdata/defects/*.patch")
	if err != nil || len(patches) == 0 {
		t.Fatalf("no defects: %v", err)
	}
	return patches
}

func name(patch string) string { return strings.TrimSuffix(filepath.Base(patch), ".patch") }

// about is what a line at the beginning of the patch says of it.
func about(t *testing.T, patch, what string) string {
	t.Helper()
	text, err := os.ReadFile(patch)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if value, is := strings.CutPrefix(line, "# "+what+": "); is {
			return strings.TrimSpace(value)
		}
	}
	t.Fatalf("%s does not say its %s", patch, what)
	return ""
}

// overlay applies a patch to copies of the sources, and returns the file that tells the compiler of them.
func overlay(t *testing.T, patch string) string {
	t.Helper()
	dir := t.TempDir()
	text, err := os.ReadFile(patch)
	if err != nil {
		t.Fatal(err)
	}
	replaced := map[string]string{}
	for line := range strings.Lines(string(text)) {
		file, is := strings.CutPrefix(strings.TrimSpace(line), "+++ b/")
		if !is {
			continue
		}
		source, err := filepath.Abs(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		replaced[source] = filepath.Join(dir, file)
		content, err := os.ReadFile(source)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(replaced[source]), 0o755)
		}
		if err == nil {
			err = os.WriteFile(replaced[source], content, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	absolute, err := filepath.Abs(patch)
	if err != nil {
		t.Fatal(err)
	}
	apply := exec.Command("git", "apply", "--recount", "--unidiff-zero", absolute)
	apply.Dir = dir
	apply.Env = append(os.Environ(), "GIT_DIR=/nonexistent")
	if out, err := apply.CombinedOutput(); err != nil {
		t.Fatalf("%s does not fit the sources any more: bring the defect back, and take the difference anew: %v\n%s",
			patch, err, out)
	}
	list, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(to, list, 0o644); err != nil {
		t.Fatal(err)
	}
	return to
}
