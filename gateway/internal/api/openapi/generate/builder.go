package generate

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/contract"
	"vitae.internal/pkg/config"
)

// builder holds the document while it is made.
type builder struct {
	doc      Document
	schemas  schemas
	surfaces surfaces
	samples  samples
}

// Build makes the document for the services in the files. The descriptors must have
// their comments: those in a plugin's request do, those in generated Go do not.
func Build(files []protoreflect.FileDescriptor) (*Document, error) {
	tiers, err := config.Load[limits.Tiers](config.Environment{})
	if err != nil {
		return nil, err
	}
	b := &builder{surfaces: newSurfaces(tiers)}
	if b.samples, err = readSamples(); err != nil {
		return nil, err
	}
	b.introduce()
	for _, step := range []func() error{
		b.oauth,
		func() error { return b.services(files) },
		b.files,
		b.specification,
		b.samples.allUsed,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	b.doc.Paths.SortFunc(func(x, y PathItem) int { return b.place(tagOf(x)) - b.place(tagOf(y)) })
	b.doc.Components.Schemas = b.schemas.all
	b.doc.Components.Schemas.Sort()
	b.doc.Components.Responses.Sort()
	b.doc.Components.Headers.Sort()
	return &b.doc, nil
}

// services adds the operations of the gRPC methods.
func (b *builder) services(files []protoreflect.FileDescriptor) error {
	var found []protoreflect.ServiceDescriptor
	for _, f := range files {
		for i := range f.Services().Len() {
			methods, err := contract.MethodsOf(f.Services().Get(i))
			if err != nil {
				return err
			}
			if methods != nil {
				found = append(found, f.Services().Get(i))
			}
		}
	}
	for _, s := range found {
		if contract.TagOf(s).GetName() == "" {
			return fmt.Errorf("generate: %s has no tag", s.FullName())
		}
		b.introduceTag(Tag{contract.TagOf(s).GetName(), contract.TagOf(s).GetDescription()})
		methods, err := contract.MethodsOf(s)
		if err != nil {
			return err
		}
		for _, m := range methods {
			if err := b.method(contract.TagOf(s).GetName(), m); err != nil {
				return fmt.Errorf("%s: %w", m.Descriptor.FullName(), err)
			}
		}
	}
	return nil
}

// place returns the position of a tag among the document's tags.
func (b *builder) place(tag string) int {
	return slices.IndexFunc(b.doc.Tags, func(t Tag) bool { return t.Name == tag })
}

// introduceTag sets the description of a tag of the contracts. A tag that is new is
// put behind the other tags of the contracts.
func (b *builder) introduceTag(tag Tag) {
	at := b.place(tag.Name)
	if at < 0 {
		at = b.place(tagSpecification)
		b.doc.Tags = slices.Insert(b.doc.Tags, at, tag)
	}
	b.doc.Tags[at] = tag
}

// tagOf returns the tag of the operations of a path. All of them have the same.
func tagOf(p PathItem) string {
	op, _ := p.Get(p.Keys()[0])
	return op.Tags[0]
}

// begin starts an operation of a surface. finish completes it.
func begin(tag, id, summary, description string, s surface, scope string) *Operation {
	op := &Operation{
		Tags: []string{tag}, OperationID: id, Summary: summary, Description: description,
		Security: s.security(scope), Limits: s.limits,
	}
	if scope != "" {
		op.Scopes = []string{scope}
		op.Description += "\n\nScope: `" + scope + "`."
	}
	return op
}

// finish adds the failures to the operation, and the operation to the document.
func (b *builder) finish(method, path string, op *Operation, s surface, codes []string) error {
	if op.Summary == "" || op.Description == "" {
		return fmt.Errorf("generate: %s %s has no summary or no description for partners", method, path)
	}
	if s.anyOrigin {
		b.openToOrigins(op)
	}
	if err := b.fail(op, s, codes); err != nil {
		return err
	}
	if err := sampleCode(method, path, op); err != nil {
		return err
	}
	item, _ := b.doc.Paths.Get(path)
	key := strings.ToLower(method)
	if _, twice := item.Get(key); twice {
		return fmt.Errorf("generate: %s %s is described twice", method, path)
	}
	item.Set(key, op)
	b.doc.Paths.Set(path, item)
	return nil
}

// openToOrigins adds the headers for pages of other origins to the successful answers.
func (b *builder) openToOrigins(op *Operation) {
	for _, status := range op.Responses.Keys() {
		r, _ := op.Responses.Get(status)
		headers := b.headers(crossOrigin, nil)
		for _, name := range headers.Keys() {
			h, _ := headers.Get(name)
			r.Headers.Set(name, h)
		}
		op.Responses.Set(status, r)
	}
}

// succeed adds a successful answer.
func (op *Operation) succeed(status int, r Response) { op.Responses.Set(strconv.Itoa(status), r) }

// unchanged is the 304 answer.
func (b *builder) unchanged(headers []header) Response {
	return Response{
		Description: "What the client has is what it would get. The answer has no body.",
		Headers:     b.headers(append(everywhere(), headers...), nil),
	}
}

// same returns an error if two objects of the document differ.
func same(x, y any) error {
	one, err := marshal(x)
	if err != nil {
		return err
	}
	other, err := marshal(y)
	if err != nil {
		return err
	}
	if !bytes.Equal(one, other) {
		return fmt.Errorf("two different things have one name: %s and %s", one, other)
	}
	return nil
}

// ifNoneMatch is the If-None-Match parameter of operations with entity tags.
func ifNoneMatch() Parameter {
	return Parameter{
		Name: "If-None-Match", In: "header",
		Description: "Entity tags of earlier answers, or `*` (RFC 9110 §13.1.2). If one of them still stands, the answer is 304.",
		Schema:      typed("string"), Example: entityTag.example,
	}
}
