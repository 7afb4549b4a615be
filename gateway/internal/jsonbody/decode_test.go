package jsonbody

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"vitae.internal/gateway/internal/contract"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

var (
	companies = partnercatalogv1.File_vitae_partnercatalog_v1_companies_proto.Services().ByName("CompanyService")
	jobs      = partnercatalogv1.File_vitae_partnercatalog_v1_jobs_proto.Services().ByName("JobService")
)

func form(t testing.TB, service protoreflect.ServiceDescriptor, method protoreflect.Name) *Form {
	t.Helper()
	m, err := contract.MethodOf(service, method)
	if err != nil {
		t.Fatal(err)
	}
	f, err := NewForm(m)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

const wholeJob = `{
  "idempotencyKey": "k1", "saveAs": "live", "companyId": "com_other", "validateOnly": true,
  "basics": {"title": "Engineer \ud83d\ude00", "department": "", "city": "دبي", "workMode": "hybrid", "employment": "full_time", "seniority": "lead", "future": {"a": [1, null]}},
  "content": {"summary": "s\n", "responsibilities": ["a", "b"], "requirements": [], "niceToHave": ["c"]},
  "compensation": {"min": 1200.5, "max": 15e3, "currency": "AED", "period": "monthly", "visible": false},
  "eligibility": {"experienceYears": "10_plus"},
  "workforceProgramme": {"value": "none", "acknowledged": true},
  "questions": [
    {"prompt": "p", "type": "multiple_choice", "required": true, "order": -3.0, "options": ["x", "y"], "source": "custom", "defaultKey": "availability"},
    {"id": "", "prompt": "q", "type": "number", "required": false}
  ],
  "distribution": "company_page_only",
  "confidential": {"enabled": false}
}`

func TestDecodeReadsAllFields(t *testing.T) {
	got := &partnercatalogv1.CreateJobRequest{}
	if err := form(t, jobs, "CreateJob").Decode([]byte(wholeJob), got); err != nil {
		t.Fatal(err)
	}
	want := &partnercatalogv1.CreateJobRequest{
		IdempotencyKey: proto.String("k1"), SaveAs: partnercatalogv1.SaveAs_SAVE_AS_LIVE,
		Basics: &partnercatalogv1.JobBasics{
			Title: "Engineer 😀", Department: proto.String(""), City: proto.String("دبي"), WorkMode: partnercatalogv1.WorkMode_WORK_MODE_HYBRID,
			Employment: partnercatalogv1.Employment_EMPLOYMENT_FULL_TIME, Seniority: partnercatalogv1.Seniority_SENIORITY_LEAD,
		},
		Content:            &partnercatalogv1.JobContent{Summary: "s\n", Responsibilities: []string{"a", "b"}, NiceToHave: []string{"c"}},
		Compensation:       &partnercatalogv1.Compensation{Min: proto.Float64(1200.5), Max: proto.Float64(15000), Currency: "AED", Period: partnercatalogv1.SalaryPeriod_SALARY_PERIOD_MONTHLY},
		Eligibility:        &partnercatalogv1.EligibilityInput{ExperienceYears: partnercatalogv1.ExperienceYears_EXPERIENCE_YEARS_10_PLUS},
		WorkforceProgramme: &partnercatalogv1.WorkforceProgramme{Value: partnercatalogv1.Programme_PROGRAMME_NONE, Acknowledged: proto.Bool(true)},
		Questions: []*partnercatalogv1.QuestionInput{
			{Prompt: "p", Type: partnercatalogv1.QuestionType_QUESTION_TYPE_MULTIPLE_CHOICE, Required: true, Order: proto.Int32(-3), Options: []string{"x", "y"},
				Source: partnercatalogv1.QuestionSource_QUESTION_SOURCE_CUSTOM.Enum(), DefaultKey: partnercatalogv1.DefaultQuestion_DEFAULT_QUESTION_AVAILABILITY.Enum()},
			{Id: proto.String(""), Prompt: "q", Type: partnercatalogv1.QuestionType_QUESTION_TYPE_NUMBER},
		},
		Distribution: partnercatalogv1.Distribution_DISTRIBUTION_COMPANY_PAGE_ONLY,
		Confidential: &partnercatalogv1.Confidentiality{},
	}
	if !proto.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestUpdateMaskListsSentFields(t *testing.T) {
	company, job := form(t, companies, "UpdateCompany"), form(t, jobs, "UpdateJob")
	for _, c := range []struct {
		form *Form
		body string
		into proto.Message
		want proto.Message
	}{
		{company, `{}`, &partnercatalogv1.UpdateCompanyRequest{}, &partnercatalogv1.UpdateCompanyRequest{UpdateMask: &fieldmaskpb.FieldMask{}}},
		{company, `{"employeeCount":"1-10","tagline":null,"website":null,"updateMask":"slug","companyId":"com_2","employee_count":"x","Name":"X","socials":{"x":"","linkedin":"l"}}`,
			&partnercatalogv1.UpdateCompanyRequest{}, &partnercatalogv1.UpdateCompanyRequest{
				EmployeeCount: "1-10", Socials: &partnercatalogv1.SocialLinks{X: proto.String(""), Linkedin: proto.String("l")},
				UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"employee_count", "tagline", "website", "socials"}},
			}},
		{company, `{"slug":"s","logo":""}`, &partnercatalogv1.UpdateCompanyRequest{}, &partnercatalogv1.UpdateCompanyRequest{
			Slug: "s", Logo: proto.String(""), UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"slug", "logo"}}}},
		{job, `{"saveAs":"live","idempotencyKey":1,"compensation":null,"eligibility":{},"questions":[],"jobId":{}}`,
			&partnercatalogv1.UpdateJobRequest{}, &partnercatalogv1.UpdateJobRequest{
				Eligibility: &partnercatalogv1.EligibilityInput{},
				UpdateMask:  &fieldmaskpb.FieldMask{Paths: []string{"compensation", "eligibility", "questions"}},
			}},
	} {
		if err := c.form.Decode([]byte(c.body), c.into); err != nil || !proto.Equal(c.into, c.want) {
			t.Errorf("%s\ngot  %v\nwant %v\nerr %v", c.body, c.into, c.want, err)
		}
	}
}

// inJob returns a valid job in which old is replaced with now.
func inJob(t *testing.T, old, now string) string {
	t.Helper()
	if strings.Count(wholeJob, old) != 1 {
		t.Fatalf("%q occurs %d times", old, strings.Count(wholeJob, old))
	}
	return strings.Replace(wholeJob, old, now, 1)
}

func TestErrorsNamePath(t *testing.T) {
	create := form(t, jobs, "CreateJob")
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for want, body := range map[string]string{
		"body: must not be empty":                                                                            " \n",
		"body: must be an object, not an array":                                                              `[]`,
		"body: must be an object, not null":                                                                  `null`,
		"body: must be an object, not a string":                                                              `"a"`,
		"body: is not well-formed JSON: it ends too early":                                                   `{`,
		"body: is not well-formed JSON at byte 0":                                                            `nonsense`[3:],
		"body: is not well-formed JSON at byte 1":                                                            `{a:1}`,
		"body: is not well-formed JSON at byte 7":                                                            `{"x": 1,}`,
		"body: a key in it must be valid UTF-8":                                                              "{\"a\xff\": 1}",
		"saveAs: must be one of draft, live":                                                                 inJob(t, `"live"`, `"LIVE"`),
		"basics: is required":                                                                                `{}`,
		"basics: must be an object, not an array":                                                            `{"basics":[]}`,
		"basics.title: is required":                                                                          inJob(t, `"title"`, `"Title"`),
		"basics.title: must be a string, not a number":                                                       inJob(t, `"Engineer \ud83d\ude00"`, `12`),
		"basics.title: must be valid UTF-8":                                                                  inJob(t, `\ud83d\ude00`, "\xff"),
		"basics.title: must hold no NUL character":                                                           inJob(t, `\ud83d\ude00`, `\u0000`),
		"basics.title: must hold no half of a surrogate pair":                                                inJob(t, `\ud83d\ude00`, `\ud83d`),
		"basics.city: must not be there twice":                                                               inJob(t, `"city": "دبي"`, `"city": "a", "ci\u0074y": "a"`),
		"basics.workMode: must be one of onsite, hybrid, remote":                                             inJob(t, `"hybrid"`, `""`),
		"basics.workMode: must be a string, not null":                                                        inJob(t, `"hybrid"`, `null`),
		"basics.future.a[1].b: must not be there twice":                                                      inJob(t, `[1, null]`, `[1, {"b":1,"b":2}]`),
		"basics.future.a: must hold no half of a surrogate pair":                                             inJob(t, `[1, null]`, `"\ude00"`),
		"basics.future.a: is out of range":                                                                   inJob(t, `[1, null]`, `1e400`),
		"content.requirements: must be an array, not an object":                                              inJob(t, `"requirements": []`, `"requirements": {}`),
		"content.responsibilities[1]: must be a string, not null":                                            inJob(t, `["a", "b"]`, `["a", null]`),
		"content: must be an object, not null":                                                               inJob(t, `{"summary": "s\n", "responsibilities": ["a", "b"], "requirements": [], "niceToHave": ["c"]}`, `null`),
		"compensation.min: must be a number, not a string":                                                   inJob(t, `1200.5`, `"1200.5"`),
		"compensation.max: is out of range":                                                                  inJob(t, `15e3`, `-1e999`),
		"compensation.visible: must be a boolean, not a number":                                              inJob(t, `"visible": false`, `"visible": 0`),
		"compensation.visible: is required":                                                                  inJob(t, `, "visible": false`, ``),
		"questions[1].prompt: is required":                                                                   inJob(t, `"prompt": "q", `, ``),
		"questions[0].order: must be a whole number":                                                         inJob(t, `-3.0`, `1.5`),
		"questions[0].order: is out of range":                                                                inJob(t, `-3.0`, `2147483648`),
		"questions[0].order: must be a whole number, not a string":                                           inJob(t, `-3.0`, `"3"`),
		"questions[0].options[1]: must be a string, not a boolean":                                           inJob(t, `["x", "y"]`, `["x", true]`),
		"questions[0].defaultKey: must be one of education, experience_years, expected_salary, availability": inJob(t, `"availability"`, `"other"`),
		"distribution: is required":                                                                          inJob(t, `"distribution": "company_page_only",`, ``),
		"x" + strings.Repeat("[0]", 31) + ": is nested too deeply: at most 32 levels are read":               `{"x":` + deep(32) + `}`,
		"a: is not well-formed JSON: it ends too early":                                                      `{"a":"x`,
		`[""]: must not be there twice`:                                                                      `{"":1,"":1}`,
		"questions[0].order: is out of range ":                                                               inJob(t, `-3.0`, `-2147483649.0`),
		"questions[0].order: is out of range  ":                                                              inJob(t, `-3.0`, `2147483648.0`),
		`["a.b\n"]: must not be there twice`:                                                                 `{"a.b\n":1,"a.b\n":1}`,
	} {
		err := create.Decode([]byte(body), &partnercatalogv1.CreateJobRequest{})
		e, ok := errs.As(err)
		want = strings.TrimRight(want, " ") // trailing spaces distinguish cases with the same message
		if !ok || e.Kind != errs.Invalid || e.Code != fault.CodeValidation || e.Message != want {
			t.Errorf("%s\ngot  %v\nwant %s", body, err, want)
		}
	}
	if err := form(t, companies, "UpdateCompany").Decode([]byte(`{"x":`+deep(31)+`}`), &partnercatalogv1.UpdateCompanyRequest{}); err != nil {
		t.Errorf("nesting of 32 levels: %v", err)
	}
}

func TestLargestIntegersAreAccepted(t *testing.T) {
	for text, want := range map[string]int32{
		"2147483647": 2147483647, "2147483647.0": 2147483647, "-2147483648": -2147483648, "-2147483648.0": -2147483648, "21e8": 2100000000, "-0": 0,
	} {
		m := &partnercatalogv1.CreateJobRequest{}
		if err := form(t, jobs, "CreateJob").Decode([]byte(inJob(t, `-3.0`, text)), m); err != nil || m.GetQuestions()[0].GetOrder() != want {
			t.Errorf("%s: %d, %v", text, m.GetQuestions()[0].GetOrder(), err)
		}
	}
}

func TestErrorsPrecedeMissingFields(t *testing.T) {
	company, job := form(t, companies, "CreateCompany"), form(t, jobs, "CreateJob")
	for _, c := range []struct {
		form       *Form
		into       proto.Message
		body, want string
	}{
		{company, &partnercatalogv1.CreateCompanyRequest{}, `{"name":"a"} x`, "body: is not well-formed JSON at byte 13"},
		{company, &partnercatalogv1.CreateCompanyRequest{}, `{"name":"a"}{}`, "body: is not well-formed JSON at byte 12"},
		{company, &partnercatalogv1.CreateCompanyRequest{}, `{"name":"a"}` + " \n", "industry: is required"},
		{job, &partnercatalogv1.CreateJobRequest{}, `{"basics":{},"content":{},`, "body: is not well-formed JSON: it ends too early"},
		{job, &partnercatalogv1.CreateJobRequest{}, `{"basics":{},"content":[]}`, "content: must be an object, not an array"},
		{job, &partnercatalogv1.CreateJobRequest{}, `{"questions":[{"prompt":"p"}],"basics":{}}`, "questions[0].type: is required"},
	} {
		if err, ok := errs.As(c.form.Decode([]byte(c.body), c.into)); !ok || err.Message != c.want {
			t.Errorf("%s\ngot  %v\nwant %s", c.body, err, c.want)
		}
	}
}

func TestAllMissingFieldsAreReported(t *testing.T) {
	job := form(t, jobs, "CreateJob")
	e, _ := errs.As(job.Decode([]byte(`{"questions":[{"prompt":"p"}],"basics":{}}`), &partnercatalogv1.CreateJobRequest{}))
	var got []string
	for _, v := range e.Violations {
		got = append(got, v.String())
	}
	if text := strings.Join(got, ", "); !strings.HasPrefix(text, e.Message+", ") || !strings.Contains(text, "basics.title: is required") || !strings.Contains(text, "content: is required") {
		t.Errorf("%q with the message %q", text, e.Message)
	}
	many := `{"questions":[` + strings.Repeat("{},", 500) + `{}]}`
	if e, _ := errs.As(job.Decode([]byte(many), &partnercatalogv1.CreateJobRequest{})); len(e.Violations) != 100 {
		t.Errorf("%d errors reported", len(e.Violations))
	}
}

// nulled maps parts of wholeJob to the same part with an optional field set to null.
var nulled = map[string]string{
	`"idempotencyKey": "k1"`: `"idempotencyKey": null`, `"saveAs": "live"`: `"saveAs": null`,
	`"department": ""`: `"department": null`, `"niceToHave": ["c"]`: `"niceToHave": null`, `"min": 1200.5`: `"min": null`,
	`{"experienceYears": "10_plus"}`:          `{"experienceYears": null}`,
	`{"value": "none", "acknowledged": true}`: `null`, `"order": -3.0`: `"order": null`, `"options": ["x", "y"]`: `"options": null`,
	`"source": "custom"`: `"source": null`, `"id": ""`: `"id": null`, `{"enabled": false}`: `{"enabled": false, "publicLabel": null}`,
}

func TestNullInCreateCountsAsAbsent(t *testing.T) {
	read := func(body string) *partnercatalogv1.CreateJobRequest {
		t.Helper()
		m := &partnercatalogv1.CreateJobRequest{}
		if err := form(t, jobs, "CreateJob").Decode([]byte(body), m); err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		return m
	}
	withNulls := wholeJob
	for old, now := range nulled {
		read(inJob(t, old, now))
		withNulls = strings.Replace(withNulls, old, now, 1)
	}
	want := read(wholeJob)
	want.IdempotencyKey, want.SaveAs = nil, partnercatalogv1.SaveAs_SAVE_AS_UNSPECIFIED
	want.Basics.Department, want.Content.NiceToHave, want.Compensation.Min = nil, nil, nil
	want.Eligibility, want.WorkforceProgramme = &partnercatalogv1.EligibilityInput{}, nil
	want.Questions[0].Order, want.Questions[0].Options, want.Questions[0].Source, want.Questions[1].Id = nil, nil, nil, nil
	if got := read(withNulls); !proto.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}

	const company = `{"name":"n","industry":"i","employeeCount":"1","location":"l","description":"d"`
	plain, nulls := &partnercatalogv1.CreateCompanyRequest{}, &partnercatalogv1.CreateCompanyRequest{}
	create := form(t, companies, "CreateCompany")
	for body, into := range map[string]*partnercatalogv1.CreateCompanyRequest{
		company + `}`: plain, company + `,"slug":null,"website":null,"logo":null,"externalId":null}`: nulls,
	} {
		if err := create.Decode([]byte(body), into); err != nil {
			t.Fatal(err)
		}
	}
	if !proto.Equal(plain, nulls) {
		t.Errorf("got  %v\nwant %v", nulls, plain)
	}
}

func TestNullInUpdateSectionCountsAsAbsent(t *testing.T) {
	got := &partnercatalogv1.UpdateJobRequest{}
	body := `{"confidential":{"enabled":true,"publicLabel":null},"questions":[{"id":null,"prompt":"p","type":"number","required":true}]}`
	if err := form(t, jobs, "UpdateJob").Decode([]byte(body), got); err != nil {
		t.Fatal(err)
	}
	want := &partnercatalogv1.UpdateJobRequest{
		Confidential: &partnercatalogv1.Confidentiality{Enabled: true},
		Questions:    []*partnercatalogv1.QuestionInput{{Prompt: "p", Type: partnercatalogv1.QuestionType_QUESTION_TYPE_NUMBER, Required: true}},
		UpdateMask:   &fieldmaskpb.FieldMask{Paths: []string{"confidential", "questions"}},
	}
	if !proto.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestNullInUpdateOnlyClears(t *testing.T) {
	for _, c := range []struct {
		form  *Form
		into  func() proto.Message
		taken map[string]bool
	}{
		{form(t, companies, "UpdateCompany"), func() proto.Message { return &partnercatalogv1.UpdateCompanyRequest{} }, map[string]bool{
			`"tagline":null`: true, `"website":null`: true, `"logo":null`: true, `"externalId":null`: true,
			`"name":null`: false, `"description":null`: false, `"location":null`: false, `"industry":null`: false, `"employeeCount":null`: false,
			`"socials":null`: false, `"slug":null`: false, `"socials":{"x":null}`: false,
		}},
		{form(t, jobs, "UpdateJob"), func() proto.Message { return &partnercatalogv1.UpdateJobRequest{} }, map[string]bool{
			`"compensation":null`: true, `"eligibility":null`: true, `"workforceProgramme":null`: true,
			`"basics":null`: false, `"content":null`: false, `"questions":null`: false, `"distribution":null`: false, `"confidential":null`: false,
			`"questions":[null]`: false, `"confidential":{"enabled":null}`: false,
		}},
	} {
		for member, taken := range c.taken {
			if err := c.form.Decode([]byte(`{`+member+`}`), c.into()); (err == nil) != taken {
				t.Errorf("%s: %v", member, err)
			}
		}
	}
}
