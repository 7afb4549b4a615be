package consent

import (
	"net/http"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/pages/seen"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/principal"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// preview shows the form as it was submitted, together with what the app would read with this selection.
// It grants nothing (behaviour: sign-in#consent-data-preview).
func (p Pages) preview(w http.ResponseWriter, r *http.Request, who shell.Person, c *pending) error {
	chosen, field, message, err := p.choice(r, who, c)
	if err != nil {
		return err
	}
	if message != "" {
		return p.askAgain(w, r, who, c, chosen, field, message)
	}
	if c.reads, err = p.wouldRead(r, who, c, chosen); err != nil {
		return err
	}
	return p.draw(w, r, who, c, chosen, nil)
}

// wouldRead calls the API handlers with the principal that a token for this selection would have. The
// principal has no connection, so no URL of a photo or PDF is created.
func (p Pages) wouldRead(r *http.Request, who shell.Person, c *pending, chosen selection) (seen.Content, error) {
	granted := c.granted(chosen)
	asked := &identityv1.Principal{
		Kind: identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN, AppId: c.app.GetId(), PersonId: who.GetId(),
		Scopes: granted, GrantedScopes: granted, CvId: chosen.cvToShare(), SharePhoto: chosen.Photo,
		ConnectedAt: timestamppb.New(p.Clock.Now()),
	}
	if c.request.Legacy() {
		asked.Kind = identityv1.CredentialKind_CREDENTIAL_KIND_LEGACY_TOKEN
	}
	as, err := http.NewRequestWithContext(principal.NewContext(r.Context(), asked), http.MethodGet, "/", http.NoBody)
	if err != nil {
		return seen.Content{}, err
	}
	var content seen.Content
	if c.request.Legacy() {
		err = read(as, "/api/oauth/profile", p.Shown.Legacy, content.AddLegacy)
	} else {
		err = read(as, "/v1/me", p.Shown.Me, content.AddIdentity)
		if err == nil && chosen.CV {
			err = read(as, "/v1/me/cv", p.Shown.CV, content.AddCV)
		}
	}
	if chosen.Photo && c.cvs.GetHasPhoto() {
		content.AddPhoto("the one that it gets")
	}
	return content, err
}

// read adds the content of a handler's response. It skips responses with a client error, and returns an
// error if Vitae itself fails.
func read(as *http.Request, path string, h http.Handler, add func([]byte) error) error {
	got := seen.Ask(as, path, h)
	switch {
	case got.Failed():
		return errs.New(errs.Unavailable, answer.CodeUnavailable, "What the app would read cannot be shown now.")
	case got.Status != http.StatusOK:
		return nil
	}
	return add(got.Body)
}
