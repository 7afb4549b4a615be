// Package settings implements the pages that create, select, change and close developer accounts.
package settings

import (
	"embed"
	"net/http"

	"vitae.internal/gateway/internal/console/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/pasted"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// Files contains the templates of the pages.
//
//go:embed templates
var Files embed.FS

type handlers struct {
	*shell.Shell
	accounts   authv1.AccountServiceClient
	developers authv1.DeveloperServiceClient
}

// Routes returns the routes of the pages.
func Routes(s *shell.Shell) []web.Route {
	h := handlers{s, authv1.NewAccountServiceClient(s.Auth), authv1.NewDeveloperServiceClient(s.Auth)}
	return []web.Route{
		{Path: shell.NewAccountPath, Get: s.SignedIn(h.newAccount), Post: s.Whole(shell.Fields{"name", shell.FormField}, s.SignedIn(s.Once("/", h.createAccount)))},
		{Path: "/account", Post: s.SignedIn(h.chooseAccount)},
		{Path: shell.SettingsPath, Get: s.Member(h.show), Post: s.Whole(shell.Fields{"name", "email"}, s.Member(h.save))},
		{Path: shell.SettingsPath + "/close", Get: s.RequireRole(shell.Visit.MayOwn, h.confirmClose), Post: s.Member(s.Proven("", h.closeAccount))},
	}
}

// newAccountView holds the data for the form that creates an account.
type newAccountView struct {
	Name, Email string
	// Verified reports whether the person's email address is verified, so they may create an
	// account. First reports whether it would be their first account.
	Verified, First bool
}

func (h handlers) newAccount(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	return h.drawNewAccount(w, r, v, "", nil)
}

func (h handlers) drawNewAccount(w http.ResponseWriter, r *http.Request, v shell.Visit, name string, faults []web.Fault) error {
	return h.Draw(w, r, v, shell.Page{Template: "newaccount", Title: "Create an account", Faults: faults, Apart: true, Body: newAccountView{
		Name: name, Email: v.Session.GetEmail(), Verified: v.Session.GetEmailVerified(), First: v.Member == nil,
	}})
}

// createAccount creates an account and selects it.
func (h handlers) createAccount(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	name := pasted.Line(r.PostForm.Get("name"))
	made, err := h.developers.CreateAccount(r.Context(), &authv1.CreateAccountRequest{Name: name, Email: v.Session.GetEmail()})
	faults, refused := shell.FaultsOf(err, shell.Controls{"name": "name"})
	if !refused {
		faults, refused = shell.Refusal(err, "name", "EMAIL_NOT_VERIFIED", "TOO_MANY_ACCOUNTS")
	}
	if refused {
		return h.drawNewAccount(w, r, v, name, faults)
	}
	if err != nil {
		return err
	}
	h.Choose(w, made.GetAccount().GetId())
	web.SeeOther(w, "/")
	return nil
}

// chooseAccount stores the selected account in the browser. The auth service checks the membership
// on every page.
func (h handlers) chooseAccount(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	wanted := r.PostForm.Get("account")
	for _, m := range v.Session.GetMemberships() {
		if m.GetAccountId() == wanted {
			h.Choose(w, wanted)
		}
	}
	web.SeeOther(w, "/")
	return nil
}

// view holds the data for the settings page.
type view struct {
	ID, Name, Email string
	Verified        bool
}

func (h handlers) show(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	found, err := h.developers.GetAccount(r.Context(), &authv1.GetAccountRequest{Id: v.AccountID()})
	if err != nil {
		return err
	}
	return h.draw(w, r, v, found.GetAccount().GetName(), found.GetAccount().GetEmail(), nil)
}

func (h handlers) draw(w http.ResponseWriter, r *http.Request, v shell.Visit, name, email string, faults []web.Fault) error {
	return h.Draw(w, r, v, shell.Page{Template: "settings", Title: "Settings", Body: view{v.AccountID(), name, email, v.Member.GetVerified()}, Faults: faults})
}

// save stores the account's name and contact email address.
func (h handlers) save(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	name, email := pasted.Line(r.PostForm.Get("name")), r.PostForm.Get("email")
	_, err := h.accounts.UpdateAccount(r.Context(), &authv1.UpdateAccountRequest{Id: v.AccountID(), Name: &name, Email: &email})
	if faults, refused := shell.FaultsOf(err, shell.Controls{"name": "name", "email": "email"}); refused {
		for i := range faults {
			if faults[i].Field == "email" {
				faults[i].Label = "Contact"
			}
		}
		return h.draw(w, r, v, name, email, faults)
	}
	return h.Back(w, shell.SettingsPath, "settings.saved", err)
}

func (h handlers) confirmClose(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	return h.drawClose(w, r, v, nil)
}

func (h handlers) drawClose(w http.ResponseWriter, r *http.Request, v shell.Visit, faults []web.Fault) error {
	return h.Confirm(w, r, v, "Close the account", shell.Question{
		Title: "Close " + v.Member.GetAccountName() + "?",
		Text:  "Every app, key, secret and connection of the account ends right away. You can’t reopen the account.",
		Yes:   "Yes, close the account", Back: shell.SettingsPath,
		Confirm: v.Member.GetAccountName(), ConfirmLabel: "Type the name of the account to confirm",
	}, faults)
}

func (h handlers) closeAccount(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	_, err := h.accounts.CloseAccount(r.Context(), &authv1.CloseAccountRequest{Id: v.AccountID(), Name: r.PostForm.Get("confirm")})
	if faults, refused := shell.FaultsOf(err, shell.Controls{"name": "confirm"}); refused {
		return h.drawClose(w, r, v, faults)
	}
	if err != nil {
		return err
	}
	h.Notify(w, "settings.closed", v.Member.GetAccountName())
	web.SeeOther(w, "/")
	return nil
}
