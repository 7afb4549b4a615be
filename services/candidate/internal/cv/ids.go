package cv

import (
	"crypto/rand"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// itemIDLength is the length of an item's id. Eight characters encode 40 random bits, enough to be unique
// within one list.
const itemIDLength = 8

// ToStore returns a copy of c in which each item has an id, except for Highlights, and in which the blank
// nullable strings of items are null.
func ToStore(c *Content) *Content {
	out := &Content{}
	proto.Merge(out, c)
	ClearBlank(out.ProtoReflect())
	identify(out.Experiences, func(e *Experience) *string { return &e.Id })
	identify(out.Educations, func(e *Education) *string { return &e.Id })
	identify(out.Certifications, func(e *Certification) *string { return &e.Id })
	identify(out.Projects, func(p *Project) *string { return &p.Id })
	return out
}

// ClearBlank sets the blank nullable strings in a message to null.
func ClearBlank(m protoreflect.Message) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.IsMap():
		case f.IsList() && f.Message() != nil:
			for i := range v.List().Len() {
				ClearBlank(v.List().Get(i).Message())
			}
		case f.Message() != nil:
			if text, ok := v.Message().Interface().(*wrapperspb.StringValue); ok && IsBlank(text.GetValue()) {
				m.Clear(f)
			}
		case f.HasPresence() && v.String() == "":
			m.Clear(f)
		}
		return true
	})
}

func identify[T any](list []T, id func(T) *string) {
	taken := map[string]bool{}
	for _, item := range list {
		taken[*id(item)] = true
	}
	for _, item := range list {
		if p := id(item); *p == "" {
			*p = newItemID(taken)
		}
	}
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
