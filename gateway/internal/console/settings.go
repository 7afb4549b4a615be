package console

import (
	"net/http"

	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/pasted"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const settingsPath = "/settings"

// settingsView is the account as its settings show it.
type settingsView struct {
	ID, Name, Email string
	Verified        bool
}

func (c *Console) settings(w http.ResponseWriter, r *http.Request, v visit) error {
	found, err := c.developers.GetAccount(r.Context(), &authv1.GetAccountRequest{Id: v.account.GetAccountId()})
	if err != nil {
		return err
	}
	a := found.GetAccount()
	return c.drawSettings(w, r, v, http.StatusOK, settingsView{Name: a.GetName(), Email: a.GetEmail()}, nil)
}

func (c *Console) drawSettings(w http.ResponseWriter, r *http.Request, v visit, status int, body settingsView, faults []web.Fault) error {
	body.ID, body.Verified = v.account.GetAccountId(), v.account.GetVerified()
	return c.draw(w, r, v, answerPage{status: status, name: "settings", title: "Settings", body: body, faults: faults})
}

// saveSettings changes name and contact address.
func (c *Console) saveSettings(w http.ResponseWriter, r *http.Request, v visit) error {
	name, email := pasted.Line(r.PostForm.Get("name")), r.PostForm.Get("email")
	_, err := c.accounts.UpdateAccount(r.Context(), &authv1.UpdateAccountRequest{Id: v.account.GetAccountId(), Name: &name, Email: &email})
	if faults, refused := faultsOf(err, controls{"name": "name", "email": "email"}); refused {
		for i := range faults {
			if faults[i].Field == "email" {
				faults[i].Label = "Contact"
			}
		}
		return c.drawSettings(w, r, v, http.StatusUnprocessableEntity, settingsView{Name: name, Email: email}, faults)
	}
	return c.backTo(w, settingsPath, "settings.saved", "", err)
}

func (c *Console) askClose(w http.ResponseWriter, r *http.Request, v visit) error {
	return c.drawClose(w, r, v, http.StatusOK, nil)
}

func (c *Console) drawClose(w http.ResponseWriter, r *http.Request, v visit, status int, faults []web.Fault) error {
	return c.draw(w, r, v, answerPage{status: status, name: "question", title: "Close the account", faults: faults, body: question{
		Title:  "Close " + v.account.GetAccountName() + "?",
		Text:   "Every app, key, secret and connection of the account ends right away. You can’t reopen the account.",
		Action: r.URL.Path, Yes: "Yes, close the account", Back: settingsPath,
		Confirm: v.account.GetAccountName(), ConfirmLabel: "Type the name of the account to confirm",
	}})
}

// closeAccount closes the account for good.
func (c *Console) closeAccount(w http.ResponseWriter, r *http.Request, v visit) error {
	_, err := c.accounts.CloseAccount(r.Context(), &authv1.CloseAccountRequest{Id: v.account.GetAccountId(), Name: r.PostForm.Get("confirm")})
	if faults, refused := faultsOf(err, controls{"name": "confirm"}); refused {
		return c.drawClose(w, r, v, http.StatusUnprocessableEntity, faults)
	}
	return c.backTo(w, "/", "settings.closed", v.account.GetAccountName(), err)
}
