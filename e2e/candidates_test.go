package e2e_test

import (
	"fmt"
	"testing"

	"vitae.internal/e2e/internal/world"
)

// allAnswers answers every one of world.Questions.
func allAnswers() []world.Answer {
	return []world.Answer{{Question: 0, Value: true}, {Question: 1, Value: "Night"}, {Question: 2, Value: "شهر واحد"}, {Question: 3, Value: "Because.\nTruly."}, {Question: 4, Value: 7.5}}
}

// leastAnswers answers those that must be.
func leastAnswers() []world.Answer {
	return []world.Answer{{Question: 4, Value: 0}, {Question: 0, Value: false}, {Question: 1, Value: "Day"}}
}

const appliedAt = "2026-01-02T03:04:05.678Z"

// resumeFile is a PDF by its content.
var resumeFile = []byte("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n\x00\xff binary")

// applicants is a world with a full job and three applicants: with the main CV,
// with another, and with a resume.
func applicants() world.World {
	main, other := world.Full(), world.Full()
	other.Ref, other.CVs[0].Ref = "noura", "noura-arabic"
	return world.World{
		People:    []world.Person{main, other, world.Bare()},
		Companies: []world.Fields{world.Company().With("ref", "com").With("app", "ats")},
		Jobs:      []world.Fields{world.FullJob().With("ref", "job").With("company", "com")},
		Applications: []world.Application{
			{
				Ref: "main", Job: "job", Person: "layla", CV: "master", CoverLetter: "Dear all,\nhire me.", Answers: allAnswers(),
				Source: "public_page", Stages: []string{"reviewed", "interview"}, AppliedAt: appliedAt,
			},
			{Ref: "other", Job: "job", Person: "noura", CV: "noura-arabic", Answers: leastAnswers(), Source: "public_new_user"},
			{
				Ref: "file", Job: "job", Person: "bare", Answers: leastAnswers(),
				Resume: &world.Resume{Filename: "سيرة Omar's CV.pdf", ContentType: "application/pdf", Content: resumeFile},
			},
		},
	}
}

func stage(status string, at any) map[string]any { return map[string]any{"status": status, "at": at} }

func answer(question, kind string, value any) map[string]any {
	return map[string]any{"questionId": question, "type": kind, "value": value}
}

// wantRows are the list rows of applicants, newest first.
func (p platform) wantRows() []map[string]any {
	row := func(ref string, person world.Person) map[string]any {
		return map[string]any{
			"applicationId": p.created.Applications[ref].ID, "jobId": p.created.Jobs["job"].ID, "companyId": p.created.Companies["com"].ID,
			"status": "applied", "appliedAt": timestamp, "updatedAt": timestamp, "source": nil, "submittedCv": nil,
			"statusHistory": []any{stage("applied", timestamp)},
			"screeningAnswers": []any{
				answer("visa", "yes_no", false), answer("shift", "multiple_choice", "Day"), answer("years", "number", number(0)),
			},
			"candidate": map[string]any{
				"userId": p.created.People[person.Ref].ID, "name": person.Name, "username": orNull(person.Username),
				"image": orNull(person.AvatarURL), "email": person.Email, "title": orNull(person.Headline),
			},
		}
	}
	people := p.world.People
	main, other, file := row("main", people[0]), row("other", people[1]), row("file", people[2])
	main["status"], main["appliedAt"], main["source"] = "interview", appliedAt, "public_page"
	main["statusHistory"] = []any{stage("applied", appliedAt), stage("reviewed", timestamp), stage("interview", timestamp)}
	main["submittedCv"] = map[string]any{"id": "master", "title": "Main CV", "updatedAt": timestamp}
	main["screeningAnswers"] = []any{
		answer("visa", "yes_no", true), answer("shift", "multiple_choice", "Night"), answer("notice", "short_answer", "شهر واحد"),
		answer("why", "long_answer", "Because.\nTruly."), answer("years", "number", number(7.5)),
	}
	other["source"] = "public_new_user"
	other["submittedCv"] = map[string]any{"id": p.created.CVs["noura-arabic"].ID, "title": "السيرة الذاتية", "updatedAt": timestamp}
	return []map[string]any{file, other, main}
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func TestApplicationRowsHaveExactlyTheirFields(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, applicants())
	for _, edge := range p.edges(p.api) {
		rows, total := listed(t, must(edge.Candidates(t.Context(), p.created.Jobs["job"].ID, ""))(t))
		if total != 3 {
			t.Fatalf("%d applications, want 3", total)
		}
		newestFirst(t, rows, "appliedAt", "applicationId")
		for i, want := range p.wantRows() {
			matches(t, fmt.Sprint("row ", i), want, rows[i])
		}
	}
}

// section of a CV document.
func section(kind string, items any) map[string]any {
	return map[string]any{"kind": kind, "title": identifier, "items": items}
}

// englishCV is the main CV of world.Full as a CV document.
func englishCV(p world.Person, snapshot bool) map[string]any {
	document := wantEnglish(p, "profile", false)["document"]
	var all []any
	for _, kind := range []string{"skills", "skillGroups", "languages", "highlights", "experiences", "educations", "certifications", "projects"} {
		all = append(all, section(kind, at(document, kind)))
	}
	return map[string]any{
		"id": "master", "title": "Main CV", "summary": "Builds payment systems that stay up.", "createdAt": timestamp, "updatedAt": timestamp,
		"snapshot": snapshot, "sections": all,
	}
}

// arabicCV is the other CV of world.Full as a CV document.
func arabicCV(id string, snapshot bool) map[string]any {
	return map[string]any{
		"id": id, "title": "السيرة الذاتية", "summary": world.Arabic().Summary, "createdAt": timestamp, "updatedAt": timestamp, "snapshot": snapshot,
		"sections": []any{
			section("skills", []any{"قواعد البيانات", "Go"}),
			section("experiences", []any{map[string]any{
				"id": "a1", "title": "مهندسة أولى", "company": "كريم", "location": nil, "locationType": nil, "employmentType": nil, "startDate": "2019-01",
				"endDate": nil, "current": true, "overview": nil, "bullets": []any{"قيادة فريق من ثمانية مهندسين"},
			}}),
		},
	}
}

// liveProfile is the profile of world.Full as candidateProfile.
func liveProfile(p world.Person) map[string]any {
	document := wantEnglish(p, "profile", false)["document"]
	var experience []any
	for _, e := range at(document, "experiences").([]any) {
		e := e.(map[string]any)
		experience = append(experience, map[string]any{
			"id": e["id"], "company": e["company"], "title": e["title"], "location": e["location"], "locationType": e["locationType"],
			"employmentType": e["employmentType"], "startDate": e["startDate"], "endDate": e["endDate"], "current": e["current"],
			"description": e["overview"], "achievements": e["bullets"],
		})
	}
	return map[string]any{
		"bio": "Engineer, mentor, cyclist.", "about": "Grew up between Amman and Dubai.", "skills": []any{"Kafka", "PostgreSQL", "Redis"},
		"interests": []any{"Cycling", "Oud"}, "experience": experience, "education": at(document, "educations"),
		"certifications": at(document, "certifications"), "highlights": at(document, "highlights"), "projects": at(document, "projects"),
	}
}

func TestApplicationDetailsHaveExactlyTheirFields(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, applicants())
	rows, people := p.wantRows(), p.world.People
	details := map[string]map[string]any{
		"main": but(rows[2], map[string]any{
			"coverLetter": "Dear all,\nhire me.", "candidateProfile": liveProfile(people[0]), "submittedCvDocument": englishCV(people[0], true),
			"additionalCvDocuments": []any{arabicCV(p.created.CVs["arabic"].ID, false)}, "resume": nil,
		}),
		"other": but(rows[1], map[string]any{
			"coverLetter": nil, "candidateProfile": liveProfile(people[1]), "submittedCvDocument": arabicCV(p.created.CVs["noura-arabic"].ID, true),
			"additionalCvDocuments": []any{englishCV(people[1], false)}, "resume": nil,
		}),
		"file": but(rows[0], map[string]any{
			"coverLetter": nil, "submittedCvDocument": nil, "additionalCvDocuments": []any{},
			"candidateProfile": map[string]any{
				"bio": nil, "about": nil, "skills": []any{}, "interests": []any{}, "experience": []any{}, "education": []any{},
				"certifications": []any{}, "highlights": []any{}, "projects": []any{},
			},
			"resume": map[string]any{"downloadUrl": identifier, "expiresAt": timestamp, "filename": "سيرة Omar's CV.pdf"},
		}),
	}
	for ref, want := range details {
		for _, edge := range p.edges(p.api) {
			matches(t, ref, want, success(t, must(edge.Candidate(t.Context(), p.created.Applications[ref].ID))(t)))
		}
	}
}
