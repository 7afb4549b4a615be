package entry

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/pkg/errs"
)

const (
	// emailedCookie stores the name and the email address that were entered in a form that sends a
	// link, and StartSignUpResponse.pending, one per line. With it, the next page names the address,
	// whether or not it has an account, the form can be filled in again, and another sign-up link can
	// be sent. It contains no password.
	emailedCookie = "emailed"
	emailedLife   = time.Hour
	// againField, in a query, asks for the form with what was typed before.
	againField = "again"
)

const (
	// returnCookie keeps the return path of a sign-up or a reset in the browser that requested the
	// email. The emailed link does not carry the path: a stranger who requests an email for someone
	// else's address must not choose the page on which that person arrives.
	returnCookie = "return"
	// returnLife is as long as the link of a sign-up works.
	returnLife = 24 * time.Hour
)

type emailedView struct {
	// Email is "" in a browser that has not sent the form lately.
	Email string
	// Again is the form, with the address in it.
	Again, Return string
	// Pending reports whether another link can be sent for a new account.
	Pending bool
}

func (s signIn) keepEmailed(w http.ResponseWriter, name, email, pending string) {
	s.SetSealed(w, emailedCookie, name+"\n"+email+"\n"+pending, emailedLife)
}

// emailed returns what keepEmailed has kept.
func (s signIn) emailed(r *http.Request) (name, email, pending string) {
	kept, _ := s.Sealed(r, emailedCookie)
	name, kept, _ = strings.Cut(kept, "\n")
	email, pending, _ = strings.Cut(kept, "\n")
	return name, email, pending
}

// typedBefore is emailed for a form that is asked for again.
func (s signIn) typedBefore(r *http.Request) (name, email string) {
	if !r.URL.Query().Has(againField) {
		return "", ""
	}
	name, email, _ = s.emailed(r)
	return name, email
}

// showSent shows that a link was sent, with a link back to the form.
func (s signIn) showSent(w http.ResponseWriter, r *http.Request, page, form string) error {
	kept, _ := s.Sealed(r, returnCookie)
	_, email, pending := s.emailed(r)
	data := emailedView{Email: email, Return: s.ReturnPath(kept), Pending: pending != ""}
	query := url.Values{againField: {"1"}}
	if data.Return != shell.ConnectionsPath {
		query.Set(shell.ReturnField, data.Return)
	}
	data.Again = form + "?" + query.Encode()
	return s.showForm(w, r, http.StatusOK, page, "sent.title", nil, data)
}

// deadLink shows, for the error of a link that no longer works, where to ask for a new one. Another error
// stays one.
func (s signIn) deadLink(w http.ResponseWriter, r *http.Request, err error, form string) error {
	if !errs.HasCode(err, shell.CodeLinkDead) {
		return err
	}
	kept, _ := s.Sealed(r, returnCookie)
	return s.showForm(w, r, http.StatusGone, "linkdead", "error.link_dead.title", nil, shell.WithReturn(form, s.ReturnPath(kept)))
}

// keepReturn keeps the return path in this browser until an emailed link is followed.
func (s signIn) keepReturn(w http.ResponseWriter, back string) {
	if back == shell.ConnectionsPath || len(back) > shell.MaxKept {
		s.ClearSealed(w, returnCookie)
		return
	}
	s.SetSealed(w, returnCookie, back, returnLife)
}

// takeReturn returns the path that this browser has kept, once.
func (s signIn) takeReturn(w http.ResponseWriter, r *http.Request) string {
	kept, _ := s.Sealed(r, returnCookie)
	s.ClearSealed(w, returnCookie)
	return s.ReturnPath(kept)
}
