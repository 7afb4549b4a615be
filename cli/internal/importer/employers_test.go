package importer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"vitae.internal/cli/internal/conntest"
	"vitae.internal/cli/internal/world"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// employersFile holds a company with a derived slug, followed by one with a chosen slug. It also holds a job in
// every state, and applications with a resume and with each kind of CV.
const employersFile = `{
  "people": [
    {"ref": "one", "email": "one@vitae.example", "password": "demo-password", "name": "One", "profile": {"summary": "S"},
     "cvs": [{"ref": "cv", "title": "Second", "document": {}}]},
    {"ref": "two", "email": "two@vitae.example", "password": "demo-password", "name": "Two", "profile": {"summary": "S"}}],
  "developers": [{"ref": "dev", "name": "Dev", "email": "dev@vitae.example", "plan": "standard",
    "apps": [{"ref": "a1", "name": "App1", "clientType": "public"}, {"ref": "a2", "name": "App2", "clientType": "public"}]}],
  "companies": [
    {"ref": "derived", "app": "a1", "name": "Derived", "industry": "I", "employeeCount": "1-10", "location": "L", "description": "D", "verified": true},
    {"ref": "own", "app": "a2", "name": "Own", "industry": "I", "employeeCount": "1-10", "location": "L", "description": "D", "slug": "own"}],
  "jobs": [
    {"ref": "closed", "company": "derived", "saveAs": "live", "closed": true, ` + job + `,
     "questions": [{"id": "mine", "prompt": "Yes?", "type": "yes_no", "required": true, "order": 2},
                   {"prompt": "How many?", "type": "number", "required": true, "order": 1}, {"prompt": "Why?", "type": "long_answer", "required": false}]},
    {"ref": "draft", "company": "own", ` + job + `},
    {"ref": "archived", "company": "own", "saveAs": "live", "archived": true, ` + job + `},
    {"ref": "shelved", "company": "own", "saveAs": "draft", "archived": true, ` + job + `},
    {"ref": "open", "company": "own", "saveAs": "live", ` + job + `}],
  "applications": [
    {"ref": "x", "job": "closed", "person": "one", "cv": "cv", "answers": [{"question": 1, "value": 3.5}, {"question": 0, "value": true}],
     "stages": ["reviewed", "offered", "rejected"], "coverLetter": "Dear", "source": "tabbio_app", "appliedAt": "2026-01-31T12:00:00Z"},
    {"ref": "y", "job": "open", "person": "one", "cv": "master", "stages": ["withdrawn"]},
    {"ref": "z", "job": "open", "person": "two", "resume": {"filename": "cv.pdf", "contentBase64": "JVBERg=="}}]
}`

const job = `"basics": {"title": "T", "workMode": "remote", "employment": "full_time", "seniority": "mid"},
  "content": {"summary": "S", "responsibilities": ["R"], "requirements": ["Q"]}, "distribution": "hidden"`

// creatingEmployers responds to requests to create companies, jobs, resumes and applications. It passes all
// other requests to creating.
func creatingEmployers(call conntest.Call) (proto.Message, error) {
	switch req := call.Request.(type) {
	case *authv1.CreateAppRequest:
		return &authv1.CreateAppResponse{App: &authv1.App{Id: "app_" + req.GetName()}}, nil
	case *partnercatalogv1.CreateCompanyRequest:
		return &partnercatalogv1.CreateCompanyResponse{Company: &partnercatalogv1.Company{Id: "com_" + req.GetName()}}, nil
	case *partnercatalogv1.CreateJobRequest:
		return &partnercatalogv1.CreateJobResponse{Job: &partnercatalogv1.Job{Id: "job_of_" + req.GetCompanyId()}}, nil
	case *candidatev1.UploadResumeRequest:
		return &candidatev1.UploadResumeResponse{ResumeId: "res_1"}, nil
	case *candidatev1.ApplyRequest:
		return &candidatev1.ApplyResponse{Application: &candidatev1.Application{ApplicationId: "apl_" + req.GetPersonId()}}, nil
	}
	return creating(call)
}

func TestEmployersAreCreatedInOrder(t *testing.T) {
	conn := &conntest.Conn{Answer: creatingEmployers}
	made, err := Import(context.Background(), services(conn), parse(t, employersFile))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, call := range conn.Calls[slices.Index(conn.Methods(), "CreateCompany"):] {
		line := call.Method
		if p := call.Principal; p != nil {
			line += " as " + p.GetAppId()
			if p.GetKind() != identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY {
				t.Errorf("%s with a credential of kind %s", line, p.GetKind())
			}
		}
		switch req := call.Request.(type) {
		case *partnercatalogv1.CreateCompanyRequest:
			line += " " + req.GetName()
		case *partnercatalogv1.SetCompanyPageRequest:
			line += fmt.Sprintf(" %s %v %v", req.GetCompanyId(), req.Published == nil, req.GetVerified())
		case *candidatev1.AdvanceApplicationRequest:
			line += " " + world.WordOf(req.GetStatus())
		case *partnercatalogv1.CloseJobRequest:
			line += " " + req.GetJobId()
		case *partnercatalogv1.ArchiveJobRequest:
			line += " " + req.GetJobId()
		}
		got = append(got, line)
	}
	want := []string{
		"CreateCompany as app_App2 Own", "CreateCompany as app_App1 Derived", "SetCompanyPage com_Derived true true",
		"CreateJob as app_App1", "CreateJob as app_App2", "CreateJob as app_App2", "CreateJob as app_App2", "CreateJob as app_App2",
		"Apply", "AdvanceApplication reviewed", "AdvanceApplication offered", "RejectApplication",
		"Apply", "WithdrawApplication", "UploadResume", "Apply",
		"CloseJob as app_App1 job_of_com_Derived", "CloseJob as app_App2 job_of_com_Own", "ArchiveJob as app_App2 job_of_com_Own",
		"ArchiveJob as app_App2 job_of_com_Own",
	}
	if !slices.Equal(got, want) {
		t.Errorf("calls\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(made.Companies) != 2 || len(made.Jobs) != 5 || len(made.Applications) != 3 || made.Applications["z"].ID != "apl_usr_two@vitae.example" {
		t.Errorf("created %+v", made)
	}
}

// requests returns all recorded requests of type T.
func requests[T proto.Message](conn *conntest.Conn) []T {
	var out []T
	for _, call := range conn.Calls {
		if req, ok := call.Request.(T); ok {
			out = append(out, req)
		}
	}
	return out
}

func TestApplicationsMatchFile(t *testing.T) {
	conn := &conntest.Conn{Answer: creatingEmployers}
	if _, err := Import(context.Background(), services(conn), parse(t, employersFile)); err != nil {
		t.Fatal(err)
	}
	questions := requests[*partnercatalogv1.CreateJobRequest](conn)[0].GetQuestions()
	if questions[0].GetId() != "mine" || !strings.HasPrefix(questions[1].GetId(), "qst_") || questions[1].GetId() == questions[2].GetId() {
		t.Errorf("questions were created as %v", questions)
	}
	apply := requests[*candidatev1.ApplyRequest](conn)
	first := apply[0]
	if first.GetJobId() != "job_of_com_Derived" || first.GetPersonId() != "usr_one@vitae.example" || first.GetCvId() != "cv_usr_one@vitae.example" ||
		first.GetCoverLetter() != "Dear" || first.GetAppliedAt().AsTime().Year() != 2026 || first.GetValidateOnly() || first.GetPosting() != nil {
		t.Errorf("application %v", first)
	}
	if a := first.GetAnswers(); a[0].GetQuestionId() != questions[1].GetId() || a[0].GetValue().GetNumber() != 3.5 ||
		a[1].GetQuestionId() != "mine" || !a[1].GetValue().GetYes() {
		t.Errorf("answers %v", a)
	}
	if apply[1].GetCvId() != "master" || apply[2].GetResumeId() != "res_1" {
		t.Errorf("submitted %v and %v", apply[1].GetSubmission(), apply[2].GetSubmission())
	}
	for _, call := range conn.Calls {
		if call.Method != "UploadResume" {
			continue
		}
		d := call.Pieces[0].(*candidatev1.UploadResumeRequest).GetDescription()
		chunk := call.Pieces[1].(*candidatev1.UploadResumeRequest).GetChunk()
		if d.GetPersonId() != "usr_two@vitae.example" || d.GetFilename() != "cv.pdf" || d.GetValidateOnly() || string(chunk) != "%PDF" {
			t.Errorf("uploaded %v", call.Pieces)
		}
	}
}

func TestLargeResumeIsSentInPieces(t *testing.T) {
	conn := &conntest.Conn{Answer: creatingEmployers}
	content := make([]byte, 2*pieceSize+1)
	if _, err := services(conn).upload(context.Background(), &candidatev1.ResumeDescription{PersonId: "usr_1"}, content); err != nil {
		t.Fatal(err)
	}
	var sizes []int
	for _, piece := range conn.Calls[0].Pieces[1:] {
		sizes = append(sizes, len(piece.(*candidatev1.UploadResumeRequest).GetChunk()))
	}
	if !slices.Equal(sizes, []int{pieceSize, pieceSize, 1}) {
		t.Errorf("pieces of %v bytes", sizes)
	}
}
