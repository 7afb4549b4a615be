package app_test

import (
	"slices"
	"strings"
	"testing"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
	"vitae.internal/pkg/principal"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// hiring returns the principal of an API key that may read the app's applicants.
func hiring(appID string) *identityv1.Principal {
	return &identityv1.Principal{
		Kind: identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY, AccountId: "dev_1", AppId: appID, Scopes: []string{"candidates:read"},
	}
}

func (r *running) readDetail(p *identityv1.Principal, applicationID string) (*candidatev1.ApplicationDetail, error) {
	resp, err := r.employers.GetApplication(principal.NewContext(r.t.Context(), p), &candidatev1.GetApplicationRequest{ApplicationId: applicationID})
	return resp.GetApplication(), err
}

// handIn applies with a CV to one of app_1's jobs and returns the application's id.
func (r *running) handIn(personID, cvID string) string {
	r.t.Helper()
	jobID := id.New("job")
	r.catalog.post(jobID, "app_1")
	made, err := r.intake.Apply(r.t.Context(), &candidatev1.ApplyRequest{
		JobId: jobID, PersonId: personID, CoverLetter: "Dear all", Source: candidatev1.ApplicationSource_APPLICATION_SOURCE_PUBLIC_PAGE,
		Submission: &candidatev1.ApplyRequest_CvId{CvId: cvID},
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return made.GetApplication().GetApplicationId()
}

func (r *running) mustRead(applicationID string) *candidatev1.ApplicationDetail {
	r.t.Helper()
	got, err := r.readDetail(hiring("app_1"), applicationID)
	if err != nil {
		r.t.Fatal(err)
	}
	return got
}

func idsOf(documents []*candidatev1.CandidateCvDocument) (ids []string) {
	for _, d := range documents {
		ids = append(ids, d.GetId())
	}
	return ids
}

func TestOnlyManagingAppReadsApplication(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.create(bare("usr_1"))
	own := r.handIn("usr_1", "master")
	with := func(change func(*identityv1.Principal)) *identityv1.Principal {
		p := hiring("app_1")
		change(p)
		return p
	}
	for name, tc := range map[string]struct {
		principal *identityv1.Principal
		id, want  string
	}{
		"own key":                           {hiring("app_1"), own, ""},
		"a different app's key":             {hiring("app_2"), own, "COMPANY_NOT_MANAGED_BY_APP"},
		"a key without an app":              {hiring(""), own, "PRINCIPAL_MISSING"},
		"unknown":                           {hiring("app_1"), id.New("apl"), "APPLICATION_NOT_FOUND"},
		"an unknown id and a different app": {hiring("app_2"), id.New("apl"), "APPLICATION_NOT_FOUND"},
		"an empty id":                       {hiring("app_1"), "", "APPLICATION_NOT_FOUND"},
		"an id of a different kind":         {hiring("app_1"), id.New("job"), "APPLICATION_NOT_FOUND"},
		"NUL":                               {hiring("app_1"), own + "\x00", "APPLICATION_NOT_FOUND"},
		"no scope":                          {with(func(p *identityv1.Principal) { p.Scopes = []string{"jobs:read"} }), own, "API_KEY_INSUFFICIENT_SCOPE"},
		"a user token":                      {with(func(p *identityv1.Principal) { p.Kind = identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN }), own, "OAUTH_INSUFFICIENT_SCOPE"},
		"no principal":                      {nil, own, "PRINCIPAL_MISSING"},
	} {
		got, err := r.readDetail(tc.principal, tc.id)
		if tc.want == "" && (err != nil || got.GetApplicationId() != own) || tc.want != "" && !errs.HasCode(err, tc.want) {
			t.Errorf("%s: %v, %v", name, got.GetApplicationId(), err)
		}
	}
}

func TestDetailShowsRowLetterAndProfile(t *testing.T) {
	t.Parallel()
	r := start(t)
	p := full("usr_1")
	p.Content.Experiences = append(p.Content.Experiences, &cvv1.Experience{
		Id: "e0", Title: "Lead", Company: "Now", StartDate: text("2021"), EndDate: text("2022"), Current: true, Bullets: []string{"Leads", " "},
	})
	r.create(p)
	got := r.mustRead(r.handIn("usr_1", "master"))
	page, err := r.employers.ListJobApplications(principal.NewContext(t.Context(), hiring("app_1")), &candidatev1.ListJobApplicationsRequest{JobId: got.GetJobId()})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "row", &candidatev1.Application{
		ApplicationId: got.GetApplicationId(), JobId: got.GetJobId(), CompanyId: got.GetCompanyId(), Status: got.GetStatus(),
		AppliedAt: got.GetAppliedAt(), UpdatedAt: got.GetUpdatedAt(), Source: got.GetSource(), ScreeningAnswers: got.GetScreeningAnswers(),
		StatusHistory: got.GetStatusHistory(), Candidate: got.GetCandidate(), SubmittedCv: got.GetSubmittedCv(),
	}, page.GetApplications()[0])
	equal(t, "letter", got.GetCoverLetter(), text("Dear all"))
	equal(t, "profile", got.GetCandidateProfile(), &candidatev1.CandidateProfile{
		Bio: text("Bio"), About: text("About"), Skills: []string{"Go", "SQL"}, Interests: []string{"Sailing"},
		Experience: []*candidatev1.CandidateExperience{
			{Id: "e0", Company: "Now", Title: "Lead", StartDate: text("2021"), Current: true, Achievements: []string{"Leads"}},
			{
				Id: "e1", Company: "Acme", Title: "Engineer", Location: text("Dubai"), LocationType: text("hybrid"), EmploymentType: text("full_time"),
				StartDate: text("2019-01"), EndDate: text("2020-02"), Description: text("Overview"), Achievements: []string{"Did"},
			},
		},
		Education: p.GetContent().GetEducations(), Certifications: p.GetContent().GetCertifications(),
		Highlights: p.GetContent().GetHighlights(), Projects: p.GetContent().GetProjects(),
	})
	var missing []string
	for _, path := range unset(got.ProtoReflect(), "") {
		// The items are compared above. The sections are covered by their own tests.
		if !strings.Contains(path, ".sections.") && !strings.Contains(path, ".experience.") {
			missing = append(missing, path)
		}
	}
	if !slices.Equal(missing, []string{"resume"}) {
		t.Errorf("these fields are null although stored: %v", missing)
	}
}

func TestUnsetDetailFieldsAreNullOrEmpty(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.create(&candidatev1.Profile{PersonId: "usr_1", Email: "a@example.com", Name: "A"})
	empty := r.createCv("usr_1", "Empty", &candidatev1.CvContent{Summary: "  "})
	got := r.mustRead(r.handIn("usr_1", empty.GetId()))
	equal(t, "profile", got.GetCandidateProfile(), &candidatev1.CandidateProfile{})
	equal(t, "document", got.GetSubmittedCvDocument(), &candidatev1.CandidateCvDocument{
		Id: empty.GetId(), Title: "Empty", CreatedAt: empty.GetCreatedAt(), UpdatedAt: empty.GetUpdatedAt(), Snapshot: true,
	})
	if len(got.GetAdditionalCvDocuments()) != 0 {
		t.Errorf("a main CV without content is listed: %v", got.GetAdditionalCvDocuments())
	}
}

// TestEmployersSeeNoContactDetails searches the encoded response for the stored values, so it also
// covers fields that are added later.
func TestEmployersSeeNoContactDetails(t *testing.T) {
	t.Parallel()
	r := start(t)
	p := full("usr_1")
	p.Phone, p.Address, p.Content.Location = "canary-phone", "canary-address", "canary-location"
	p.Content.Socials = map[string]string{"phone": "canary-social", "github": "https://example.com/canary-link"}
	d := p.GetPersonalDetails()
	d.DateOfBirth, d.Gender, d.MaritalStatus, d.Nationality = text("1911-11-11"), text("canary-a"), text("canary-b"), text("canary-c")
	d.Residence, d.VisaResidency, d.NationalService, d.Dependents = text("canary-d"), text("canary-e"), text("canary-f"), text("canary-g")
	r.create(p)
	other := r.createCv("usr_1", "Other", p.GetContent())
	for _, cvID := range []string{"master", other.GetId()} {
		got := r.mustRead(r.handIn("usr_1", cvID))
		found := canaries(t, slices.Values([]string{"canary", "1911-11-11"}), got)
		if len(found) != 0 {
			t.Errorf("%s: %v is in %v", cvID, found, got)
		}
	}
}

func TestLargestDetailOmitsOldestCVs(t *testing.T) {
	t.Parallel()
	r := start(t)
	// Many short strings, each of which occurs both in the list of skills and in its category,
	// enlarge the response most.
	var groups []*cvv1.SkillGroup
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789"
	for i := range 100 {
		group := &cvv1.SkillGroup{Category: "c"}
		for k := range 500 {
			n := i*500 + k
			group.Items = append(group.Items, string([]byte{letters[n%36], letters[n/36%36], letters[n/36/36%36], letters[n/36/36/36]}))
		}
		groups = append(groups, group)
	}
	content := func() *candidatev1.CvContent {
		return &candidatev1.CvContent{
			SkillGroups: groups, Experiences: []*cvv1.Experience{{Title: "T", Company: "C", Bullets: slices.Repeat([]string{strings.Repeat("ب", 5_000)}, 16)}},
		}
	}
	p := bare("usr_1")
	p.AvatarUrl, p.Content = inlinePhoto(t, 400), content()
	r.create(p)
	submitted := r.createCv("usr_1", "Submitted", content())
	r.createCv("usr_1", "Oldest", content())
	r.createCv("usr_1", "Older", content())
	newest := r.createCv("usr_1", "Newest", content())
	small := r.createCv("usr_1", "Small", &candidatev1.CvContent{Summary: "Small"})

	got := r.mustRead(r.handIn("usr_1", submitted.GetId()))
	want := []string{"master", small.GetId(), newest.GetId()}
	if ids := idsOf(got.GetAdditionalCvDocuments()); !slices.Equal(ids, want) {
		t.Errorf("the other CVs are %v, want %v", ids, want)
	}
}

func TestSubmittedCVIsFrozenProfileIsNot(t *testing.T) {
	t.Parallel()
	r := start(t)
	stored := r.create(full("usr_1"))
	old := r.createCv("usr_1", "Old", &candidatev1.CvContent{Summary: "Before"})
	withMaster, withOld := r.handIn("usr_1", "master"), r.handIn("usr_1", old.GetId())
	before := map[string]*candidatev1.CandidateCvDocument{
		withMaster: r.mustRead(withMaster).GetSubmittedCvDocument(), withOld: r.mustRead(withOld).GetSubmittedCvDocument(),
	}
	stored.Content = &candidatev1.CvContent{Bio: "New bio"}
	r.update(stored, "content")
	if _, err := r.internal.UpdateCv(t.Context(), &candidatev1.UpdateCvRequest{Id: old.GetId(), Content: &candidatev1.CvContent{Summary: "After"}}); err != nil {
		t.Fatal(err)
	}
	if live := r.mustRead(withMaster).GetAdditionalCvDocuments(); len(live) != 1 || live[0].GetSnapshot() || live[0].GetSummary().GetValue() != "After" {
		t.Errorf("the other CVs are %v", live)
	}
	for applicationID, document := range before {
		got := r.mustRead(applicationID)
		equal(t, "the submitted CV", got.GetSubmittedCvDocument(), document)
		if got.GetCandidateProfile().GetBio().GetValue() != "New bio" {
			t.Errorf("the profile is %v", got.GetCandidateProfile())
		}
	}
	if _, err := r.internal.DeleteCv(t.Context(), &candidatev1.DeleteCvRequest{Id: old.GetId()}); err != nil {
		t.Fatal(err)
	}
	equal(t, "the submitted CV that was deleted", r.mustRead(withOld).GetSubmittedCvDocument(), before[withOld])
}
