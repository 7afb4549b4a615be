//go:build upgrade

package upgrade_test

import (
	"context"
	"net/http"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// clients maps names to what a client does in one round.
var clients = map[string]func(round, context.Context){
	"reads":     round.readAll,
	"connects":  round.connectApp,
	"makes key": round.createKey,
	"employs":   round.postJob,
	"console":   round.readConsole,
}

// readAll sends every kind of read, with credentials that stay valid during the whole test.
func (r round) readAll(ctx context.Context) {
	r.everywhere(ctx, "me", "/v1/me", r.token, http.StatusOK)
	r.everywhere(ctx, "CV", "/v1/me/cv", r.token, http.StatusOK)
	r.everywhere(ctx, "company", "/v1/companies/"+r.company, r.key, http.StatusOK)
	r.everywhere(ctx, "job", "/v1/jobs/"+r.job, r.key, http.StatusOK)
	r.everywhere(ctx, "applicants", "/v1/jobs/"+r.job+"/candidates", r.key, http.StatusOK)
	at := r.edge(0)
	a, err := partner.Get(ctx, at.base+"/v1/me/cv.pdf", r.token)
	r.served("PDF", at, http.StatusOK, a, err)
}

// connectApp consents in a browser session and exchanges the code on one gateway, rotates the tokens on the
// next, and uses them on all gateways. It then revokes them on a third gateway, after which all must reject
// them.
func (r round) connectApp(ctx context.Context) {
	tokens, err := scene.TryConnect(ctx, r.client(r.edge(0)), r.connecting, world.EveryScope)
	if err != nil {
		r.broken("connect on %s: %v", r.edge(0).name, err)
		return
	}
	old := tokens
	a, err := r.client(r.edge(1)).Refresh(ctx, tokens.Refresh, "")
	if !r.served("refresh", r.edge(1), http.StatusOK, a, err) {
		return
	}
	if tokens, err = a.Tokens(); err != nil {
		r.broken("refresh on %s: %v", r.edge(1).name, err)
		return
	}
	r.everywhere(ctx, "a rotated token", "/v1/me", tokens.Access, http.StatusOK)
	a, err = r.client(r.edge(2)).Revoke(ctx, tokens.Refresh)
	if !r.served("revoke", r.edge(2), http.StatusOK, a, err) {
		return
	}
	r.everywhere(ctx, "a token revoked on "+r.edge(2).name, "/v1/me", tokens.Access, http.StatusUnauthorized)
	r.everywhere(ctx, "an earlier token of its family", "/v1/me/cv", old.Access, http.StatusUnauthorized)
}

// createKey creates an API key with auth of one release, uses it on all gateways, and deletes it with
// auth of the other release. All gateways must then reject it.
func (r round) createKey(ctx context.Context) {
	made, err := r.auths[0].CreateApiKey(ctx, &authv1.CreateApiKeyRequest{AppId: r.made.Apps["ats"].ID, Name: "short-lived", Scopes: world.CompanyScopes})
	if err != nil {
		r.broken("create a key: %v", err)
		return
	}
	path := "/v1/companies/" + r.company
	r.everywhere(ctx, "a new key", path, made.GetSecret(), http.StatusOK)
	if _, err := r.auths[1].DeleteApiKey(ctx, &authv1.DeleteApiKeyRequest{Id: made.GetApiKey().GetId()}); err != nil {
		r.broken("delete a key: %v", err)
		return
	}
	r.everywhere(ctx, "a deleted key", path, made.GetSecret(), http.StatusUnauthorized)
}

// postJob creates a job on one gateway, changes it on the next, has a person apply, and reads the
// application on all gateways.
func (r round) postJob(ctx context.Context) {
	api := func(i int) partner.Employer { return partner.Employer{BaseURL: r.edge(i).base, Key: r.key} }
	a, err := api(0).CreateJob(ctx, r.company, world.Live())
	if !r.served("create a job", r.edge(0), http.StatusCreated, a, err) {
		return
	}
	body, _ := a.JSON()
	data, _ := body["data"].(map[string]any)
	job, _ := data["id"].(string)
	a, err = api(1).PatchJob(ctx, job, world.Fields{"title": "Changed during an upgrade"})
	r.served("change a job", r.edge(1), http.StatusOK, a, err)
	made, err := r.intake.Apply(ctx, &candidatev1.ApplyRequest{
		JobId: job, PersonId: r.applicant, Submission: &candidatev1.ApplyRequest_CvId{CvId: "master"},
		Source: candidatev1.ApplicationSource_APPLICATION_SOURCE_TABBIO_APP,
	})
	if err != nil {
		r.broken("apply: %v", err)
		return
	}
	r.everywhere(ctx, "an application", "/v1/candidates/"+made.GetApplication().GetApplicationId(), r.key, http.StatusOK)
	a, err = api(2).Move(ctx, job, "close")
	r.served("close a job", r.edge(2), http.StatusOK, a, err)
}

// readConsole reads the developer console on all gateways, in a session created by the previous release.
func (r round) readConsole(ctx context.Context) {
	for _, e := range r.edges {
		status, _, err := r.developer.Read(ctx, e.console+"/accounts/new")
		if err != nil || status != http.StatusOK {
			r.broken("the console on %s: %d %v", e.name, status, err)
		}
	}
}
