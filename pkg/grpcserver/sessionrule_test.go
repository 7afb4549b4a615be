package grpcserver

import (
	"context"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
	"vitae.internal/pkg/presence"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// sessionMethod is a method of the contract with different access options.
type sessionMethod struct {
	protoreflect.MethodDescriptor
	access *optionsv1.Access
	stream bool
}

func (m sessionMethod) IsStreamingClient() bool { return m.stream }
func (m sessionMethod) Options() protoreflect.ProtoMessage {
	options := &descriptorpb.MethodOptions{}
	proto.SetExtension(options, optionsv1.E_Access, m.access)
	return options
}

var (
	downloadExport = candidatev1.File_vitae_candidate_v1_persondata_proto.Services().ByName("PersonDataService").Methods().ByName("DownloadExport")
	getPhoto       = candidatev1.File_vitae_candidate_v1_photos_proto.Services().ByName("PhotoService").Methods().ByName("GetPhoto")
)

func TestInvalidSessionOptionPreventsStart(t *testing.T) {
	rule := func(m sessionMethod, change func(*optionsv1.Access)) error {
		m.access = &optionsv1.Access{Callers: []string{"gateway"}, Session: optionsv1.Session_SESSION_LIVE}
		change(m.access)
		_, err := newAccessRule(m)
		return err
	}
	sound := sessionMethod{MethodDescriptor: downloadExport}
	if err := rule(sound, func(*optionsv1.Access) {}); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"no session in the request": rule(sessionMethod{MethodDescriptor: getPhoto}, func(*optionsv1.Access) {}),
		"a stream":                  rule(sessionMethod{MethodDescriptor: downloadExport, stream: true}, func(*optionsv1.Access) {}),
		"operators":                 rule(sound, func(a *optionsv1.Access) { a.Operators = []string{"gateway"} }),
		"the console":               rule(sound, func(a *optionsv1.Access) { a.Member = &optionsv1.Member{SignedIn: true} }),
		"a credential": rule(sound, func(a *optionsv1.Access) {
			a.Credential, a.Scope = optionsv1.Credential_CREDENTIAL_USER_TOKEN, "profile"
		}),
	} {
		if err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

var layla = id.New("usr")

// oneSession looks up only one session, "live", which belongs to layla.
type oneSession struct{ proven bool }

func (s oneSession) Who(_ context.Context, token string) (string, bool, error) {
	if token != "live" {
		return "", false, presence.ErrEnded
	}
	return layla, s.proven, nil
}

func TestPersonComesFromSession(t *testing.T) {
	const method = "/vitae.candidate.v1.PersonDataService/DownloadExport"
	for name, c := range map[string]struct {
		token   string
		session optionsv1.Session
		proven  bool
		code    string
	}{
		"live":                 {token: "live", session: optionsv1.Session_SESSION_LIVE},
		"none":                 {session: optionsv1.Session_SESSION_LIVE, code: fault.CodeArgument},
		"ended":                {token: "ended", session: optionsv1.Session_SESSION_LIVE, code: "SESSION_ENDED"},
		"without a proof":      {token: "live", session: optionsv1.Session_SESSION_PROVEN, code: "PROOF_NEEDED"},
		"with a proof":         {token: "live", session: optionsv1.Session_SESSION_PROVEN, proven: true},
		"ended, proven before": {token: "ended", session: optionsv1.Session_SESSION_PROVEN, proven: true, code: "SESSION_ENDED"},
	} {
		rule, err := newAccessRule(sessionMethod{MethodDescriptor: downloadExport, access: &optionsv1.Access{Callers: []string{"gateway"}, Session: c.session}})
		if err != nil {
			t.Fatal(err)
		}
		s := &Server{access: accessTable{method: rule}, sessions: oneSession{c.proven}}
		call := audit.NewCall(audit.Event{Action: audit.ProfileDownloadExport, Caller: audit.Gateway})
		ctx, err := s.checkSession(audit.NewContext(t.Context(), call), method, &candidatev1.DownloadExportRequest{SessionToken: c.token})
		if c.code == "" && (err != nil || Person(ctx) != layla) || c.code != "" && (!errs.HasCode(err, c.code) || Person(ctx) != "") {
			t.Errorf("%s: person %q, %v, want %q", name, Person(ctx), err, c.code)
		}
		if e := call.Ended(c.code); (e.Actor.ID == layla && e.PersonID == layla) != (c.token == "live") {
			t.Errorf("%s: the event's actor is %+v", name, e.Actor)
		}
	}
	if got := Person(t.Context()); got != "" {
		t.Errorf("a call without a session has the person %q", got)
	}
}
