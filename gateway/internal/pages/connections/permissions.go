package connections

import (
	"net/http"
	"slices"

	"google.golang.org/protobuf/proto"

	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/scope"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// permissionSwitch is the switch for one permission (behaviour: sign-in#withdrawing-a-permission).
type permissionSwitch struct {
	// ID is the id of the connection that the switch changes. Path is the last segment of its form's URL.
	ID, Path string
	// Label and Hint are message keys.
	Label, Hint string
	On          bool
	// Fixed reports whether the permission cannot be switched at the moment.
	Fixed bool
}

// These message keys replace a permission's usual hint in cases in which it would be wrong.
const (
	hintPaused   = "connections.switch.paused"
	hintByLegacy = "connections.switch.legacy"
	hintNeedsCV  = "connections.contact.needs_cv"
)

// control determines what the person can switch, pause and end. all contains the app's connections.
func (a *connectedApp) control(all []*authv1.Connection, hasPhoto bool) {
	paused := func(c *authv1.Connection) bool { return c.GetPausedAt() != nil }
	a.Paused, a.Pausable = true, all[0].GetId()
	for _, c := range all {
		if !paused(c) {
			a.Paused, a.Pausable = false, c.GetId()
		} else if at := c.GetPausedAt().AsTime(); a.PausedAt.IsZero() || at.After(a.PausedAt) {
			a.PausedAt = at
		}
		if at := c.GetEndsAt(); at != nil && (!a.Ends || at.AsTime().Before(a.EndsAt)) {
			a.Ends, a.EndsAt = true, at.AsTime()
		}
	}
	byLegacy := slices.ContainsFunc(all, func(c *authv1.Connection) bool { return c.GetLegacy() && !paused(c) })
	for _, c := range all {
		if !c.GetLegacy() {
			a.addSwitches(c, byLegacy)
		} else if len(all) > 1 {
			a.Older = c.GetId()
		}
	}
	a.addPhoto(all)
	if len(all) == 1 && !all[0].GetLegacy() {
		a.NotShared = notShared(all[0], hasPhoto)
	}
}

// notShared returns the message keys for the permissions that the app may request but was never granted. They
// have no switch: an existing token never gains a scope, so the app has to ask again
// (behaviour: tokens#effective-scopes).
func notShared(c *authv1.Connection, hasPhoto bool) (keys []string) {
	for _, one := range []struct{ scope, key string }{
		{scope.Email, "connections.chip.email"}, {scope.CVRead, "connections.chip.cv"}, {scope.CVContact, "connections.chip.contact"},
	} {
		offered := slices.Contains(c.GetApp().GetScopes(), one.scope) || slices.Contains(c.GetDeclinedScopes(), one.scope)
		if offered && !slices.Contains(c.GetGrantedScopes(), one.scope) {
			keys = append(keys, one.key)
		}
	}
	if hasPhoto && !c.GetPhotoGranted() {
		keys = append(keys, "connections.chip.photo")
	}
	return keys
}

// addSwitches adds the switches for the permissions that the person granted in a connection.
func (a *connectedApp) addSwitches(c *authv1.Connection, byLegacy bool) {
	granted := func(name string) bool { return slices.Contains(c.GetGrantedScopes(), name) }
	shared := func(name string) bool { return !slices.Contains(c.GetWithheldScopes(), name) }
	add := func(path string, on bool) *permissionSwitch {
		s := permissionSwitch{ID: c.GetId(), Path: path, Label: "connections." + path, Hint: "connections." + path + ".off", On: on}
		switch {
		case byLegacy: // the app still sees it, whatever the state of the switch
			s.Hint, s.On, s.Fixed = hintByLegacy, true, true
		case on && c.GetPausedAt() != nil:
			s.Hint = hintPaused
		case on:
			s.Hint = "connections." + path + ".on"
		}
		a.Switches = append(a.Switches, s)
		return &a.Switches[len(a.Switches)-1]
	}
	if granted(scope.Email) {
		add("email", shared(scope.Email))
	}
	if c.GetCvGranted() {
		add("sharing", c.GetCvSharing())
	}
	if granted(scope.CVContact) {
		if s := add("contact", shared(scope.CVContact) && c.GetCvSharing()); !c.GetCvSharing() && !byLegacy {
			s.Fixed, s.Hint = true, hintNeedsCV
		}
	}
}

// addPhoto adds the switch for the photo after the switch for the email address. It applies to all
// connections of the app.
func (a *connectedApp) addPhoto(all []*authv1.Connection) {
	var photo *permissionSwitch
	for _, c := range all {
		if !c.GetPhotoGranted() || photo != nil && (photo.On || !c.GetSharePhoto()) {
			continue
		}
		photo = &permissionSwitch{ID: c.GetId(), Path: "photo", Label: "connections.photo", Hint: "connections.photo.off", On: c.GetSharePhoto()}
		switch {
		case photo.On && a.Paused:
			photo.Hint = hintPaused
		case photo.On:
			photo.Hint = "connections.photo.on"
		}
	}
	if photo == nil {
		return
	}
	at := 0
	if len(a.Switches) > 0 && a.Switches[0].Path == "email" {
		at = 1
	}
	a.Switches = slices.Insert(a.Switches, at, *photo)
}

// wantedState returns the requested state of a switch or button. The form contains the state, so pressing the
// button twice does not undo the change.
func wantedState(r *http.Request) (on bool, err error) {
	switch r.PostForm.Get("to") {
	case "on":
		return true, nil
	case "off":
		return false, nil
	}
	return false, web.ErrMalformed
}

// permissionChange describes what the form of a switch changes.
type permissionChange struct {
	request func(on bool) *authv1.UpdateConnectionRequest
	// notice is the prefix of the message keys for the notices about the change.
	notice string
	// byLegacy reports whether a connection on the legacy interface also shares the permission's data.
	byLegacy bool
}

var (
	changeSharing = permissionChange{func(on bool) *authv1.UpdateConnectionRequest {
		return &authv1.UpdateConnectionRequest{CvSharing: proto.Bool(on)}
	}, "notice.sharing_", true}
	changeEmail = permissionChange{func(on bool) *authv1.UpdateConnectionRequest {
		return &authv1.UpdateConnectionRequest{ShareEmail: proto.Bool(on)}
	}, "notice.email_", true}
	changeContact = permissionChange{func(on bool) *authv1.UpdateConnectionRequest {
		return &authv1.UpdateConnectionRequest{ShareContact: proto.Bool(on)}
	}, "notice.contact_", true}
	changePhoto = permissionChange{func(on bool) *authv1.UpdateConnectionRequest {
		return &authv1.UpdateConnectionRequest{SharePhoto: proto.Bool(on)}
	}, "notice.photo_", false}
	changePause = permissionChange{func(on bool) *authv1.UpdateConnectionRequest {
		return &authv1.UpdateConnectionRequest{Paused: proto.Bool(on)}
	}, "notice.pause_", false}
)

// change returns a handler that withdraws or restores a permission, or pauses or resumes an app.
func (p pages) change(c permissionChange) func(http.ResponseWriter, *http.Request, shell.Person) error {
	return func(w http.ResponseWriter, r *http.Request, who shell.Person) error {
		on, err := wantedState(r)
		if err != nil {
			return err
		}
		changed, err := p.update(r, who, c.request(on))
		if err != nil {
			return p.changeFailed(w, err)
		}
		notice, err := p.noticeOf(r, who, c, on, changed)
		if err != nil {
			return err
		}
		return p.back(w, notice, changed.GetApp().GetName())
	}
}

// noticeOf returns the notice about a change. It takes into account that a paused app does not see what was
// turned on, and that the legacy interface may still show what was turned off.
func (p pages) noticeOf(r *http.Request, who shell.Person, c permissionChange, on bool, changed *authv1.Connection) (string, error) {
	if on {
		if changed.GetPausedAt() != nil && c.notice != changePause.notice {
			return "notice.saved_paused", nil
		}
		return c.notice + "on", nil
	}
	if c.byLegacy {
		list, err := shell.ListConnections(r.Context(), p.auth, who)
		if err != nil {
			return "", err
		}
		for _, other := range connectionsWith(list, changed.GetApp().GetId()) {
			if other.GetLegacy() && other.GetPausedAt() == nil {
				return "notice.off_legacy", nil
			}
		}
	}
	return c.notice + "off", nil
}
