package generate

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/gateway/internal/contract"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// method adds the operation of a gRPC method.
func (b *builder) method(tag string, m contract.Method) error {
	s := b.surfaces.apiKey
	if m.Credential == optionsv1.Credential_CREDENTIAL_USER_TOKEN {
		s = b.surfaces.userToken
	}
	name := string(m.Descriptor.Name())
	words := contract.TextOf(m.Descriptor)
	if words.GetDescription() == "" {
		return errors.New("generate: partners are told nothing of it")
	}
	op := begin(tag, strings.ToLower(name[:1])+name[1:], words.GetSummary(), words.GetDescription(), s, m.Scope)
	if err := b.parameters(op, m); err != nil {
		return err
	}
	codes := m.Codes
	if len(m.Params) > 0 {
		codes = append(codes, "NOT_FOUND") // for a path parameter that is not text
	}
	if m.TakesBody {
		codes = append(codes, "UNSUPPORTED_MEDIA_TYPE")
		if err := b.body(op, m); err != nil {
			return err
		}
	}
	if err := b.answers(op, m); err != nil {
		return err
	}
	return b.finish(m.HTTPMethod, m.Template, op, s, codes)
}

func (b *builder) parameters(op *Operation, m contract.Method) error {
	fields := m.Descriptor.Input().Fields()
	for i := range fields.Len() {
		fd := fields.Get(i)
		if contract.FieldOf(fd).Hidden || m.TakesBody && !m.Bound(fd) {
			continue
		}
		schema, err := b.schemas.field(fd, inParameters)
		if err != nil {
			return err
		}
		p := Parameter{Name: fd.JSONName(), In: "query", Description: schema.Description, Schema: schema}
		schema.Description = "" // the parameter has the description
		if m.Bound(fd) {
			p.In, p.Required = "path", true
		}
		p.Example = b.samples.parameter(p.Name)
		op.Parameters = append(op.Parameters, p)
	}
	switch op.OperationID {
	case createJob:
		op.Parameters = append(op.Parameters, idempotencyKey)
	case getSharedCV:
		op.Parameters = append(op.Parameters, ifNoneMatch())
	}
	return nil
}

// The operations that differ from what their contracts say: package api has code for them.
const (
	createCompany = "createCompany"
	createJob     = "createJob"
	getSharedCV   = "getSharedCv"
)

var idempotencyKey = Parameter{
	Name: "Idempotency-Key", In: "header",
	Description: "Key of the attempt, of your making: 1 to 255 visible ASCII characters, once. It stands for the company of the path and for at least 30 days, and wins over `idempotencyKey`. With a key that was used before, the body counts for nothing, and the answer is the job of the first attempt.",
	Schema:      &Schema{Type: Types{"string"}, MinLength: 1, MaxLength: 255, Pattern: "^[!-~]+$"},
	Example:     "4f6d1c1e-4a1b-4b52-9a0e-8f0f5f3d6a11",
}

func (b *builder) body(op *Operation, m contract.Method) error {
	ref, err := b.schemas.message(m.Descriptor.Input(), inBodies, m.Bound)
	if err != nil {
		return err
	}
	body := MediaTypeBody{Schema: ref, Examples: b.samples.requests(op.OperationID)}
	null := "`null` for a field that is not required counts as left out."
	if contract.UpdateMaskOf(m.Descriptor.Input()) != nil {
		null = "`null` clears a field where its schema takes `null`; in an object inside the body it counts as left out."
	}
	op.RequestBody = &RequestBody{
		Required:    true,
		Description: "One JSON object in UTF-8, at most 1 MiB and 32 levels deep. Fields that are not known are ignored. " + null,
	}
	op.RequestBody.Content.Set("application/json", body)
	return nil
}

// answers adds the successful answers (behaviour: requests#envelope).
func (b *builder) answers(op *Operation, m contract.Method) error {
	if m.Data == nil || m.Data.Message() == nil {
		return fmt.Errorf("generate: the answer of %s is no resource", op.OperationID)
	}
	item, err := b.schemas.message(m.Data.Message(), inAnswers, nil)
	if err != nil {
		return err
	}
	envelope, err := b.envelope(m, item)
	if err != nil {
		return err
	}
	resource := string(m.Data.Message().Name())
	has := slices.Concat([]header{noStore, byCaller}, budget)
	var may []header
	statuses := map[int]string{m.Status: commentOf(m.Data)}
	switch op.OperationID {
	case createCompany:
		statuses[http.StatusOK] = "The company that your app has with this `externalId`, as it is now."
	case createJob:
		may = append(may, header{name: "Idempotent-Replayed", description: "The key was used before: this is the job that the first attempt created, as it is now.", schema: fixed("true")})
	case getSharedCV:
		has = slices.Concat([]header{entityTag, revalidate, byCaller}, budget)
	}
	for _, status := range sortedKeys(statuses) {
		r := Response{Description: statuses[status], Headers: b.headers(append(everywhere(), has...), may)}
		r.Content.Set("application/json", MediaTypeBody{
			Schema: envelope, Examples: named(op.OperationID, wrapped(b.samples.data(op.OperationID, status, resource), m)),
		})
		op.succeed(status, r)
	}
	if op.OperationID == getSharedCV {
		op.succeed(http.StatusNotModified, b.unchanged(has))
	}
	return nil
}

// envelope returns a reference to the envelope of a resource or a list of resources.
func (b *builder) envelope(m contract.Method, item *Schema) (*Schema, error) {
	name := string(m.Data.Message().Name())
	var keys Map[*Schema]
	if !m.Data.IsList() {
		keys.Set("data", item)
		keys.Set("error", null())
		keys.Set("meta", null())
		return b.schemas.add(name+"Response", object(keys).described("`"+name+"` in the envelope.")), nil
	}
	paging, err := b.schemas.message(m.Paging.Message(), inAnswers, nil)
	if err != nil {
		return nil, err
	}
	list := typed("array")
	list.Items, list.Description = item, commentOf(m.Data)
	keys.Set("data", list)
	keys.Set("error", null())
	keys.Set("meta", paging)
	return b.schemas.add(name+"ListResponse", object(keys).described("A page of `"+name+"` in the envelope.")), nil
}

// wrapped returns an example in its envelope.
func wrapped(data any, m contract.Method) any {
	var envelope Map[any]
	envelope.Set("data", data)
	envelope.Set("error", nil)
	envelope.Set("meta", nil)
	if m.Data.IsList() {
		var paging Map[any]
		for _, f := range []struct {
			name  protoreflect.Name
			value int
		}{{"page", 1}, {"page_size", 25}, {"total", 1}, {"total_pages", 1}} {
			paging.Set(m.Paging.Message().Fields().ByName(f.name).JSONName(), f.value)
		}
		envelope.Set("data", []any{data})
		envelope.Set("meta", paging)
	}
	return envelope
}
