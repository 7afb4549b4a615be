package grpcserver

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"testing"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/presence"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// memberMethod is the contract's method for removing a member, with different options.
type memberMethod struct {
	protoreflect.MethodDescriptor
	access *optionsv1.Access
	object string
	stream bool
}

func (m memberMethod) IsStreamingClient() bool { return m.stream }
func (m memberMethod) Options() protoreflect.ProtoMessage {
	options := &descriptorpb.MethodOptions{}
	proto.SetExtension(options, optionsv1.E_Access, m.access)
	proto.SetExtension(options, optionsv1.E_Audit, &optionsv1.Audit{Action: "member.remove", Object: m.object})
	return options
}

func methodNamed(service, method protoreflect.Name) protoreflect.MethodDescriptor {
	for _, file := range []protoreflect.FileDescriptor{authv1.File_vitae_auth_v1_members_proto, authv1.File_vitae_auth_v1_oauth_proto} {
		if s := file.Services().ByName(service); s != nil {
			return s.Methods().ByName(method)
		}
	}
	return nil
}

func TestInvalidMemberOptionPreventsStart(t *testing.T) {
	sound := func() *optionsv1.Member {
		return &optionsv1.Member{Role: optionsv1.Role_ROLE_OWNER, Thing: optionsv1.Thing_THING_ACCOUNT, Field: "account_id", OwnField: "person_id"}
	}
	remove := methodNamed("MemberService", "RemoveMember")
	rule := func(m memberMethod, change func(*optionsv1.Access)) error {
		m.access = &optionsv1.Access{Callers: []string{"gateway", "vitaectl"}, Member: sound()}
		change(m.access)
		_, err := newAccessRule(m)
		return err
	}
	if err := rule(memberMethod{MethodDescriptor: remove}, func(*optionsv1.Access) {}); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*optionsv1.Access){
		"no member option":      func(a *optionsv1.Access) { a.Member = nil },
		"an empty option":       func(a *optionsv1.Access) { a.Member = &optionsv1.Member{} },
		"a role and signed_in":  func(a *optionsv1.Access) { a.Member.SignedIn = true },
		"a role and exempt":     func(a *optionsv1.Access) { a.Member.Exempt = "why" },
		"signed_in and a thing": func(a *optionsv1.Access) { a.Member.Role, a.Member.SignedIn = 0, true },
		"signed_in and proven":  func(a *optionsv1.Access) { *a.Member = optionsv1.Member{SignedIn: true, Proven: true} },
		"no field":              func(a *optionsv1.Access) { a.Member.Field = "" },
		"a missing field":       func(a *optionsv1.Access) { a.Member.Field = "id" },
		"no thing":              func(a *optionsv1.Access) { a.Member.Thing = 0 },
		"a missing own field":   func(a *optionsv1.Access) { a.Member.OwnField = "owner" },
		"no gateway":            func(a *optionsv1.Access) { a.Callers = []string{"vitaectl"} },
		"every team":            func(a *optionsv1.Access) { a.Callers = append(a.Callers, anyTeam) },
		"operators":             func(a *optionsv1.Access) { a.Operators = []string{"vitaectl"} },
		"a credential": func(a *optionsv1.Access) {
			a.Credential, a.Scope = optionsv1.Credential_CREDENTIAL_API_KEY, "jobs:read"
		},
	} {
		if rule(memberMethod{MethodDescriptor: remove}, change) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if rule(memberMethod{MethodDescriptor: remove, stream: true}, func(*optionsv1.Access) {}) == nil {
		t.Error("a stream: accepted")
	}
}

// A method concerns an account if its service does, if its request names an account, or if its object
// belongs to one.
func TestAccountMethodRequiresMemberOption(t *testing.T) {
	revoke := methodNamed("OAuthService", "RevokeToken")
	for object, sound := range map[string]bool{"connection": true, "account": false, "app": false, "api_key": false, "client_secret": false, "invitation": false, "plan_request": false} {
		_, err := newAccessRule(memberMethod{MethodDescriptor: revoke, object: object, access: &optionsv1.Access{Callers: []string{"gateway"}}})
		if (err == nil) != sound {
			t.Errorf("object %s: %v", object, err)
		}
		_, err = newAccessRule(memberMethod{MethodDescriptor: revoke, object: object, access: &optionsv1.Access{Callers: []string{"vitaectl"}}})
		if err != nil {
			t.Errorf("object %s, for operators: %v", object, err)
		}
	}
}

// callOf returns the context of a call from the caller with the given name.
func callOf(name string) context.Context {
	certificate := &x509.Certificate{DNSNames: []string{name}}
	state := tls.ConnectionState{VerifiedChains: [][]*x509.Certificate{{certificate}}}
	return peer.NewContext(context.Background(), &peer.Peer{Addr: &net.TCPAddr{}, AuthInfo: credentials.TLSInfo{State: state}})
}

// admitting is a Members that admits everyone and records its arguments.
type admitting struct {
	session string
	need    MemberNeed
}

func (a *admitting) Admit(ctx context.Context, session string, need MemberNeed) (context.Context, error) {
	a.session, a.need = session, need
	return ctx, nil
}

func TestMemberIsAdmittedBySessionAndObject(t *testing.T) {
	members := &admitting{}
	s := &Server{members: members, access: accessTable{}}
	const method = "/vitae.auth.v1.MemberService/RemoveMember"
	rule, err := newAccessRule(methodNamed("MemberService", "RemoveMember"))
	if err != nil {
		t.Fatal(err)
	}
	s.access[method] = rule
	req := &authv1.RemoveMemberRequest{AccountId: "dev_1", PersonId: "usr_1"}
	gateway := func(sessions ...string) context.Context {
		return metadata.NewIncomingContext(callOf("gateway"), metadata.MD{grpcx.ConsoleSessionKey: sessions})
	}
	if _, err := s.checkMember(gateway("secret"), method, req); err != nil || members.session != "secret" {
		t.Fatalf("%v; Admit was called with session %q", err, members.session)
	}
	want := MemberNeed{Role: optionsv1.Role_ROLE_OWNER, Thing: optionsv1.Thing_THING_ACCOUNT, ID: "dev_1", PersonID: "usr_1", Proven: true}
	if members.need != want {
		t.Errorf("Admit was called with %+v", members.need)
	}
	for name, ctx := range map[string]context.Context{"none": gateway(), "empty": gateway(""), "two": gateway("a", "a")} {
		if _, err := s.checkMember(ctx, method, req); !errs.HasCode(err, presence.ErrEnded.Code) {
			t.Errorf("%s: %v", name, err)
		}
	}
	s.members = nil
	if _, err := s.checkMember(gateway("secret"), method, req); !errs.HasCode(err, presence.ErrEnded.Code) {
		t.Errorf("a server without members: %v", err)
	}
	if _, err := s.checkMember(callOf("vitaectl"), method, req); err != nil {
		t.Errorf("an operator: %v", err)
	}
}
