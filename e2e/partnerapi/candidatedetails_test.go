package partnerapi_test

import (
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// section returns a section of a CV document.
func section(kind string, items any) map[string]any {
	return map[string]any{"kind": kind, "title": expect.Identifier, "items": items}
}

// englishCV returns the main CV of world.Full as a CV document.
func englishCV(p world.Person, snapshot bool) map[string]any {
	document := scene.EnglishCV(p, "profile", false)["document"]
	var all []any
	for _, kind := range []string{"skills", "skillGroups", "languages", "highlights", "experiences", "educations", "certifications", "projects"} {
		all = append(all, section(kind, expect.At(document, kind)))
	}
	return map[string]any{
		"id": "master", "title": "Main CV", "summary": "Builds payment systems that stay up.", "createdAt": expect.Timestamp, "updatedAt": expect.Timestamp,
		"snapshot": snapshot, "sections": all,
	}
}

// arabicCV returns the additional CV of world.Full as a CV document.
func arabicCV(id string, snapshot bool) map[string]any {
	return map[string]any{
		"id": id, "title": "السيرة الذاتية", "summary": world.Arabic().Summary, "createdAt": expect.Timestamp, "updatedAt": expect.Timestamp, "snapshot": snapshot,
		"sections": []any{
			section("skills", []any{"قواعد البيانات", "Go"}),
			section("experiences", []any{map[string]any{
				"id": "a1", "title": "مهندسة أولى", "company": "كريم", "location": nil, "locationType": nil, "employmentType": nil, "startDate": "2019-01",
				"endDate": nil, "current": true, "overview": nil, "bullets": []any{"قيادة فريق من ثمانية مهندسين"},
			}}),
		},
	}
}

// liveProfile returns the profile of world.Full as candidateProfile.
func liveProfile(p world.Person) map[string]any {
	document := scene.EnglishCV(p, "profile", false)["document"]
	var experience []any
	for _, e := range expect.At(document, "experiences").([]any) {
		e := e.(map[string]any)
		experience = append(experience, map[string]any{
			"id": e["id"], "company": e["company"], "title": e["title"], "location": e["location"], "locationType": e["locationType"],
			"employmentType": e["employmentType"], "startDate": e["startDate"], "endDate": e["endDate"], "current": e["current"],
			"description": e["overview"], "achievements": e["bullets"],
		})
	}
	return map[string]any{
		"bio": "Engineer, mentor, cyclist.", "about": "Grew up between Amman and Dubai.", "skills": []any{"Kafka", "PostgreSQL", "Redis"},
		"interests": []any{"Cycling", "Oud"}, "experience": experience, "education": expect.At(document, "educations"),
		"certifications": expect.At(document, "certifications"), "highlights": expect.At(document, "highlights"), "projects": expect.At(document, "projects"),
	}
}

func TestApplicationDetailHasAllFields(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t, world.Applicants())
	rows, people := wantRows(p), p.World.People
	details := map[string]map[string]any{
		"main": expect.But(rows[2], map[string]any{
			"coverLetter": "Dear all,\nhire me.", "candidateProfile": liveProfile(people[0]), "submittedCvDocument": englishCV(people[0], true),
			"additionalCvDocuments": []any{arabicCV(p.Created.CVs["arabic"].ID, false)}, "resume": nil,
		}),
		"other": expect.But(rows[1], map[string]any{
			"coverLetter": nil, "candidateProfile": liveProfile(people[1]), "submittedCvDocument": arabicCV(p.Created.CVs["noura-arabic"].ID, true),
			"additionalCvDocuments": []any{englishCV(people[1], false)}, "resume": nil,
		}),
		"file": expect.But(rows[0], map[string]any{
			"coverLetter": nil, "submittedCvDocument": nil, "additionalCvDocuments": []any{},
			"candidateProfile": map[string]any{
				"bio": nil, "about": nil, "skills": []any{}, "interests": []any{}, "experience": []any{}, "education": []any{},
				"certifications": []any{}, "highlights": []any{}, "projects": []any{},
			},
			"resume": map[string]any{"downloadUrl": expect.Identifier, "expiresAt": expect.Timestamp, "filename": "سيرة Omar's CV.pdf"},
		}),
	}
	for ref, want := range details {
		for _, edge := range p.Edges(p.API) {
			expect.Matches(t, ref, want, expect.Success(t, expect.Must(edge.Candidate(t.Context(), p.Created.Applications[ref].ID))(t)))
		}
	}
}
