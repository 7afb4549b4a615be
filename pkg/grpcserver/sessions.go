package grpcserver

import (
	"context"
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/presence"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// Sessions knows who is signed in on the pages (behaviour: accounts#sessions).
type Sessions interface {
	// Who gives the id of the person of a browser session, and whether that person has proven
	// to be there lately. Errors: UNAUTHENTICATED SESSION_ENDED.
	Who(ctx context.Context, sessionToken string) (personID string, proven bool, err error)
}

// WithSessions has who say for which person a call is made. A server with methods that ask
// for a session, and without this option, does not start.
func WithSessions(who Sessions) Option { return func(s *Server) { s.sessions = who } }

// sessionField is the field of a request that holds a browser session.
const sessionField protoreflect.Name = "session_token"

// sessionRule is the session option of a method, ready to be enforced.
type sessionRule struct {
	token  protoreflect.FieldDescriptor
	proven bool
}

// newSessionRule reads the session option of a method; nil for a method without one.
func newSessionRule(m protoreflect.MethodDescriptor, access *optionsv1.Access) (*sessionRule, error) {
	option := access.GetSession()
	if option == optionsv1.Session_SESSION_UNSPECIFIED {
		return nil, nil
	}
	fault := func(text string) error {
		return fmt.Errorf("grpcserver: method %s is called for the person of a session, and %s", m.FullName(), text)
	}
	fields := m.Input().Fields()
	token := fields.ByName(sessionField)
	switch {
	case token == nil || token.Kind() != protoreflect.StringKind || token.IsList():
		return nil, fault("has no text field session_token")
	case fields.ByName("person_id") != nil:
		return nil, fault("names a person beside it")
	case access.GetCredential() != optionsv1.Credential_CREDENTIAL_UNSPECIFIED || access.GetMember() != nil || len(access.GetOperators()) > 0:
		return nil, fault("takes a credential, is for people of the console, or names operators")
	case m.IsStreamingClient():
		return nil, fault("takes a stream, whose messages could name several")
	}
	return &sessionRule{token: token, proven: option == optionsv1.Session_SESSION_PROVEN}, nil
}

// personKey is the key of a call's person in its context.
type personKey struct{}

// Person is the id of the person for whom a call is made, if its method asks for a session;
// else it is empty. The server has looked it up: no caller can name it.
func Person(ctx context.Context) string {
	id, _ := ctx.Value(personKey{}).(string)
	return id
}

// checkSession refuses a call without the session that its method asks for. The context that
// it gives carries the person, and the event of the call names the person as who acts.
func (s *Server) checkSession(ctx context.Context, method string, req any) (context.Context, error) {
	rule := s.access[method].session
	if rule == nil {
		return ctx, nil
	}
	m, is := req.(proto.Message)
	if !is {
		return ctx, fmt.Errorf("grpcserver: the request of %s is a %T", method, req)
	}
	token := m.ProtoReflect().Get(rule.token).String()
	if token == "" { // a fault of the caller, and no end of a session
		return ctx, fault.Of(fault.CodeArgument, string(sessionField), "is required")
	}
	personID, proven, err := s.sessions.Who(ctx, token)
	if err != nil {
		return ctx, err
	}
	if personID == "" {
		return ctx, fmt.Errorf("grpcserver: %s: a session of nobody", method)
	}
	audit.FromContext(ctx).Note(audit.About{By: audit.ByPerson(personID), PersonID: personID})
	if rule.proven && !proven {
		return ctx, presence.ErrProof
	}
	return context.WithValue(ctx, personKey{}, personID), nil
}
