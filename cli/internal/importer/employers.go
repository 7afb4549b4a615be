package importer

import (
	"context"
	"slices"

	"google.golang.org/protobuf/proto"

	"vitae.internal/cli/internal/world"
	"vitae.internal/pkg/principal"
	"vitae.internal/pkg/scope"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// as returns the context for a call on behalf of an app, with the scopes that companies and jobs require.
func as(ctx context.Context, app string) context.Context {
	return principal.NewContext(ctx, &identityv1.Principal{
		Kind:  identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY,
		AppId: app, Scopes: []string{scope.CompaniesWrite, scope.JobsWrite},
	})
}

// employers creates companies, jobs and applications. It closes and archives jobs last, because only live jobs
// accept applications.
func (s Services) employers(ctx context.Context, w world.World, made *Created) error {
	if err := s.companies(ctx, w.Companies, made); err != nil {
		return err
	}
	appOf := map[string]string{}
	for _, c := range w.Companies {
		appOf[c.Ref] = made.Apps[c.App].ID
	}
	questions := map[string][]string{} // question ids by job ref
	for _, j := range w.Jobs {
		ids, err := s.job(as(ctx, appOf[j.Company]), j, made)
		if err != nil {
			return stopped(j.Path, err)
		}
		questions[j.Ref] = ids
	}
	for _, a := range w.Applications {
		if err := s.application(ctx, a, questions[a.Job], made); err != nil {
			return stopped(a.Path, err)
		}
	}
	for _, j := range w.Jobs {
		if err := s.end(as(ctx, appOf[j.Company]), j, made.Jobs[j.Ref].ID); err != nil {
			return stopped(j.Path, err)
		}
	}
	return nil
}

// companies creates companies. Companies that have a slug in the file come first, so that no slug derived
// for another company can be the same.
func (s Services) companies(ctx context.Context, companies []world.Company, made *Created) error {
	ordered := slices.Clone(companies)
	slices.SortStableFunc(ordered, func(a, b world.Company) int {
		switch has, other := a.Request.GetSlug() != "", b.Request.GetSlug() != ""; {
		case has == other:
			return 0
		case has:
			return -1
		default:
			return 1
		}
	})
	for _, c := range ordered {
		resp, err := s.Companies.CreateCompany(as(ctx, made.Apps[c.App].ID), c.Request)
		if err != nil {
			return stopped(c.Path, err)
		}
		id := resp.GetCompany().GetId()
		made.Companies[c.Ref] = ID{id}
		if c.Published == nil && c.Verified == nil {
			continue
		}
		set := &partnercatalogv1.SetCompanyPageRequest{CompanyId: id, Published: c.Published, Verified: c.Verified}
		if _, err := s.CompanyPages.SetCompanyPage(ctx, set); err != nil {
			return stopped(c.Path, err)
		}
	}
	return nil
}

// job creates a job and returns the ids of its questions in file order.
func (s Services) job(ctx context.Context, j world.Job, made *Created) ([]string, error) {
	req := proto.CloneOf(j.Request)
	req.CompanyId = made.Companies[j.Company].ID
	ids := nameQuestions(req.GetQuestions())
	resp, err := s.Jobs.CreateJob(ctx, req)
	if err != nil {
		return nil, err
	}
	made.Jobs[j.Ref] = ID{resp.GetJob().GetId()}
	return ids, nil
}

// end closes and archives a job. A live job must be closed first.
func (s Services) end(ctx context.Context, j world.Job, id string) error {
	if j.Closed || (j.Archived && j.Live()) {
		if _, err := s.Jobs.CloseJob(ctx, &partnercatalogv1.CloseJobRequest{JobId: id}); err != nil {
			return err
		}
	}
	if !j.Archived {
		return nil
	}
	_, err := s.Jobs.ArchiveJob(ctx, &partnercatalogv1.ArchiveJobRequest{JobId: id})
	return err
}

func (s Services) application(ctx context.Context, a world.Application, questions []string, made *Created) error {
	req := proto.CloneOf(a.Request)
	req.JobId, req.PersonId = made.Jobs[a.Job].ID, made.People[a.Person].ID
	req.Answers = answersOf(a, questions)
	switch {
	case a.Resume != nil:
		resp, err := s.upload(ctx, &candidatev1.ResumeDescription{PersonId: req.PersonId, Filename: a.Resume.Filename}, a.Resume.Content)
		if err != nil {
			return err
		}
		req.Submission = &candidatev1.ApplyRequest_ResumeId{ResumeId: resp.GetResumeId()}
	case a.CV == world.MainCV:
		req.Submission = &candidatev1.ApplyRequest_CvId{CvId: world.MainCV}
	default:
		req.Submission = &candidatev1.ApplyRequest_CvId{CvId: made.CVs[a.CV].ID}
	}
	resp, err := s.Applications.Apply(ctx, req)
	if err != nil {
		return err
	}
	id := resp.GetApplication().GetApplicationId()
	made.Applications[a.Ref] = ID{id}
	for _, stage := range a.Stages {
		if _, err := s.Move(ctx, id, stage); err != nil {
			return err
		}
	}
	return nil
}

// Move moves an application to a stage, using the method for that stage.
func (s Services) Move(ctx context.Context, id string, stage candidatev1.ApplicationStatus) (*candidatev1.Application, error) {
	switch stage {
	case candidatev1.ApplicationStatus_APPLICATION_STATUS_REJECTED:
		resp, err := s.Applications.RejectApplication(ctx, &candidatev1.RejectApplicationRequest{ApplicationId: id})
		return resp.GetApplication(), err
	case candidatev1.ApplicationStatus_APPLICATION_STATUS_WITHDRAWN:
		resp, err := s.Applications.WithdrawApplication(ctx, &candidatev1.WithdrawApplicationRequest{ApplicationId: id})
		return resp.GetApplication(), err
	default:
		resp, err := s.Applications.AdvanceApplication(ctx, &candidatev1.AdvanceApplicationRequest{ApplicationId: id, Status: stage})
		return resp.GetApplication(), err
	}
}
