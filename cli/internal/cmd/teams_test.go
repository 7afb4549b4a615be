package cmd

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"vitae.internal/cli/internal/conntest"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

func answerOfTeams(call conntest.Call) (proto.Message, error) {
	verified := &authv1.Account{
		Id: "dev_1", Name: "Dev", Email: "dev@vitae.example", CreatedAt: noon, VerifiedAt: noon,
		Plan: &authv1.Plan{Name: authv1.PlanName_PLAN_NAME_STANDARD, PerMinute: 300, PerDay: 20000},
	}
	ali := &authv1.AccountMember{PersonId: "usr_1", Name: "Ali", Email: "ali@vitae.example", Role: optionsv1.Role_ROLE_OWNER, CreatedAt: noon}
	mona := &authv1.Invitation{
		Id: "inv_1", AccountId: "dev_1", Email: "mona@vitae.example", Role: optionsv1.Role_ROLE_DEVELOPER, CreatedBy: "vitaectl", CreatedAt: noon, ExpiresAt: noon,
	}
	switch req := call.Request.(type) {
	case *authv1.ListAccountsRequest:
		if req.GetPageToken() == "" {
			return &authv1.ListAccountsResponse{Accounts: []*authv1.Account{verified}, NextPageToken: "more"}, nil
		}
		return &authv1.ListAccountsResponse{Accounts: []*authv1.Account{{Id: "dev_2", Name: "Older\x1b[2J name", Email: "o@vitae.example", SuspendedAt: noon}}}, nil
	case *authv1.VerifyAccountRequest:
		return &authv1.VerifyAccountResponse{Account: verified}, nil
	case *authv1.UnverifyAccountRequest:
		return &authv1.UnverifyAccountResponse{Account: verified}, nil
	case *authv1.FindPeopleRequest:
		return &authv1.FindPeopleResponse{People: []*authv1.Person{
			{Id: "usr_1", Email: "ali@vitae.example", EmailVerified: true, CreatedAt: noon}, {Id: "usr_2", Email: "alia@vitae.example", CreatedAt: noon},
		}}, nil
	case *candidatev1.GetProfileRequest:
		if req.GetPersonId() == "usr_2" {
			return nil, errs.New(errs.NotFound, "PROFILE_NOT_FOUND", "There is no such profile.")
		}
		return &candidatev1.GetProfileResponse{Profile: &candidatev1.Profile{Name: "Ali"}}, nil
	case *authv1.ListMembersRequest:
		return &authv1.ListMembersResponse{Members: []*authv1.AccountMember{
			ali, {PersonId: "usr_2", Email: "alia@vitae.example", Role: optionsv1.Role_ROLE_VIEWER, CreatedAt: noon},
		}}, nil
	case *authv1.CreateInvitationRequest:
		return &authv1.CreateInvitationResponse{Secret: "SECRET", Invitation: mona}, nil
	case *authv1.ListInvitationsRequest:
		return &authv1.ListInvitationsResponse{Invitations: []*authv1.Invitation{mona}}, nil
	case *authv1.WithdrawInvitationRequest:
		return &authv1.WithdrawInvitationResponse{}, nil
	case *authv1.AddMemberRequest:
		return &authv1.AddMemberResponse{Member: ali}, nil
	}
	return answer(call)
}

func TestTeamCommandOutput(t *testing.T) {
	for name, line := range map[string]string{
		"account-list":     "account list",
		"account-find":     "account find dev",
		"account-create":   "account create --name Dev --email dev@vitae.example",
		"account-verify":   "account verify dev_1",
		"account-unverify": "account unverify dev_1",
		"account-close":    "account close dev_1 --name Dev --yes",
		"member-list":      "member list --account dev_1",
		"member-add":       "member add --account dev_1 --person usr_1 --role owner",
		"member-remove":    "member remove --account dev_1 --person usr_1 --yes",
		"member-invite":    "member invite --account dev_1 --email mona@vitae.example --role developer",
		"member-invites":   "member invitations --account dev_1",
		"member-withdraw":  "member withdraw inv_1",
		"person-find":      "person find ali",
	} {
		for _, format := range []string{"text", "json"} {
			t.Run(name+" as "+format, func(t *testing.T) {
				status, stdout, stderr := vitaectl(&conntest.Conn{Answer: answerOfTeams}, "", strings.Fields(line+" -o "+format)...)
				if status != exitOK || stderr != "" {
					t.Fatalf("status %d, stderr %q", status, stderr)
				}
				golden(t, name+"."+format, stdout)
			})
		}
	}
}

func TestTeamFlagsAreSentInRequests(t *testing.T) {
	for line, want := range map[string]proto.Message{
		"account find dev":                        &authv1.ListAccountsRequest{Text: "dev", PageSize: 1000},
		"account create --name D --email d@x.org": &authv1.CreateAccountRequest{Name: "D", Email: "d@x.org"},
		"account close dev_1 --name D --yes":      &authv1.CloseAccountRequest{Id: "dev_1", Name: "D"},
		"member add --account dev_1 --person usr_1 --role viewer": &authv1.AddMemberRequest{
			AccountId: "dev_1", PersonId: "usr_1", Role: optionsv1.Role_ROLE_VIEWER},
		"member remove --account dev_1 --person usr_1": &authv1.RemoveMemberRequest{AccountId: "dev_1", PersonId: "usr_1"},
		"member invite --account dev_1 --email m@x.org --role owner": &authv1.CreateInvitationRequest{
			AccountId: "dev_1", Email: "m@x.org", Role: optionsv1.Role_ROLE_OWNER},
		"member invitations --account dev_1": &authv1.ListInvitationsRequest{AccountId: "dev_1"},
		"member invitations dev_1":           &authv1.ListInvitationsRequest{AccountId: "dev_1"},
		"member list dev_1":                  &authv1.ListMembersRequest{AccountId: "dev_1"},
		"member withdraw inv_1":              &authv1.WithdrawInvitationRequest{Id: "inv_1"},
	} {
		conn := &conntest.Conn{Answer: answerOfTeams}
		status, _, stderr := vitaectl(conn, "", strings.Fields(line)...)
		if status != exitOK || len(conn.Calls) == 0 || !proto.Equal(conn.Calls[0].Request, want) {
			t.Errorf("%s: status %d, %s, %v", line, status, stderr, conn.Calls)
		}
	}
	for _, line := range []string{"member add --account dev_1 --person usr_1 --role boss", "member add --account dev_1", "account close dev_1 --yes", "account close dev_1 --name D", "account find",
		"member invite --account dev_1 --email m@x.org", "member invite --email m@x.org --role owner", "member invitations", "member withdraw",
		"member withdraw a b"} {
		if status, _, stderr := vitaectl(&conntest.Conn{Answer: answerOfTeams}, "", strings.Fields(line)...); status != exitUsage {
			t.Errorf("%s: status %d, %s", line, status, stderr)
		}
	}
}

func TestInvitationHasFullLink(t *testing.T) {
	conn := &conntest.Conn{Answer: answerOfTeams}
	var out, complaints bytes.Buffer
	run(context.Background(), strings.Fields("member invite --account dev_1 --email m@x.org --role owner"), Streams{Out: &out, Err: &complaints}, clock.NewFake(now),
		func() (*stack, error) {
			s := newStack(conn, conn, conn, func() {})
			s.consoleURL = "https://console.example"
			return s, nil
		})
	if !strings.Contains(out.String(), "link     https://console.example/invitations/SECRET\n") {
		t.Errorf("the output lacks the full link: %s%s", out.String(), complaints.String())
	}
}

func TestEmptyPersonSearchExplainsMatching(t *testing.T) {
	nobody := &conntest.Conn{Answer: func(conntest.Call) (proto.Message, error) { return nil, nil }}
	if status, stdout, stderr := vitaectl(nobody, "", "person", "find", "li"); status != exitOK || !strings.Contains(stdout, "Nobody found.") || !strings.Contains(stdout, "from its beginning") {
		t.Errorf("status %d: %s%s", status, stdout, stderr)
	}
	if _, stdout, _ := vitaectl(nobody, "", "person", "find", "li", "-o", "json"); stdout != "[]\n" {
		t.Errorf("with -o json: %s", stdout)
	}
}
