package grpcserver_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/emptypb"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcserver"
	"vitae.internal/pkg/grpcserver/servertest"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/principal"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

var registering sync.Mutex

// serviceWith registers a contract with one service and one method Do. access is the method's
// access option, or nil for none. serviceWith returns a function that registers the service on a
// server.
func serviceWith(
	t *testing.T, name string, access *optionsv1.Access, handler func(context.Context) error, fields ...*descriptorpb.FieldDescriptorProto,
) func(grpc.ServiceRegistrar) {
	t.Helper()
	request := &descriptorpb.DescriptorProto{Name: proto.String(name + "Request"), Field: fields}
	method := &descriptorpb.MethodDescriptorProto{
		Name: proto.String("Do"), InputType: proto.String(".vitae.test." + request.GetName()), OutputType: proto.String(".google.protobuf.Empty"),
	}
	method.Options = &descriptorpb.MethodOptions{}
	proto.SetExtension(method.Options, optionsv1.E_Audit, &optionsv1.Audit{Exempt: "it is for a test"})
	if access != nil {
		proto.SetExtension(method.Options, optionsv1.E_Access, access)
	}
	file, err := protodesc.NewFile(&descriptorpb.FileDescriptorProto{
		Name: proto.String(name + ".proto"), Package: proto.String("vitae.test"), Syntax: proto.String("proto3"),
		Dependency:  []string{"google/protobuf/empty.proto", "vitae/options/v1/options.proto", "vitae/candidate/v1/intake.proto"},
		MessageType: []*descriptorpb.DescriptorProto{request},
		Service:     []*descriptorpb.ServiceDescriptorProto{{Name: proto.String(name), Method: []*descriptorpb.MethodDescriptorProto{method}}},
	}, protoregistry.GlobalFiles)
	if err != nil {
		t.Fatal(err)
	}
	registering.Lock()
	defer registering.Unlock()
	if err := protoregistry.GlobalFiles.RegisterFile(file); err != nil {
		t.Fatal(err)
	}
	serve := func(_ any, ctx context.Context, decode func(any) error, intercept grpc.UnaryServerInterceptor) (any, error) {
		in := &emptypb.Empty{}
		if err := decode(in); err != nil {
			return nil, err
		}
		info := &grpc.UnaryServerInfo{FullMethod: "/vitae.test." + name + "/Do"}
		return intercept(ctx, in, info, func(ctx context.Context, _ any) (any, error) { return &emptypb.Empty{}, handler(ctx) })
	}
	return func(r grpc.ServiceRegistrar) {
		r.RegisterService(&grpc.ServiceDesc{
			ServiceName: "vitae.test." + name, HandlerType: (*any)(nil), Methods: []grpc.MethodDesc{{MethodName: "Do", Handler: serve}},
		}, struct{}{})
	}
}

// serving starts a server. It returns the startup error, or a function that calls
// vitae.test.<name>/Do with the given caller's certificate.
func serving(t *testing.T, register func(grpc.ServiceRegistrar)) (call func(ctx context.Context, caller, name string) error, err error) {
	t.Helper()
	dir := servertest.Certificates(t, "candidate", "gateway", "vitaectl", "cvrender")
	identity := servertest.Identity(t, dir, "candidate")
	if _, err := grpcserver.New(identity, quiet, register); err != nil {
		return nil, err
	}
	addr := servertest.Serve(t, identity, quiet, register)
	return func(ctx context.Context, caller, name string) error {
		conn := servertest.Dial(t, addr, "candidate", servertest.Identity(t, dir, caller))
		return conn.Invoke(ctx, "/vitae.test."+name+"/Do", &emptypb.Empty{}, &emptypb.Empty{})
	}, nil
}

func TestInvalidAccessOptionPreventsStart(t *testing.T) {
	for name, access := range map[string]*optionsv1.Access{
		"NoOption":                  nil,
		"NoCallers":                 {Credential: optionsv1.Credential_CREDENTIAL_API_KEY, Scope: "jobs:read"},
		"CredentialWithoutScope":    {Callers: []string{"gateway"}, Credential: optionsv1.Credential_CREDENTIAL_API_KEY},
		"ScopeWithoutCredential":    {Callers: []string{"gateway"}, Scope: "jobs:read"},
		"AlsoWithoutCredential":     {Callers: []string{"gateway"}, Scope: "cv:read", Also: []optionsv1.Credential{optionsv1.Credential_CREDENTIAL_CV_LINK}},
		"UnknownCredential":         {Callers: []string{"gateway"}, Credential: 99, Scope: "cv:read"},
		"InvalidCaller":             {Callers: []string{"gateway", "internal/"}},
		"InvalidTeam":               {Callers: []string{"internal/a/b"}},
		"OperatorIsNotCaller":       {Callers: []string{"internal/payments"}, Operators: []string{"internal/trust"}},
		"TeamPattern":               {Callers: []string{"internal/pay*"}},
		"EveryTeamIsOperator":       {Callers: []string{"internal", "internal/*"}, Operators: []string{"internal/*"}},
		"EveryTeamWithCredential":   {Callers: []string{"internal/*"}, Credential: optionsv1.Credential_CREDENTIAL_API_KEY, Scope: "jobs:read"},
		"SubteamOfCallerIsOperator": {Callers: []string{"internal"}, Operators: []string{"internal/trust"}},
		"VitaectlIsNotCaller":       {Callers: []string{"gateway"}, Operators: []string{"vitaectl"}},
	} {
		_, err := serving(t, serviceWith(t, name, access, func(context.Context) error { return nil }))
		if err == nil || !strings.Contains(err.Error(), "vitae.test."+name+".Do") {
			t.Errorf("%s: want an error that names the method, got %v", name, err)
		}
	}
}

func TestHandlerRequiresCredentialAndScope(t *testing.T) {
	const (
		token  = identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN
		key    = identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY
		link   = identityv1.CredentialKind_CREDENTIAL_KIND_CV_LINK
		legacy = identityv1.CredentialKind_CREDENTIAL_KIND_LEGACY_TOKEN
	)
	options := map[string]*optionsv1.Access{
		"ForToken": {Callers: []string{"gateway"}, Credential: optionsv1.Credential_CREDENTIAL_USER_TOKEN, Scope: "cv:read",
			Also: []optionsv1.Credential{optionsv1.Credential_CREDENTIAL_CV_LINK}},
		"ForKey":    {Callers: []string{"gateway"}, Credential: optionsv1.Credential_CREDENTIAL_API_KEY, Scope: "jobs:read"},
		"ForLegacy": {Callers: []string{"gateway"}, Credential: optionsv1.Credential_CREDENTIAL_LEGACY_TOKEN, Scope: "profile:read"},
		"ForAnyone": {Callers: []string{"gateway"}},
	}
	reached := false
	var services []func(grpc.ServiceRegistrar)
	for name, access := range options {
		services = append(services, serviceWith(t, name, access, func(context.Context) error { reached = true; return nil }))
	}
	call, err := serving(t, func(r grpc.ServiceRegistrar) {
		for _, register := range services {
			register(r)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	all := []string{"cv:read", "jobs:read", "profile:read"}
	for _, c := range []struct {
		method string
		p      *identityv1.Principal
		code   string
	}{
		{"ForToken", &identityv1.Principal{Kind: token, Scopes: all}, ""},
		{"ForToken", &identityv1.Principal{Kind: link, Scopes: all}, ""},
		{"ForToken", &identityv1.Principal{Kind: key, AppId: "app_1", Scopes: all}, "API_KEY_INSUFFICIENT_SCOPE"},
		{"ForToken", &identityv1.Principal{Kind: legacy, Scopes: all}, "OAUTH_INSUFFICIENT_SCOPE"},
		{"ForToken", &identityv1.Principal{Kind: token, Scopes: []string{"cv:contact"}}, "OAUTH_INSUFFICIENT_SCOPE"},
		{"ForToken", nil, "PRINCIPAL_MISSING"},
		{"ForKey", &identityv1.Principal{Kind: key, AppId: "app_1", Scopes: all}, ""},
		{"ForKey", &identityv1.Principal{Kind: key, Scopes: all}, "PRINCIPAL_MISSING"},
		{"ForKey", &identityv1.Principal{Kind: key, AppId: "app_1", Scopes: []string{"jobs:write"}}, "API_KEY_INSUFFICIENT_SCOPE"},
		{"ForKey", &identityv1.Principal{Kind: token, AppId: "app_1", Scopes: all}, "OAUTH_INSUFFICIENT_SCOPE"},
		{"ForKey", &identityv1.Principal{AppId: "app_1", Scopes: all}, "OAUTH_INSUFFICIENT_SCOPE"},
		{"ForLegacy", &identityv1.Principal{Kind: legacy, Scopes: all}, ""},
		{"ForLegacy", &identityv1.Principal{Kind: token, Scopes: all}, "PRINCIPAL_MISSING"},
		{"ForLegacy", &identityv1.Principal{Kind: legacy, Scopes: []string{"profile"}}, "OAUTH_INSUFFICIENT_SCOPE"},
		{"ForAnyone", nil, ""},
	} {
		reached = false
		ctx := t.Context()
		if c.p != nil {
			ctx = principal.NewContext(ctx, c.p)
		}
		err := call(ctx, "gateway", c.method)
		if (err == nil) != (c.code == "") || c.code != "" && !errs.HasCode(err, c.code) {
			t.Errorf("%s for %v: %v, want %q", c.method, c.p, err, c.code)
		}
		if reached != (c.code == "") {
			t.Errorf("%s for %v: handler reached: %t", c.method, c.p, reached)
		}
	}
}

func TestOnlyListedOperatorsActForAnyone(t *testing.T) {
	var operator bool
	call, err := serving(t, serviceWith(t, "ForOperators", &optionsv1.Access{
		Callers: []string{"gateway", "vitaectl"}, Operators: []string{"vitaectl"},
	}, func(ctx context.Context) error { operator = grpcx.IsOperator(ctx); return nil }))
	if err != nil {
		t.Fatal(err)
	}
	for caller, want := range map[string]bool{"gateway": false, "vitaectl": true} {
		if err := call(t.Context(), caller, "ForOperators"); err != nil || operator != want {
			t.Errorf("%s: operator %t, %v", caller, operator, err)
		}
	}
	if err := call(t.Context(), "cvrender", "ForOperators"); !errs.HasCode(err, "CALLER_NOT_ALLOWED") {
		t.Errorf("cvrender: %v", err)
	}
}
