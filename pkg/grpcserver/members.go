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

// Members identifies people who are signed in to the developer console and checks what they may do
// (behaviour: console#roles).
type Members interface {
	// Admit authorizes a call on behalf of the person with the console session. The returned context
	// contains the person.
	Admit(ctx context.Context, session string, need MemberNeed) (context.Context, error)
}

// MemberNeed describes what a method requires of the person on whose behalf it is called.
type MemberNeed struct {
	// Role is the lowest sufficient role in the account that owns the object, or unset if any
	// signed-in person may call the method.
	Role optionsv1.Role
	// Thing and ID identify the object of the request.
	Thing optionsv1.Thing
	ID    string
	// PersonID is the id of the person in the request, if people may call the method for themselves.
	PersonID string
	// WhileSuspended reports whether the method is allowed in a suspended account.
	WhileSuspended bool
	// Proven reports whether the method requires a recent authentication.
	Proven bool
}

// WithMembers sets the object that authorizes calls from the gateway on behalf of people in the
// developer console. Without it, the server rejects all such calls.
func WithMembers(m Members) Option { return func(s *Server) { s.members = m } }

// memberRule is the parsed member option of a method.
type memberRule struct {
	role           optionsv1.Role
	thing          optionsv1.Thing
	id, own        protoreflect.FieldDescriptor
	whileSuspended bool
	proven         bool
}

// teamObjects lists the object types, in audit options, that belong to an account.
var teamObjects = []string{"account", "app", "api_key", "client_secret", "invitation", "plan_request"}

// teamServices lists the services whose methods all concern accounts. The gateway may call one of
// these methods on its own behalf only if the option states a reason.
var teamServices = []protoreflect.FullName{
	"vitae.auth.v1.AccountService", "vitae.auth.v1.AppLogoService", "vitae.auth.v1.ConsoleService", "vitae.auth.v1.DeveloperService", "vitae.auth.v1.MemberService",
}

// newMemberRule returns the parsed member option of a method, or nil if calls are not on behalf of
// members.
func newMemberRule(m protoreflect.MethodDescriptor, access *optionsv1.Access) (*memberRule, error) {
	option, fault := access.GetMember(), func(format string, args ...any) error {
		return fmt.Errorf("grpcserver: method %s %s", m.FullName(), fmt.Sprintf(format, args...))
	}
	byGateway := slices.Contains(access.GetCallers(), audit.Gateway)
	if option == nil {
		if byGateway && access.GetCredential() == optionsv1.Credential_CREDENTIAL_UNSPECIFIED && ofTeam(m) {
			return nil, fault("is about a developer account, but does not state for whom the gateway may call it")
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
		return nil, fault("must have exactly one of: a role, signed_in, exempt")
	case !byGateway:
		return nil, fault("is for people in the console, but the gateway may not call it")
	case access.GetCredential() != optionsv1.Credential_CREDENTIAL_UNSPECIFIED || len(access.GetOperators()) > 0:
		return nil, fault("is for people in the console, but accepts a credential or has operators")
	case slices.Contains(access.GetCallers(), anyTeam):
		return nil, fault("is for people in the console, but allows %s to act for any account", anyTeam)
	case m.IsStreamingClient() || m.IsStreamingServer():
		return nil, fault("is for people in the console, but is a stream, whose account is unknown at its start")
	}
	return namedBy(m, option, fault)
}

// namedBy determines which fields of the request identify the object and the person.
func namedBy(m protoreflect.MethodDescriptor, option *optionsv1.Member, fault func(string, ...any) error) (*memberRule, error) {
	if option.GetRole() == optionsv1.Role_ROLE_UNSPECIFIED {
		if option.GetThing() != optionsv1.Thing_THING_UNSPECIFIED || option.GetField() != "" || option.GetOwnField() != "" || option.GetWhileSuspended() || option.GetProven() {
			return nil, fault("requires no role, but has options for a role")
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
		return nil, fault("requires a role, but has no kind or no string field of the object in whose account it is required")
	}
	if name := option.GetOwnField(); name != "" {
		if rule.own = text(name); rule.own == nil {
			return nil, fault("has no string field %s", name)
		}
	}
	return rule, nil
}

// ofTeam reports whether a method concerns a developer account.
func ofTeam(m protoreflect.MethodDescriptor) bool {
	if slices.Contains(teamServices, m.Parent().FullName()) || m.Input().Fields().ByName("account_id") != nil {
		return true
	}
	option, _ := proto.GetExtension(m.Options(), optionsv1.E_Audit).(*optionsv1.Audit)
	return slices.Contains(teamObjects, option.GetObject())
}

// checkMember authorizes a call from the gateway on behalf of a person. The session is in the
// metadata, so that it is not logged with requests.
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
