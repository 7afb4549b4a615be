package grpcserver

import (
	"context"
	"fmt"
	"slices"

	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/presence"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// Members knows who is signed in to the developer console and what they may do
// (behaviour: console#who-may-do-what).
type Members interface {
	// Admit refuses a call for a person who may not make it. The context that it gives
	// carries the person to the handler.
	Admit(ctx context.Context, session string, need MemberNeed) (context.Context, error)
}

// MemberNeed is what a method asks of the person for whom it is called.
type MemberNeed struct {
	// Role is the least one in the account of the thing; unset if any person may call.
	Role optionsv1.Role
	// Thing and ID say what the request names.
	Thing optionsv1.Thing
	ID    string
	// PersonID is the person that the request names, if naming oneself is enough.
	PersonID string
	// WhileSuspended is true for a method that changes nothing.
	WhileSuspended bool
	// Proven is true for a method that asks for a recent proof that the person is there.
	Proven bool
}

// WithMembers has m decide on calls of the gateway for people of the developer console. A
// server without it refuses all of them.
func WithMembers(m Members) Option { return func(s *Server) { s.members = m } }

// memberRule is the member option of a method, ready to be enforced.
type memberRule struct {
	role           optionsv1.Role
	thing          optionsv1.Thing
	id, own        protoreflect.FieldDescriptor
	whileSuspended bool
	proven         bool
}

// teamObjects are the kinds of object, in the audit option, that belong to an account.
var teamObjects = []string{"account", "app", "api_key", "client_secret", "invitation", "plan_request"}

// teamServices have no method that the gateway may call for itself unless the option says
// why.
var teamServices = []protoreflect.FullName{
	"vitae.auth.v1.AccountService", "vitae.auth.v1.AppLogoService", "vitae.auth.v1.ConsoleService", "vitae.auth.v1.DeveloperService", "vitae.auth.v1.MemberService",
}

// newMemberRule reads the member option of a method; nil for a method that is not for
// people of the console.
func newMemberRule(m protoreflect.MethodDescriptor, access *optionsv1.Access) (*memberRule, error) {
	option, fault := access.GetMember(), func(format string, args ...any) error {
		return fmt.Errorf("grpcserver: method %s %s", m.FullName(), fmt.Sprintf(format, args...))
	}
	byGateway := slices.Contains(access.GetCallers(), audit.Gateway)
	if option == nil {
		if byGateway && access.GetCredential() == optionsv1.Credential_CREDENTIAL_UNSPECIFIED && ofTeam(m) {
			return nil, fault("is about a developer account, and does not say which people the gateway may call it for")
		}
		return nil, nil
	}
	ways := 0
	for _, set := range []bool{option.GetRole() != optionsv1.Role_ROLE_UNSPECIFIED, option.GetSignedIn(), option.GetExempt() != ""} {
		if set {
			ways++
		}
	}
	switch {
	case ways != 1:
		return nil, fault("must name one of: a role, that any person may call it, why it has no person")
	case !byGateway:
		return nil, fault("is for people of the console, and the gateway may not call it")
	case access.GetCredential() != optionsv1.Credential_CREDENTIAL_UNSPECIFIED || len(access.GetOperators()) > 0:
		return nil, fault("is for people of the console, and takes a credential or names operators")
	case slices.Contains(access.GetCallers(), anyTeam):
		return nil, fault("is for people of the console, and lets %s act for any account", anyTeam)
	case m.IsStreamingClient() || m.IsStreamingServer():
		return nil, fault("is for people of the console, and is a stream, whose account is not known when it begins")
	}
	return namedBy(m, option, fault)
}

// namedBy reads which fields of the request name whom and what.
func namedBy(m protoreflect.MethodDescriptor, option *optionsv1.Member, fault func(string, ...any) error) (*memberRule, error) {
	if option.GetRole() == optionsv1.Role_ROLE_UNSPECIFIED {
		if option.GetThing() != optionsv1.Thing_THING_UNSPECIFIED || option.GetField() != "" || option.GetOwnField() != "" || option.GetWhileSuspended() || option.GetProven() {
			return nil, fault("needs no role, and says where one is needed")
		}
		if option.GetExempt() != "" {
			return nil, nil
		}
		return &memberRule{}, nil
	}
	rule := &memberRule{role: option.GetRole(), thing: option.GetThing(), whileSuspended: option.GetWhileSuspended(), proven: option.GetProven()}
	text := func(name string) protoreflect.FieldDescriptor {
		f := m.Input().Fields().ByName(protoreflect.Name(name))
		if f == nil || f.Kind() != protoreflect.StringKind || f.IsList() {
			return nil
		}
		return f
	}
	if rule.id = text(option.GetField()); rule.id == nil || rule.thing == optionsv1.Thing_THING_UNSPECIFIED {
		return nil, fault("needs a role, and names no text field and kind of the thing in whose account it is needed")
	}
	if name := option.GetOwnField(); name != "" {
		if rule.own = text(name); rule.own == nil {
			return nil, fault("has no text field %s", name)
		}
	}
	return rule, nil
}

// ofTeam reports whether a method is about what belongs to a developer account.
func ofTeam(m protoreflect.MethodDescriptor) bool {
	if slices.Contains(teamServices, m.Parent().FullName()) || m.Input().Fields().ByName("account_id") != nil {
		return true
	}
	option, _ := proto.GetExtension(m.Options(), optionsv1.E_Audit).(*optionsv1.Audit)
	return slices.Contains(teamObjects, option.GetObject())
}

// checkMember refuses a call of the gateway for a person who may not make it. The session
// is never in a request, so no log of requests can hold it.
func (s *Server) checkMember(ctx context.Context, method string, req any) (context.Context, error) {
	rule := s.access[method].member
	if rule == nil || Caller(ctx) != audit.Gateway {
		return ctx, nil
	}
	sessions := metadata.ValueFromIncomingContext(ctx, grpcx.ConsoleSessionKey)
	if s.members == nil || len(sessions) != 1 || sessions[0] == "" {
		return ctx, presence.ErrEnded
	}
	return s.members.Admit(ctx, sessions[0], rule.need(req))
}

func (r *memberRule) need(req any) MemberNeed {
	need := MemberNeed{Role: r.role, Thing: r.thing, WhileSuspended: r.whileSuspended, Proven: r.proven}
	m, ok := req.(proto.Message)
	if !ok {
		return need
	}
	if r.id != nil {
		need.ID = m.ProtoReflect().Get(r.id).String()
	}
	if r.own != nil {
		need.PersonID = m.ProtoReflect().Get(r.own).String()
	}
	return need
}
