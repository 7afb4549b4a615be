package console

import (
	"context"
	"net/http"
	"slices"
	"time"

	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

const (
	teamPath        = "/team"
	invitationsPath = "/invitations"
)

// teamView is the team of an account.
type teamView struct {
	Members     []memberView
	Invitations []invitationView
	Roles       []string
	// Email and Role are what the form for an invitation holds.
	Email, Role string
	// Link is the address of a new invitation, shown this once; empty for none.
	Link, LinkFor string
	// Emailed is whether the link is emailed to the address too.
	Emailed bool
}

type memberView struct {
	ID, Name, Email, Role string
	Since                 time.Time
	// Self marks the visitor, Only the one owner of the account, who stays what they are.
	Self, Only bool
}

type invitationView struct {
	ID, Email, Role, By string
	Until               time.Time
}

// team shows who belongs to the account.
func (c *Console) team(w http.ResponseWriter, r *http.Request, v visit) error {
	return c.drawTeam(w, r, v, http.StatusOK, teamView{}, nil)
}

func (c *Console) drawTeam(w http.ResponseWriter, r *http.Request, v visit, status int, body teamView, faults []web.Fault) error {
	account := v.account.GetAccountId()
	members, err := c.members.ListMembers(r.Context(), &authv1.ListMembersRequest{AccountId: account})
	if err != nil {
		return err
	}
	open, err := c.members.ListInvitations(r.Context(), &authv1.ListInvitationsRequest{AccountId: account})
	if err != nil {
		return err
	}
	by := names{}
	for _, m := range members.GetMembers() {
		by[m.GetPersonId()] = nameOf(m)
		body.Members = append(body.Members, memberView{
			ID: m.GetPersonId(), Name: m.GetName(), Email: m.GetEmail(), Role: roleName(m.GetRole()),
			Since: m.GetCreatedAt().AsTime(), Self: m.GetPersonId() == v.session.GetPersonId(),
		})
	}
	body.markOnlyOwner()
	for _, i := range open.GetInvitations() {
		body.Invitations = append(body.Invitations, invitationView{
			ID: i.GetId(), Email: i.GetEmail(), Role: roleName(i.GetRole()), By: by.of(i.GetCreatedBy()), Until: i.GetExpiresAt().AsTime(),
		})
	}
	for _, role := range slices.Backward(roles) {
		body.Roles = append(body.Roles, role.name)
	}
	return c.draw(w, r, v, answerPage{status: status, name: "team", title: "Team", body: body, faults: faults})
}

// markOnlyOwner marks the owner beside whom the account has no other.
func (t *teamView) markOnlyOwner() {
	isOwner := func(m memberView) bool { return m.Role == roleName(optionsv1.Role_ROLE_OWNER) }
	first := slices.IndexFunc(t.Members, isOwner)
	if first >= 0 && !slices.ContainsFunc(t.Members[first+1:], isOwner) {
		t.Members[first].Only = true
	}
}

// invite makes an invitation and shows its link, this once.
func (c *Console) invite(w http.ResponseWriter, r *http.Request, v visit) error {
	form := teamView{Email: r.PostForm.Get("email"), Role: r.PostForm.Get("role")}
	made, err := c.members.CreateInvitation(r.Context(), &authv1.CreateInvitationRequest{
		AccountId: v.account.GetAccountId(), Email: form.Email, Role: roleNamed(form.Role),
	})
	faults, refused := faultsOf(err, controls{"email": "email", "role": "role"})
	if !refused {
		faults, refused = refusal(err, "email", "TOO_MANY_INVITATIONS")
	}
	if refused {
		return c.drawTeam(w, r, v, http.StatusUnprocessableEntity, form, faults)
	}
	if err != nil {
		return err
	}
	return c.drawTeam(w, r, v, http.StatusOK, teamView{
		Link: c.URL + invitationsPath + "/" + made.GetSecret(), LinkFor: made.GetInvitation().GetEmail(), Emailed: made.GetEmailed(),
	}, nil)
}

// changeRole gives a member another role.
func (c *Console) changeRole(w http.ResponseWriter, r *http.Request, v visit) error {
	_, err := c.members.UpdateMember(r.Context(), &authv1.UpdateMemberRequest{
		AccountId: v.account.GetAccountId(), PersonId: r.PathValue("person"), Role: roleNamed(r.PostForm.Get("role")),
	})
	return c.backTo(w, teamPath, "team.changed", "", err)
}

// askRemove asks whether a member is to be removed.
func (c *Console) askRemove(w http.ResponseWriter, r *http.Request, v visit) error {
	members, err := c.members.ListMembers(r.Context(), &authv1.ListMembersRequest{AccountId: v.account.GetAccountId()})
	if err != nil {
		return err
	}
	for _, m := range members.GetMembers() {
		if m.GetPersonId() == r.PathValue("person") {
			held, err := c.credentialsBy(r.Context(), v.account.GetAccountId(), m.GetPersonId())
			if err != nil {
				return err
			}
			q := question{
				Title: "Remove " + nameOf(m) + "?",
				Text: "They no longer see this account in the console, and their open invitations end. " +
					"Everything else they created stays. People who joined by their invitations stay members: check the list of members.",
				Action: r.URL.Path, Yes: "Yes, remove", Back: teamPath,
			}
			if len(held) > 0 {
				q.ListText = "They created these credentials and may have kept copies, which continue to work. Delete the ones they should no longer use:"
				q.List = held
			}
			return c.draw(w, r, v, answerPage{name: "question", title: "Remove a member", body: q})
		}
	}
	return web.NotFound()
}

// credentialsBy names the live keys and client secrets of an account that a person has made.
func (c *Console) credentialsBy(ctx context.Context, accountID, personID string) (held []string, err error) {
	found, err := c.developers.ListApps(ctx, &authv1.ListAppsRequest{AccountId: accountID})
	if err != nil {
		return nil, err
	}
	apps := appsOf(found.GetApps())
	keys, err := c.keysOf(ctx, false, apps)
	if err != nil {
		return nil, err
	}
	now := c.Clock.Now()
	for i, app := range apps {
		for _, k := range keys[i] {
			if k.GetCreatedBy() == personID && !keyViewOf(k, now).Over {
				held = append(held, "API key "+k.GetName()+" (…"+k.GetHint()+") of "+app.GetName())
			}
		}
		secrets, err := c.developers.ListClientSecrets(ctx, &authv1.ListClientSecretsRequest{AppId: app.GetId()})
		if err != nil {
			return nil, err
		}
		for _, s := range secrets.GetSecrets() {
			if s.GetCreatedBy() == personID {
				held = append(held, "Client secret "+s.GetId()+" of "+app.GetName())
			}
		}
	}
	return held, nil
}

// remove removes a member. Who leaves an account is sent to their next one.
func (c *Console) remove(w http.ResponseWriter, r *http.Request, v visit) error {
	person := r.PathValue("person")
	_, err := c.members.RemoveMember(r.Context(), &authv1.RemoveMemberRequest{AccountId: v.account.GetAccountId(), PersonId: person})
	back := teamPath
	if person == v.session.GetPersonId() {
		back = "/"
	}
	return c.backTo(w, back, "team.removed", "", err)
}

// withdraw takes an invitation back.
func (c *Console) withdraw(w http.ResponseWriter, r *http.Request, v visit) error {
	_, err := c.members.WithdrawInvitation(r.Context(), &authv1.WithdrawInvitationRequest{Id: r.PathValue("invitation")})
	return c.backTo(w, teamPath, "team.withdrawn", "", err)
}

// backTo leads to a page that reports what was done, or gives the error.
func (c *Console) backTo(w http.ResponseWriter, path, notice, value string, err error) error {
	if err != nil {
		return err
	}
	c.site.Notify(w, notice, value)
	web.SeeOther(w, path)
	return nil
}

// question asks before something that cannot be taken back.
type question struct {
	Title, Text, Action, Yes, Back string
	// List is what else to know, below ListText; empty for nothing.
	ListText string
	List     []string
	// Confirm is what must be typed; empty for nothing.
	Confirm, ConfirmLabel string
}

// invitationPage is what an invited person sees.
type invitationPage struct{ Account, Role, Action string }

// showInvitation asks whether to accept an invitation.
func (c *Console) showInvitation(w http.ResponseWriter, r *http.Request, d developer) error {
	found, err := c.members.GetInvitation(r.Context(), &authv1.GetInvitationRequest{Secret: r.PathValue("secret")})
	if err != nil {
		return err
	}
	return c.drawFor(w, r, d, http.StatusOK, "invitation", web.View{Title: "Invitation", Data: invitationPage{
		Account: found.GetAccountName(), Role: roleName(found.GetInvitation().GetRole()), Action: r.URL.Path,
	}})
}

// accept makes the person a member, and looks at the account.
func (c *Console) accept(w http.ResponseWriter, r *http.Request, d developer) error {
	joined, err := c.members.AcceptInvitation(r.Context(), &authv1.AcceptInvitationRequest{Secret: r.PathValue("secret")})
	if err != nil {
		return err
	}
	c.choose(w, joined.GetAccountId())
	return c.backTo(w, "/", "team.joined", "", nil)
}
