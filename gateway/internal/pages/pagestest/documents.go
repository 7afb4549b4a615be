package pagestest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
)

func (b *Backend) ListOwnApplications(_ context.Context, req *candidatev1.ListOwnApplicationsRequest) (*candidatev1.ListOwnApplicationsResponse, error) {
	page := b.Applied[req.GetPageToken()]
	if page == nil || !b.Sessions[req.GetSessionToken()] {
		page = &candidatev1.ListOwnApplicationsResponse{}
	}
	return page, nil
}

// ApplicationsOfLayla returns two pages of Layla's applications.
func ApplicationsOfLayla() map[string]*candidatev1.ListOwnApplicationsResponse {
	before := func(days int) *timestamppb.Timestamp { return timestamppb.New(Now.AddDate(0, 0, -days)) }
	return map[string]*candidatev1.ListOwnApplicationsResponse{
		"": {NextPageToken: "apl_2", Applications: []*candidatev1.OwnApplication{
			{
				ApplicationId: "apl_1", JobTitle: "Front-end developer", Employer: "Noor Digital", Status: candidatev1.ApplicationStatus_APPLICATION_STATUS_INTERVIEW,
				AppliedAt: before(5), UpdatedAt: before(1), CvTitle: "Main CV",
				StatusHistory: []*candidatev1.StatusChange{
					{Status: candidatev1.ApplicationStatus_APPLICATION_STATUS_APPLIED, At: before(5)}, {Status: candidatev1.ApplicationStatus_APPLICATION_STATUS_INTERVIEW, At: before(1)},
				},
				Reads: []*candidatev1.OwnApplicationRead{
					{AppName: "Acme Jobs", Day: before(1).AsTime().Format(time.DateOnly), Reads: 2, LastAt: before(1)},
					{AppName: "Acme Jobs", Day: before(4).AsTime().Format(time.DateOnly), Reads: 3, LastAt: before(4)},
				},
			},
			{
				ApplicationId: "apl_2", JobTitle: "مهندسة", EmployerMasked: true, Status: candidatev1.ApplicationStatus_APPLICATION_STATUS_APPLIED, AppliedAt: before(9), UpdatedAt: before(9),
				Filename: "cv.pdf", StatusHistory: []*candidatev1.StatusChange{{Status: candidatev1.ApplicationStatus_APPLICATION_STATUS_APPLIED, At: before(9)}},
				Reads: []*candidatev1.OwnApplicationRead{{Day: before(2).AsTime().Format(time.DateOnly), Reads: 1, LastAt: before(2)}},
			},
		}},
		"apl_2": {Applications: []*candidatev1.OwnApplication{{ApplicationId: "apl_3", Status: candidatev1.ApplicationStatus_APPLICATION_STATUS_WITHDRAWN, AppliedAt: before(90), UpdatedAt: before(80)}}},
	}
}

func documentsOfLayla() []*candidatev1.Document {
	return []*candidatev1.Document{
		{Cv: &candidatev1.CvReference{Id: "master", Title: "Main CV", UpdatedAt: timestamppb.New(Now)}, Template: cvrenderv1.CvTemplate_CV_TEMPLATE_CLASSIC},
		{Cv: &candidatev1.CvReference{Id: "cv_3", Title: "السيرة الذاتية بالعربية", UpdatedAt: timestamppb.New(Now.AddDate(0, -5, 0))}, Template: cvrenderv1.CvTemplate_CV_TEMPLATE_COMPACT},
	}
}

func (b *Backend) ListDocuments(context.Context, *candidatev1.ListDocumentsRequest) (*candidatev1.ListDocumentsResponse, error) {
	return &candidatev1.ListDocumentsResponse{Documents: b.Documents}, nil
}

func (b *Backend) ChooseTemplate(_ context.Context, req *candidatev1.ChooseTemplateRequest) (*candidatev1.ChooseTemplateResponse, error) {
	d, err := b.document(req.GetSessionToken(), req.GetCvId())
	if err != nil {
		return nil, err
	}
	d.Template = req.GetTemplate()
	return &candidatev1.ChooseTemplateResponse{}, nil
}

func (b *Backend) document(sessionToken, cvID string) (*candidatev1.Document, error) {
	at := slices.IndexFunc(b.Documents, func(d *candidatev1.Document) bool { return d.GetCv().GetId() == cvID })
	if at < 0 || !b.Sessions[sessionToken] {
		return nil, errs.New(errs.NotFound, "CV_NOT_FOUND", "no such CV")
	}
	return b.Documents[at], nil
}

// ownPDF writes the names of the CV and of the template instead of a PDF.
func ownPDF(w http.ResponseWriter, r *http.Request, sessionToken, personID, cvID string, t cvrenderv1.CvTemplate) error {
	b := backendOf(r.Context())
	b.Mutex.Lock()
	defer b.Mutex.Unlock()
	d, err := b.document(sessionToken, cvID)
	if err := cmpErr(b.Fail, err); err != nil {
		return err
	}
	if personID != b.Person().GetId() {
		return errors.New("the renderer's share belongs to a different person")
	}
	if t == cvrenderv1.CvTemplate_CV_TEMPLATE_UNSPECIFIED {
		t = d.GetTemplate()
	}
	_, err = fmt.Fprintf(w, "%%PDF %s %v", cvID, t)
	return err
}

// The only app with a logo, and the version of the logo.
const (
	LogoApp     = "app_0123456789abcdefghijklmnop"
	LogoVersion = "00112233445566778899aabb"
)

func (b *Backend) GetAppLogo(_ context.Context, req *authv1.GetAppLogoRequest) (*authv1.GetAppLogoResponse, error) {
	b.LogosAsked++
	if req.GetAppId() != LogoApp || req.GetVersion() != LogoVersion {
		return nil, errs.New(errs.NotFound, "APP_LOGO_NOT_FOUND", "none")
	}
	return &authv1.GetAppLogoResponse{Jpeg: []byte("\xff\xd8 a picture")}, nil
}
