package snippet

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"go/format"
	"slices"
	"strings"
	"text/template"
)

// Request is what a sample sends.
type Request struct {
	Method string
	// Path begins with a slash. Its parameters stand in braces, as in OpenAPI.
	Path string
	// Query and Form are the parameters in the address and those of a form body.
	Query, Form []Value
	// Bearer is the variable of the environment that holds the credential of an
	// Authorization header, "" for none.
	Bearer string
	// Basic sends the client's id and secret by HTTP Basic.
	Basic bool
	// JSON is the body, indented by two spaces; "" for none.
	JSON string
	// File is where the answer is saved, "" for an answer that is printed.
	File string
	// Redirects says that the answer is a redirect. It is printed and not followed.
	Redirects bool
}

// Value is a parameter: a text, or a variable of the environment.
type Value struct{ Name, Text, Variable string }

// Sample is a request in one language.
type Sample struct {
	// Lang is the word of the language, for example "python", Label its name.
	Lang, Label, Source string
}

//go:embed *.tmpl
var files embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"lower": strings.ToLower, "indent": indent, "python": pythonLiteral,
}).ParseFS(files, "*.tmpl"))

// Write gives the request in every language, in the order in which they are shown. It
// fails on a request that a language cannot express.
func (r Request) Write() ([]Sample, error) {
	if strings.Contains(r.JSON, "`") {
		return nil, fmt.Errorf("snippet: the body of %s %s holds a backquote, which ends a text in Go", r.Method, r.Path)
	}
	all := []Sample{{"sh", "curl", r.curl()}}
	for _, one := range []Sample{{Lang: "js", Label: "JavaScript"}, {Lang: "python", Label: "Python"}, {Lang: "go", Label: "Go"}} {
		var out bytes.Buffer
		if err := templates.ExecuteTemplate(&out, one.Lang+".tmpl", r); err != nil {
			return nil, fmt.Errorf("snippet: %w", err)
		}
		one.Source = out.String()
		if one.Lang == "go" {
			formatted, err := format.Source(out.Bytes())
			if err != nil {
				return nil, fmt.Errorf("snippet: %s %s: %w", r.Method, r.Path, err)
			}
			one.Source = string(formatted)
		}
		all = append(all, one)
	}
	return all, nil
}

// Variables are those of the environment that the request needs, each once.
func (r Request) Variables() []string {
	names := []string{"BASE"}
	if r.Basic {
		names = append(names, "CLIENT_ID", "CLIENT_SECRET")
	}
	if r.Bearer != "" {
		names = append(names, r.Bearer)
	}
	for _, part := range r.Segments() {
		names = append(names, part.Variable)
	}
	for _, v := range slices.Concat(r.Query, r.Form) {
		names = append(names, v.Variable)
	}
	var once []string
	for _, name := range names {
		if name != "" && !slices.Contains(once, name) {
			once = append(once, name)
		}
	}
	return once
}

// Segments are the parts of the path: texts and variables in turn.
func (r Request) Segments() []Value {
	var all []Value
	rest := r.Path
	for {
		text, after, found := strings.Cut(rest, "{")
		if text != "" {
			all = append(all, Value{Text: text})
		}
		if !found {
			return all
		}
		name, end, _ := strings.Cut(after, "}")
		all = append(all, Value{Name: name, Variable: VariableOf(name)})
		rest = end
	}
}

// VariableOf is the variable of the environment for a parameter: "JOB_ID" for "jobId".
func VariableOf(parameter string) string {
	var out strings.Builder
	for i, c := range parameter {
		if i > 0 && c >= 'A' && c <= 'Z' {
			out.WriteByte('_')
		}
		out.WriteRune(c)
	}
	return strings.ToUpper(out.String())
}

// Plain reports whether the request needs neither headers nor a body nor another method
// than GET.
func (r Request) Plain() bool {
	return r.Method == "GET" && r.Bearer == "" && !r.Basic && !r.Redirects
}

// indent puts spaces before every line but the first.
func indent(spaces int, text string) string {
	return strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", spaces))
}

// pythonLiteral writes JSON as Python does: texts are the same, three words are not.
func pythonLiteral(text string) string {
	words := strings.NewReplacer("true", "True", "false", "False", "null", "None")
	var out strings.Builder
	for text != "" {
		begin := strings.IndexByte(text, '"')
		if begin < 0 {
			begin = len(text)
		}
		out.WriteString(words.Replace(text[:begin]))
		text = text[begin:]
		var quoted json.RawMessage
		if text == "" || json.NewDecoder(strings.NewReader(text)).Decode(&quoted) != nil {
			break
		}
		out.Write(quoted)
		text = text[len(quoted):]
	}
	return out.String()
}
