package account

import (
	"net/http"
	"net/url"
	"path"
	"strings"

	"vitae.internal/gateway/internal/pages/credential"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// confirmPath is the path of the page for re-authentication.
const confirmPath = "/account/confirm"

// confirmTo returns the URL of the page that asks the person to re-authenticate and then returns to a page
// of the account.
func confirmTo(back string) string {
	return confirmPath + "?" + url.Values{shell.ReturnField: {back}}.Encode()
}

// returnTo returns the URL to which the browser returns after re-authentication. It is a path of the
// account, or a page of the developer console, which also requires re-authentication.
func (p passkeyPages) returnTo(s string) string {
	if rest, ok := strings.CutPrefix(s, p.console); ok {
		if local, query, ok := web.LocalPath(rest, func(at string) bool { return strings.HasPrefix(at, "/") && path.Clean(at) == at }); ok && query == "" {
			return p.console + local
		}
	}
	of := func(p string) bool {
		return path.Clean(p) == p && (p == shell.AccountPath || strings.HasPrefix(p, shell.AccountPath+"/"))
	}
	if local, query, ok := web.LocalPath(s, of); ok && query == "" {
		return local
	}
	return shell.AccountPath
}

// afterProof returns the page to which the browser returns after a path has required re-authentication. If
// the path only accepts a form, it is the page that contains the form.
func afterProof(path string) string {
	switch {
	case path == passkeyStartPath:
		return passkeyNewPath
	case path == dataDeletePath:
		return path // the page asks before it deletes anything
	case strings.HasPrefix(path, dataPath+"/"):
		return dataPath
	default:
		return path
	}
}

// goOn redirects after re-authentication. On a page with several forms, a notice invites the person to
// continue.
func (p passkeyPages) goOn(w http.ResponseWriter, back string) {
	if back == shell.AccountPath || back == dataPath {
		p.Notify(w, "notice.proven", "")
	}
	web.SeeOther(w, back)
}

type proveView struct {
	// Return is the URL to which the browser goes afterwards.
	Return string
	Ways   passkeysView
}

// ask shows the page for re-authentication, unless the person has re-authenticated recently.
func (p passkeyPages) ask(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	back := p.returnTo(r.URL.Query().Get(shell.ReturnField))
	if who.Proven {
		web.SeeOther(w, back)
		return nil
	}
	return p.showProof(w, r, http.StatusOK, who, nil, back)
}

func (p passkeyPages) showProof(w http.ResponseWriter, r *http.Request, status int, who shell.Person, faults []web.Fault, back string) error {
	ways, err := p.view(r, who)
	if err != nil {
		return err
	}
	policy := web.Policy{Scripts: true, Connect: true}
	if strings.HasPrefix(back, p.console) {
		policy.FormAction = " " + p.console // the form redirects there
	}
	w.Header().Set(web.PolicyHeader, policy.String())
	return p.draw(w, r, status, who, "prove", "prove.title", faults, proveView{Return: back, Ways: ways})
}

// startProof begins a WebAuthn ceremony for the page's script.
func (p passkeyPages) startProof(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	return p.StartCeremony(w, r, authv1.CeremonyPurpose_CEREMONY_PURPOSE_PROVE, who.Token)
}

// prove accepts a password or a passkey assertion as proof of identity.
func (p passkeyPages) prove(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	back, password := p.returnTo(r.PostForm.Get(shell.ReturnField)), r.PostForm.Get("password")
	known, begun := p.Device(r), p.Clock.Now()
	req := &authv1.ProvePresenceRequest{
		SessionToken: who.Token, ClientIp: p.ClientIP(r), DeviceToken: known.Token, DeviceSince: known.Since(),
		By: &authv1.ProvePresenceRequest_Password{Password: password},
	}
	answer := r.PostForm.Get("credential")
	if answer != "" {
		req.By = &authv1.ProvePresenceRequest_Credential{Credential: []byte(answer)}
	} else if key := currentFault(password); key != "" {
		return p.refuseProof(w, r, who, back, shell.At("password", key))
	}
	_, err := p.Passkeys.ProvePresence(r.Context(), req)
	if key := credential.PasskeyRefusal(err); key != "" {
		return p.refuseProof(w, r, who, back, shell.At(credential.PasskeyField, key))
	}
	if err != nil {
		if answer == "" {
			p.NoteFailure(w, known, begun, err)
		}
		status, faults, err := p.Refusal(w, r, err, map[string]shell.FieldFault{"current_password": shell.At("password", "password.error.wrong")})
		if err != nil {
			return err
		}
		return p.showProof(w, r, status, who, faults, back)
	}
	p.goOn(w, back)
	return nil
}

func (p passkeyPages) refuseProof(w http.ResponseWriter, r *http.Request, who shell.Person, back string, f shell.FieldFault) error {
	faults, err := p.Faults(r, f)
	if err != nil {
		return err
	}
	return p.showProof(w, r, http.StatusUnprocessableEntity, who, faults, back)
}
