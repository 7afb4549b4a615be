package consent

import (
	"net/http"
	"slices"
	"time"

	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/scope"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// selection holds the person's choices in the consent form.
type selection struct {
	Email, CV, Contact, Photo bool
	// CVID is the id of the CV to share.
	CVID string
}

// preselected returns the initial selection of the form. For a new app, the email address and the CV are
// selected if the app requests them; the photo and the private contact details are not, so the person has to
// decide. For an app that is already connected, pressing Allow must change nothing, so only what the app sees
// now is selected, and the CV is the one that it sees.
func (c *pending) preselected() selection {
	chosen := selection{Email: c.asks(scope.Email), CV: c.asks(scope.CVRead)}
	if cvs := c.cvs.GetCvs(); len(cvs) > 0 {
		chosen.CVID = cvs[0].GetId()
	}
	live := c.live
	if live == nil {
		return chosen
	}
	seen := func(scope string) bool { return c.asks(scope) && slices.Contains(shownUnlessPaused(live), scope) }
	chosen.Email, chosen.CV, chosen.Contact = seen(scope.Email), seen(scope.CVRead), seen(scope.CVContact)
	chosen.Photo = live.GetSharePhoto()
	if live.GetCvId() != "" {
		// If the CV was deleted, no CV is selected, because only the person may choose a different one.
		chosen.CVID = live.GetCvId()
	}
	return chosen
}

// connected returns the person's connection with the app on the requesting interface, or nil if there is
// none.
func (c *pending) connected(connections []*authv1.Connection) *authv1.Connection {
	at := slices.IndexFunc(connections, func(one *authv1.Connection) bool {
		return one.GetApp().GetClientId() == c.app.GetClientId() && one.GetLegacy() == c.request.Legacy()
	})
	if at < 0 {
		return nil
	}
	return connections[at]
}

// shownUnlessPaused returns the scopes in force. For a paused connection, it returns the scopes from before
// the pause, because Allow ends the pause.
func shownUnlessPaused(c *authv1.Connection) []string {
	if c.GetPausedAt() == nil {
		return c.GetScopes()
	}
	return slices.DeleteFunc(slices.Clone(c.GetGrantedScopes()), func(s string) bool {
		return slices.Contains(c.GetWithheldScopes(), s) || !c.GetCvSharing() && (s == scope.CVRead || s == scope.CVContact)
	})
}

// standing describes a connection in the state in which the person left it.
type standing struct {
	// Connected reports whether the app is connected. Since is when it was connected.
	Connected bool
	Since     time.Time
	// seen are the permissions that the app has. withheld are the permissions that the person has withdrawn.
	// Both contain user scopes and photoPermission.
	seen, withheld map[string]bool
	// CVID is the id of the CV that the app sees, or "" if it sees none.
	CVID   string
	Paused bool
	// Ends reports whether access ends automatically, at EndsAt.
	Ends   bool
	EndsAt time.Time
}

// photoPermission is the key of the photo in the sets of permissions, because it has no scope.
const photoPermission = "photo"

func (c *pending) standing() standing {
	live := c.live
	if live == nil {
		return standing{}
	}
	s := standing{
		Connected: true, Since: live.GetCreatedAt().AsTime(),
		seen: map[string]bool{photoPermission: live.GetSharePhoto()}, withheld: map[string]bool{
			scope.CVRead: live.GetCvGranted() && !live.GetCvSharing(), photoPermission: live.GetPhotoGranted() && !live.GetSharePhoto(),
		},
		Paused: live.GetPausedAt() != nil, Ends: live.GetEndsAt() != nil, EndsAt: live.GetEndsAt().AsTime(),
	}
	for _, one := range shownUnlessPaused(live) {
		s.seen[one] = true
	}
	for _, one := range live.GetWithheldScopes() {
		s.withheld[one] = true
	}
	if s.seen[scope.CVRead] {
		s.CVID = live.GetCvId()
	}
	return s
}

// selected reads the form. It ignores scopes that the app did not request, because these cannot be granted.
func (c *pending) selected(r *http.Request) selection {
	ticked := func(scope string) bool { return c.asks(scope) && slices.Contains(r.PostForm["scope"], scope) }
	return selection{
		Email:   ticked(scope.Email),
		CV:      ticked(scope.CVRead),
		Contact: ticked(scope.CVContact),
		Photo:   r.PostForm.Get("photo") != "",
		CVID:    r.PostForm.Get("cv"),
	}
}

// choice reads and validates the form. It returns the invalid control and the message, or "" for both if the
// form is valid. The candidate service decides whether the person may share the CV.
func (p Pages) choice(r *http.Request, who shell.Person, c *pending) (chosen selection, field, message string, err error) {
	chosen = c.selected(r)
	cvID := ""
	if chosen.CV {
		cvID = chosen.CVID
	}
	found, err := p.read(r.Context(), who, cvID)
	foreign := errs.HasCode(err, shell.CodeCVNotFound)
	if foreign {
		found, err = p.read(r.Context(), who, "")
	}
	if err != nil {
		return chosen, "", "", err
	}
	c.setPerson(found)
	if foreign {
		return chosen, c.cvField(), "consent.error.cv_foreign", nil
	}
	field, message = c.check(chosen)
	return chosen, field, message, nil
}

// cvField returns the name of the control that selects a CV.
func (c *pending) cvField() string {
	if len(c.cvs.GetCvs()) == 0 {
		return "scope-cv"
	}
	return "cv-0"
}

// check performs the checks of choice that do not need the candidate service.
func (c *pending) check(chosen selection) (field, message string) {
	if chosen.Contact && !chosen.CV {
		return "scope-contact", "consent.error.contact_needs_cv"
	}
	if len(c.granted(chosen)) == 0 {
		return c.firstBox(), "consent.error.nothing"
	}
	if chosen.CV && chosen.CVID == "" && len(c.cvs.GetCvs()) > 0 {
		return c.cvField(), "consent.error.cv_missing"
	}
	return "", ""
}

// granted lists the scopes in a selection, in the order in which all responses list them. A person cannot
// deselect profile or the only scope of the legacy interface. An app that did not request them does not get
// them (behaviour: sign-in#optional-scopes).
func (c *pending) granted(chosen selection) []string {
	var scopes []string
	for _, s := range []struct {
		scope string
		on    bool
	}{
		{scope.ProfileRead, c.asks(scope.ProfileRead)},
		{scope.Profile, c.asks(scope.Profile)},
		{scope.Email, chosen.Email},
		{scope.CVRead, chosen.CV},
		{scope.CVContact, chosen.Contact},
	} {
		if s.on {
			scopes = append(scopes, s.scope)
		}
	}
	return scopes
}

// declined returns what the person could have granted but did not. A person without a CV cannot decide about
// the CV and its contact details.
func (c *pending) declined(chosen selection) []string {
	granted, hasCV := c.granted(chosen), len(c.cvs.GetCvs()) > 0
	return slices.DeleteFunc(slices.Clone(c.scopes), func(s string) bool {
		return slices.Contains(granted, s) || !hasCV && (s == scope.CVRead || s == scope.CVContact)
	})
}

// firstBox returns the id of the first scope's checkbox.
func (c *pending) firstBox() string {
	switch {
	case c.asks(scope.Profile), c.asks(scope.ProfileRead):
		return "scope-profile"
	case c.asks(scope.Email):
		return "scope-email"
	case c.asks(scope.CVRead):
		return "scope-cv"
	default:
		return "scope-contact"
	}
}

// cvToShare returns the id of the CV in a valid selection, or "" if no CV is to be shared.
func (chosen selection) cvToShare() string {
	switch {
	case !chosen.CV:
		return ""
	case chosen.CVID == "":
		return shell.MainCV
	default:
		return chosen.CVID
	}
}
