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

func TestTheSubmittedCVIsFrozenAndTheProfileIsLive(t *testing.T) {
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
	expect.Matches(t, "another CV, frozen", arabicBefore["submittedCvDocument"], arabic["submittedCvDocument"])
	expect.Matches(t, "another CV, submitted", arabicBefore["submittedCv"], arabic["submittedCv"])

	// The submitted CV stays after the CV itself is deleted. The other CVs are shown as
	// they are now.
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

func TestEveryStageIsAppendedToTheHistory(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t, world.Applicants())
	advance := func(code int, ref, to string) {
		t.Helper()
		p.Exits(t, code, "application", "advance", p.Created.Applications[ref].ID, to)
	}
	history := func(ref string) []string {
		t.Helper()
		got := p.Application(t, ref)
		steps := expect.Objects(t, got["statusHistory"])
		for i, s := range steps {
			expect.Keys(t, "a stage", s, "status", "at")
			if i > 0 && expect.Instant(t, s["at"]).Before(expect.Instant(t, steps[i-1]["at"])) {
				t.Errorf("the history is not oldest first: %v", steps)
			}
		}
		last := steps[len(steps)-1]
		expect.Matches(t, "status", last["status"], got["status"])
		expect.Matches(t, "updatedAt", last["at"], got["updatedAt"])
		return expect.Column(steps, "status")
	}
	for _, c := range []struct {
		ref  string
		to   []string
		want []string
		// never are stages that are refused afterwards.
		never []string
	}{
		{"main", []string{"offered"}, []string{"applied", "reviewed", "interview", "offered"}, []string{"offered", "interview", "reviewed"}},
		{"main", []string{"rejected"}, []string{"applied", "reviewed", "interview", "offered", "rejected"}, []string{"rejected", "withdrawn", "offered"}},
		{"other", []string{"reviewed", "shortlisted", "interview", "withdrawn"}, []string{"applied", "reviewed", "shortlisted", "interview", "withdrawn"}, []string{"rejected", "offered"}},
		{"file", []string{"rejected"}, []string{"applied", "rejected"}, []string{"reviewed", "withdrawn"}},
	} {
		for _, to := range c.to {
			advance(0, c.ref, to)
		}
		if got := history(c.ref); !slices.Equal(got, c.want) {
			t.Errorf("%s: history %q, want %q", c.ref, got, c.want)
		}
		for _, to := range c.never {
			advance(1, c.ref, to)
		}
		if got := history(c.ref); !slices.Equal(got, c.want) {
			t.Errorf("%s: a refused move made the history %q", c.ref, got)
		}
	}
	p.Exits(t, 1, "application", "advance", "apl_unknown", "reviewed")
	for status, want := range map[string]int{"rejected": 2, "withdrawn": 1, "applied": 0, "offered": 0} {
		if _, total := expect.Listed(t, expect.Must(p.API.Candidates(t.Context(), p.Created.Jobs["job"].ID, "status="+status))(t)); total != want {
			t.Errorf("%d applications are %s, want %d", total, status, want)
		}
	}
}

func TestApplicationCountBecomesExactAndStays(t *testing.T) {
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
	expect.Matches(t, "again", expect.Number(3), expect.Success(t, expect.Must(p.API.Move(t.Context(), job, "publish"))(t))["applicationCount"])
	rows, _ := expect.Listed(t, expect.Must(p.API.Jobs(t.Context(), p.Created.Companies["com"].ID, ""))(t))
	expect.Matches(t, "listed", expect.Number(3), rows[0]["applicationCount"])
}

func TestApplicantsPhotosOpenFromTheListAndTheDetail(t *testing.T) {
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
		expect.Matches(t, name, scene.PhotoAddress, address)
		a := scene.Open(t, address.(string))
		if m, err := jpeg.DecodeConfig(bytes.NewReader(a.Body)); a.Status != http.StatusOK || err != nil || m.Width > 512 {
			t.Errorf("%s: %s, %v", name, a, err)
		}
	}
}
