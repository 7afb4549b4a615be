package generate

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/api/openapi/model"
	"vitae.internal/gateway/internal/contract"
	"vitae.internal/pkg/config"
)

// builder holds the parts of the document while it is built.
type builder struct {
	doc       model.Document
	schemas   schemas
	responses responses
	surfaces  surfaces
	samples   samples
}

// Build builds the document for the services in files. The descriptors must have comments. Descriptors in a
// plugin's request have comments, but descriptors in generated Go code do not.
func Build(files []protoreflect.FileDescriptor) (*model.Document, error) {
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
		func() error { return b.add(b.oauth()...) },
		func() error { return b.services(files) },
		func() error { return b.add(append(b.files(), b.specification())...) },
		b.samples.allUsed,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	if b.doc.Elsewhere, err = b.responses.elsewhere(); err != nil {
		return nil, err
	}
	b.doc.Paths.SortFunc(func(x, y model.PathItem) int { return b.position(tagOf(x)) - b.position(tagOf(y)) })
	b.doc.Components.Schemas, b.doc.Components.Responses, b.doc.Components.Headers = b.schemas.all, b.responses.failures, b.responses.shared
	b.doc.Components.Schemas.Sort()
	b.doc.Components.Responses.Sort()
	b.doc.Components.Headers.Sort()
	return &b.doc, nil
}

// services adds the operations of the gRPC methods.
func (b *builder) services(files []protoreflect.FileDescriptor) error {
	for _, f := range files {
		for i := range f.Services().Len() {
			s := f.Services().Get(i)
			methods, err := contract.MethodsOf(s)
			if err != nil {
				return err
			}
			if methods == nil {
				continue
			}
			tag := contract.TagOf(s)
			if tag.GetName() == "" {
				return fmt.Errorf("generate: %s has no tag", s.FullName())
			}
			b.introduceTag(model.Tag{Name: tag.GetName(), Description: tag.GetDescription()})
			for _, m := range methods {
				if err := b.method(tag.GetName(), m); err != nil {
					return fmt.Errorf("%s: %w", m.Descriptor.FullName(), err)
				}
			}
		}
	}
	return nil
}

// position returns the position of a tag among the document's tags.
func (b *builder) position(tag string) int {
	return slices.IndexFunc(b.doc.Tags, func(t model.Tag) bool { return t.Name == tag })
}

// introduceTag sets the description of a tag from the contracts. It inserts a new tag after the other tags of
// the contracts.
func (b *builder) introduceTag(tag model.Tag) {
	at := b.position(tag.Name)
	if at < 0 {
		at = b.position(tagSpecification)
		b.doc.Tags = slices.Insert(b.doc.Tags, at, tag)
	}
	b.doc.Tags[at] = tag
}

// tagOf returns the tag of a path's operations, which all have the same tag.
func tagOf(p model.PathItem) string {
	op, _ := p.Get(p.Keys()[0])
	return op.Tags[0]
}

// endpoint describes an operation that is not a gRPC method, with its successful response.
type endpoint struct {
	method, path           string
	tag, id, summary, text string
	surface                surface
	scope                  string
	parameters             []model.Parameter
	body                   *model.RequestBody
	// status and description describe the response.
	status      int
	description string
	content     model.Map[model.MediaTypeBody]
	// headers lists headers in addition to the headers of every response. more lists headers that the
	// 304 response of a conditional endpoint does not have.
	headers, more []header
	conditional   bool
	// ownPolicy is true if the response has no Content-Security-Policy, or a special one, because the
	// usual policy blocks browsers' PDF viewers.
	ownPolicy bool
	// codes lists the error codes that the endpoint returns in addition to the surface's codes.
	codes []string
}

// add adds endpoints to the document.
func (b *builder) add(endpoints ...endpoint) error {
	for _, e := range endpoints {
		if err := b.addOne(e); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) addOne(e endpoint) error {
	op := begin(e.tag, e.id, e.summary, e.text, e.surface, e.scope)
	op.Parameters, op.RequestBody = e.parameters, e.body
	usual := everywhere()
	if e.ownPolicy {
		usual = slices.DeleteFunc(usual, func(h header) bool { return h.name == "Content-Security-Policy" })
	}
	if e.conditional {
		op.Parameters = append(op.Parameters, ifNoneMatch())
	}
	succeed(op, e.status, model.Response{
		Description: e.description, Content: e.content, Headers: b.responses.headers(slices.Concat(usual, e.headers, e.more), nil),
	})
	if e.conditional {
		succeed(op, http.StatusNotModified, b.responses.unchanged(e.headers))
	}
	return b.finish(e.method, e.path, op, e.surface, e.codes)
}

// begin returns an operation on a surface, without its responses.
func begin(tag, id, summary, description string, s surface, scope string) *model.Operation {
	op := &model.Operation{
		Tags: []string{tag}, OperationID: id, Summary: summary, Description: description,
		Security: s.security(scope), Limits: s.limits,
	}
	if scope != "" {
		op.Scopes = []string{scope}
		op.Description += "\n\nScope: `" + scope + "`."
	}
	return op
}

// finish adds the error responses and code samples to the operation, and the operation to the document.
func (b *builder) finish(method, path string, op *model.Operation, s surface, codes []string) error {
	if op.Summary == "" || op.Description == "" {
		return fmt.Errorf("generate: %s %s has no summary or no description for partners", method, path)
	}
	if s.anyOrigin {
		b.openToOrigins(op)
	}
	if err := b.responses.fail(op, s, codes); err != nil {
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

// openToOrigins adds the headers for pages from other origins to the successful responses.
func (b *builder) openToOrigins(op *model.Operation) {
	for _, status := range op.Responses.Keys() {
		r, _ := op.Responses.Get(status)
		headers := b.responses.headers(crossOrigin, nil)
		for _, name := range headers.Keys() {
			h, _ := headers.Get(name)
			r.Headers.Set(name, h)
		}
		op.Responses.Set(status, r)
	}
}

func succeed(op *model.Operation, status int, r model.Response) {
	op.Responses.Set(strconv.Itoa(status), r)
}

// same returns an error if two objects of the document differ.
func same(x, y any) error {
	one, err := model.Marshal(x)
	if err != nil {
		return err
	}
	other, err := model.Marshal(y)
	if err != nil {
		return err
	}
	if !bytes.Equal(one, other) {
		return fmt.Errorf("two different objects have the same name: %s and %s", one, other)
	}
	return nil
}

// ifNoneMatch returns the If-None-Match parameter of operations with entity tags.
func ifNoneMatch() model.Parameter {
	return model.Parameter{
		Name: "If-None-Match", In: "header",
		Description: "Entity tags of earlier answers, or `*` (RFC 9110 §13.1.2). If one of them still stands, the answer is 304.",
		Schema:      model.Typed("string"), Example: entityTag.example,
	}
}
