package console

import (
	"net/http"
	"slices"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// maxSecrets is how many live client secrets an app can have
// (behaviour: tokens#two-client-secrets).
const maxSecrets = 2

// overlap is how long a secret lives on beside the one that takes its place. The page lets
// people set another end.
const overlap = 30 * 24 * time.Hour

// secretView is a live client secret.
type secretView struct {
	ID, By                     string
	Created, LastUsed, Expires time.Time
	// Ends says whether it has an end, Used whether it was ever used.
	Ends, Used bool
}

// told says which secret it is, and whether something still uses it.
func (s secretView) told() string {
	used := "never used"
	if s.Used {
		used = "last used on " + s.LastUsed.UTC().Format("2 Jan 2006 at 15:04 UTC")
	}
	return s.ID + " was created on " + s.Created.UTC().Format("2 Jan 2006 at 15:04 UTC") + " and " + used + "."
}

func (c *Console) secretsOf(r *http.Request, v visit, appID string) ([]secretView, error) {
	found, err := c.developers.ListClientSecrets(r.Context(), &authv1.ListClientSecretsRequest{AppId: appID})
	if err != nil {
		return nil, err
	}
	var makers []string
	for _, s := range found.GetSecrets() {
		makers = append(makers, s.GetCreatedBy())
	}
	by, err := c.namesOf(r, v, makers...)
	if err != nil {
		return nil, err
	}
	var out []secretView
	for _, s := range found.GetSecrets() {
		out = append(out, secretView{
			ID: s.GetId(), By: by.of(s.GetCreatedBy()), Created: s.GetCreatedAt().AsTime(), LastUsed: s.GetLastUsedAt().AsTime(),
			Expires: s.GetExpiresAt().AsTime(), Ends: s.GetExpiresAt() != nil, Used: s.GetLastUsedAt() != nil,
		})
	}
	return out, nil
}

// addSecret gives an app another secret and shows it, this once. The one that it has lives
// on for the overlap.
func (c *Console) addSecret(w http.ResponseWriter, r *http.Request, v visit) error {
	id := r.PathValue("app")
	made, err := c.developers.RotateClientSecret(r.Context(), &authv1.RotateClientSecretRequest{AppId: id, Overlap: overlapProto})
	if faults, refused := refusal(err, "credentials", "TWO_CLIENT_SECRETS", "APP_IS_PUBLIC"); refused {
		return c.drawApp(w, r, v, appAnswer{id: id, status: http.StatusConflict, faults: faults})
	}
	if err != nil {
		return err
	}
	return c.drawApp(w, r, v, appAnswer{id: id, secret: made.GetClientSecret()})
}

// setSecretEnd sets the day after which a secret is refused, or takes it away.
func (c *Console) setSecretEnd(w http.ResponseWriter, r *http.Request, v visit) error {
	app, req := r.PathValue("app"), &authv1.SetClientSecretExpiryRequest{Id: r.PathValue("secret"), AllowLast: true}
	control := "end-" + req.GetId()
	if day := r.PostForm.Get("expires"); day != "" {
		at, err := endOf(day)
		if err != nil {
			return c.drawApp(w, r, v, appAnswer{id: app, status: http.StatusUnprocessableEntity, faults: faultAt(control, noDay)})
		}
		req.ExpiresAt = timestamppb.New(at)
	}
	_, err := c.developers.SetClientSecretExpiry(r.Context(), req)
	if faults, refused := faultsOf(err, controls{"expires_at": control}); refused {
		return c.drawApp(w, r, v, appAnswer{id: app, status: http.StatusUnprocessableEntity, faults: faults})
	}
	return c.backTo(w, appPath(app), "secrets.end", "", err)
}

// askDeleteSecret asks before a secret ends.
func (c *Console) askDeleteSecret(w http.ResponseWriter, r *http.Request, v visit) error {
	app := r.PathValue("app")
	secrets, err := c.secretsOf(r, v, app)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(secrets, func(s secretView) bool { return s.ID == r.PathValue("secret") })
	if i < 0 {
		return web.NotFound()
	}
	q := question{
		Title: "Delete this secret?", Text: secrets[i].told() + " It stops working right away. The other one keeps working.",
		Action: r.URL.Path, Yes: "Yes, delete", Back: appPath(app),
	}
	if len(secrets) == 1 {
		q.Title, q.Text = "Delete the last secret?", secrets[i].told()+" It’s the only one. Without it, the app can’t exchange codes or refresh tokens until it has another."
	}
	return c.draw(w, r, v, answerPage{name: "question", title: "Delete a secret", body: q})
}

// deleteSecret ends a secret at once. The question before has said if it is the last.
func (c *Console) deleteSecret(w http.ResponseWriter, r *http.Request, _ visit) error {
	_, err := c.developers.DeleteClientSecret(r.Context(), &authv1.DeleteClientSecretRequest{Id: r.PathValue("secret"), AllowLast: true})
	return c.backTo(w, appPath(r.PathValue("app")), "secrets.deleted", "", err)
}
