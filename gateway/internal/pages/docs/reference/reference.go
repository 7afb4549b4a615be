package reference

import (
	"encoding/json"
	"fmt"
	"html/template"
	"slices"

	"vitae.internal/gateway/internal/pages/docs/guides"
)

// Path is the path of the first page. Prefix is the path prefix of the operations' pages.
const (
	Path   = guides.Reference
	Prefix = Path + "/"
)

// Reference is the content of an OpenAPI document, arranged as pages.
type Reference struct {
	Title, Version string
	// Introduction describes what applies to all operations.
	Introduction guides.Guide
	Groups       []Group
	// Elsewhere are the error codes of requests that match no operation.
	Elsewhere []Failure
}

// Group holds the operations of one tag.
type Group struct {
	// ID is the group's URL fragment on the first page.
	ID, Name   string
	About      template.HTML
	Operations []Operation
}

// New parses an OpenAPI document. It fails if a reference points to nothing, or if the document
// contains something that the pages cannot show.
func New(raw []byte) (Reference, error) {
	d := document{shared: map[string]Answer{}, rendered: map[string]template.HTML{}}
	if err := json.Unmarshal(raw, &d); err != nil {
		return Reference{}, fmt.Errorf("reference: %w", err)
	}
	introduction, err := guides.Page([]byte("# API reference\n\n" + d.Info.Description))
	if err != nil {
		return Reference{}, err
	}
	r := Reference{Title: d.Info.Title, Version: d.Info.Version, Introduction: introduction}
	for _, tag := range d.Tags {
		g, err := d.group(tag.Name, tag.Description)
		if err != nil {
			return Reference{}, err
		}
		r.Groups = append(r.Groups, g)
	}
	for _, e := range d.Elsewhere {
		found, err := failures(e.value)
		if err != nil {
			return Reference{}, err
		}
		r.Elsewhere = append(r.Elsewhere, found...)
	}
	return r, nil
}

func (d *document) group(name, description string) (Group, error) {
	about, err := d.markdown(description)
	if err != nil {
		return Group{}, err
	}
	g := Group{ID: slug(name), Name: name, About: about}
	for _, path := range d.Paths {
		for _, one := range path.value {
			if !slices.Contains(one.value.Tags, name) {
				continue
			}
			op, err := d.operation(path.key, one.key, one.value)
			if err != nil {
				return Group{}, fmt.Errorf("%s %s: %w", one.key, path.key, err)
			}
			g.Operations = append(g.Operations, op)
		}
	}
	return g, nil
}

// Operations returns the operations of all groups in order.
func (r Reference) Operations() []Operation {
	var all []Operation
	for _, g := range r.Groups {
		all = append(all, g.Operations...)
	}
	return all
}

// slug converts a name to a URL fragment.
func slug(name string) string {
	out := []byte{}
	for _, c := range []byte(name) {
		switch {
		case c >= 'A' && c <= 'Z':
			out = append(out, c+'a'-'A')
		case c >= 'a' && c <= 'z':
			out = append(out, c)
		default:
			out = append(out, '-')
		}
	}
	return string(out)
}
