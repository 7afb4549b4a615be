package cv

import (
	"crypto/rand"
	"slices"
	"strings"
)

// itemIDLength is enough for 40 random bits, unique within one list.
const itemIDLength = 8

// WithIDs returns c with ids for the items that have none, except for Highlights.
func (c Content) WithIDs() Content {
	c.Experiences = identify(c.Experiences, func(e *Experience) *string { return &e.ID })
	c.Educations = identify(c.Educations, func(e *Education) *string { return &e.ID })
	c.Certifications = identify(c.Certifications, func(e *Certification) *string { return &e.ID })
	c.Projects = identify(c.Projects, func(p *Project) *string { return &p.ID })
	return c
}

func identify[T any](list []T, id func(*T) *string) []T {
	list = slices.Clone(list)
	taken := map[string]bool{}
	for i := range list {
		taken[*id(&list[i])] = true
	}
	for i := range list {
		if p := id(&list[i]); *p == "" {
			*p = newItemID(taken)
		}
	}
	return list
}

func newItemID(taken map[string]bool) string {
	for {
		id := strings.ToLower(rand.Text()[:itemIDLength])
		if !taken[id] {
			taken[id] = true
			return id
		}
	}
}
