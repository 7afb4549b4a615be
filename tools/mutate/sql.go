package main

import (
	"go/ast"
	"go/token"
	"regexp"
	"strings"
)

// The kinds of faults in SQL and in the scripts of Redis.
const (
	unfiltered = "condition of a query left out"
	unlocked   = "lock of a query left out"
	queried    = "another word in a query"
	scripted   = "another word in a script"
)

// queries plants faults in the statements of a file that sqlc has generated. Its Go is
// not the house's.
func (p *planter) queries(file *ast.File) {
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			for _, value := range v.Values {
				if l, ok := value.(*ast.BasicLit); ok && strings.HasPrefix(l.Value, "`-- name: ") {
					p.function = v.Names[0].Name
					p.query(p.offset(l.Pos()), l.Value)
				}
			}
		}
	}
}

var (
	locks = regexp.MustCompile(`\bFOR (NO KEY UPDATE|UPDATE|SHARE|KEY SHARE)( OF \w+)?( SKIP LOCKED)?`)
	// words are taken for others, wherever they stand in a statement.
	words = []replacement{
		{regexp.MustCompile(` (<=|>=|<|>) `), map[string]string{"<": "<=", "<=": "<", ">": ">=", ">=": ">"}},
		{regexp.MustCompile(`\bIS (NOT NULL|NULL)\b`), map[string]string{"NULL": "NOT NULL", "NOT NULL": "NULL"}},
		{regexp.MustCompile(`(?i)\b(greatest|least)\(`), map[string]string{"greatest": "least", "least": "greatest", "GREATEST": "LEAST", "LEAST": "GREATEST"}},
		{regexp.MustCompile(`\b(DESC)\b`), map[string]string{"DESC": "ASC"}},
		{regexp.MustCompile(` (\+|-) `), map[string]string{"+": "-", "-": "+"}},
	}
	comment = regexp.MustCompile(`--[^\n]*`)
)

// replacement is a word that is taken for another: the first group of the pattern.
type replacement struct {
	pattern *regexp.Regexp
	other   map[string]string
}

// query plants faults in a statement that begins at the offset of the file.
func (p *planter) query(at int, text string) {
	text = comment.ReplaceAllStringFunc(text, func(c string) string { return strings.Repeat(" ", len(c)) })
	for _, c := range conjuncts(text) {
		// The condition stays in place, so that its parameters keep their types.
		p.plantAt(unfiltered, at+c.start, at+c.end, "("+text[c.start:c.end]+" OR true)")
	}
	for _, lock := range locks.FindAllStringIndex(text, -1) {
		p.plantAt(unlocked, at+lock[0], at+lock[1], "")
	}
	p.replace(queried, at, text, words)
}

func (p *planter) replace(kind string, at int, text string, with []replacement) {
	for _, r := range with {
		for _, m := range r.pattern.FindAllStringSubmatchIndex(text, -1) {
			if other, ok := r.other[text[m[2]:m[3]]]; ok {
				p.plantInLine(kind, at+m[2], at+m[3], other)
			}
		}
	}
}

// span is part of a text.
type span struct{ start, end int }

var (
	sqlToken = regexp.MustCompile(`'[^']*'|[A-Za-z_][A-Za-z_0-9.]*|[()]|\S`)
	// opens begin a list of conditions, closes end it.
	opens  = map[string]bool{"WHERE": true, "ON": true}
	closes = map[string]bool{
		"WHERE": true, "GROUP": true, "ORDER": true, "LIMIT": true, "OFFSET": true, "RETURNING": true, "FOR": true, "UNION": true,
		"JOIN": true, "LEFT": true, "CROSS": true, "ON": true, "HAVING": true, "DO": true, ";": true, "`": true, ",": true,
	}
)

// conjuncts finds the conditions of WHERE and ON that AND connects, at every depth. Those
// of ON CONFLICT name an index and are none.
func conjuncts(text string) (found []span) {
	type list struct{ start, depth int }
	var open []list
	depth, last, between := 0, 0, false
	end := func(at int) {
		top := open[len(open)-1]
		if strings.TrimSpace(text[top.start:at]) != "" {
			found = append(found, span{top.start, last})
		}
	}
	for _, t := range sqlToken.FindAllStringIndex(text, -1) {
		word := text[t[0]:t[1]]
		inside := len(open) > 0 && open[len(open)-1].depth == depth
		switch {
		case word == ")" && inside, inside && closes[word]:
			if word != "DO" {
				end(t[0])
			}
			open = open[:len(open)-1]
		case inside && word == "BETWEEN":
			between = true
		case inside && word == "AND" && between:
			between = false
		case inside && word == "AND":
			end(t[0])
			open[len(open)-1].start = t[1] + 1
		}
		if opens[word] && !strings.HasPrefix(strings.TrimSpace(text[t[1]:]), "CONFLICT") {
			open = append(open, list{t[1] + 1, depth})
		}
		switch word {
		case "(", "CASE":
			depth++
		case ")", "END":
			depth--
		}
		last = t[1]
	}
	return found
}

// script plants faults in a Lua script.
func (p *planter) script(l *ast.BasicLit) {
	text := comment.ReplaceAllStringFunc(l.Value, func(c string) string { return strings.Repeat(" ", len(c)) })
	p.replace(scripted, p.offset(l.Pos()), text, []replacement{
		{regexp.MustCompile(` (<=|>=|<|>|==|~=) `), map[string]string{"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "~=", "~=": "=="}},
		{regexp.MustCompile(` (and|or) `), map[string]string{"and": "or", "or": "and"}},
		{regexp.MustCompile(`(math\.max|math\.min)\(`), map[string]string{"math.max": "math.min", "math.min": "math.max"}},
		{regexp.MustCompile(` (\+ 1|- 1)\b`), map[string]string{"+ 1": "+ 2", "- 1": "- 2"}},
		{regexp.MustCompile(`(, 'KEEPTTL')`), map[string]string{", 'KEEPTTL'": ""}},
	})
}
