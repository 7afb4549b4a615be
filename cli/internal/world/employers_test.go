package world

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

const (
	thePerson  = `{"ref":"p","email":"p@vitae.example","password":"demo-password","name":"P","profile":{"summary":"S"},"cvs":[{"ref":"c","title":"T","document":{}}]}`
	theCompany = `"ref":"co","app":"a","name":"N","industry":"I","employeeCount":"1-10","location":"L","description":"D"`
	theJob     = `"company":"co","saveAs":"live","basics":{"title":"T","workMode":"remote","employment":"full_time","seniority":"mid"},
		"content":{"summary":"S","responsibilities":["R"],"requirements":["Q"]},"distribution":"hidden"`
	theQuestions = `,"questions":[{"prompt":"Yes?","type":"yes_no","required":true},{"prompt":"How many?","type":"number","required":false}]`
)

// employers returns a file with two people, an app, and the given companies, jobs and applications.
func employers(companies, jobs, applications string) string {
	return `{"people":[` + thePerson + `,{"ref":"bare","email":"b@vitae.example","password":"demo-password","name":"B","profile":{"location":"L","interests":["I"]}}],
	  "developers":[{"ref":"d","name":"D","email":"d@vitae.example","plan":"standard","apps":[{"ref":"a","name":"A","clientType":"public"}]}],
	  "companies":[` + companies + `],"jobs":[` + jobs + `],"applications":[` + applications + `]}`
}

func TestEmployersAreParsedIntoRequests(t *testing.T) {
	file := employers(
		`{`+theCompany+`,"slug":"s","website":"https://w.example","logo":null,"externalId":"x","published":true,"verified":false}`,
		`{"ref":"j",`+theJob+`,"idempotencyKey":"k","closed":true,"archived":true,
		  "compensation":{"min":1000.5,"max":2e3,"currency":"AED","period":"monthly","visible":false},
		  "eligibility":{"experienceYears":"1_plus","language":"english_or_arabic"},
		  "workforceProgramme":{"value":"emirati","acknowledged":true},"confidential":{"enabled":true,"publicLabel":"L"},
		  "questions":[{"id":"q","prompt":"P","type":"multiple_choice","required":true,"order":3,"options":["x","y"],"source":"default","defaultKey":"expected_salary"}]}`,
		`{"ref":"one","job":"j","person":"p","cv":"c","coverLetter":"Dear","answers":[{"question":0,"value":"x"}],
		  "source":"public_page","stages":["reviewed","offered","withdrawn"],"appliedAt":"2026-01-31T12:00:00Z"},
		 {"ref":"two","job":"j","person":"bare","resume":{"filename":"r.pdf","contentType":"application/pdf","contentBase64":"JVBERg=="},"answers":[{"question":0,"value":true}]}`)
	var faults Faults
	w := Parse([]byte(file), &faults)
	if list := faults.List(); len(list) > 0 {
		t.Fatalf("a valid file has faults: %v", list)
	}
	company, job, one, two := w.Companies[0], w.Jobs[0], w.Applications[0], w.Applications[1]
	if want := (&partnercatalogv1.CreateCompanyRequest{
		Name: "N", Industry: "I", EmployeeCount: "1-10", Location: "L", Description: "D",
		Slug: proto.String("s"), Website: proto.String("https://w.example"), ExternalId: proto.String("x"),
	}); !proto.Equal(company.Request, want) || company.App != "a" || !*company.Published || *company.Verified {
		t.Errorf("company %+v", company)
	}
	want := &partnercatalogv1.CreateJobRequest{
		IdempotencyKey: proto.String("k"), SaveAs: partnercatalogv1.SaveAs_SAVE_AS_LIVE,
		Basics: &partnercatalogv1.JobBasics{
			Title: "T", WorkMode: partnercatalogv1.WorkMode_WORK_MODE_REMOTE,
			Employment: partnercatalogv1.Employment_EMPLOYMENT_FULL_TIME, Seniority: partnercatalogv1.Seniority_SENIORITY_MID,
		},
		Content: &partnercatalogv1.JobContent{Summary: "S", Responsibilities: []string{"R"}, Requirements: []string{"Q"}},
		Compensation: &partnercatalogv1.Compensation{
			Min: proto.Float64(1000.5), Max: proto.Float64(2000), Currency: "AED", Period: partnercatalogv1.SalaryPeriod_SALARY_PERIOD_MONTHLY,
		},
		Eligibility: &partnercatalogv1.EligibilityInput{
			ExperienceYears: partnercatalogv1.ExperienceYears_EXPERIENCE_YEARS_1_PLUS,
			Language:        partnercatalogv1.LanguageRule_LANGUAGE_RULE_ENGLISH_OR_ARABIC,
		},
		WorkforceProgramme: &partnercatalogv1.WorkforceProgramme{Value: partnercatalogv1.Programme_PROGRAMME_EMIRATI, Acknowledged: proto.Bool(true)},
		Confidential:       &partnercatalogv1.Confidentiality{Enabled: true, PublicLabel: proto.String("L")},
		Distribution:       partnercatalogv1.Distribution_DISTRIBUTION_HIDDEN,
		Questions: []*partnercatalogv1.QuestionInput{{
			Id: proto.String("q"), Prompt: "P", Type: partnercatalogv1.QuestionType_QUESTION_TYPE_MULTIPLE_CHOICE, Required: true,
			Order: proto.Int32(3), Options: []string{"x", "y"}, Source: partnercatalogv1.QuestionSource_QUESTION_SOURCE_DEFAULT.Enum(),
			DefaultKey: partnercatalogv1.DefaultQuestion_DEFAULT_QUESTION_EXPECTED_SALARY.Enum(),
		}},
	}
	if !proto.Equal(job.Request, want) || job.Company != "co" || !job.Closed || !job.Archived {
		t.Errorf("job %+v", job)
	}
	stages := []candidatev1.ApplicationStatus{
		candidatev1.ApplicationStatus_APPLICATION_STATUS_REVIEWED, candidatev1.ApplicationStatus_APPLICATION_STATUS_OFFERED,
		candidatev1.ApplicationStatus_APPLICATION_STATUS_WITHDRAWN,
	}
	if one.Job != "j" || one.Person != "p" || one.CV != "c" || one.Resume != nil || one.Request.GetCoverLetter() != "Dear" ||
		one.Request.GetSource() != candidatev1.ApplicationSource_APPLICATION_SOURCE_PUBLIC_PAGE ||
		one.Request.GetAppliedAt().AsTime().Year() != 2026 || !slices.Equal(one.Stages, stages) ||
		one.Answers[0].Question != 0 || one.Answers[0].Value.GetText() != "x" {
		t.Errorf("application %+v", one)
	}
	if two.CV != "" || two.Resume.Filename != "r.pdf" || string(two.Resume.Content) != "%PDF" || !two.Answers[0].Value.GetYes() {
		t.Errorf("application %+v", two)
	}
}

func TestEmployerErrorsHavePaths(t *testing.T) {
	company, job := `{`+theCompany+`}`, `{"ref":"j",`+theJob+theQuestions+`}`
	application := func(more string) string { return `{"ref":"ap","job":"j","person":"p"` + more + `}` }
	yes := `,"cv":"c","answers":[{"question":0,"value":true}`
	for name, c := range map[string]struct{ companies, jobs, applications, want string }{
		"empty objects": {`{}`, `{}`, `{}`, `companies[0].ref companies[0].app companies[0].name companies[0].industry companies[0].employeeCount
			companies[0].location companies[0].description jobs[0].ref jobs[0].company jobs[0].basics jobs[0].content jobs[0].distribution
			applications[0] applications[0].ref applications[0].job applications[0].person`},
		"wrong types": {`7`, `null`, `"x"`, `companies[0] jobs[0] applications[0]`},
		"fields that a file cannot set": {`{` + theCompany + `,"validateOnly":true,"tagline":"T"}`, `{"ref":"j",` + theJob + `,"companyId":"com_1","validateOnly":false,"id":"job_1"}`, ``,
			`companies[0].validateOnly companies[0].tagline jobs[0].companyId jobs[0].validateOnly jobs[0].id`},
		"unknown refs": {`{"ref":"co","app":"b",` + theCompany[len(`"ref":"co","app":"a",`):] + `}`, strings.Replace(job, `"co"`, `"no"`, 1),
			`{"ref":"x","job":"no","person":"p","cv":"c"},{"ref":"y","job":"no","person":"no","cv":"c"}`,
			`companies[0].app jobs[0].company applications[0].job applications[1].job applications[1].person`},
		"an unknown person with an unknown CV": {company, job, strings.NewReplacer(`"p"`, `"no"`, `"c"`, `"nope"`).Replace(application(yes + `]`)),
			`applications[0].person applications[0].cv`},
		"duplicates": {company + `,{` + theCompany + `,"slug":"s","externalId":"x"},{` + strings.Replace(theCompany, `"co"`, `"c2"`, 1) + `,"slug":"s","externalId":"x"}`,
			`{"ref":"j",` + theJob + `,"idempotencyKey":"k"},{"ref":"j",` + theJob + `,"idempotencyKey":"k"}`,
			application(`,"cv":"c"`) + `,` + application(`,"cv":"master"`),
			`companies[1].ref companies[2].slug companies[2].externalId jobs[1].ref jobs[1].idempotencyKey applications[1].ref applications[1].person`},
		"words and numbers": {company, `{"ref":"j",` + strings.NewReplacer(`"remote"`, `"REMOTE"`, `"mid"`, `3`, `"hidden"`, `"unspecified"`).Replace(theJob) +
			`,"compensation":{"min":"1","max":1e999,"currency":"AED","period":"weekly","visible":1},"questions":[{"prompt":"P","type":"essay","required":true,"order":1.5}]}`, ``,
			`jobs[0].basics.workMode jobs[0].basics.seniority jobs[0].distribution jobs[0].compensation.min jobs[0].compensation.max
			 jobs[0].compensation.period jobs[0].compensation.visible jobs[0].questions[0].type jobs[0].questions[0].order`},
		"required fields of sections": {company, `{"ref":"j","company":"co","basics":{},"content":{"summary":null},"distribution":"hidden","compensation":{},
			"workforceProgramme":{},"confidential":{},"questions":[{}]}`, ``,
			`jobs[0].basics.title jobs[0].basics.workMode jobs[0].basics.employment jobs[0].basics.seniority jobs[0].content.summary
			 jobs[0].content.responsibilities jobs[0].content.requirements jobs[0].compensation.currency jobs[0].compensation.period jobs[0].compensation.visible
			 jobs[0].workforceProgramme.value jobs[0].confidential.enabled jobs[0].questions[0].prompt jobs[0].questions[0].type jobs[0].questions[0].required`},
		"drafts": {company, strings.Replace(job, `"live"`, `"draft","closed":true`, 1) + `,{"ref":"k",` + strings.Replace(theJob, `"saveAs":"live",`, `"archived":true,`, 1) + `}`,
			application(yes+`]`) + `,{"ref":"b","job":"k","person":"p","cv":"c"}`,
			`jobs[0].closed applications[0].job applications[1].job`},
		"submissions": {company, job, application(yes+`],"resume":{"contentBase64":"JVBERg=="}`) + `,{"ref":"b","job":"j","person":"bare","answers":[{"question":0,"value":true}]}`,
			`applications[0] applications[1]`},
		"a CV of a different person": {company, job, `{"ref":"b","job":"j","person":"bare"` + yes + `]}`, `applications[0].cv`},
		"an empty CV ref":            {company, job, application(`,"cv":"","answers":[{"question":0,"value":true}]`), `applications[0].cv`},
		"an empty main CV":           {company, job, `{"ref":"b","job":"j","person":"bare"` + strings.Replace(yes, `"c"`, `"master"`, 1) + `]}`, `applications[0].cv`},
		"a resume without content":   {company, job, application(`,"resume":{"filename":7,"size":1},"answers":[{"question":0,"value":true}]`), `applications[0].resume.filename applications[0].resume.size applications[0].resume.contentBase64`},
		"a resume not in base64":     {company, job, application(`,"resume":{"contentBase64":"%PDF"},"answers":[{"question":0,"value":true}]`), `applications[0].resume.contentBase64`},
		"an empty resume":            {company, job, application(`,"resume":{"contentBase64":""},"answers":[{"question":0,"value":true}]`), `applications[0].resume.contentBase64`},
		"a missing answer":           {company, job, application(`,"cv":"c","answers":[{"question":1,"value":2}]`), `applications[0].answers`},
		"answers": {company, job, application(yes + `,{"question":0,"value":false},{"question":2,"value":"x"},{"question":-1,"value":"x"},{"question":"1","value":{}},{"value":null},7]`),
			`applications[0].answers[1].question applications[0].answers[2].question applications[0].answers[3].question applications[0].answers[4].question
			 applications[0].answers[4].value applications[0].answers[5].question applications[0].answers[5].value applications[0].answers[6]`},
		"stages": {company, job, application(yes + `],"stages":["applied","reviewed","reviewed","interview","shortlisted","rejected","offered","hired",3]`),
			`applications[0].stages[0] applications[0].stages[2] applications[0].stages[4] applications[0].stages[6] applications[0].stages[7] applications[0].stages[8]`},
		"withdrawn, then rejected": {company, job, application(yes + `],"stages":["withdrawn","rejected"]`), `applications[0].stages[1]`},
		"source and time":          {company, job, application(yes + `],"source":"mail","appliedAt":"yesterday","coverLetter":1`), `applications[0].source applications[0].appliedAt applications[0].coverLetter`},
		"live and archived":        {company, strings.Replace(job, `"live"`, `"live","archived":true`, 1), application(yes + `]`), ``},
	} {
		t.Run(name, func(t *testing.T) {
			var faults Faults
			Parse([]byte(employers(c.companies, c.jobs, c.applications)), &faults)
			var got []string
			for _, f := range faults.List() {
				got = append(got, f.Path)
			}
			want := strings.Fields(c.want)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("faults at\n%q, want\n%q", got, want)
			}
		})
	}
}

func TestUnknownStageErrorListsValidStages(t *testing.T) {
	var faults Faults
	Parse([]byte(employers(`{`+theCompany+`}`, `{"ref":"j",`+theJob+`}`, `{"ref":"a","job":"j","person":"p","cv":"c","stages":["bogus"]}`)), &faults)
	want := Fault{"applications[0].stages[0]", `must be "reviewed" or "shortlisted" or "interview" or "offered" or "rejected" or "withdrawn"`}
	if list := faults.List(); len(list) != 1 || list[0] != want {
		t.Errorf("faults %v, want %v", list, want)
	}
}

func TestMainCVRefIsReserved(t *testing.T) {
	var faults Faults
	Parse([]byte(`{"people":[`+person(`,"cvs":[{"ref":"master","title":"T","document":{}}]`)+`]}`), &faults)
	if list := faults.List(); len(list) != 1 || list[0].Path != "people[0].cvs[0].ref" {
		t.Errorf("faults %v", list)
	}
}

func TestEnumWordsExcludeUnspecified(t *testing.T) {
	if v, ok := Word[partnercatalogv1.ExperienceYears]("10_plus"); !ok || v != partnercatalogv1.ExperienceYears_EXPERIENCE_YEARS_10_PLUS {
		t.Errorf("10_plus is %v, %v", v, ok)
	}
	if _, ok := Word[partnercatalogv1.JobStatus]("unspecified"); ok {
		t.Error("the unspecified value has a word")
	}
	if got := WordOf(candidatev1.ApplicationSource_APPLICATION_SOURCE_PUBLIC_NEW_USER); got != "public_new_user" {
		t.Errorf("word %q", got)
	}
}
