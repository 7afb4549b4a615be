package world

import (
	"encoding/base64"
	"fmt"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// MainCV refers to a person's main CV, as in the API (behaviour: applications#submitted-cv).
const MainCV = "master"

func readApplication(path string, v any, s *seen, faults *Faults) (Application, bool) {
	r, ok := read(path, v, faults)
	if !ok {
		return Application{}, false
	}
	defer r.end()
	a := Application{
		Path:   path,
		Ref:    r.ref(s.applications),
		Job:    r.required("job"),
		Person: r.required("person"),
		CV:     r.optional("cv"),
		Resume: readResume(r),
	}
	a.Request = &candidatev1.ApplyRequest{
		CoverLetter: r.optional("coverLetter"),
		Source:      word[candidatev1.ApplicationSource](r, "source"),
		AppliedAt:   r.time("appliedAt"),
	}
	switch cv, resume := r.object.fields["cv"], r.object.fields["resume"]; {
	case cv == nil && resume == nil:
		faults.Add(path, "needs a cv or a resume")
	case cv != nil && resume != nil:
		faults.Add(path, "has both a cv and a resume, but can have only one")
	case cv == "":
		faults.Add(Child(path, "cv"), "must not be empty")
	}
	if first, again := s.applied[[2]string{a.Job, a.Person}]; again && a.Job != "" && a.Person != "" {
		faults.Add(Child(path, "person"), "has applied for this job in "+first)
	} else {
		s.applied[[2]string{a.Job, a.Person}] = path
	}
	a.Answers = readAnswers(r)
	a.Stages = readStages(r)
	return a, true
}

// readResume reads a resume. It ignores the media type, because the service determines the type from the
// content (behaviour: applications#uploaded-resumes).
func readResume(r *reader) *Resume {
	v, path := r.take("resume")
	if v == nil {
		return nil
	}
	file, ok := read(path, v, r.faults)
	if !ok {
		return nil
	}
	defer file.end()
	resume := &Resume{Filename: file.optional("filename")}
	file.optional("contentType")
	encoded := file.required("contentBase64")
	content, err := base64.StdEncoding.DecodeString(encoded)
	if at := Child(path, "contentBase64"); err != nil {
		r.faults.Add(at, "must be base64")
	} else if encoded == "" && !r.faults.Known(at) {
		r.faults.Add(at, "must not be empty")
	}
	resume.Content = content
	return resume
}

func readAnswers(r *reader) []Answer {
	items, at := r.list("answers")
	answers, answered := []Answer{}, map[int]string{}
	for i, item := range items {
		path := Index(at, i)
		one, ok := read(path, item, r.faults)
		if !ok {
			continue
		}
		a := Answer{Path: path, Question: int(one.figure("question"))}
		a.Value = &candidatev1.AnswerValue{}
		if !one.message("value", a.Value) {
			r.faults.Add(Child(path, "value"), "is required")
		}
		one.end()
		if where := Child(path, "question"); r.faults.Known(where) {
			a.Question = NoQuestion
		} else if first, again := answered[a.Question]; again {
			r.faults.Add(where, "is already answered by "+first)
		} else {
			answered[a.Question] = path
		}
		answers = append(answers, a)
	}
	return answers
}

// readStages reads the stages after "applied". It checks their order because no service can: no single request
// contains all of them (behaviour: applications#stages).
func readStages(r *reader) []candidatev1.ApplicationStatus {
	items, at := r.list("stages")
	var stages []candidatev1.ApplicationStatus
	last := candidatev1.ApplicationStatus_APPLICATION_STATUS_APPLIED
	for i, item := range items {
		path := Index(at, i)
		number, ok := enum(path, item, last.Descriptor(), r.faults, candidatev1.ApplicationStatus_APPLICATION_STATUS_APPLIED.Number())
		stage := candidatev1.ApplicationStatus(number)
		switch {
		case !ok:
			continue
		case Ends(last):
			r.faults.Add(path, fmt.Sprintf("cannot follow %q, which ends an application", WordOf(last)))
		case stage <= last:
			r.faults.Add(path, fmt.Sprintf("cannot follow %q: an application moves forward", WordOf(last)))
		default:
			last = stage
		}
		stages = append(stages, stage)
	}
	return stages
}

func Ends(s candidatev1.ApplicationStatus) bool {
	return s == candidatev1.ApplicationStatus_APPLICATION_STATUS_REJECTED ||
		s == candidatev1.ApplicationStatus_APPLICATION_STATUS_WITHDRAWN
}
