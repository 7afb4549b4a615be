package console

import (
	"net/http"
	"time"

	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/pasted"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const (
	newAccountPath    = "/accounts/new"
	chooseAccountPath = "/account"
)

// accountLife is how long a browser remembers the chosen account.
const accountLife = 180 * 24 * time.Hour

// newAccountView is the form for an account.
type newAccountView struct {
	Name, Email string
	// Verified says whether the person may create one at all; First that it is their first.
	Verified, First bool
}

// askAccount shows the form for a new account.
func (c *Console) askAccount(w http.ResponseWriter, r *http.Request, d developer) error {
	return c.drawNewAccount(w, r, d, http.StatusOK, newAccountView{}, nil)
}

func (c *Console) drawNewAccount(w http.ResponseWriter, r *http.Request, d developer, status int, body newAccountView, faults []web.Fault) error {
	body.Email, body.Verified, body.First = d.session.GetEmail(), d.session.GetEmailVerified(), len(d.session.GetMemberships()) == 0
	return c.drawFor(w, r, d, status, "newaccount", web.View{Title: "Create an account", Faults: faults, Data: body})
}

// createAccount creates an account of the person, and looks at it.
func (c *Console) createAccount(w http.ResponseWriter, r *http.Request, d developer) error {
	name := pasted.Line(r.PostForm.Get("name"))
	made, err := c.developers.CreateAccount(r.Context(), &authv1.CreateAccountRequest{Name: name, Email: d.session.GetEmail()})
	faults, refused := faultsOf(err, controls{"name": "name"})
	if !refused {
		faults, refused = refusal(err, "name", "EMAIL_NOT_VERIFIED", "TOO_MANY_ACCOUNTS")
	}
	if refused {
		return c.drawNewAccount(w, r, d, http.StatusUnprocessableEntity, newAccountView{Name: name}, faults)
	}
	if err != nil {
		return err
	}
	c.choose(w, made.GetAccount().GetId())
	web.SeeOther(w, "/")
	return nil
}

// chooseAccount changes which account the browser looks at. Auth decides on every page
// whether the person may see it.
func (c *Console) chooseAccount(w http.ResponseWriter, r *http.Request, d developer) error {
	wanted := r.PostForm.Get("account")
	for _, m := range d.session.GetMemberships() {
		if m.GetAccountId() == wanted {
			c.choose(w, wanted)
		}
	}
	web.SeeOther(w, "/")
	return nil
}

func (c *Console) choose(w http.ResponseWriter, accountID string) {
	c.site.SetSealed(w, accountCookie, accountID, accountLife)
}
