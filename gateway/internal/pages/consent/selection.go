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

// selection is what the person has chosen on the consent page, as the form has it.
type selection struct {
	Email, CV, Contact, Photo bool
	// CVID is the CV to share.
	CVID string
}

// preselected is what the form shows before the person has touched it. To a new app,
// the email address and the CV are offered if it asks for them; the photo and the
// private contact details take a decision. With an app that is connected already,
// pressing Allow must change nothing: no more is ticked than the app sees now, and
// the CV is the one that it sees.
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
		// A deleted CV leaves every CV unticked: no other may take its place unasked.
		chosen.CVID = live.GetCvId()
	}
	return chosen
}

// connected returns the person's connection with the app at the interface that asks; nil if
// there is none.
func (c *pending) connected(connections []*authv1.Connection) *authv1.Connection {
	at := slices.IndexFunc(connections, func(one *authv1.Connection) bool {
		return one.GetApp().GetClientId() == c.app.GetClientId() && one.GetLegacy() == c.request.Legacy()
	})
	if at < 0 {
		return nil
	}
	return connections[at]
}

// shownUnlessPaused returns the scopes in force, or those before a pause, which Allow ends.
func shownUnlessPaused(c *authv1.Connection) []string {
	if c.GetPausedAt() == nil {
		return c.GetScopes()
	}
	return slices.DeleteFunc(slices.Clone(c.GetGrantedScopes()), func(s string) bool {
		return slices.Contains(c.GetWithheldScopes(), s) || !c.GetCvSharing() && (s == scope.CVRead || s == scope.CVContact)
	})
}

// standing is how the person has left an app that is connected already.
type standing struct {
	// Connected means that the app is connected, since Since.
	Connected bool
	Since     time.Time
	// seen are the permissions that the app has, withheld those that the person has taken
	// back: user scopes, and photo.
	seen, withheld map[string]bool
	// CVID is the CV that the app sees, "" for none.
	CVID   string
	Paused bool
	// Ends means that access ends automatically, at EndsAt.
	Ends   bool
	EndsAt time.Time
}

// photoPermission is the photo among the permissions; it has no scope.
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

// selected reads the form. A scope for which the app did not ask cannot be granted,
// whatever the form says.
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

// choice reads the form, and finds what is wrong with it: the control to go to and the message, both ""
// if nothing is wrong. Candidate decides whether the person may share the CV.
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
	c.takes(found)
	if foreign {
		return chosen, c.cvField(), "consent.error.cv_foreign", nil
	}
	field, message = c.check(chosen)
	return chosen, field, message, nil
}

// cvField is the control for the choice of a CV.
func (c *pending) cvField() string {
	if len(c.cvs.GetCvs()) == 0 {
		return "scope-cv"
	}
	return "cv-0"
}

// check is choice without the decision of candidate.
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

// granted lists the scopes of a selection, in the order in which all answers list
// them. A person cannot drop profile, nor the one scope of the legacy interface; an
// app that did not ask for them is not given them
// (behaviour: sign-in#optional-scopes).
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

// declined returns what the person could have granted and did not. Without a CV there is nothing to
// decide on the CV and its contact details.
func (c *pending) declined(chosen selection) []string {
	granted, hasCV := c.granted(chosen), len(c.cvs.GetCvs()) > 0
	return slices.DeleteFunc(slices.Clone(c.scopes), func(s string) bool {
		return slices.Contains(granted, s) || !hasCV && (s == scope.CVRead || s == scope.CVContact)
	})
}

// firstBox is the id of the first scope's control.
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

// cvToShare is the CV of a checked selection, "" when no CV is shared.
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
