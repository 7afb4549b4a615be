// Package team implements the pages for an account's members and invitations.
package team

import (
	"context"
	"embed"
	"net/http"
	"slices"
	"time"

	"vitae.internal/gateway/internal/console/shell"
	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// Files contains the templates of the pages.
//
//go:embed templates
var Files embed.FS

type handlers struct {
	*shell.Shell
	developers authv1.DeveloperServiceClient
	members    authv1.MemberServiceClient
}

// Routes returns the routes of the pages.
func Routes(s *shell.Shell) []web.Route {
	h := handlers{s, authv1.NewDeveloperServiceClient(s.Auth), authv1.NewMemberServiceClient(s.Auth)}
	const path = shell.TeamPath
	return []web.Route{
		{Path: path, Get: s.Member(h.show), Post: s.Whole(shell.Fields{"email", "role", shell.FormField}, s.Member(s.Proven(path, s.Once(path, h.invite))))},
		{Path: path + "/{person}/role", Post: s.Whole(shell.Fields{"role"}, s.Member(s.Proven(path, h.changeRole)))},
		{Path: path + "/{person}/remove", Get: s.Member(h.confirmRemove), Post: s.Member(s.Proven("", h.remove))},
		{Path: shell.InvitationsPath + "/{invitation}/withdraw", Post: s.Member(h.withdraw)},
		{Path: shell.InvitationsPath + "/{secret}", Get: s.SignedIn(h.showInvitation), Post: s.SignedIn(h.accept)},
	}
}

// view holds the data for the team page.
type view struct {
	Members     []memberView
	Invitations []invitationView
	Roles       []string
	// Email and Role are the values of the form's fields.
	Email, Role string
	// Link is the link of a new invitation, or "" if there is none. LinkFor is the email address of
	// the invited person.
	Link, LinkFor string
	// Emailed reports whether the link was also emailed.
	Emailed bool
}

type memberView struct {
	ID, Name, Email, Role string
	Since                 time.Time
	// Self marks the visitor. Only marks the only owner, who cannot leave.
	Self, Only bool
}

type invitationView struct {
	ID, Email, Role, By string
	Until               time.Time
}

func (h handlers) show(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	return h.draw(w, r, v, view{}, nil)
}

func (h handlers) draw(w http.ResponseWriter, r *http.Request, v shell.Visit, body view, faults []web.Fault) error {
	members, err := h.members.ListMembers(r.Context(), &authv1.ListMembersRequest{AccountId: v.AccountID()})
	if err != nil {
		return err
	}
	open, err := h.members.ListInvitations(r.Context(), &authv1.ListInvitationsRequest{AccountId: v.AccountID()})
	if err != nil {
		return err
	}
	owners := 0
	for _, m := range members.GetMembers() {
		if m.GetRole() == optionsv1.Role_ROLE_OWNER {
			owners++
		}
	}
	for _, m := range members.GetMembers() {
		body.Members = append(body.Members, memberView{
			ID: m.GetPersonId(), Name: m.GetName(), Email: m.GetEmail(), Role: shell.RoleName(m.GetRole()), Since: m.GetCreatedAt().AsTime(),
			Self: m.GetPersonId() == v.Session.GetPersonId(), Only: owners == 1 && m.GetRole() == optionsv1.Role_ROLE_OWNER,
		})
	}
	by := shell.NamesOf(members.GetMembers())
	for _, i := range open.GetInvitations() {
		body.Invitations = append(body.Invitations, invitationView{
			ID: i.GetId(), Email: i.GetEmail(), Role: shell.RoleName(i.GetRole()), By: by.Of(i.GetCreatedBy()), Until: i.GetExpiresAt().AsTime(),
		})
	}
	for _, role := range slices.Backward(shell.Roles) {
		body.Roles = append(body.Roles, role.Name)
	}
	return h.Draw(w, r, v, shell.Page{Template: "team", Title: "Team", Body: body, Faults: faults})
}

// invite creates an invitation and shows its link.
func (h handlers) invite(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	form := view{Email: r.PostForm.Get("email"), Role: r.PostForm.Get("role")}
	made, err := h.members.CreateInvitation(r.Context(), &authv1.CreateInvitationRequest{
		AccountId: v.AccountID(), Email: form.Email, Role: shell.RoleNamed(form.Role),
	})
	faults, refused := shell.FaultsOf(err, shell.Controls{"email": "email", "role": "role"})
	if !refused {
		faults, refused = shell.Refusal(err, "email", "TOO_MANY_INVITATIONS")
	}
	if refused {
		return h.draw(w, r, v, form, faults)
	}
	if err != nil {
		return err
	}
	return h.draw(w, r, v, view{
		Link: h.URL + shell.InvitationsPath + "/" + made.GetSecret(), LinkFor: made.GetInvitation().GetEmail(), Emailed: made.GetEmailed(),
	}, nil)
}

func (h handlers) changeRole(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	_, err := h.members.UpdateMember(r.Context(), &authv1.UpdateMemberRequest{
		AccountId: v.AccountID(), PersonId: r.PathValue("person"), Role: shell.RoleNamed(r.PostForm.Get("role")),
	})
	return h.Back(w, shell.TeamPath, "team.changed", err)
}

func (h handlers) confirmRemove(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	members, err := h.members.ListMembers(r.Context(), &authv1.ListMembersRequest{AccountId: v.AccountID()})
	if err != nil {
		return err
	}
	for _, m := range members.GetMembers() {
		if m.GetPersonId() == r.PathValue("person") {
			created, err := h.credentialsBy(r.Context(), v.AccountID(), m.GetPersonId())
			if err != nil {
				return err
			}
			q := shell.Question{
				Title: "Remove " + shell.NameOf(m) + "?",
				Text: "They no longer see this account in the console, and their open invitations end. " +
					"Everything else they created stays. People who joined by their invitations stay members: check the list of members.",
				Yes: "Yes, remove", Back: shell.TeamPath,
			}
			if len(created) > 0 {
				q.ListText = "They created these credentials and may have kept copies, which continue to work. Delete the ones they should no longer use:"
				q.List = created
			}
			return h.Confirm(w, r, v, "Remove a member", q, nil)
		}
	}
	return web.NotFound()
}

// credentialsBy describes the live API keys and client secrets that a person has created in an
// account.
func (h handlers) credentialsBy(ctx context.Context, accountID, personID string) (all []string, err error) {
	found, err := h.developers.ListApps(ctx, &authv1.ListAppsRequest{AccountId: accountID})
	if err != nil {
		return nil, err
	}
	apps := shell.LiveApps(found.GetApps())
	keys, err := h.Keys(ctx, false, apps)
	if err != nil {
		return nil, err
	}
	now := h.Clock.Now()
	for i, app := range apps {
		for _, k := range keys[i] {
			if k.GetCreatedBy() == personID && (k.GetExpiresAt() == nil || now.Before(k.GetExpiresAt().AsTime())) {
				all = append(all, "API key "+k.GetName()+" (…"+k.GetHint()+") of "+app.GetName())
			}
		}
		secrets, err := h.developers.ListClientSecrets(ctx, &authv1.ListClientSecretsRequest{AppId: app.GetId()})
		if err != nil {
			return nil, err
		}
		for _, s := range secrets.GetSecrets() {
			if s.GetCreatedBy() == personID {
				all = append(all, "Client secret "+s.GetId()+" of "+app.GetName())
			}
		}
	}
	return all, nil
}

func (h handlers) remove(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	person, back := r.PathValue("person"), shell.TeamPath
	_, err := h.members.RemoveMember(r.Context(), &authv1.RemoveMemberRequest{AccountId: v.AccountID(), PersonId: person})
	if person == v.Session.GetPersonId() {
		back = "/" // the start page of one of the person's other accounts
	}
	return h.Back(w, back, "team.removed", err)
}

func (h handlers) withdraw(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	_, err := h.members.WithdrawInvitation(r.Context(), &authv1.WithdrawInvitationRequest{Id: r.PathValue("invitation")})
	return h.Back(w, shell.TeamPath, "team.withdrawn", err)
}

// invitationPage holds the data for the page that an invited person sees.
type invitationPage struct{ Account, Role, Action string }

func (h handlers) showInvitation(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	found, err := h.members.GetInvitation(r.Context(), &authv1.GetInvitationRequest{Secret: r.PathValue("secret")})
	if err != nil {
		return err
	}
	return h.Draw(w, r, v, shell.Page{Template: "invitation", Title: "Invitation", Apart: true, Body: invitationPage{
		Account: found.GetAccountName(), Role: shell.RoleName(found.GetInvitation().GetRole()), Action: r.URL.Path,
	}})
}

// accept adds the person to the account and selects the account.
func (h handlers) accept(w http.ResponseWriter, r *http.Request, _ shell.Visit) error {
	joined, err := h.members.AcceptInvitation(r.Context(), &authv1.AcceptInvitationRequest{Secret: r.PathValue("secret")})
	if err != nil {
		return err
	}
	h.Choose(w, joined.GetAccountId())
	return h.Back(w, "/", "team.joined", nil)
}
