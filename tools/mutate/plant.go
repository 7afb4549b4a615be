package main

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// The kinds of faults in Go.
const (
	negated    = "condition turned round"
	halved     = "half a condition left out"
	swapped    = "and for or"
	boundary   = "bound off by one"
	unequal    = "equality turned round"
	arithmetic = "plus for minus"
	never      = "early end left out"
	swallowed  = "error swallowed"
	removed    = "statement left out"
	number     = "another number"
	truth      = "another truth value"
	skipped    = "step left out"
)

// declaration plants faults in a function, or in the values of constants and variables.
func (p *planter) declaration(d ast.Decl) {
	if g, ok := d.(*ast.GenDecl); ok && g.Tok != token.CONST && g.Tok != token.VAR {
		return
	}
	var results *ast.FieldList
	if f, ok := d.(*ast.FuncDecl); ok {
		results = f.Type.Results
	}
	p.walk(d, results)
}

// walk visits the nodes of one function, and those of a function in it with its own
// results.
func (p *planter) walk(root ast.Node, results *ast.FieldList) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			p.walk(n.Body, n.Type.Results)
			return false
		case *ast.IfStmt:
			if p.isWiring(n.Cond) {
				return false
			}
			p.condition(n.Cond)
			if ends(n.Body.List) {
				p.plant(never, n.Cond, "false && ("+p.text(n.Cond)+")")
			}
		case *ast.ForStmt:
			for _, part := range []ast.Node{n.Init, n.Cond, n.Body} {
				if part != nil {
					p.walk(part, results)
				}
			}
			return false // without its last part a loop has no end, which every test notices
		case *ast.SwitchStmt:
			p.cases(n)
		case *ast.BinaryExpr:
			if p.text(n.X) == "iota" {
				return false // any numbers that differ will do
			}
			p.binary(n)
		case *ast.ReturnStmt:
			p.returned(n, results)
		case *ast.ExprStmt, *ast.IncDecStmt, *ast.AssignStmt, *ast.DeferStmt:
			return p.statement(n.(ast.Stmt))
		case *ast.CallExpr:
			p.call(n)
		case *ast.BasicLit:
			p.literal(n)
		case *ast.Ident:
			p.truth(n)
		case *ast.IndexExpr, *ast.SliceExpr:
			return false // another index panics, which every test notices
		case *ast.ImportSpec, *ast.Field:
			return false
		}
		return true
	})
}

// isWiring reports whether a condition is a constructor's check of its parts. A part that
// is missing ends the process when it starts.
func (p *planter) isWiring(cond ast.Expr) bool {
	_, name, method := strings.Cut(p.function, ".")
	return !method && strings.HasPrefix(p.function, "New") && name == "" && strings.Contains(p.text(cond), "== nil")
}

// condition plants faults in a condition as a whole; binary plants those in its parts.
func (p *planter) condition(cond ast.Expr) {
	if b, ok := cond.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) {
		return
	}
	if not, ok := cond.(*ast.UnaryExpr); ok && not.Op == token.NOT {
		p.plant(negated, cond, p.text(not.X))
		return
	}
	p.plant(negated, cond, "!("+p.text(cond)+")")
}

// cases plants faults in the conditions of a switch without a value.
func (p *planter) cases(s *ast.SwitchStmt) {
	if s.Tag != nil {
		return
	}
	for _, c := range s.Body.List {
		for _, cond := range c.(*ast.CaseClause).List {
			p.condition(cond)
			p.plant(never, cond, "false && ("+p.text(cond)+")")
		}
	}
}

// opposite gives the operators that people take for another.
var opposite = map[token.Token]struct {
	operator, kind string
}{
	token.LSS: {"<=", boundary}, token.LEQ: {"<", boundary}, token.GTR: {">=", boundary}, token.GEQ: {">", boundary},
	token.EQL: {"!=", unequal}, token.NEQ: {"==", unequal},
	token.LAND: {"||", swapped}, token.LOR: {"&&", swapped},
	token.ADD: {"-", arithmetic}, token.SUB: {"+", arithmetic},
}

func (p *planter) binary(b *ast.BinaryExpr) {
	if isErrNil(b) {
		return // nobody takes success for failure, and every test notices
	}
	left, right := p.text(b.X), p.text(b.Y)
	text := b.Op == token.ADD && strings.ContainsAny(left+right, "\"`") // has no minus
	if o, ok := opposite[b.Op]; ok && !text {
		at := p.offset(b.OpPos)
		between := string(p.source[p.offset(b.X.End()):at]) + o.operator + string(p.source[at+len(b.Op.String()):p.offset(b.Y.Pos())])
		p.plant(o.kind, b, left+between+right)
	}
	if b.Op == token.LAND || b.Op == token.LOR {
		p.plant(halved, b, left)
		p.plant(halved, b, right)
	}
}

// isErrNil reports whether an expression compares an error with nil.
func isErrNil(b *ast.BinaryExpr) bool {
	x, ok := b.X.(*ast.Ident)
	y, nothing := b.Y.(*ast.Ident)
	return ok && nothing && y.Name == "nil" && (x.Name == "err" || strings.HasSuffix(x.Name, "Err"))
}

// ends reports whether statements leave the function or the loop.
func ends(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch list[len(list)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// returned plants a nil for the error of a return.
func (p *planter) returned(r *ast.ReturnStmt, results *ast.FieldList) {
	if results == nil || len(r.Results) == 0 || len(r.Results) != results.NumFields() {
		return
	}
	kind, ok := results.List[len(results.List)-1].Type.(*ast.Ident)
	last := r.Results[len(r.Results)-1]
	if !ok || kind.Name != "error" || p.text(last) == "nil" {
		return
	}
	p.plant(swallowed, last, "nil")
}

// statement leaves one out. It reports whether there is something to plant in its parts.
func (p *planter) statement(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE || p.text(s.Lhs[0]) == "_" {
			return true
		}
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); !ok || p.isUnseen(call) {
			return false
		}
	case *ast.DeferStmt:
		if p.isUnseen(s.Call) {
			return false
		}
	}
	p.plant(removed, s, "")
	return true
}

// isUnseen reports whether a call does what tests do not look at: a line in the log, a
// lock of memory (the race detector looks at those), the release of a resource.
func (p *planter) isUnseen(call *ast.CallExpr) bool {
	name := p.text(call.Fun)
	last := name[strings.LastIndex(name, ".")+1:]
	unseen := []string{"Lock", "Unlock", "RLock", "RUnlock", "Close", "Stop", "cancel", "stop", "panic", "Done"}
	return strings.Contains(strings.ToLower(name), "log.") || slices.Contains(unseen, last)
}

// steps are calls that give back something like what they take.
var (
	steps   = []string{"UTC", "Truncate", "Add", "Strict", "And", "WithField", "WithRetryAfter", "WithCause"}
	choices = []string{"min", "max", "cmp.Or"}
	changes = []string{"strings.ToLower", "strings.TrimSpace", "strings.Trim"}
)

// call leaves out the call and keeps what it takes.
func (p *planter) call(c *ast.CallExpr) {
	if method, ok := c.Fun.(*ast.SelectorExpr); ok && slices.Contains(steps, method.Sel.Name) {
		p.plant(skipped, c, p.text(method.X))
	}
	name := p.text(c.Fun)
	if slices.Contains(choices, name) && len(c.Args) == 2 {
		p.plant(skipped, c, p.text(c.Args[0]))
		p.plant(skipped, c, p.text(c.Args[1]))
	}
	if slices.Contains(changes, name) {
		p.plant(skipped, c, p.text(c.Args[0]))
	}
}

// literal plants another number, or faults in a script.
func (p *planter) literal(l *ast.BasicLit) {
	if l.Kind == token.STRING && strings.HasPrefix(l.Value, "`") && strings.Contains(l.Value, "local ") {
		p.script(l)
	}
	n, err := strconv.ParseInt(l.Value, 0, 64)
	if l.Kind != token.INT || err != nil {
		return
	}
	// Numbers that are close to each other are taken for one another; large ones are a
	// digit or a unit too long. The bound itself is planted by its comparison.
	if n <= 10 {
		n++
	} else {
		n *= 2
	}
	p.plantInLine(number, p.offset(l.Pos()), p.offset(l.End()), strconv.FormatInt(n, 10))
}

func (p *planter) truth(i *ast.Ident) {
	other := map[string]string{"true": "false", "false": "true"}[i.Name]
	if other != "" {
		p.plantInLine(truth, p.offset(i.Pos()), p.offset(i.End()), other)
	}
}
