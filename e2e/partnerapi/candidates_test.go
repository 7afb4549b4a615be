package partnerapi_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

func stage(status string, at any) map[string]any { return map[string]any{"status": status, "at": at} }

func answer(question, kind string, value any) map[string]any {
	return map[string]any{"questionId": question, "type": kind, "value": value}
}

// wantRows returns the rows expected for world.Applicants, newest first.
func wantRows(p scene.Platform) []map[string]any {
	row := func(ref string, person world.Person) map[string]any {
		return map[string]any{
			"applicationId": p.Created.Applications[ref].ID, "jobId": p.Created.Jobs["job"].ID, "companyId": p.Created.Companies["com"].ID,
			"status": "applied", "appliedAt": expect.Timestamp, "updatedAt": expect.Timestamp, "source": nil, "submittedCv": nil,
			"statusHistory": []any{stage("applied", expect.Timestamp)},
			"screeningAnswers": []any{
				answer("visa", "yes_no", false), answer("shift", "multiple_choice", "Day"), answer("years", "number", expect.Number(0)),
			},
			"candidate": map[string]any{
				"userId": p.Created.People[person.Ref].ID, "name": person.Name, "username": orNull(person.Username),
				"image": photoOf(person), "email": person.Email, "title": orNull(person.Headline),
			},
		}
	}
	people := p.World.People
	main, other, file := row("main", people[0]), row("other", people[1]), row("file", people[2])
	main["status"], main["appliedAt"], main["source"] = "interview", world.AppliedAt, "public_page"
	main["statusHistory"] = []any{stage("applied", world.AppliedAt), stage("reviewed", expect.Timestamp), stage("interview", expect.Timestamp)}
	main["submittedCv"] = map[string]any{"id": "master", "title": "Main CV", "updatedAt": expect.Timestamp}
	main["screeningAnswers"] = []any{
		answer("visa", "yes_no", true), answer("shift", "multiple_choice", "Night"), answer("notice", "short_answer", "شهر واحد"),
		answer("why", "long_answer", "Because.\nTruly."), answer("years", "number", expect.Number(7.5)),
	}
	other["source"] = "public_new_user"
	other["submittedCv"] = map[string]any{"id": p.Created.CVs["noura-arabic"].ID, "title": "السيرة الذاتية", "updatedAt": expect.Timestamp}
	return []map[string]any{file, other, main}
}

// photoOf returns the expected image of an applicant: null, or a URL of this system.
func photoOf(p world.Person) any {
	if p.AvatarURL == "" {
		return nil
	}
	return scene.PhotoURL
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// newestFirst asserts that a list is sorted by a timestamp and then by id, both descending.
func newestFirst(t testing.TB, rows []map[string]any, when, id string) {
	t.Helper()
	if !slices.IsSortedFunc(rows, func(a, b map[string]any) int {
		return strings.Compare(fmt.Sprint(b[when], b[id]), fmt.Sprint(a[when], a[id]))
	}) {
		t.Errorf("the order is not newest first: %v", expect.Column(rows, when))
	}
}

func TestApplicationRowHasAllFields(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t, world.Applicants())
	for _, edge := range p.Edges(p.API) {
		rows, total := expect.Listed(t, expect.Must(edge.Candidates(t.Context(), p.Created.Jobs["job"].ID, ""))(t))
		if total != 3 {
			t.Fatalf("%d applications, want 3", total)
		}
		newestFirst(t, rows, "appliedAt", "applicationId")
		for i, want := range wantRows(p) {
			expect.Matches(t, fmt.Sprint("row ", i), want, rows[i])
		}
	}
}
