package world

import (
	"fmt"
	"strings"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// index finds objects by ref. If two objects have the same ref, which is an error, it finds the first one.
type index struct {
	apps      map[string]bool
	companies map[string]bool
	jobs      map[string]Job
	people    map[string]Person
	cvs       map[string]bool
}

func newIndex(w World) index {
	x := index{apps: map[string]bool{}, companies: map[string]bool{}, jobs: map[string]Job{}, people: map[string]Person{}, cvs: map[string]bool{MainCV: true}}
	for _, d := range w.Developers {
		for _, a := range d.Apps {
			x.apps[a.Ref] = true
		}
	}
	for _, c := range w.Companies {
		x.companies[c.Ref] = true
	}
	for _, j := range w.Jobs {
		if _, there := x.jobs[j.Ref]; !there {
			x.jobs[j.Ref] = j
		}
	}
	for _, p := range w.People {
		if _, there := x.people[p.Ref]; !there {
			x.people[p.Ref] = p
		}
		for _, cv := range p.CVs {
			x.cvs[cv.Ref] = true
		}
	}
	// An object without a ref already has an error, and an empty ref must not refer to it.
	delete(x.apps, "")
	delete(x.companies, "")
	delete(x.jobs, "")
	delete(x.people, "")
	return x
}

// checkReferences reports refs to missing objects, and objects that do not belong together, such as a person
// and a different person's CV.
func checkReferences(w World, faults *Faults) {
	x := newIndex(w)
	known := func(there bool, path, ref, what string) {
		if !there && !faults.Known(path) {
			faults.Add(path, fmt.Sprintf("is not the ref of any %s in this file: %q", what, ref))
		}
	}
	for _, d := range w.Developers {
		checkMembers(d, x, known, faults)
	}
	for _, c := range w.Companies {
		known(x.apps[c.App], Child(c.Path, "app"), c.App, "app")
	}
	for _, j := range w.Jobs {
		known(x.companies[j.Company], Child(j.Path, "company"), j.Company, "company")
	}
	for _, a := range w.Applications {
		person, there := x.people[a.Person]
		known(there, Child(a.Path, "person"), a.Person, "person")
		switch {
		case a.CV == "":
		case there:
			checkCV(a, person, faults)
		default: // if the person is unknown, the CV may belong to anyone
			known(x.cvs[a.CV], Child(a.Path, "cv"), a.CV, "CV")
		}
		job, there := x.jobs[a.Job]
		known(there, Child(a.Path, "job"), a.Job, "job")
		if there {
			checkJob(a, job, faults)
		}
	}
}

// checkMembers reports members who are not in the file and people who are members of an account twice.
func checkMembers(d Developer, x index, known func(there bool, path, ref, what string), faults *Faults) {
	first := map[string]string{}
	for _, m := range d.Members {
		_, there := x.people[m.Person]
		known(there, Child(m.Path, "person"), m.Person, "person")
		if before, twice := first[m.Person]; there && twice {
			faults.Add(Child(m.Path, "person"), "is already a member through "+before)
		}
		if first[m.Person] == "" {
			first[m.Person] = m.Path
		}
	}
}

func checkCV(a Application, p Person, faults *Faults) {
	path := Child(a.Path, "cv")
	if a.CV == MainCV {
		if !hasMainCV(p.Profile.GetProfile().GetContent()) {
			faults.Add(path, p.Path+" has no main CV: its profile is empty")
		}
		return
	}
	for _, cv := range p.CVs {
		if cv.Ref == a.CV {
			return
		}
	}
	faults.Add(path, fmt.Sprintf("is not the ref of any CV of %s: %q", p.Path, a.CV))
}

// hasMainCV reports whether a profile has a main CV that can be submitted (behaviour: sharing#the-main-cv). The
// service cannot check this in a dry run, because the person does not exist yet.
func hasMainCV(c *candidatev1.CvContent) bool {
	texts := append([]string{c.GetSummary(), c.GetBio()}, c.GetLanguages()...)
	texts = append(texts, c.GetSkills()...)
	for _, group := range c.GetSkillGroups() {
		texts = append(texts, group.GetItems()...)
	}
	return strings.TrimSpace(strings.Join(texts, "")) != "" ||
		len(c.GetHighlights())+len(c.GetExperiences())+len(c.GetEducations())+len(c.GetCertifications())+len(c.GetProjects()) > 0
}

func checkJob(a Application, j Job, faults *Faults) {
	if !j.Live() && !faults.Known(Child(j.Path, "saveAs")) {
		faults.Add(Child(a.Path, "job"), j.Path+" is saved as a draft and never accepts applications")
	}
	questions := j.Request.GetQuestions()
	answered := map[int]bool{}
	for _, answer := range a.Answers {
		path := Child(answer.Path, "question")
		if !faults.Known(path) && (answer.Question < 0 || answer.Question >= len(questions)) {
			faults.Add(path, fmt.Sprintf("must be the index of a question of %s, which has %d questions", j.Path, len(questions)))
		}
		answered[answer.Question] = true
	}
	for i, q := range questions {
		if q.GetRequired() && !answered[i] {
			faults.Add(Child(a.Path, "answers"), fmt.Sprintf("must answer the required question %d of %s: %s", i, j.Path, q.GetPrompt()))
		}
	}
}
