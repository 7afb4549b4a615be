package rest

import (
	"fmt"
	"net/http"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// Method is a gRPC method that REST serves, as its contract describes it.
type Method struct {
	// HTTPMethod and Template are those of its google.api.http annotation.
	HTTPMethod, Template string
	// Scope and Credential are what a request must carry.
	Scope      string
	Credential optionsv1.Credential
}

// MethodOf reads one method of a service. A method that REST serves and that names
// no credential or no scope is a fault of the contract: a route cannot forget them.
func MethodOf(service protoreflect.ServiceDescriptor, name protoreflect.Name) (Method, error) {
	d := service.Methods().ByName(name)
	if d == nil {
		return Method{}, fmt.Errorf("rest: %s has no method %s", service.FullName(), name)
	}
	rule, _ := proto.GetExtension(d.Options(), annotations.E_Http).(*annotations.HttpRule)
	access, _ := proto.GetExtension(d.Options(), optionsv1.E_Access).(*optionsv1.Access)
	m := Method{Scope: access.GetScope(), Credential: access.GetCredential()}
	switch pattern := rule.GetPattern().(type) {
	case *annotations.HttpRule_Get:
		m.HTTPMethod, m.Template = http.MethodGet, pattern.Get
	case *annotations.HttpRule_Post:
		m.HTTPMethod, m.Template = http.MethodPost, pattern.Post
	case *annotations.HttpRule_Patch:
		m.HTTPMethod, m.Template = http.MethodPatch, pattern.Patch
	default:
		return Method{}, fmt.Errorf("rest: %s has no HTTP annotation that the edge serves", d.FullName())
	}
	if m.Credential == optionsv1.Credential_CREDENTIAL_UNSPECIFIED || m.Scope == "" {
		return Method{}, fmt.Errorf("rest: %s is served over REST and names no credential or no scope", d.FullName())
	}
	return m, nil
}

// MethodsOf reads every method of a service that has an HTTP annotation.
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
