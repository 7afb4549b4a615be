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

// Sessions looks up the people who are signed in to the website (behaviour: accounts#sessions).
type Sessions interface {
	// Who returns the person to whom a browser session belongs, and whether that person has recently
	// authenticated again. It returns SESSION_ENDED if the session is invalid.
	Who(ctx context.Context, sessionToken string) (personID string, proven bool, err error)
}

// WithSessions sets the Sessions of a server. It is required if a method requires a session.
func WithSessions(who Sessions) Option { return func(s *Server) { s.sessions = who } }

// sessionField is the name of the request field that contains the browser session.
const sessionField protoreflect.Name = "session_token"

// sessionRule is the parsed session option of a method.
type sessionRule struct {
	token  protoreflect.FieldDescriptor
	proven bool
}

// newSessionRule returns the parsed session option of a method, or nil if there is none.
func newSessionRule(m protoreflect.MethodDescriptor, access *optionsv1.Access) (*sessionRule, error) {
	option := access.GetSession()
	if option == optionsv1.Session_SESSION_UNSPECIFIED {
		return nil, nil
	}
	fault := func(text string) error {
		return fmt.Errorf("grpcserver: method %s requires a session, but %s", m.FullName(), text)
	}
	fields := m.Input().Fields()
	token := fields.ByName(sessionField)
	switch {
	case token == nil || token.Kind() != protoreflect.StringKind || token.IsList():
		return nil, fault("has no string field session_token")
	case fields.ByName("person_id") != nil:
		return nil, fault("also has a field person_id")
	case access.GetCredential() != optionsv1.Credential_CREDENTIAL_UNSPECIFIED || access.GetMember() != nil || len(access.GetOperators()) > 0:
		return nil, fault("accepts a credential, is for people in the console, or has operators")
	case m.IsStreamingClient():
		return nil, fault("receives a stream, whose messages could have different sessions")
	}
	return &sessionRule{token: token, proven: option == optionsv1.Session_SESSION_PROVEN}, nil
}

// personKey is the context key for the person of a call.
type personKey struct{}

// Person returns the id of the person on whose behalf a call is made, or "" if its method does not
// require a session. The server looks it up from the session; callers cannot choose it.
func Person(ctx context.Context) string {
	id, _ := ctx.Value(personKey{}).(string)
	return id
}

// checkSession verifies the session that a method requires. The returned context contains the person,
// who is also the actor of the call's audit event.
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
	if token == "" { // a bug in the caller, not an expired session
		return ctx, fault.Of(fault.CodeArgument, string(sessionField), "is required")
	}
	personID, proven, err := s.sessions.Who(ctx, token)
	if err != nil {
		return ctx, err
	}
	if personID == "" {
		return ctx, fmt.Errorf("grpcserver: %s: the session has no person", method)
	}
	audit.FromContext(ctx).Note(audit.About{By: audit.ByPerson(personID), PersonID: personID})
	if rule.proven && !proven {
		return ctx, presence.ErrProof
	}
	return context.WithValue(ctx, personKey{}, personID), nil
}
