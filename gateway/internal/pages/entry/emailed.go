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
	// emailedCookie stores the name and email address entered in a form that sends a link, and
	// StartSignUpResponse.pending, one per line. With it, the next page can show the address (whether or not
	// it has an account), fill in the form again, and send a new sign-up link. The cookie contains no
	// password.
	emailedCookie = "emailed"
	emailedLife   = time.Hour
	// againField is the query parameter that requests the form with the values that were entered before.
	againField = "again"
)

const (
	// returnCookie stores the return path of a sign-up or password reset in the browser that requested the
	// email. The emailed link does not contain the path. A stranger can request an email for someone else's address,
	// and must not choose the page on which that person arrives.
	returnCookie = "return"
	// returnLife is the lifetime of the cookie. It is the same as that of a sign-up link.
	returnLife = 24 * time.Hour
)

type emailedView struct {
	// Email is the entered address, or "" in a browser that has not submitted the form recently.
	Email string
	// Again is the URL of the form with the email address filled in.
	Again, Return string
	// Pending reports whether a new link for the new account can be sent.
	Pending bool
}

func (s signIn) keepEmailed(w http.ResponseWriter, name, email, pending string) {
	s.SetSealed(w, emailedCookie, name+"\n"+email+"\n"+pending, emailedLife)
}

// emailed returns the values that keepEmailed has stored.
func (s signIn) emailed(r *http.Request) (name, email, pending string) {
	kept, _ := s.Sealed(r, emailedCookie)
	name, kept, _ = strings.Cut(kept, "\n")
	email, pending, _ = strings.Cut(kept, "\n")
	return name, email, pending
}

// typedBefore returns the same values as emailed, but only if the request asks for the form again.
func (s signIn) typedBefore(r *http.Request) (name, email string) {
	if !r.URL.Query().Has(againField) {
		return "", ""
	}
	name, email, _ = s.emailed(r)
	return name, email
}

// showSent shows a page that confirms the email and links back to the form.
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

// deadLink handles the error for a link that no longer works: it shows where to request a new one. It
// returns other errors unchanged.
func (s signIn) deadLink(w http.ResponseWriter, r *http.Request, err error, form string) error {
	if !errs.HasCode(err, shell.CodeLinkDead) {
		return err
	}
	kept, _ := s.Sealed(r, returnCookie)
	return s.showForm(w, r, http.StatusGone, "linkdead", "error.link_dead.title", nil, shell.WithReturn(form, s.ReturnPath(kept)))
}

// keepReturn stores the return path in this browser until an emailed link is followed.
func (s signIn) keepReturn(w http.ResponseWriter, back string) {
	if back == shell.ConnectionsPath || len(back) > shell.MaxKept {
		s.ClearSealed(w, returnCookie)
		return
	}
	s.SetSealed(w, returnCookie, back, returnLife)
}

// takeReturn returns the path stored in this browser, and deletes it.
func (s signIn) takeReturn(w http.ResponseWriter, r *http.Request) string {
	kept, _ := s.Sealed(r, returnCookie)
	s.ClearSealed(w, returnCookie)
	return s.ReturnPath(kept)
}
