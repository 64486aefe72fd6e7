package main

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// switches are the functions that every mutated package gets: each does what the source says, or something else if the
// mutant with its number is active.
//
//go:embed mutants_switch.go.txt
var switches string

// mutant is one change of a package's source.
type mutant struct {
	at          token.Position
	what, where string
}

// mutated is a package whose source has a switch at each place that a mutant changes.
type mutated struct {
	dir     string
	fset    *token.FileSet
	types   *types.Package
	info    types.Info
	mutants []mutant
	sources map[string]string // by the path of the file, for the compiler's overlay
}

// file is one source file being rewritten. before and after hold text to insert at an offset, so that lines stay where
// they are.
type file struct {
	*mutated
	text          string
	start         token.Pos
	before, after map[int]string
	cut           map[int]int // operators to remove, and their length
}

// findGo tells go/build where Go is, which a program that was built with -trimpath does not know.
var findGo = sync.OnceValue(func() error {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	build.Default.GOROOT = strings.TrimSpace(string(root))
	return err
})

// mutate reads the package in a folder and puts switches into its files.
func mutate(dir string) (*mutated, error) {
	if err := findGo(); err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	p := &mutated{dir: dir, fset: token.NewFileSet(), sources: map[string]string{}}
	p.info.Types = map[ast.Expr]types.TypeAndValue{}
	var trees []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_other.go") {
			continue
		}
		tree, err := parser.ParseFile(p.fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		trees = append(trees, tree)
	}
	if len(trees) == 0 {
		return nil, fmt.Errorf("%s has no Go files", dir)
	}
	check := types.Config{Importer: importer.ForCompiler(p.fset, "source", nil)}
	if p.types, err = check.Check(dir, p.fset, trees, &p.info); err != nil {
		return nil, err
	}
	for _, tree := range trees {
		if err := p.file(tree); err != nil {
			return nil, err
		}
	}
	p.sources[filepath.Join(dir, "mutant_switches.go")] = "package " + trees[0].Name.Name + "\n\n" + switches
	return p, nil
}

func (p *mutated) file(tree *ast.File) error {
	name := p.fset.Position(tree.Package).Filename
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	f := &file{
		mutated: p, text: string(text), start: tree.FileStart, before: map[int]string{}, after: map[int]string{},
		cut: map[int]int{},
	}
	ast.Inspect(tree, f.visit)
	p.sources[name] = f.written()
	return nil
}

func (f *file) written() string {
	var b strings.Builder
	next := 0
	offsets := slices.Sorted(maps.Keys(f.before))
	offsets = append(offsets, slices.Collect(maps.Keys(f.after))...)
	slices.Sort(offsets)
	for _, at := range slices.Compact(offsets) {
		b.WriteString(f.text[next:at] + f.after[at] + f.before[at])
		next = at + f.cut[at]
	}
	return b.String() + f.text[next:]
}

// mutant notes a mutant and returns its number.
func (f *file) mutant(n ast.Node, what string) int {
	f.mutants = append(f.mutants, mutant{
		f.fset.Position(n.Pos()), what,
		strings.Join(strings.Fields(f.text[n.Pos()-f.start:n.End()-f.start]), " "),
	})
	return len(f.mutants)
}

// wrap inserts text around a node. Outer nodes are wrapped before inner ones.
func (f *file) wrap(n ast.Node, before, after string) {
	from, to := int(n.Pos()-f.start), int(n.End()-f.start)
	f.before[from] += before
	f.after[to] = after + f.after[to]
}

func (f *file) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok == token.VAR
	case *ast.ArrayType:
		return false
	case *ast.BlockStmt:
		f.statements(n.List)
	case *ast.CommClause:
		f.statements(n.Body)
	case *ast.CaseClause:
		f.statements(n.Body)
		for _, s := range n.List {
			if _, literal := s.(*ast.BasicLit); !literal {
				ast.Inspect(s, f.visit)
			}
		}
		for _, s := range n.Body {
			ast.Inspect(s, f.visit)
		}
		return false
	case *ast.KeyValueExpr:
		ast.Inspect(n.Value, f.visit)
		return false
	case *ast.IfStmt:
		f.condition(n.Cond)
		f.guard(n)
	case *ast.ForStmt:
		f.condition(n.Cond)
	case *ast.ReturnStmt:
		f.results(n)
	case ast.Expr:
		return f.expression(n)
	}
	return true
}

// statements makes each statement optional that declares nothing.
func (f *file) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE || isBlank(s) {
				continue
			}
		case *ast.ExprStmt:
			if f.panics(s.X) {
				continue
			}
		case *ast.IncDecStmt, *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt:
		case *ast.BranchStmt:
			if s.Tok == token.FALLTHROUGH || s.Tok == token.GOTO {
				continue
			}
		default:
			continue
		}
		f.wrap(s, fmt.Sprintf("if mutantKeep(%d) { ", f.mutant(s, "left out")), " }")
	}
}

func isBlank(s *ast.AssignStmt) bool {
	return !slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool {
		name, is := e.(*ast.Ident)
		return !is || name.Name != "_"
	})
}

func (f *file) panics(e ast.Expr) bool {
	call, is := e.(*ast.CallExpr)
	if !is {
		return false
	}
	name, is := call.Fun.(*ast.Ident)
	return is && name.Name == "panic"
}

// guard makes the return at the end of an if optional.
func (f *file) guard(n *ast.IfStmt) {
	if n.Else != nil || len(n.Body.List) == 0 {
		return
	}
	if last, is := n.Body.List[len(n.Body.List)-1].(*ast.ReturnStmt); is {
		f.wrap(last, fmt.Sprintf("if mutantKeep(%d) { ", f.mutant(last, "left out")), " }")
	}
}

// condition negates a condition that is not a comparison: those are visited on their own.
func (f *file) condition(e ast.Expr) {
	if e == nil || f.isComparison(e) {
		return
	}
	if t := f.info.Types[e].Type; t == types.Typ[types.Bool] || t == types.Typ[types.UntypedBool] {
		f.wrap(e, fmt.Sprintf("mutantNot(%d, ", f.mutant(e, "negated")), ")")
	}
}

func (f *file) isComparison(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ParenExpr, *ast.UnaryExpr:
		return true
	case *ast.BinaryExpr:
		return e.Op != token.ARROW
	}
	return false
}

func (f *file) results(n *ast.ReturnStmt) {
	for _, r := range n.Results {
		f.condition(r)
		if t := f.info.Types[r].Type; t != nil && t.String() == "error" {
			f.wrap(r, fmt.Sprintf("mutantError(%d, ", f.mutant(r, "made nil")), ")")
		}
	}
}

func (f *file) expression(e ast.Expr) bool {
	if tv := f.info.Types[e]; tv.Value != nil {
		f.literal(e, tv.Type)
		return false
	}
	switch e := e.(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			f.condition(e.X)
		}
	case *ast.BinaryExpr:
		f.binary(e)
	}
	return true
}

// literal increments a number. Types of other packages are not touched: the file may import them under another name.
func (f *file) literal(e ast.Expr, t types.Type) {
	lit, is := e.(*ast.BasicLit)
	if !is || lit.Kind != token.INT || t == nil {
		return
	}
	t = types.Unalias(t)
	if named, is := t.(*types.Named); is && named.Obj().Pkg() != f.types {
		return
	}
	name := types.TypeString(t, func(*types.Package) string { return "" })
	if b, is := t.Underlying().(*types.Basic); !is || b.Info()&types.IsInteger == 0 || b.Info()&types.IsUntyped != 0 {
		return
	}
	f.wrap(e, fmt.Sprintf("mutantOneMore[%s](%d, ", name, f.mutant(e, "one more")), ")")
}

func (f *file) binary(e *ast.BinaryExpr) {
	if f.info.Types[e].Type != types.Typ[types.Bool] && f.info.Types[e].Type != types.Typ[types.UntypedBool] {
		return
	}
	switch e.Op {
	case token.LAND, token.LOR:
		name := map[token.Token]string{token.LAND: "mutantAnd", token.LOR: "mutantOr"}[e.Op]
		f.wrap(e, fmt.Sprintf("%s(%d, ", name, f.mutant(e, "and and or swapped")), ")})")
		f.condition(e.X)
		f.condition(e.Y)
		f.operator(e, ", func() bool { return (")
	case token.EQL, token.NEQ:
		f.wrap(e, fmt.Sprintf("mutantNot(%d, ", f.mutant(e, "negated")), ")")
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		f.order(e)
	}
}

// order shifts the bound of a comparison, and negates it. a > b is not (a <= b).
func (f *file) order(e *ast.BinaryExpr) {
	name, not := "mutantLess", ""
	if e.Op == token.LEQ || e.Op == token.GTR {
		name = "mutantMost"
	}
	if e.Op == token.GTR || e.Op == token.GEQ {
		not = "!"
	}
	f.wrap(e, fmt.Sprintf("mutantNot(%d, %s%s(%d, ", f.mutant(e, "negated"), not, name, f.mutant(e, "bound shifted")),
		"))")
	f.operator(e, ", ")
}

func (f *file) operator(e *ast.BinaryExpr, by string) {
	at := int(e.OpPos - f.start)
	f.before[at] += by
	f.cut[at] = len(e.Op.String())
}
