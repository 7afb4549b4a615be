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

// accessTable has the access rule of each method that a server serves, by the full
// name of the method.
type accessTable map[string]accessRule

// accessRule is the access option of a method, ready to be enforced.
type accessRule struct {
	// callers may call the method, anyTeam among them for every internal team; operators
	// are those of them that may act for any person.
	callers, operators []string
	// kinds of credential that open the method; nil for a method without a principal.
	kinds []identityv1.CredentialKind
	// scope that the principal must hold.
	scope string
	// member says which people of the developer console the gateway may call for; nil for
	// a method without them.
	member *memberRule
	// session says what the caller needs of the person for whom it calls; nil for nothing.
	session *sessionRule
}

// anyTeam stands for every internal team among the callers of a method. No certificate
// can have the name.
const anyTeam = mtls.Internal + "/*"

// infrastructure services have no access options: any part of the deployment may
// ask for health, and for reflection where it is registered.
var infrastructure = []string{"grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection"}

// isInfrastructure reports whether a full method name belongs to an infrastructure
// service.
func isInfrastructure(method string) bool {
	return slices.ContainsFunc(infrastructure, func(service string) bool {
		return strings.HasPrefix(method, "/"+service+"/")
	})
}

// kindOfCredential gives the kind of principal that an option's credential stands for.
var kindOfCredential = map[optionsv1.Credential]identityv1.CredentialKind{
	optionsv1.Credential_CREDENTIAL_USER_TOKEN:   identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN,
	optionsv1.Credential_CREDENTIAL_API_KEY:      identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY,
	optionsv1.Credential_CREDENTIAL_CV_LINK:      identityv1.CredentialKind_CREDENTIAL_KIND_CV_LINK,
	optionsv1.Credential_CREDENTIAL_LEGACY_TOKEN: identityv1.CredentialKind_CREDENTIAL_KIND_LEGACY_TOKEN,
}

// newAccessTable reads the access options of every method that s serves. A method
// whose option is missing or makes no sense, or whose request asks for a dry run in a
// way that the server would not notice, is a fault of the build: the server does not
// start. sessions says whether the server knows who is signed in.
func newAccessTable(s *grpc.Server, sessions bool) (accessTable, error) {
	table := accessTable{}
	err := eachMethod(s, func(name string, m protoreflect.MethodDescriptor) (err error) {
		if table[name], err = newAccessRule(m); err != nil {
			return err
		}
		if table[name].session != nil && !sessions {
			return fmt.Errorf("grpcserver: method %s asks for a session, and nobody knows sessions here", m.FullName())
		}
		return checkDryRun(m)
	})
	return table, err
}

// eachMethod visits every method that s serves, with its full name, but those of
// infrastructure services.
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
			return rule, fmt.Errorf("grpcserver: method %s names %q, which can be no caller", m.FullName(), name)
		}
	}
	// Whoever calls a method that takes a principal says for whom. A team that may do so, or
	// act for any person, is named.
	if slices.Contains(rule.operators, anyTeam) {
		return rule, fmt.Errorf("grpcserver: method %s lets %s act for any person", m.FullName(), anyTeam)
	}
	if slices.Contains(rule.callers, anyTeam) && access.GetCredential() != optionsv1.Credential_CREDENTIAL_UNSPECIFIED {
		return rule, fmt.Errorf("grpcserver: method %s takes a credential from %s", m.FullName(), anyTeam)
	}
	for _, operator := range rule.operators {
		if !rule.allows(operator) {
			return rule, fmt.Errorf("grpcserver: method %s has the operator %s, who may not call it", m.FullName(), operator)
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
		return rule, fmt.Errorf("grpcserver: method %s takes further credentials and no first one", m.FullName())
	}
	if (len(accepted) == 0) != (rule.scope == "") {
		return rule, fmt.Errorf("grpcserver: method %s must name both a credential and a scope, or neither", m.FullName())
	}
	for _, c := range accepted {
		kind, known := kindOfCredential[c]
		if !known {
			return rule, fmt.Errorf("grpcserver: method %s takes the credential %v, which is unknown", m.FullName(), c)
		}
		rule.kinds = append(rule.kinds, kind)
	}
	return rule, nil
}

// allows reports whether the caller of the name may call the method.
func (r accessRule) allows(caller string) bool {
	return lists(r.callers, caller) || mtls.IsTeam(caller) && slices.Contains(r.callers, anyTeam)
}

// lists reports whether names of a contract list a caller. "vitaectl" lists every operator.
func lists(names []string, caller string) bool {
	return slices.Contains(names, caller) || mtls.IsOperator(caller) && slices.Contains(names, mtls.Operators)
}

// codeCaller refuses a caller that the contract does not name.
const codeCaller = "CALLER_NOT_ALLOWED"

// checkCaller refuses a caller that the method does not name.
func (r accessRule) checkCaller(ctx context.Context) error {
	if caller := Caller(ctx); !r.allows(caller) {
		return errs.New(errs.Denied, codeCaller, "The caller %q may not call this method.", caller)
	}
	return nil
}

// checkPrincipal refuses a call for a principal of the wrong kind or without the
// scope. Scopes of an API key and of a person never mix. Errors: UNAUTHENTICATED
// PRINCIPAL_MISSING; PERMISSION_DENIED OAUTH_INSUFFICIENT_SCOPE, or
// API_KEY_INSUFFICIENT_SCOPE for an API key.
func (r accessRule) checkPrincipal(ctx context.Context) error {
	if len(r.kinds) == 0 {
		return nil
	}
	p := principal.FromContext(ctx)
	switch {
	case p == nil:
		return errs.New(errs.Unauthenticated, "PRINCIPAL_MISSING", "The call names no principal.")
	case r.legacy() && !slices.Contains(r.kinds, p.GetKind()):
		// The legacy interface knows no other credential, and so no scope of one.
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
