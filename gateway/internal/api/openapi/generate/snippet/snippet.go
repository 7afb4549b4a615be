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

	"vitae.internal/gateway/internal/api/openapi/model"
)

// Request describes the request that a sample sends.
type Request struct {
	Method string
	// Path begins with a slash. Its parameters are in braces, as in OpenAPI.
	Path string
	// Query holds the query parameters, and Form the parameters of a form body.
	Query, Form []Value
	// Bearer is the environment variable that holds the credential for the Authorization header, or "" if there
	// is none.
	Bearer string
	// Basic means that the client's id and secret are sent with HTTP Basic.
	Basic bool
	// JSON is the body, indented by two spaces, or "" if there is none.
	JSON string
	// File is the file in which the response is saved, or "" if it is printed.
	File string
	// Redirects means that the response is a redirect, which is printed instead of followed.
	Redirects bool
}

// Value is a parameter with either a literal value or an environment variable.
type Value struct{ Name, Text, Variable string }

//go:embed *.tmpl
var files embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"lower": strings.ToLower, "indent": indent, "python": pythonLiteral,
}).ParseFS(files, "*.tmpl"))

// Write returns the code sample for every language, in display order. It returns an error if a language
// cannot express the request.
func (r Request) Write() ([]model.CodeSample, error) {
	if strings.Contains(r.JSON, "`") {
		return nil, fmt.Errorf("snippet: the body of %s %s has a backquote, which would end a raw string in Go", r.Method, r.Path)
	}
	all := []model.CodeSample{{Lang: "sh", Label: "curl", Source: r.curl()}}
	for _, one := range []model.CodeSample{{Lang: "js", Label: "JavaScript"}, {Lang: "python", Label: "Python"}, {Lang: "go", Label: "Go"}} {
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

// Variables returns the environment variables of the request without duplicates.
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

// Segments splits the path into literal parts and variables.
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

// VariableOf returns the environment variable for a parameter, for example "JOB_ID" for "jobId".
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

// Plain reports whether the request is a GET without headers or body.
func (r Request) Plain() bool {
	return r.Method == "GET" && r.Bearer == "" && !r.Basic && !r.Redirects
}

// indent indents every line except the first.
func indent(spaces int, text string) string {
	return strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", spaces))
}

// pythonLiteral converts JSON to Python. The two differ only in three words.
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
