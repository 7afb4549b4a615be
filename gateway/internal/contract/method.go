package contract

import (
	"fmt"
	"net/http"
	"strings"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// Method is a gRPC method that is served over REST.
type Method struct {
	Descriptor protoreflect.MethodDescriptor
	// HTTPMethod and Template come from the google.api.http annotation. The template contains the JSON names of
	// its parameters, for example /v1/jobs/{jobId}.
	HTTPMethod, Template string
	// Params lists the parameters of the template in order.
	Params []Param
	// TakesBody is true if the request has a JSON body.
	TakesBody bool
	// Data and Paging are the fields of the response message that become the data and the meta of the envelope.
	// Paging is nil for a method without paging.
	Data, Paging protoreflect.FieldDescriptor
	// Status is the HTTP status of a successful response.
	Status int
	// Codes lists the method's error codes, in addition to the codes that all methods share.
	Codes []string
	// Reads describes the data that a successful request reads, in the words of RequestEntry.reads.
	Reads string
	// Credential is the kind of credential that a request needs, and Scope the scope that the
	// credential must have.
	Scope      string
	Credential optionsv1.Credential
}

// Param holds a path parameter's names in the .proto file and in the template.
type Param struct{ Field, JSON string }

// pagingName is the message type for the paging of lists.
const pagingName protoreflect.FullName = "vitae.paging.v1.Paging"

// MethodOf reads a method of a service. It returns an error if the method has no credential or no scope, so
// that no route becomes public by mistake.
func MethodOf(service protoreflect.ServiceDescriptor, name protoreflect.Name) (Method, error) {
	d := service.Methods().ByName(name)
	if d == nil {
		return Method{}, fmt.Errorf("contract: %s has no method %s", service.FullName(), name)
	}
	rule, _ := proto.GetExtension(d.Options(), annotations.E_Http).(*annotations.HttpRule)
	access, _ := proto.GetExtension(d.Options(), optionsv1.E_Access).(*optionsv1.Access)
	m := Method{Descriptor: d, Scope: access.GetScope(), Credential: access.GetCredential(), Status: http.StatusOK}
	if err := m.route(rule); err != nil {
		return Method{}, err
	}
	if m.Credential == optionsv1.Credential_CREDENTIAL_UNSPECIFIED || m.Scope == "" {
		return Method{}, fmt.Errorf("contract: %s has no credential or no scope", d.FullName())
	}
	if status := proto.GetExtension(d.Options(), optionsv1.E_SuccessStatus).(int32); status != 0 {
		m.Status = int(status)
	}
	m.Codes = proto.GetExtension(d.Options(), optionsv1.E_ErrorCodes).([]string)
	m.Reads = proto.GetExtension(d.Options(), optionsv1.E_Reads).(string)
	if m.Reads != "" && m.HTTPMethod != http.MethodGet {
		return Method{}, fmt.Errorf("contract: %s reads %s, but is no GET", d.FullName(), m.Reads)
	}
	return m, m.response(rule)
}

// MethodsOf reads all methods of a service that have an HTTP annotation.
func MethodsOf(service protoreflect.ServiceDescriptor) ([]Method, error) {
	var out []Method
	for i := range service.Methods().Len() {
		d := service.Methods().Get(i)
		if !proto.HasExtension(d.Options(), annotations.E_Http) {
			continue
		}
		m, err := MethodOf(service, d.Name())
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// route reads the request part of the annotation.
func (m *Method) route(rule *annotations.HttpRule) error {
	switch pattern := rule.GetPattern().(type) {
	case *annotations.HttpRule_Get:
		m.HTTPMethod, m.Template = http.MethodGet, pattern.Get
	case *annotations.HttpRule_Post:
		m.HTTPMethod, m.Template = http.MethodPost, pattern.Post
	case *annotations.HttpRule_Patch:
		m.HTTPMethod, m.Template = http.MethodPatch, pattern.Patch
	default:
		return fmt.Errorf("contract: %s has no HTTP annotation that the REST API serves", m.Descriptor.FullName())
	}
	switch rule.GetBody() {
	case "":
	case "*":
		m.TakesBody = true
	default:
		return fmt.Errorf("contract: %s reads one field from the body, which is not supported", m.Descriptor.FullName())
	}
	segments := strings.Split(m.Template, "/")
	for i, s := range segments {
		name, isParam := strings.CutPrefix(s, "{")
		if !isParam {
			continue
		}
		name, _ = strings.CutSuffix(name, "}")
		fd := m.Descriptor.Input().Fields().ByName(protoreflect.Name(name))
		if fd == nil || fd.Kind() != protoreflect.StringKind || fd.Cardinality() == protoreflect.Repeated {
			return fmt.Errorf("contract: %s: the parameter %s is not a string of the request", m.Descriptor.FullName(), s)
		}
		m.Params = append(m.Params, Param{Field: name, JSON: fd.JSONName()})
		segments[i] = "{" + fd.JSONName() + "}"
	}
	m.Template = strings.Join(segments, "/")
	return nil
}

// response reads the response part of the annotation.
func (m *Method) response(rule *annotations.HttpRule) error {
	fields := m.Descriptor.Output().Fields()
	if m.Data = fields.ByName(protoreflect.Name(rule.GetResponseBody())); m.Data == nil {
		return fmt.Errorf("contract: %s: response_body %q is not a field of the response", m.Descriptor.FullName(), rule.GetResponseBody())
	}
	for i := range fields.Len() {
		if fd := fields.Get(i); fd.Message() != nil && fd.Message().FullName() == pagingName {
			m.Paging = fd
		}
	}
	return nil
}

// Bound reports whether a request field is read from the path.
func (m Method) Bound(fd protoreflect.FieldDescriptor) bool {
	for _, p := range m.Params {
		if p.Field == string(fd.Name()) {
			return true
		}
	}
	return false
}
