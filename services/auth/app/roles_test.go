package app_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/id"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
	"vitae.internal/services/auth/internal/people/session"
)

// estate is an account with one object of each kind.
type estate struct {
	account, app, key, secret, invitation, invitationSecret string
	// request is the id of a request in the account's request log.
	request string
	// spare is the member that the calls change or remove.
	spare person
}

// requests maps each method that console users may call to a function that returns a request. The request succeeds
// if the caller has the required role.
var requests = map[string]func(e estate) proto.Message{
	"AccountService/ListAccounts": func(estate) proto.Message { return &authv1.ListAccountsRequest{} },
	"AccountService/UpdateAccount": func(e estate) proto.Message {
		return &authv1.UpdateAccountRequest{Id: e.account, Name: proto.String("New name")}
	},
	"AccountService/CloseAccount": func(e estate) proto.Message { return &authv1.CloseAccountRequest{Id: e.account, Name: "Partner"} },
	"AuditService/ListEvents":     func(e estate) proto.Message { return &authv1.ListEventsRequest{AccountId: e.account} },
	"ConsoleService/GetConsoleSession": func(estate) proto.Message {
		return &authv1.GetConsoleSessionRequest{}
	},
	"ConsoleService/CloseConsoleSession": func(estate) proto.Message { return &authv1.CloseConsoleSessionRequest{} },
	"ConsoleService/TakeConsoleForm":     func(estate) proto.Message { return &authv1.TakeConsoleFormRequest{Form: id.New("form")} },
	"DeveloperService/CreateAccount": func(estate) proto.Message {
		return &authv1.CreateAccountRequest{Name: "Mine", Email: "mine@example.com", ValidateOnly: true}
	},
	"DeveloperService/GetAccount": func(e estate) proto.Message { return &authv1.GetAccountRequest{Id: e.account} },
	"DeveloperService/CreateApp": func(e estate) proto.Message {
		return &authv1.CreateAppRequest{AccountId: e.account, Name: "App", ClientType: authv1.ClientType_CLIENT_TYPE_PUBLIC}
	},
	"DeveloperService/GetApp":   func(e estate) proto.Message { return &authv1.GetAppRequest{Id: e.app} },
	"DeveloperService/ListApps": func(e estate) proto.Message { return &authv1.ListAppsRequest{AccountId: e.account} },
	"DeveloperService/UpdateApp": func(e estate) proto.Message {
		return &authv1.UpdateAppRequest{Id: e.app, Name: "New name", UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"name"}}}
	},
	"DeveloperService/DeleteApp":          func(e estate) proto.Message { return &authv1.DeleteAppRequest{Id: e.app, ConfirmName: "App"} },
	"DeveloperService/RotateClientSecret": func(e estate) proto.Message { return &authv1.RotateClientSecretRequest{AppId: e.app} },
	"DeveloperService/ListClientSecrets":  func(e estate) proto.Message { return &authv1.ListClientSecretsRequest{AppId: e.app} },
	"DeveloperService/DeleteClientSecret": func(e estate) proto.Message { return &authv1.DeleteClientSecretRequest{Id: e.secret} },
	// This request sets no expiry.
	"DeveloperService/SetClientSecretExpiry": func(e estate) proto.Message { return &authv1.SetClientSecretExpiryRequest{Id: e.secret} },
	"DeveloperService/RequestPlan": func(e estate) proto.Message {
		return &authv1.RequestPlanRequest{AccountId: e.account, Plan: elevated, Reason: "We go live."}
	},
	"DeveloperService/ListPlanRequests": func(e estate) proto.Message { return &authv1.ListPlanRequestsRequest{AccountId: e.account} },
	"DeveloperService/CreateApiKey": func(e estate) proto.Message {
		return &authv1.CreateApiKeyRequest{AppId: e.app, Name: "Key", Scopes: []string{"jobs:read"}}
	},
	"DeveloperService/ListApiKeys":  func(e estate) proto.Message { return &authv1.ListApiKeysRequest{AppId: e.app} },
	"DeveloperService/DeleteApiKey": func(e estate) proto.Message { return &authv1.DeleteApiKeyRequest{Id: e.key} },
	"MemberService/ListMembers":     func(e estate) proto.Message { return &authv1.ListMembersRequest{AccountId: e.account} },
	"MemberService/UpdateMember": func(e estate) proto.Message {
		return &authv1.UpdateMemberRequest{AccountId: e.account, PersonId: e.spare.id, Role: asViewer}
	},
	"MemberService/RemoveMember": func(e estate) proto.Message {
		return &authv1.RemoveMemberRequest{AccountId: e.account, PersonId: e.spare.id}
	},
	"MemberService/CreateInvitation": func(e estate) proto.Message {
		return &authv1.CreateInvitationRequest{AccountId: e.account, Email: "new@example.com", Role: asViewer}
	},
	"MemberService/ListInvitations":    func(e estate) proto.Message { return &authv1.ListInvitationsRequest{AccountId: e.account} },
	"MemberService/WithdrawInvitation": func(e estate) proto.Message { return &authv1.WithdrawInvitationRequest{Id: e.invitation} },
	// None of the callers has the invited email address.
	"MemberService/GetInvitation":    func(e estate) proto.Message { return &authv1.GetInvitationRequest{Secret: e.invitationSecret} },
	"MemberService/AcceptInvitation": func(e estate) proto.Message { return &authv1.AcceptInvitationRequest{Secret: e.invitationSecret} },
	"UsageService/ListUsage":         func(e estate) proto.Message { return &authv1.ListUsageRequest{AccountId: e.account} },
	"UsageService/ListUsageByMinute": func(e estate) proto.Message { return &authv1.ListUsageByMinuteRequest{AccountId: e.account} },
	"UsageService/ListRouteStats":    func(e estate) proto.Message { return &authv1.ListRouteStatsRequest{AccountId: e.account} },
	"UsageService/ListRefusals":      func(e estate) proto.Message { return &authv1.ListRefusalsRequest{AccountId: e.account} },
	"UsageService/ListRequests":      func(e estate) proto.Message { return &authv1.ListRequestsRequest{AccountId: e.account} },
	"UsageService/GetRequest": func(e estate) proto.Message {
		return &authv1.GetRequestRequest{AccountId: e.account, RequestId: e.request}
	},
}

// codeOfThing maps each kind of object to the error code returned if the object does not exist or the caller may not
// see it.
var codeOfThing = map[optionsv1.Thing]string{
	optionsv1.Thing_THING_ACCOUNT: "ACCOUNT_NOT_FOUND", optionsv1.Thing_THING_APP: "APP_NOT_FOUND",
	optionsv1.Thing_THING_API_KEY: "API_KEY_NOT_FOUND", optionsv1.Thing_THING_CLIENT_SECRET: "CLIENT_SECRET_NOT_FOUND",
	optionsv1.Thing_THING_INVITATION: "INVITATION_NOT_FOUND",
}

// forPeople calls visit for each auth method that the gateway calls on behalf of console users.
func forPeople(t *testing.T, visit func(name, full string, m protoreflect.MethodDescriptor, need *optionsv1.Member)) {
	t.Helper()
	protoregistry.GlobalFiles.RangeFilesByPackage("vitae.auth.v1", func(file protoreflect.FileDescriptor) bool {
		for i := range file.Services().Len() {
			service := file.Services().Get(i)
			for j := range service.Methods().Len() {
				m := service.Methods().Get(j)
				need := proto.GetExtension(m.Options(), optionsv1.E_Access).(*optionsv1.Access).GetMember()
				if need != nil && need.GetExempt() == "" {
					visit(fmt.Sprintf("%s/%s", service.Name(), m.Name()), fmt.Sprintf("/%s/%s", service.FullName(), m.Name()), m, need)
				}
			}
		}
		return true
	})
}

// cast holds the people who call the methods.
type cast struct {
	sessions                                     map[optionsv1.Role]string
	people                                       map[optionsv1.Role]person
	spare, stranger                              person
	strangerSession, nobodySession, endedSession string
}

func newCast(w *world) cast {
	w.Helper()
	c := cast{sessions: map[optionsv1.Role]string{}, people: map[optionsv1.Role]person{}}
	for _, role := range []optionsv1.Role{asViewer, asDeveloper, asOwner} {
		c.people[role] = w.person(role.String() + "@example.com")
		c.sessions[role] = w.signInToConsole(c.people[role])
	}
	c.spare, c.stranger = w.person("spare@example.com"), w.person("stranger@example.com")
	c.strangerSession, c.nobodySession = w.signInToConsole(c.stranger), w.signInToConsole(w.person("nobody@example.com"))
	w.join(w.account(), c.stranger, asOwner)
	c.endedSession = w.signInToConsole(w.person("ended@example.com"))
	_, err := w.console().CloseConsoleSession(w.by(c.endedSession), &authv1.CloseConsoleSessionRequest{})
	w.must(err)
	return c
}

// estate creates an account with the cast as members.
func (w *world) estate(c cast, suspended bool) estate {
	w.Helper()
	e := estate{account: w.account(), spare: c.spare}
	for role, p := range c.people {
		w.join(e.account, p, role)
	}
	w.join(e.account, c.spare, asDeveloper)
	made, err := w.developers.CreateApp(w.Context(), &authv1.CreateAppRequest{
		AccountId: e.account, Name: "App", ClientType: authv1.ClientType_CLIENT_TYPE_CONFIDENTIAL, RedirectUris: []string{redirectURI},
	})
	w.must(err)
	e.app = made.GetApp().GetId()
	rotated, err := w.developers.RotateClientSecret(w.Context(), &authv1.RotateClientSecretRequest{AppId: e.app, Overlap: durationpb.New(time.Hour)})
	w.must(err)
	e.secret = rotated.GetSecrets()[1].GetId()
	key, err := w.developers.CreateApiKey(w.Context(), &authv1.CreateApiKeyRequest{AppId: e.app, Name: "Key", Scopes: []string{"jobs:read"}})
	w.must(err)
	e.key = key.GetApiKey().GetId()
	invited, err := w.operators().CreateInvitation(w.Context(), &authv1.CreateInvitationRequest{AccountId: e.account, Email: "invited@example.com", Role: asViewer})
	w.must(err)
	e.invitation, e.invitationSecret = invited.GetInvitation().GetId(), invited.GetSecret()
	e.request = requestIDAt(w.clock.Now())
	w.log(entry(e.account, e.request, w.clock.Now()))
	if suspended {
		_, err := w.developers.SuspendAccount(w.Context(), &authv1.SuspendAccountRequest{Id: e.account})
		w.must(err)
	}
	return e
}

// call calls a method. The response type is taken from the method's descriptor.
func call(ctx context.Context, conn grpc.ClientConnInterface, full string, m protoreflect.MethodDescriptor, req proto.Message) error {
	return conn.Invoke(ctx, full, req, dynamicpb.NewMessage(m.Output()))
}

// The test calls every method that the .proto files open to console users, as every kind of caller. It fails if this
// file has no request for a method.
func TestConsoleMethodsRequireTheirRole(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCast(w)
	// A rejected call changes nothing, so the next call can use the same estate.
	unchanged := map[bool]*estate{}
	on := func(suspended bool, call func(e estate) error) error {
		t.Helper()
		e := unchanged[suspended]
		if e == nil {
			made := w.estate(c, suspended)
			e = &made
		}
		err := call(*e)
		if unchanged[suspended] = e; err == nil {
			unchanged[suspended] = nil
		}
		return err
	}
	seen := 0
	forPeople(t, func(name, full string, m protoreflect.MethodDescriptor, need *optionsv1.Member) {
		request := requests[name]
		if request == nil {
			t.Errorf("%s: add a request for it to this test", name)
			return
		}
		seen++
		try := func(who string, ctx context.Context, suspended bool, want string) {
			t.Helper()
			err := on(suspended, func(e estate) error { return call(ctx, w.gateway, full, m, request(e)) })
			if got := codeOf(err); got != want {
				t.Errorf("%s by %s (suspended: %v): %q, want %q", name, who, suspended, got, want)
			}
		}
		try("no session", w.Context(), false, "SESSION_ENDED")
		try("an ended session", w.by(c.endedSession), false, "SESSION_ENDED")
		try("an invalid session", w.by("x"), false, "SESSION_ENDED")
		try("two sessions", metadata.AppendToOutgoingContext(w.by(c.sessions[asOwner]), grpcx.ConsoleSessionKey, c.sessions[asOwner]), false, "SESSION_ENDED")
		if need.GetSignedIn() {
			openToAll(t, w, c, name, full, m, request)
			return
		}
		try("a person without an account", w.by(c.nobodySession), false, codeOfThing[need.GetThing()])
		try("an owner of another account", w.by(c.strangerSession), false, codeOfThing[need.GetThing()])
		for role, session := range c.sessions {
			for _, suspended := range []bool{false, true} {
				want := ""
				switch {
				case role < need.GetRole():
					want = "ROLE_NOT_ALLOWED"
				case suspended && !need.GetWhileSuspended():
					want = "DEVELOPER_ACCOUNT_SUSPENDED"
				}
				try(role.String(), w.by(session), suspended, want)
			}
		}
		if need.GetProven() {
			proof := func(at time.Time) {
				_, err := w.db.Exec(t.Context(), "UPDATE sessions SET proved_at = $1 WHERE person_id = $2", at, c.people[asOwner].id)
				w.must(err)
			}
			proof(w.clock.Now().Add(-session.ProofLife))
			try("an owner without a recent proof", w.by(c.sessions[asOwner]), false, "PROOF_NEEDED")
			proof(w.clock.Now())
		}
		unknown(t, w, c, name, full, m, need, request)
		byVitaectl(t, w, c, name, full, m, request)
	})
	if seen < len(requests) {
		t.Errorf("%d methods of %d", seen, len(requests))
	}
}

// openToAll tests a method that every signed-in person may call.
func openToAll(t *testing.T, w *world, c cast, name, full string, m protoreflect.MethodDescriptor, request func(estate) proto.Message) {
	t.Helper()
	want := ""
	if name == "MemberService/GetInvitation" || name == "MemberService/AcceptInvitation" {
		want = "INVITATION_NOT_FOUND"
	}
	session := w.signInToConsole(c.stranger) // a new session, because one of the methods ends it
	if got := codeOf(call(w.by(session), w.gateway, full, m, request(w.estate(c, false)))); got != want {
		t.Errorf("%s by a stranger: %q, want %q", name, got, want)
	}
}

// unknown checks that the errors for a nonexistent object and for another account's object are the same.
func unknown(t *testing.T, w *world, c cast, name, full string, m protoreflect.MethodDescriptor, need *optionsv1.Member, request func(estate) proto.Message) {
	t.Helper()
	others := request(w.estate(c, false))
	field := m.Input().Fields().ByName(protoreflect.Name(need.GetField()))
	there := call(w.by(c.strangerSession), w.gateway, full, m, others)
	for _, missing := range []string{id.New("dev"), "", "x", "a\x00b"} {
		req := proto.Clone(others)
		req.ProtoReflect().Set(field, protoreflect.ValueOfString(missing))
		if absent := call(w.by(c.strangerSession), w.gateway, full, m, req); absent == nil || there == nil || absent.Error() != there.Error() {
			t.Errorf("%s reveals whether an object of a different account exists: %v; %v", name, there, absent)
		}
	}
}

// byVitaectl calls a method with the certificate of vitaectl, which needs no session and may call it even for a
// suspended account.
func byVitaectl(t *testing.T, w *world, c cast, name, full string, m protoreflect.MethodDescriptor, request func(estate) proto.Message) {
	t.Helper()
	if err := call(w.Context(), w.vitaectl, full, m, request(w.estate(c, true))); err != nil {
		t.Errorf("%s by vitaectl: %v", name, err)
	}
}

// The gateway must not be able to call operator methods, whether or not it sends a session.
func TestOperatorMethodsAreClosedToConsole(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCast(w)
	e := w.estate(c, false)
	session := w.by(c.sessions[asOwner])
	accounts, members := w.accounts(), w.members()
	developers := authv1.NewDeveloperServiceClient(w.gateway)
	people := authv1.NewPeopleServiceClient(w.gateway)
	for name, err := range map[string]error{
		"SuspendAccount": second(developers.SuspendAccount(session, &authv1.SuspendAccountRequest{Id: e.account})),
		"ResumeAccount":  second(developers.ResumeAccount(session, &authv1.ResumeAccountRequest{Id: e.account})),
		"SetAccountPlan": second(developers.SetAccountPlan(session, &authv1.SetAccountPlanRequest{
			Id: e.account, Plan: &authv1.Plan{Name: authv1.PlanName_PLAN_NAME_ELEVATED},
		})),
		"VerifyAccount":     second(accounts.VerifyAccount(session, &authv1.VerifyAccountRequest{Id: e.account})),
		"UnverifyAccount":   second(accounts.UnverifyAccount(session, &authv1.UnverifyAccountRequest{Id: e.account})),
		"AddMember":         second(members.AddMember(session, &authv1.AddMemberRequest{AccountId: e.account, PersonId: c.stranger.id, Role: asViewer})),
		"GrantPlanRequest":  second(developers.GrantPlanRequest(session, &authv1.GrantPlanRequestRequest{Id: id.New("plr")})),
		"RefusePlanRequest": second(developers.RefusePlanRequest(session, &authv1.RefusePlanRequestRequest{Id: id.New("plr"), Note: "no"})),
		"FindPeople":        second(people.FindPeople(session, &authv1.FindPeopleRequest{Text: "s"})),
	} {
		if got := codeOf(err); got != "CALLER_NOT_ALLOWED" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestMemberMayLeaveButNotRemoveOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCast(w)
	e := w.estate(c, false)
	leave := func(role optionsv1.Role) error {
		return second(w.members().RemoveMember(w.by(c.sessions[role]), &authv1.RemoveMemberRequest{AccountId: e.account, PersonId: c.people[role].id}))
	}
	for _, role := range []optionsv1.Role{asViewer, asDeveloper} {
		w.must(leave(role))
		if got := codeOf(leave(role)); got != "ACCOUNT_NOT_FOUND" {
			t.Errorf("leaving as %v: %q", role, got)
		}
		if who, err := w.whoIs(c.sessions[role]); err != nil || len(who.GetMemberships()) != 0 {
			t.Errorf("%v after leaving: %v, %v", role, who, err)
		}
	}
	if got := codeOf(leave(asOwner)); got != "LAST_OWNER" {
		t.Errorf("the last owner left: %q", got)
	}
	demote := &authv1.UpdateMemberRequest{AccountId: e.account, PersonId: c.people[asOwner].id, Role: asDeveloper}
	if got := codeOf(second(w.members().UpdateMember(w.by(c.sessions[asOwner]), demote))); got != "LAST_OWNER" {
		t.Errorf("the last owner gave up the role: %q", got)
	}
}
