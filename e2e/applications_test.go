package e2e_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"slices"
	"testing"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// detail reads an application in full.
func (p platform) detail(t testing.TB, ref string) map[string]any {
	t.Helper()
	return success(t, must(p.api.Candidate(t.Context(), p.created.Applications[ref].ID))(t))
}

func TestTheSubmittedCVIsFrozenAndTheProfileIsLive(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, applicants())
	before, arabicBefore := p.detail(t, "main"), p.detail(t, "other")
	layla, noura := p.created.People["layla"].ID, p.created.People["noura"].ID
	updateProfile(t, p.stack, layla, headline("Head of payments"))
	updateProfile(t, p.stack, layla, change{"content", func(profile *candidatev1.Profile) {
		profile.Content = &candidatev1.CvContent{Summary: "Changed.", Bio: "Changed bio.", Skills: []string{"Rust"}}
	}})
	title := "A new title"
	must(profiles(t, p.stack).UpdateCv(t.Context(), &candidatev1.UpdateCvRequest{
		Id: p.created.CVs["noura-arabic"].ID, Title: &title, Content: &candidatev1.CvContent{Summary: "New."},
	}))(t)

	after := p.detail(t, "main")
	for _, key := range []string{"submittedCv", "submittedCvDocument", "screeningAnswers", "statusHistory", "updatedAt", "appliedAt"} {
		matches(t, key, before[key], after[key])
	}
	matches(t, "candidate.title", "Head of payments", at(after, "candidate", "title"))
	matches(t, "candidateProfile", map[string]any{
		"bio": "Changed bio.", "about": nil, "skills": []any{"Rust"}, "interests": []any{}, "experience": []any{}, "education": []any{},
		"certifications": []any{}, "highlights": []any{}, "projects": []any{},
	}, after["candidateProfile"])
	arabic := p.detail(t, "other")
	matches(t, "another CV, frozen", arabicBefore["submittedCvDocument"], arabic["submittedCvDocument"])
	matches(t, "another CV, submitted", arabicBefore["submittedCv"], arabic["submittedCv"])

	// The frozen CV outlives the CV itself; other CVs are shown as they are now.
	deleteCV(t, p.stack, p.created.CVs["noura-arabic"].ID)
	deleteCV(t, p.stack, p.created.CVs["arabic"].ID)
	gone := p.detail(t, "other")
	matches(t, "a deleted CV, frozen", arabicBefore["submittedCvDocument"], gone["submittedCvDocument"])
	matches(t, "a deleted CV, submitted", arabicBefore["submittedCv"], gone["submittedCv"])
	matches(t, "no other CVs", []any{}, p.detail(t, "main")["additionalCvDocuments"])
	updateProfile(t, p.stack, noura, change{"content", func(profile *candidatev1.Profile) {
		profile.Content = &candidatev1.CvContent{Summary: "Live."}
	}})
	matches(t, "the live main CV", "Live.", at(objects(t, p.detail(t, "other")["additionalCvDocuments"])[0], "summary"))
}

func TestEveryStageIsAppendedToTheHistory(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, applicants())
	advance := func(code int, ref, to string) {
		t.Helper()
		p.status(t, code, "application", "advance", p.created.Applications[ref].ID, to)
	}
	history := func(ref string) []string {
		t.Helper()
		got := p.detail(t, ref)
		steps := objects(t, got["statusHistory"])
		for i, s := range steps {
			hasKeys(t, "a stage", s, "status", "at")
			if i > 0 && instant(t, s["at"]).Before(instant(t, steps[i-1]["at"])) {
				t.Errorf("the history is not oldest first: %v", steps)
			}
		}
		last := steps[len(steps)-1]
		matches(t, "status", last["status"], got["status"])
		matches(t, "updatedAt", last["at"], got["updatedAt"])
		return column(steps, "status")
	}
	for _, c := range []struct {
		ref  string
		to   []string
		want []string
		// never are stages that cannot follow.
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
	p.status(t, 1, "application", "advance", "apl_unknown", "reviewed")
	for status, want := range map[string]int{"rejected": 2, "withdrawn": 1, "applied": 0, "offered": 0} {
		if _, total := listed(t, must(p.api.Candidates(t.Context(), p.created.Jobs["job"].ID, "status="+status))(t)); total != want {
			t.Errorf("%d applications are %s, want %d", total, status, want)
		}
	}
}

// count waits until a job says how many applications it has.
func (p platform) count(t testing.TB, job string, want int) {
	t.Helper()
	await(t, "applicationCount", func(ctx context.Context) error {
		a, err := p.api.Job(ctx, job)
		if err != nil {
			return err
		}
		body, err := a.JSON()
		if err != nil {
			return err
		}
		if got := at(body, "data", "applicationCount"); fmt.Sprint(got) != fmt.Sprint(want) {
			return fmt.Errorf("applicationCount %v, want %d", got, want)
		}
		return nil
	})
}

func TestApplicationCountBecomesExactAndStays(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, applicants())
	job := p.created.Jobs["job"].ID
	p.count(t, job, 3)
	before := success(t, must(p.api.Job(t.Context(), job))(t))
	p.status(t, 0, "application", "advance", p.created.Applications["file"].ID, "withdrawn")
	p.status(t, 0, "application", "advance", p.created.Applications["other"].ID, "rejected")
	moved := success(t, must(p.api.Move(t.Context(), job, "close"))(t))
	matches(t, "after the close", number(3), moved["applicationCount"])
	matches(t, "createdAt", before["createdAt"], moved["createdAt"])
	matches(t, "again", number(3), success(t, must(p.api.Move(t.Context(), job, "publish"))(t))["applicationCount"])
	rows, _ := listed(t, must(p.api.Jobs(t.Context(), p.created.Companies["com"].ID, ""))(t))
	matches(t, "listed", number(3), rows[0]["applicationCount"])
}

// noise is a photo stored inline, of so many pixels a side that nothing compresses.
func noise(t testing.TB, side int) string {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, side, side))
	for i := range img.Pix {
		img.Pix[i] = byte(rand.Uint32())
	}
	var raw bytes.Buffer
	if err := png.Encode(&raw, img); err != nil {
		t.Fatal(err)
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(raw.Bytes())
}

func TestALargeInlinePhotoIsShownInTheDetailAlone(t *testing.T) {
	t.Parallel()
	w := applicants()
	w.People[0].AvatarURL, w.People[1].AvatarURL = noise(t, 150), noise(t, 20)
	p := newPlatform(t, w)
	rows, _ := listed(t, must(p.api.Candidates(t.Context(), p.created.Jobs["job"].ID, ""))(t))
	matches(t, "a large photo in the list", nil, at(rows[2], "candidate", "image"))
	matches(t, "a small photo in the list", w.People[1].AvatarURL, at(rows[1], "candidate", "image"))
	matches(t, "a large photo in the detail", w.People[0].AvatarURL, at(p.detail(t, "main"), "candidate", "image"))
}
