package partnerapi_test

import (
	"bytes"
	"image/jpeg"
	"net/http"
	"slices"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

func TestSubmittedCVIsFrozenAndProfileIsLive(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t, world.Applicants())
	before, arabicBefore := p.Application(t, "main"), p.Application(t, "other")
	layla, noura := p.Created.People["layla"].ID, p.Created.People["noura"].ID
	scene.UpdateProfile(t, p.Stack, layla, scene.Headline("Head of payments"))
	scene.UpdateProfile(t, p.Stack, layla, scene.Change{Path: "content", Set: func(profile *candidatev1.Profile) {
		profile.Content = &candidatev1.CvContent{Summary: "Changed.", Bio: "Changed bio.", Skills: []string{"Rust"}}
	}})
	title := "A new title"
	expect.Must(scene.Profiles(t, p.Stack).UpdateCv(t.Context(), &candidatev1.UpdateCvRequest{
		Id: p.Created.CVs["noura-arabic"].ID, Title: &title, Content: &candidatev1.CvContent{Summary: "New."},
	}))(t)

	after := p.Application(t, "main")
	for _, key := range []string{"submittedCv", "submittedCvDocument", "screeningAnswers", "statusHistory", "updatedAt", "appliedAt"} {
		expect.Matches(t, key, before[key], after[key])
	}
	expect.Matches(t, "candidate.title", "Head of payments", expect.At(after, "candidate", "title"))
	expect.Matches(t, "candidateProfile", map[string]any{
		"bio": "Changed bio.", "about": nil, "skills": []any{"Rust"}, "interests": []any{}, "experience": []any{}, "education": []any{},
		"certifications": []any{}, "highlights": []any{}, "projects": []any{},
	}, after["candidateProfile"])
	arabic := p.Application(t, "other")
	expect.Matches(t, "an additional CV, frozen", arabicBefore["submittedCvDocument"], arabic["submittedCvDocument"])
	expect.Matches(t, "an additional CV, submitted", arabicBefore["submittedCv"], arabic["submittedCv"])

	// The submitted CV is retained after the CV itself is deleted. Other CVs are shown in their current
	// state.
	scene.DeleteCV(t, p.Stack, p.Created.CVs["noura-arabic"].ID)
	scene.DeleteCV(t, p.Stack, p.Created.CVs["arabic"].ID)
	gone := p.Application(t, "other")
	expect.Matches(t, "a deleted CV, frozen", arabicBefore["submittedCvDocument"], gone["submittedCvDocument"])
	expect.Matches(t, "a deleted CV, submitted", arabicBefore["submittedCv"], gone["submittedCv"])
	expect.Matches(t, "no other CVs", []any{}, p.Application(t, "main")["additionalCvDocuments"])
	scene.UpdateProfile(t, p.Stack, noura, scene.Change{Path: "content", Set: func(profile *candidatev1.Profile) {
		profile.Content = &candidatev1.CvContent{Summary: "Live."}
	}})
	expect.Matches(t, "the live main CV", "Live.", expect.At(expect.Objects(t, p.Application(t, "other")["additionalCvDocuments"])[0], "summary"))
}

func TestStagesAreAppendedToHistory(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t, world.Applicants())
	id := p.Created.Applications["main"].ID // in the stage "interview"
	p.Exits(t, 0, "application", "advance", id, "offered")
	p.Exits(t, 1, "application", "advance", id, "interview")
	p.Exits(t, 0, "application", "advance", id, "rejected")
	p.Exits(t, 1, "application", "advance", id, "withdrawn")
	p.Exits(t, 1, "application", "advance", "apl_unknown", "reviewed")
	got := p.Application(t, "main")
	steps := expect.Objects(t, got["statusHistory"])
	if stages := expect.Column(steps, "status"); !slices.Equal(stages, []string{"applied", "reviewed", "interview", "offered", "rejected"}) {
		t.Errorf("history %q", stages)
	}
	expect.Matches(t, "status", "rejected", got["status"])
	expect.Matches(t, "updatedAt", steps[len(steps)-1]["at"], got["updatedAt"])
	if _, total := expect.Listed(t, expect.Must(p.API.Candidates(t.Context(), p.Created.Jobs["job"].ID, "status=rejected"))(t)); total != 1 {
		t.Errorf("%d applications are rejected, want 1", total)
	}
}

func TestApplicationCountIsExact(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t, world.Applicants())
	job := p.Created.Jobs["job"].ID
	p.AwaitApplications(t, job, 3)
	before := expect.Success(t, expect.Must(p.API.Job(t.Context(), job))(t))
	p.Exits(t, 0, "application", "advance", p.Created.Applications["file"].ID, "withdrawn")
	p.Exits(t, 0, "application", "advance", p.Created.Applications["other"].ID, "rejected")
	moved := expect.Success(t, expect.Must(p.API.Move(t.Context(), job, "close"))(t))
	expect.Matches(t, "after the close", expect.Number(3), moved["applicationCount"])
	expect.Matches(t, "createdAt", before["createdAt"], moved["createdAt"])
	expect.Matches(t, "after publishing again", expect.Number(3), expect.Success(t, expect.Must(p.API.Move(t.Context(), job, "publish"))(t))["applicationCount"])
	rows, _ := expect.Listed(t, expect.Must(p.API.Jobs(t.Context(), p.Created.Companies["com"].ID, ""))(t))
	expect.Matches(t, "in the list", expect.Number(3), rows[0]["applicationCount"])
}

func TestApplicantPhotosOpen(t *testing.T) {
	t.Parallel()
	w := world.Applicants()
	w.People[0].AvatarURL, w.People[1].AvatarURL = world.InlinePhoto(t, 150), world.InlinePhoto(t, 20)
	p := scene.NewPlatform(t, w)
	rows, _ := expect.Listed(t, expect.Must(p.API.Candidates(t.Context(), p.Created.Jobs["job"].ID, ""))(t))
	for name, address := range map[string]any{
		"a large photo in the list":   expect.At(rows[2], "candidate", "image"),
		"a small photo in the list":   expect.At(rows[1], "candidate", "image"),
		"a large photo in the detail": expect.At(p.Application(t, "main"), "candidate", "image"),
	} {
		expect.Matches(t, name, scene.PhotoURL, address)
		a := scene.Open(t, address.(string))
		if m, err := jpeg.DecodeConfig(bytes.NewReader(a.Body)); a.Status != http.StatusOK || err != nil || m.Width > 512 {
			t.Errorf("%s: %s, %v", name, a, err)
		}
	}
}
