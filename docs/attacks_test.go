package docs

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/datatest"
)

// TestListOfAttacks keeps the list of attacks in the page on security: every test that attacks is there, with what its
// comment says first, and reports what the attack came to.
func TestListOfAttacks(t *testing.T) {
	datatest.List(t, "security.md", "<!-- attacks -->\n", "<!-- end -->", listOf(attacksIn(t, "..")))
}

// attacking is how the names of tests begin that "make attack" runs.
var attacking = regexp.MustCompile(`^TestAttack[A-Z]`)

// attackTest is a test that attacks.
type attackTest struct{ folder, name, says string }

func listOf(attacks []attackTest) string {
	var list strings.Builder
	list.WriteString("| test | what it tries |\n|---|---|\n")
	for _, one := range attacks {
		fmt.Fprintf(&list, "| `%s` in `%s` | %s |\n", one.name, one.folder, one.says)
	}
	return list.String()
}

// attacksIn finds the tests below a folder that attack.
func attacksIn(t *testing.T, root string) (attacks []attackTest) {
	t.Helper()
	files := token.NewFileSet()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "node_modules":
			return fs.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(text, []byte("\nfunc TestAttack")) {
			return err
		}
		file, err := parser.ParseFile(files, path, text, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, one := range file.Decls {
			if f, is := one.(*ast.FuncDecl); is && f.Recv == nil && attacking.MatchString(f.Name.Name) {
				folder := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "../")
				if !reports(file) {
					t.Errorf("%s in %s does not report what the attack came to: see internal/testkit/attack",
						f.Name.Name, folder)
				}
				attacks = append(attacks, attackTest{folder, f.Name.Name, saying(f)})
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(attacks, func(a, b attackTest) int { return strings.Compare(a.folder+a.name, b.folder+b.name) })
	return attacks
}

// reports says whether a file of tests reports what its attacks came to.
func reports(file *ast.File) (does bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		call, is := n.(*ast.SelectorExpr)
		does = does || is && call.Sel.Name == "Report"
		return !does
	})
	return does
}

// saying is the first sentence of a test's comment, without the test's name.
func saying(f *ast.FuncDecl) string {
	said := strings.Join(strings.Fields(f.Doc.Text()), " ")
	said = strings.TrimSpace(strings.TrimLeft(strings.TrimPrefix(said, f.Name.Name), ":"))
	if first, _, more := strings.Cut(said, ". "); more {
		said = first + "."
	}
	return strings.ReplaceAll(said, "|", "\\|")
}
