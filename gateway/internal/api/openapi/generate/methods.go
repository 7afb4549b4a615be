package generate

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/gateway/internal/api/openapi/model"
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
		return errors.New("generate: no description for partners")
	}
	op := begin(tag, strings.ToLower(name[:1])+name[1:], words.GetSummary(), words.GetDescription(), s, m.Scope)
	if err := b.parameters(op, m); err != nil {
		return err
	}
	codes := m.Codes
	if len(m.Params) > 0 {
		codes = append(codes, "NOT_FOUND") // for a path parameter that is not UTF-8
	}
	if m.TakesBody {
		codes = append(codes, "UNSUPPORTED_MEDIA_TYPE")
		if err := b.body(op, m); err != nil {
			return err
		}
	}
	if err := b.success(op, m); err != nil {
		return err
	}
	return b.finish(m.HTTPMethod, m.Template, op, s, codes)
}

func (b *builder) parameters(op *model.Operation, m contract.Method) error {
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
		p := model.Parameter{Name: fd.JSONName(), In: "query", Description: schema.Description, Schema: schema}
		schema.Description = "" // the parameter itself has the description
		if m.Bound(fd) {
			p.In, p.Required = "path", true
		}
		p.Example = pathExamples[p.Name]
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

// These operations have special cases in package api that the contracts do not describe.
const (
	createCompany = "createCompany"
	createJob     = "createJob"
	getSharedCV   = "getSharedCv"
)

var idempotencyKey = model.Parameter{
	Name: "Idempotency-Key", In: "header",
	Description: "Key of the attempt, of your making: 1 to 255 visible ASCII characters, once. It stands for the company of the path and for at least 30 days, and wins over `idempotencyKey`. With a key that was used before, the body counts for nothing, and the answer is the job of the first attempt.",
	Schema:      &model.Schema{Type: model.Types{"string"}, MinLength: 1, MaxLength: 255, Pattern: "^[!-~]+$"},
	Example:     "4f6d1c1e-4a1b-4b52-9a0e-8f0f5f3d6a11",
}

func (b *builder) body(op *model.Operation, m contract.Method) error {
	ref, err := b.schemas.message(m.Descriptor.Input(), inBodies, m.Bound)
	if err != nil {
		return err
	}
	null := "`null` for a field that is not required counts as left out."
	if contract.UpdateMaskOf(m.Descriptor.Input()) != nil {
		null = "`null` clears a field where its schema takes `null`; in an object inside the body it counts as left out."
	}
	op.RequestBody = &model.RequestBody{
		Required:    true,
		Description: "One JSON object in UTF-8, at most 1 MiB and 32 levels deep. Fields that are not known are ignored. " + null,
		Content:     jsonContent(ref, b.samples.requests(op.OperationID)),
	}
	return nil
}

// success adds the successful responses (behaviour: requests#envelope).
func (b *builder) success(op *model.Operation, m contract.Method) error {
	if m.Data == nil || m.Data.Message() == nil {
		return fmt.Errorf("generate: the response of %s is not a resource", op.OperationID)
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
	for _, status := range slices.Sorted(maps.Keys(statuses)) {
		succeed(op, status, model.Response{
			Description: statuses[status], Headers: b.responses.headers(append(everywhere(), has...), may),
			Content: jsonContent(envelope, named(op.OperationID, wrapped(b.samples.data(op.OperationID, status, resource), m))),
		})
	}
	if op.OperationID == getSharedCV {
		succeed(op, http.StatusNotModified, b.responses.unchanged(has))
	}
	return nil
}

// envelope returns a reference to the schema of the envelope for a resource or a list of resources.
func (b *builder) envelope(m contract.Method, item *model.Schema) (*model.Schema, error) {
	name := string(m.Data.Message().Name())
	keys := func(data, meta *model.Schema) *model.Schema {
		return model.Object(model.MapOf[*model.Schema]("data", data, "error", model.Null(), "meta", meta))
	}
	if !m.Data.IsList() {
		return b.schemas.add(name+"Response", keys(item, model.Null()).Described("`"+name+"` in the envelope.")), nil
	}
	paging, err := b.schemas.message(m.Paging.Message(), inAnswers, nil)
	if err != nil {
		return nil, err
	}
	list := model.Typed("array").Described(commentOf(m.Data))
	list.Items = item
	return b.schemas.add(name+"ListResponse", keys(list, paging).Described("A page of `"+name+"` in the envelope.")), nil
}

// wrapped returns an example in its envelope.
func wrapped(data any, m contract.Method) any {
	if !m.Data.IsList() {
		return model.MapOf[any]("data", data, "error", nil, "meta", nil)
	}
	var paging model.Map[any]
	for _, f := range []struct {
		name  protoreflect.Name
		value int
	}{{"page", 1}, {"page_size", 25}, {"total", 1}, {"total_pages", 1}} {
		paging.Set(m.Paging.Message().Fields().ByName(f.name).JSONName(), f.value)
	}
	return model.MapOf[any]("data", []any{data}, "error", nil, "meta", paging)
}
