package pages

import (
	"net/http"

	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const (
	accountPath = "/account"
	// accountPasswordPath takes the form that changes the password.
	accountPasswordPath = "/account/password"
)

// accountPages are a person's own account (behaviour: accounts#changing-the-password).
type accountPages struct {
	entry signIn
	auth  Passwords
}

// show draws the account.
func (p accountPages) show(w http.ResponseWriter, r *http.Request, who person) error {
	notice, err := p.entry.site.TakeNotice(w, r, "app")
	if err != nil {
		return err
	}
	return p.draw(w, r, http.StatusOK, who, web.View{Notice: notice})
}

func (p accountPages) draw(w http.ResponseWriter, r *http.Request, status int, who person, v web.View) error {
	w.Header().Set(web.PolicyHeader, passwordPolicy)
	var err error
	if v.Title, err = p.entry.site.Language(r).Text("account.title"); err != nil {
		return err
	}
	p.entry.site.Identify(&v, who)
	return p.entry.site.Render(w, r, status, "account", v)
}

// changePassword replaces the password by the one before.
func (p accountPages) changePassword(w http.ResponseWriter, r *http.Request, who person) error {
	current, fresh := r.PostForm.Get("current_password"), r.PostForm.Get("new_password")
	faults, err := p.entry.faults(r, fieldFault{"current_password", currentFault(current)}, fieldFault{"new_password", newPasswordFault(fresh)})
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return p.draw(w, r, http.StatusUnprocessableEntity, who, web.View{Faults: faults})
	}
	known, begun := p.entry.device(r), p.entry.clock.Now()
	_, err = p.auth.ChangePassword(r.Context(), &authv1.ChangePasswordRequest{
		SessionToken: who.token, CurrentPassword: current, NewPassword: fresh, ClientIp: p.entry.clientIP(r),
		DeviceToken: known.token, DeviceSince: known.sinceProto(), Language: p.entry.site.Language(r).Tag(),
	})
	if err != nil {
		p.entry.noteFailure(w, known, begun, err)
		status, faults, err := p.entry.refusal(w, r, err, map[string]fieldFault{
			"current_password": {"current_password", "password.error.wrong"}, "new_password": {"new_password", "password.error.common"},
		})
		if err != nil {
			return err
		}
		return p.draw(w, r, status, who, web.View{Faults: faults})
	}
	p.entry.site.Notify(w, "notice.password_changed", "")
	web.SeeOther(w, accountPath)
	return nil
}

func currentFault(password string) string {
	switch {
	case password == "":
		return "signin.error.password_missing"
	case len(password) > maxPassword:
		return "password.error.wrong"
	}
	return ""
}
