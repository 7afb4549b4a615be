package grpcserver

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/mtls"
	"vitae.internal/pkg/principal"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// accessTable maps the full name of each method to its access rule.
type accessTable map[string]accessRule

// accessRule is the parsed access option of a method.
type accessRule struct {
	// callers lists the callers that may call the method; anyTeam stands for every internal team.
	// operators lists the callers that may act for any person.
	callers, operators []string
	// kinds lists the accepted kinds of credentials. It is nil for a method without a principal.
	kinds []identityv1.CredentialKind
	// scope is the scope that the credential must have.
	scope string
	// member is the requirement for calls from the gateway on behalf of members of developer
	// accounts, or nil if the method has none.
	member *memberRule
	// session is the requirement for the person on whose behalf the method is called, or nil if the
	// method has none.
	session *sessionRule
}

// anyTeam stands for every internal team in a method's list of callers. It is not a valid name in a
// certificate.
const anyTeam = mtls.Internal + "/*"

// infrastructure lists the services that have no access options. Every service may call health, and
// reflection where it is registered.
var infrastructure = []string{"grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection"}

// isInfrastructure reports whether a method belongs to an infrastructure service.
func isInfrastructure(method string) bool {
	return slices.ContainsFunc(infrastructure, func(service string) bool {
		return strings.HasPrefix(method, "/"+service+"/")
	})
}

// kindOfCredential maps the credentials in access options to kinds of principals.
var kindOfCredential = map[optionsv1.Credential]identityv1.CredentialKind{
	optionsv1.Credential_CREDENTIAL_USER_TOKEN:   identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN,
	optionsv1.Credential_CREDENTIAL_API_KEY:      identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY,
	optionsv1.Credential_CREDENTIAL_CV_LINK:      identityv1.CredentialKind_CREDENTIAL_KIND_CV_LINK,
	optionsv1.Credential_CREDENTIAL_LEGACY_TOKEN: identityv1.CredentialKind_CREDENTIAL_KIND_LEGACY_TOKEN,
}

// newAccessTable returns the access rules of every method of s. A method with a missing or
// inconsistent option, or with a dry run that the server would not detect, is a programming error
// that prevents the start. sessions reports whether the server can look up sessions.
func newAccessTable(s *grpc.Server, sessions bool) (accessTable, error) {
	table := accessTable{}
	err := eachMethod(s, func(name string, m protoreflect.MethodDescriptor) (err error) {
		if table[name], err = newAccessRule(m); err != nil {
			return err
		}
		if table[name].session != nil && !sessions {
			return fmt.Errorf("grpcserver: method %s requires a session, but the server cannot look up sessions", m.FullName())
		}
		return checkDryRun(m)
	})
	return table, err
}

// eachMethod calls visit for every method of s, except the methods of infrastructure services.
func eachMethod(s *grpc.Server, visit func(name string, m protoreflect.MethodDescriptor) error) error {
	for service := range s.GetServiceInfo() {
		if slices.Contains(infrastructure, service) {
			continue
		}
		d, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(service))
		if err != nil {
			return fmt.Errorf("grpcserver: service %s: %w", service, err)
		}
		methods := d.(protoreflect.ServiceDescriptor).Methods()
		for i := range methods.Len() {
			m := methods.Get(i)
			if err := visit(fmt.Sprintf("/%s/%s", service, m.Name()), m); err != nil {
				return err
			}
		}
	}
	return nil
}

func newAccessRule(m protoreflect.MethodDescriptor) (accessRule, error) {
	access, _ := proto.GetExtension(m.Options(), optionsv1.E_Access).(*optionsv1.Access)
	rule := accessRule{callers: access.GetCallers(), operators: access.GetOperators(), scope: access.GetScope()}
	if len(rule.callers) == 0 {
		return rule, fmt.Errorf("grpcserver: method %s names no callers", m.FullName())
	}
	for _, name := range slices.Concat(rule.callers, rule.operators) {
		if name != anyTeam && !mtls.ValidName(name) {
			return rule, fmt.Errorf("grpcserver: method %s lists the invalid caller %q", m.FullName(), name)
		}
	}
	// In a method with a principal, the caller chooses on whose behalf it calls. A team that may
	// call such a method, or act for any person, must be listed by name.
	if slices.Contains(rule.operators, anyTeam) {
		return rule, fmt.Errorf("grpcserver: method %s lets %s act for any person", m.FullName(), anyTeam)
	}
	if slices.Contains(rule.callers, anyTeam) && access.GetCredential() != optionsv1.Credential_CREDENTIAL_UNSPECIFIED {
		return rule, fmt.Errorf("grpcserver: method %s accepts a credential from %s", m.FullName(), anyTeam)
	}
	for _, operator := range rule.operators {
		if !rule.allows(operator) {
			return rule, fmt.Errorf("grpcserver: the operator %[2]s is not a caller of method %[1]s", m.FullName(), operator)
		}
	}
	var err error
	if rule.member, err = newMemberRule(m, access); err != nil {
		return rule, err
	}
	if rule.session, err = newSessionRule(m, access); err != nil {
		return rule, err
	}
	accepted := access.GetAlso()
	if c := access.GetCredential(); c != optionsv1.Credential_CREDENTIAL_UNSPECIFIED {
		accepted = append([]optionsv1.Credential{c}, accepted...)
	} else if len(accepted) > 0 {
		return rule, fmt.Errorf("grpcserver: method %s lists further credentials but no first one", m.FullName())
	}
	if (len(accepted) == 0) != (rule.scope == "") {
		return rule, fmt.Errorf("grpcserver: method %s must name both a credential and a scope, or neither", m.FullName())
	}
	for _, c := range accepted {
		kind, known := kindOfCredential[c]
		if !known {
			return rule, fmt.Errorf("grpcserver: method %s accepts the unknown credential %v", m.FullName(), c)
		}
		rule.kinds = append(rule.kinds, kind)
	}
	return rule, nil
}

// allows reports whether the caller may call the method.
func (r accessRule) allows(caller string) bool {
	return lists(r.callers, caller) || mtls.IsTeam(caller) && slices.Contains(r.callers, anyTeam)
}

// lists reports whether the names in a contract include the caller. "vitaectl" includes every
// operator.
func lists(names []string, caller string) bool {
	return slices.Contains(names, caller) || mtls.IsOperator(caller) && slices.Contains(names, mtls.Operators)
}

// codeCaller is the error code for a caller that the contract does not list.
const codeCaller = "CALLER_NOT_ALLOWED"

// checkCaller returns an error if the method does not list the caller.
func (r accessRule) checkCaller(ctx context.Context) error {
	if caller := Caller(ctx); !r.allows(caller) {
		return errs.New(errs.Denied, codeCaller, "The caller %q may not call this method.", caller)
	}
	return nil
}

// checkPrincipal returns an error unless the principal has an accepted kind and the scope. Scopes of
// API keys and of people are never mixed. It returns PRINCIPAL_MISSING, OAUTH_INSUFFICIENT_SCOPE or,
// for an API key, API_KEY_INSUFFICIENT_SCOPE.
func (r accessRule) checkPrincipal(ctx context.Context) error {
	if len(r.kinds) == 0 {
		return nil
	}
	p := principal.FromContext(ctx)
	switch {
	case p == nil:
		return errs.New(errs.Unauthenticated, "PRINCIPAL_MISSING", "The call names no principal.")
	case r.legacy() && !slices.Contains(r.kinds, p.GetKind()):
		// The legacy interface accepts only its own credentials, and has no error for a missing
		// scope.
		return errs.New(errs.Unauthenticated, "PRINCIPAL_MISSING", "The call names no principal of the legacy interface.")
	case !principal.HasScope(p, r.scope), !slices.Contains(r.kinds, p.GetKind()):
		return principal.InsufficientScope(p.GetKind(), r.scope)
	case p.GetKind() == identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY && p.GetAppId() == "":
		return errs.New(errs.Unauthenticated, "PRINCIPAL_MISSING", "The call's principal names no app.")
	}
	return nil
}

func (r accessRule) legacy() bool {
	return slices.Contains(r.kinds, identityv1.CredentialKind_CREDENTIAL_KIND_LEGACY_TOKEN)
}
