package apps

import (
	"net/http"
	"slices"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/console/shell"
	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// maxSecrets is the maximum number of live client secrets of an app
// (behaviour: tokens#two-client-secrets).
const maxSecrets = 2

// overlap is the default time for which the current secret keeps working after a second one has
// been added.
const overlap = 30 * 24 * time.Hour

// secretView is a live client secret.
type secretView struct {
	ID, By                     string
	Created, LastUsed, Expires time.Time
	// Ends reports whether Expires is set. Used reports whether LastUsed is set.
	Ends, Used bool
}

// described returns a sentence that identifies the secret and states when it was last used.
func (s secretView) described() string {
	const form = "2 Jan 2006 at 15:04 UTC"
	used := "never used"
	if s.Used {
		used = "last used on " + s.LastUsed.UTC().Format(form)
	}
	return s.ID + " was created on " + s.Created.UTC().Format(form) + " and " + used + "."
}

func (h handlers) secretsOf(r *http.Request, v shell.Visit, appID string) ([]secretView, error) {
	found, err := h.developers.ListClientSecrets(r.Context(), &authv1.ListClientSecretsRequest{AppId: appID})
	if err != nil {
		return nil, err
	}
	var creators []string
	for _, s := range found.GetSecrets() {
		creators = append(creators, s.GetCreatedBy())
	}
	by, err := h.Names(r.Context(), v, creators...)
	if err != nil {
		return nil, err
	}
	var out []secretView
	for _, s := range found.GetSecrets() {
		out = append(out, secretView{
			ID: s.GetId(), By: by.Of(s.GetCreatedBy()), Created: s.GetCreatedAt().AsTime(), LastUsed: s.GetLastUsedAt().AsTime(),
			Expires: s.GetExpiresAt().AsTime(), Ends: s.GetExpiresAt() != nil, Used: s.GetLastUsedAt() != nil,
		})
	}
	return out, nil
}

// addSecret adds a secret to an app and displays it.
func (h handlers) addSecret(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	id := r.PathValue("app")
	made, err := h.developers.RotateClientSecret(r.Context(), &authv1.RotateClientSecretRequest{AppId: id, Overlap: durationpb.New(overlap)})
	if faults, refused := shell.Refusal(err, "credentials", "TWO_CLIENT_SECRETS", "APP_IS_PUBLIC"); refused {
		return h.drawApp(w, r, v, app{id: id, status: http.StatusConflict, faults: faults})
	}
	if err != nil {
		return err
	}
	return h.drawApp(w, r, v, app{id: id, secret: made.GetClientSecret()})
}

// setSecretEnd sets or removes the last day on which a secret works.
func (h handlers) setSecretEnd(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	id, req := r.PathValue("app"), &authv1.SetClientSecretExpiryRequest{Id: r.PathValue("secret"), AllowLast: true}
	control := "end-" + req.GetId()
	if day := r.PostForm.Get("expires"); day != "" {
		at, err := shell.EndOf(day)
		if err != nil {
			return h.drawApp(w, r, v, app{id: id, faults: shell.FaultAt(control, shell.NoDay)})
		}
		req.ExpiresAt = timestamppb.New(at)
	}
	_, err := h.developers.SetClientSecretExpiry(r.Context(), req)
	if faults, refused := shell.FaultsOf(err, shell.Controls{"expires_at": control}); refused {
		return h.drawApp(w, r, v, app{id: id, faults: faults})
	}
	return h.Back(w, shell.AppPath(id), "secrets.end", err)
}

func (h handlers) confirmDeleteSecret(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	id := r.PathValue("app")
	secrets, err := h.secretsOf(r, v, id)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(secrets, func(s secretView) bool { return s.ID == r.PathValue("secret") })
	if i < 0 {
		return web.NotFound()
	}
	q := shell.Question{
		Title: "Delete this secret?", Text: secrets[i].described() + " It stops working right away. The other one keeps working.",
		Yes: "Yes, delete", Back: shell.AppPath(id),
	}
	if len(secrets) == 1 {
		q.Title, q.Text = "Delete the last secret?", secrets[i].described()+" It’s the only one. Without it, the app can’t exchange codes or refresh tokens until it has another."
	}
	return h.Confirm(w, r, v, "Delete a secret", q, nil)
}

// deleteSecret revokes a secret. It may even be the last one, because the confirmation page warns
// about that.
func (h handlers) deleteSecret(w http.ResponseWriter, r *http.Request, _ shell.Visit) error {
	_, err := h.developers.DeleteClientSecret(r.Context(), &authv1.DeleteClientSecretRequest{Id: r.PathValue("secret"), AllowLast: true})
	return h.Back(w, shell.AppPath(r.PathValue("app")), "secrets.deleted", err)
}
