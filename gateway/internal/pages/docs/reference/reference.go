package reference

import (
	"encoding/json"
	"fmt"
	"html/template"
	"slices"

	"vitae.internal/gateway/internal/pages/docs/guides"
)

// Path is that of the first page, Prefix begins those of the operations.
const (
	Path   = guides.Reference
	Prefix = Path + "/"
)

// Reference is the document as pages.
type Reference struct {
	Title, Version string
	// Introduction is what holds for all operations.
	Introduction guides.Guide
	Groups       []Group
	// Elsewhere are the codes of requests that match no operation.
	Elsewhere []Failure
}

// Group is the operations of one tag.
type Group struct {
	// ID is the fragment of the group on the first page.
	ID, Name   string
	About      template.HTML
	Operations []Operation
}

// New reads an OpenAPI document. It fails on a reference that leads nowhere and on what
// the pages cannot show.
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

// Operations are those of all groups, in their order.
func (r Reference) Operations() []Operation {
	var all []Operation
	for _, g := range r.Groups {
		all = append(all, g.Operations...)
	}
	return all
}

// slug is a name as a fragment.
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
