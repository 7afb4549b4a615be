package app_test

import (
	"context"
	"testing"

	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/principal"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// jobMethods returns, for each method of JobService, a function that calls it for a job with a
// suitable status.
func (a *agency) jobMethods(client partnercatalogv1.JobServiceClient, company, draft, live, closed string) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"ListJobs": func(ctx context.Context) error {
			_, err := client.ListJobs(ctx, &partnercatalogv1.ListJobsRequest{CompanyId: company})
			return err
		},
		"CreateJob": func(ctx context.Context) error {
			_, err := client.CreateJob(ctx, fullJob(company))
			return err
		},
		"GetJob": func(ctx context.Context) error {
			_, err := client.GetJob(ctx, &partnercatalogv1.GetJobRequest{JobId: draft})
			return err
		},
		"UpdateJob": func(ctx context.Context) error {
			_, err := client.UpdateJob(ctx, &partnercatalogv1.UpdateJobRequest{
				JobId: live, Content: fullJob("").GetContent(), UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"content"}},
			})
			return err
		},
		"PublishJob": func(ctx context.Context) error {
			_, err := client.PublishJob(ctx, &partnercatalogv1.PublishJobRequest{JobId: draft})
			return err
		},
		"CloseJob": func(ctx context.Context) error {
			_, err := client.CloseJob(ctx, &partnercatalogv1.CloseJobRequest{JobId: live})
			return err
		},
		"ArchiveJob": func(ctx context.Context) error {
			_, err := client.ArchiveJob(ctx, &partnercatalogv1.ArchiveJobRequest{JobId: closed})
			return err
		},
	}
}

// jobScopes maps each method of JobService to the scope that it requires.
var jobScopes = map[string]string{
	"ListJobs": "jobs:read", "GetJob": "jobs:read", "CreateJob": "jobs:write", "UpdateJob": "jobs:write",
	"PublishJob": "jobs:write", "CloseJob": "jobs:write", "ArchiveJob": "jobs:write",
}

// threeJobs creates a draft, a live job and a closed job, and returns their ids.
func (a *agency) threeJobs() (draft, live, closed string) {
	a.t.Helper()
	request := fullJob(a.company)
	request.SaveAs = partnercatalogv1.SaveAs_SAVE_AS_DRAFT
	draft, live, closed = a.post(request).GetId(), a.post(fullJob(a.company)).GetId(), a.post(fullJob(a.company)).GetId()
	if _, err := a.jobs.CloseJob(a.key("app_1"), &partnercatalogv1.CloseJobRequest{JobId: closed}); err != nil {
		a.t.Fatal(err)
	}
	return draft, live, closed
}

func TestJobsRequireManagingAppWithScope(t *testing.T) {
	t.Parallel()
	a := startAgency(t)
	draft, live, closed := a.threeJobs()
	methods := a.jobMethods(a.jobs, a.company, draft, live, closed)
	if len(methods) != len(jobScopes) || len(methods) != len(partnercatalogv1.JobService_ServiceDesc.Methods) {
		t.Fatal("this test does not cover all methods of JobService")
	}
	for method, call := range methods {
		scope := jobScopes[method]
		for _, tc := range []struct {
			name      string
			principal *identityv1.Principal
			want      string // the error code, or "" for success
		}{
			{"no principal", nil, "PRINCIPAL_MISSING"},
			{"key without scopes", as(apiKey, "app_1"), "API_KEY_INSUFFICIENT_SCOPE"},
			{"key with other scopes", as(apiKey, "app_1", others(scope)...), "API_KEY_INSUFFICIENT_SCOPE"},
			{"key without an app", as(apiKey, "", scope), "PRINCIPAL_MISSING"},
			{"token with company scope", as(token, "app_1", scope), "OAUTH_INSUFFICIENT_SCOPE"},
			{"credential without kind", as(0, "app_1", scope), "OAUTH_INSUFFICIENT_SCOPE"},
			{"key of a different app", as(apiKey, "app_2", scope), "COMPANY_NOT_MANAGED_BY_APP"},
			{"key with the scope", as(apiKey, "app_1", scope), ""},
		} {
			ctx := t.Context()
			if tc.principal != nil {
				ctx = principal.NewContext(ctx, tc.principal)
			}
			if err := call(ctx); tc.want == "" && err != nil || tc.want != "" && !errs.HasCode(err, tc.want) {
				t.Errorf("%s with %s: %v, want %q", method, tc.name, err, tc.want)
			}
		}
	}
}

func TestOnlyListedCallersReachJobs(t *testing.T) {
	t.Parallel()
	a := startAgency(t)
	for _, caller := range []string{"gateway", "vitaectl", "internal", "candidate", "cvrender"} {
		conn := a.dial(caller)
		draft, live, closed := a.threeJobs()
		partner := caller == "gateway" || caller == "vitaectl" || caller == "internal"
		methods := a.jobMethods(partnercatalogv1.NewJobServiceClient(conn), a.company, draft, live, closed)
		for method, call := range methods {
			if err := call(a.key("app_1")); partner && err != nil || !partner && !errs.HasCode(err, "CALLER_NOT_ALLOWED") {
				t.Errorf("%s calls %s: %v", caller, method, err)
			}
		}
		postings := partnercatalogv1.NewJobPostingServiceClient(conn)
		_, err := postings.GetJobPosting(t.Context(), &partnercatalogv1.GetJobPostingRequest{JobId: draft})
		if allowed := caller != "gateway" && caller != "cvrender"; allowed && err != nil || !allowed && !errs.HasCode(err, "CALLER_NOT_ALLOWED") {
			t.Errorf("%s calls GetJobPosting: %v", caller, err)
		}
		_, err = postings.RecordApplicationCounts(t.Context(), &partnercatalogv1.RecordApplicationCountsRequest{
			Counts: []*partnercatalogv1.ApplicationCount{{JobId: draft, Count: 1}},
		})
		if allowed := caller == "candidate"; allowed && err != nil || !allowed && !errs.HasCode(err, "CALLER_NOT_ALLOWED") {
			t.Errorf("%s calls RecordApplicationCounts: %v", caller, err)
		}
	}
}

func TestUnknownJobIsNotFound(t *testing.T) {
	t.Parallel()
	a := startAgency(t)
	for _, id := range []string{"job_00000000000000000000000000", "x", "", "job_\x00"} {
		for method, call := range a.jobMethods(a.jobs, a.company, id, id, id) {
			if method == "ListJobs" || method == "CreateJob" {
				continue // these methods take no job id
			}
			checkError(t, method, call(a.key("app_1")), errs.NotFound, "JOB_NOT_FOUND", "")
		}
	}
	for view := range partnercatalogv1.JobPostingView_name {
		_, err := a.postings.GetJobPosting(t.Context(), &partnercatalogv1.GetJobPostingRequest{JobId: "job_x", View: partnercatalogv1.JobPostingView(view)})
		checkError(t, "GetJobPosting", err, errs.NotFound, "JOB_NOT_FOUND", "")
	}
}

func TestChecksRunInFixedOrder(t *testing.T) {
	t.Parallel()
	a := startAgency(t)
	const code = "PUBLIC_API_VALIDATION_ERROR"
	foreign := a.create("app_2", createRequest("Other")).GetId()
	broken := fullJob(foreign)
	broken.Distribution = 0
	_, err := a.jobs.CreateJob(a.key("app_1"), broken)
	checkError(t, "shape before ownership", err, errs.Invalid, code, "distribution")
	broken = fullJob(foreign)
	broken.Basics.Title = ""
	_, err = a.jobs.CreateJob(a.key("app_1"), broken)
	checkError(t, "ownership before the contract", err, errs.Denied, "COMPANY_NOT_MANAGED_BY_APP", "")
	_, err = a.jobs.UpdateJob(a.key("app_1"), &partnercatalogv1.UpdateJobRequest{
		JobId: "job_x", UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"distribution"}},
	})
	checkError(t, "shape before existence", err, errs.Invalid, code, "distribution")
	_, live, _ := a.threeJobs()
	_, err = a.jobs.ArchiveJob(a.key("app_2"), &partnercatalogv1.ArchiveJobRequest{JobId: live})
	checkError(t, "ownership before state", err, errs.Denied, "COMPANY_NOT_MANAGED_BY_APP", "")
	_, err = a.jobs.ArchiveJob(a.key("app_1"), &partnercatalogv1.ArchiveJobRequest{JobId: live})
	checkError(t, "state", err, errs.Precondition, code, "status")
	for field, req := range map[string]*partnercatalogv1.ListJobsRequest{
		"page":      {CompanyId: foreign, Page: ptr[int32](0)},
		"page_size": {CompanyId: foreign, PageSize: ptr[int32](101)},
		"status":    {CompanyId: foreign, Status: ptr(partnercatalogv1.JobStatus(0))},
	} {
		_, err := a.jobs.ListJobs(a.key("app_1"), req)
		checkError(t, "list", err, errs.Invalid, code, field)
	}
	_, err = a.jobs.ListJobs(a.key("app_1"), &partnercatalogv1.ListJobsRequest{CompanyId: foreign, Status: ptr(partnercatalogv1.JobStatus(99))})
	checkError(t, "list", err, errs.Invalid, code, "status")
}
