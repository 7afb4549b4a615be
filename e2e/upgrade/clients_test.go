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

// clients use the system, named after what they do in a round.
var clients = map[string]func(round, context.Context){
	"reads":     round.reads,
	"connects":  round.connects,
	"makes key": round.makesKey,
	"employs":   round.employs,
	"console":   round.console,
}

// reads reads everything with credentials that live as long as the test.
func (r round) reads(ctx context.Context) {
	r.everywhere(ctx, "me", "/v1/me", r.token, http.StatusOK)
	r.everywhere(ctx, "CV", "/v1/me/cv", r.token, http.StatusOK)
	r.everywhere(ctx, "company", "/v1/companies/"+r.company, r.key, http.StatusOK)
	r.everywhere(ctx, "job", "/v1/jobs/"+r.job, r.key, http.StatusOK)
	r.everywhere(ctx, "applicants", "/v1/jobs/"+r.job+"/candidates", r.key, http.StatusOK)
	at := r.edge(0)
	a, err := partner.Get(ctx, at.base+"/v1/me/cv.pdf", r.token)
	r.served("PDF", at, http.StatusOK, a, err)
}

// connects consents in a browser session and exchanges the code at one gateway, rotates the tokens
// at the next, and uses them at all. It then revokes them at a third and is refused by all.
func (r round) connects(ctx context.Context) {
	tokens, err := scene.TryConnect(ctx, r.client(r.edge(0)), r.connecting, world.EveryScope)
	if err != nil {
		r.broken("connect at %s: %v", r.edge(0).name, err)
		return
	}
	old := tokens
	a, err := r.client(r.edge(1)).Refresh(ctx, tokens.Refresh, "")
	if !r.served("refresh", r.edge(1), http.StatusOK, a, err) {
		return
	}
	if tokens, err = a.Tokens(); err != nil {
		r.broken("refresh at %s: %v", r.edge(1).name, err)
		return
	}
	r.everywhere(ctx, "a rotated token", "/v1/me", tokens.Access, http.StatusOK)
	a, err = r.client(r.edge(2)).Revoke(ctx, tokens.Refresh)
	if !r.served("revoke", r.edge(2), http.StatusOK, a, err) {
		return
	}
	r.everywhere(ctx, "a token that was revoked at "+r.edge(2).name, "/v1/me", tokens.Access, http.StatusUnauthorized)
	r.everywhere(ctx, "an earlier token of it", "/v1/me/cv", old.Access, http.StatusUnauthorized)
}

// makesKey makes an API key with auth of one release, uses it everywhere, deletes it with
// auth of the other and is refused everywhere.
func (r round) makesKey(ctx context.Context) {
	made, err := r.auths[0].CreateApiKey(ctx, &authv1.CreateApiKeyRequest{AppId: r.made.Apps["ats"].ID, Name: "short-lived", Scopes: world.CompanyScopes})
	if err != nil {
		r.broken("make a key: %v", err)
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

// employs creates a job at one gateway, changes it at the next, has somebody apply, and finds the
// application everywhere.
func (r round) employs(ctx context.Context) {
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

// console reads the developer console at all gateways, in a session that the previous release has
// created.
func (r round) console(ctx context.Context) {
	for _, e := range r.edges {
		status, _, err := r.developer.Read(ctx, e.console+"/accounts/new")
		if err != nil || status != http.StatusOK {
			r.broken("the console at %s: %d %v", e.name, status, err)
		}
	}
}
