package snippet

import (
	"slices"
	"strings"
	"testing"
)

func TestSamplesReadValuesFromEnvironment(t *testing.T) {
	r := Request{
		Method: "POST", Path: "/v1/jobs/{jobId}/candidates/{applicationId}", Basic: true, Bearer: "API_KEY",
		Form: []Value{{Name: "token", Variable: "TOKEN"}, {Name: "kind", Text: "x"}}, Query: []Value{{Name: "id", Variable: "JOB_ID"}},
	}
	want := []string{"BASE", "CLIENT_ID", "CLIENT_SECRET", "API_KEY", "JOB_ID", "APPLICATION_ID", "TOKEN"}
	if got := r.Variables(); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	samples, err := r.Write()
	if err != nil {
		t.Fatal(err)
	}
	var labels []string
	for _, s := range samples {
		labels = append(labels, s.Label)
		for _, name := range want {
			if !strings.Contains(s.Source, name) {
				t.Errorf("%s: the sample lacks %s:\n%s", s.Label, name, s.Source)
			}
		}
	}
	if !slices.Equal(labels, []string{"curl", "JavaScript", "Python", "Go"}) {
		t.Errorf("%v", labels)
	}
}

func TestBodiesUseLanguageSyntax(t *testing.T) {
	r := Request{Method: "PATCH", Path: "/x", JSON: `{"a": null, "it's \"null\"": [true, false, "true"]}`}
	samples, err := r.Write()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		`-d '{"a": null, "it'\''s \"null\"": [true, false, "true"]}'`,
		`JSON.stringify({"a": null, "it's \"null\"": [true, false, "true"]})`,
		`json.dumps({"a": None, "it's \"null\"": [True, False, "true"]})`,
		"body := `" + r.JSON + "`",
	} {
		if !strings.Contains(samples[i].Source, want) {
			t.Errorf("the sample lacks %s:\n%s", want, samples[i].Source)
		}
	}
	r.JSON = "{\"a\": \"`\"}"
	if _, err := r.Write(); err == nil {
		t.Error("accepted a backquote, which would end a raw string in Go")
	}
}
