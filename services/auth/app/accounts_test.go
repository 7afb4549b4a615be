package app_test

import (
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// If other people could use these names, any app could pose as the console or as a verified company on the consent
// page.
func TestOnlyOperatorsUseReservedNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.signInToConsole(w.person("dev@example.com"))
	verified := w.account() // named Partner
	_, err := authv1.NewAccountServiceClient(w.vitaectl).VerifyAccount(t.Context(), &authv1.VerifyAccountRequest{Id: verified})
	w.must(err)
	made, err := w.createAccount(session, "Mine")
	w.must(err)
	byMember := authv1.NewDeveloperServiceClient(w.gateway)
	mine := made.GetAccount().GetId()
	app := func(name string) (*authv1.CreateAppResponse, error) {
		return byMember.CreateApp(w.by(session), &authv1.CreateAppRequest{AccountId: mine, Name: name, ClientType: authv1.ClientType_CLIENT_TYPE_PUBLIC})
	}
	one, err := app("Mine")
	w.must(err)
	for _, name := range []string{"Vitae", "V1TAE", "vitae console", "Vit\u0430e Console", "P\u0430rtner", "PARTNER.", "Re\u200bal", "Re\u200fal"} {
		_, err := w.createAccount(session, name)
		w.isRefused(err, "", "name")
		_, err = app(name)
		w.isRefused(err, "", "name")
		_, err = byMember.UpdateApp(w.by(session), &authv1.UpdateAppRequest{Id: one.GetApp().GetId(), Name: name, UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"name"}}})
		w.isRefused(err, "", "name")
		_, err = w.accounts().UpdateAccount(w.by(session), &authv1.UpdateAccountRequest{Id: mine, Name: &name})
		w.isRefused(err, "", "name")
	}
	// A verified account may use its own name, and operators may use any name.
	owner := w.person("owner@example.com")
	w.join(verified, owner, asOwner)
	_, err = byMember.CreateApp(w.by(w.signInToConsole(owner)), &authv1.CreateAppRequest{AccountId: verified, Name: "Partner", ClientType: authv1.ClientType_CLIENT_TYPE_PUBLIC})
	w.must(err)
	name := "Vitae"
	_, err = authv1.NewAccountServiceClient(w.vitaectl).UpdateAccount(t.Context(), &authv1.UpdateAccountRequest{Id: mine, Name: &name})
	w.must(err)
	// The account keeps that name when its owner changes a different field.
	address := "new@example.com"
	kept, err := w.accounts().UpdateAccount(w.by(session), &authv1.UpdateAccountRequest{Id: mine, Name: &name, Email: &address})
	w.must(err)
	if a := kept.GetAccount(); a.GetName() != name || a.GetEmail() != address {
		t.Errorf("the account is %v", a)
	}
}

func (w *world) createAccount(session, name string) (*authv1.CreateAccountResponse, error) {
	return authv1.NewDeveloperServiceClient(w.gateway).CreateAccount(w.by(session), &authv1.CreateAccountRequest{Name: name, Email: "dev@example.com"})
}

func TestPersonOwnsAtMostFiveAccounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.signInToConsole(w.person("dev@example.com"))
	for range 5 {
		w.must(second(w.createAccount(session, "Mine")))
	}
	wantCode(t, second(w.createAccount(session, "Sixth")), "TOO_MANY_ACCOUNTS")
	mine, err := w.accounts().ListAccounts(w.by(session), &authv1.ListAccountsRequest{})
	w.must(err)
	if all := mine.GetAccounts(); len(all) != 5 || all[0].GetRole() != asOwner {
		t.Fatalf("accounts: %v", all)
	}
	w.must(second(w.accounts().CloseAccount(w.by(session), &authv1.CloseAccountRequest{Id: mine.GetAccounts()[0].GetId(), Name: "Mine"})))
	w.must(second(w.createAccount(session, "Sixth")))

	unverified := w.signInToConsole(w.unverified("unverified@example.com"))
	wantCode(t, second(w.createAccount(unverified, "None")), "EMAIL_NOT_VERIFIED")
	other := w.signInToConsole(w.person("other@example.com"))
	_, err = authv1.NewDeveloperServiceClient(w.gateway).CreateAccount(w.by(other), &authv1.CreateAccountRequest{
		Name: "Rich", Email: "dev@example.com", Plan: &authv1.Plan{Name: authv1.PlanName_PLAN_NAME_ELEVATED},
	})
	wantCode(t, err, "INVALID_ARGUMENT")
}

func TestNewNameEndsVerification(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, session := w.confidential(), w.signInToConsole(w.person("dev@example.com"))
	account := c.app.GetAccountId()
	who, err := w.whoIs(session)
	w.must(err)
	w.join(account, person{id: who.GetPersonId()}, asOwner)
	operators := authv1.NewAccountServiceClient(w.vitaectl)
	read := func(name string, verified bool) {
		t.Helper()
		page, err := w.oauth.CheckAuthorization(t.Context(), &authv1.CheckAuthorizationRequest{Parameters: parameters(c, "profile")})
		w.must(err)
		if page.GetPublisherName() != name || page.GetPublisherVerified() != verified {
			t.Errorf("%q, verified %v; want %q, %v", page.GetPublisherName(), page.GetPublisherVerified(), name, verified)
		}
	}
	update := func(req *authv1.UpdateAccountRequest) *authv1.Account {
		t.Helper()
		req.Id = account
		resp, err := w.accounts().UpdateAccount(w.by(session), req)
		w.must(err)
		return resp.GetAccount()
	}
	read("Partner", false)
	first, err := operators.VerifyAccount(t.Context(), &authv1.VerifyAccountRequest{Id: account})
	w.must(err)
	read("Partner", true)
	w.clock.Advance(waitOut)
	again, err := operators.VerifyAccount(t.Context(), &authv1.VerifyAccountRequest{Id: account})
	w.must(err)
	if !proto.Equal(first, again) {
		t.Errorf("verified again: %v", again)
	}
	update(&authv1.UpdateAccountRequest{Email: proto.String("new@example.com"), Name: proto.String("Partner")})
	read("Partner", true)
	if a := update(&authv1.UpdateAccountRequest{Name: proto.String("A bank")}); a.GetVerifiedAt() != nil || a.GetEmail() != "new@example.com" || a.GetRole() != asOwner {
		t.Errorf("%v", a)
	}
	read("A bank", false)
	w.must(second(operators.VerifyAccount(t.Context(), &authv1.VerifyAccountRequest{Id: account})))
	w.must(second(operators.UnverifyAccount(t.Context(), &authv1.UnverifyAccountRequest{Id: account})))
	read("A bank", false)
}

func TestClosedAccountIsRejectedEverywhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	account := c.app.GetAccountId()
	owner, p, invited := w.person("owner@example.com"), w.person("a@example.com"), w.person("b@example.com")
	w.join(account, owner, asOwner)
	session := w.signInToConsole(owner)
	tokens := w.connect(p, c, everything...)
	code, key := w.consent(p, c, everything...), w.key(c, nil).GetSecret()
	shown := w.live(c, tokens.GetAccessToken()).GetPrincipal()
	if w.record(apiKey, account, key) == nil {
		t.Fatal("the key is rejected before the account is closed")
	}
	invitation, err := w.invite(session, account, invited.email, asViewer)
	w.must(err)
	asked, err := w.askFor(account, elevated)
	w.must(err)
	closing := func(name string) error {
		return second(w.accounts().CloseAccount(w.by(session), &authv1.CloseAccountRequest{Id: account, Name: name}))
	}
	wantCode(t, closing("partner"), "INVALID_ARGUMENT")
	w.live(c, tokens.GetAccessToken())
	w.must(closing("Partner"))

	w.ended(c, p, tokens, code, key, shown)
	wantCode(t, w.accept(w.signInToConsole(invited), invitation.GetSecret()), "INVITATION_NOT_FOUND")
	_, err = w.developers.GrantPlanRequest(t.Context(), &authv1.GrantPlanRequestRequest{Id: asked.GetId()})
	wantCode(t, err, "PLAN_REQUEST_NOT_FOUND")
	for name, err := range map[string]error{
		"close":             closing("Partner"),
		"resume":            second(w.developers.ResumeAccount(t.Context(), &authv1.ResumeAccountRequest{Id: account})),
		"create an app":     second(w.developers.CreateApp(t.Context(), &authv1.CreateAppRequest{AccountId: account, Name: "A", ClientType: public})),
		"add a member":      second(w.operators().AddMember(t.Context(), &authv1.AddMemberRequest{AccountId: account, PersonId: p.id, Role: asOwner})),
		"read by its owner": second(authv1.NewDeveloperServiceClient(w.gateway).GetAccount(w.by(session), &authv1.GetAccountRequest{Id: account})),
	} {
		if codeOf(err) != "ACCOUNT_NOT_FOUND" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if apps := w.appsOf(account, true); len(apps) != 1 || apps[0].GetState() != authv1.AppState_APP_STATE_DELETED {
		t.Errorf("apps of the closed account: %v", apps)
	}
	events, err := w.audit.ListEvents(t.Context(), &authv1.ListEventsRequest{AccountId: account, Actions: []string{"account.close"}})
	w.must(err)
	if len(events.GetEvents()) != 2 || events.GetEvents()[0].GetActor().GetId() != owner.id {
		t.Errorf("audit events: %v", events.GetEvents())
	}
}

func TestOperatorsListAndFindAccounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	operators := authv1.NewAccountServiceClient(w.vitaectl)
	ids := map[string]string{}
	for _, name := range []string{"beta", "Alpha", "gamma 100%", "Ärzte", "alpha"} {
		made, err := w.developers.CreateAccount(t.Context(), &authv1.CreateAccountRequest{Name: name, Email: "Dev@" + "example.com"})
		w.must(err)
		ids[name] = made.GetAccount().GetId()
	}
	w.must(second(operators.CloseAccount(t.Context(), &authv1.CloseAccountRequest{Id: ids["beta"], Name: "beta"})))
	list := func(text string, size int32) (names []string) {
		t.Helper()
		req := &authv1.ListAccountsRequest{Text: text, PageSize: size}
		for {
			page, err := operators.ListAccounts(t.Context(), req)
			w.must(err)
			for _, a := range page.GetAccounts() {
				names = append(names, a.GetName())
			}
			if req.PageToken = page.GetNextPageToken(); req.PageToken == "" {
				return names
			}
		}
	}
	for text, want := range map[string]int{"": 4, "ALPHA": 2, "100%": 1, "a_pha": 0, "dev@EXAMPLE": 4, "beta": 0, ids["Alpha"]: 1, ids["beta"]: 0, "ärz": 1} {
		for _, size := range []int32{0, 1, 3} {
			if got := list(text, size); len(got) != want {
				t.Errorf("%q in pages of %d: %q", text, size, got)
			}
		}
	}
	if _, err := operators.ListAccounts(t.Context(), &authv1.ListAccountsRequest{PageToken: "x"}); codeOf(err) != "INVALID_ARGUMENT" {
		t.Errorf("no token: %v", err)
	}
	p := w.person("Zoe@example.com")
	for text, want := range map[string]int{"zo": 1, "ZOE@example.com": 1, "oe": 0, p.id: 1, "usr_": 0, "z%": 0} {
		found, err := w.people.FindPeople(t.Context(), &authv1.FindPeopleRequest{Text: text})
		w.must(err)
		if len(found.GetPeople()) != want {
			t.Errorf("%q: %v", text, found.GetPeople())
		}
	}
}
