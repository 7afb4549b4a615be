package cv_test

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"vitae.internal/services/candidate/internal/canarytest"
	"vitae.internal/services/candidate/internal/cv"
)

func TestHasCV(t *testing.T) {
	for name, tc := range map[string]struct {
		content *cv.Content
		want    bool
	}{
		"nothing":          {&cv.Content{}, false},
		"blank texts":      {&cv.Content{Summary: " ", Skills: []string{"\t"}, Languages: []string{""}}, false},
		"a location":       {&cv.Content{Location: "Dubai"}, false},
		"links":            {&cv.Content{Socials: map[string]string{"x": "https://x.com/a"}}, false},
		"about":            {&cv.Content{About: "me", Interests: []string{"sailing"}}, false},
		"an empty group":   {&cv.Content{SkillGroups: []*cv.SkillGroup{{Category: "Tools"}}}, false},
		"a summary":        {&cv.Content{Summary: "s"}, true},
		"a bio":            {&cv.Content{Bio: "b"}, true},
		"a skill":          {&cv.Content{Skills: []string{"Go"}}, true},
		"a grouped skill":  {&cv.Content{SkillGroups: []*cv.SkillGroup{{Items: []string{"Go"}}}}, true},
		"a language":       {&cv.Content{Languages: []string{"Arabic"}}, true},
		"a highlight":      {&cv.Content{Highlights: make([]*cv.Highlight, 1)}, true},
		"an experience":    {&cv.Content{Experiences: make([]*cv.Experience, 1)}, true},
		"an education":     {&cv.Content{Educations: make([]*cv.Education, 1)}, true},
		"a certification":  {&cv.Content{Certifications: make([]*cv.Certification, 1)}, true},
		"a single project": {&cv.Content{Projects: make([]*cv.Project, 1)}, true},
	} {
		if got := cv.HasCV(tc.content); got != tc.want {
			t.Errorf("%s: %t, want %t", name, got, tc.want)
		}
	}
}

func TestFlatSkills(t *testing.T) {
	content := &cv.Content{
		Skills: []string{"Go", "SQL", " ", "go"},
		SkillGroups: []*cv.SkillGroup{
			{Category: "Data", Items: []string{"sql ", "Kafka"}},
			{Category: "Web", Items: []string{"HTML", "Kafka", "مهارة"}},
		},
	}
	want := []string{"Go", "SQL", "Kafka", "HTML", "مهارة"}
	if got := cv.FlatSkills(content); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestStoredFormKeepsEveryField(t *testing.T) {
	content := &cv.Content{}
	canarytest.Fill(content, func(path string) string { return path })
	raw, err := cv.Encode(content)
	if err != nil {
		t.Fatal(err)
	}
	got, err := cv.Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	if !proto.Equal(got, content) {
		t.Errorf("got %v, want %v", got, content)
	}
}

// Rows in the database have this form, so a name in it must not change.
func TestStoredFormIsFixed(t *testing.T) {
	const stored = `{"v":1,"summary":"a","bio":"b","about":"c","location":"d","socials":{"linkedin":"e"},"languages":["f"],"skills":["g"],` +
		`"skillGroups":[{"category":"h","items":["i"]}],"interests":["j"],"highlights":[{"id":"k","title":"l","desc":"m"}],` +
		`"experiences":[{"id":"n","title":"o","company":"p","location":"q","locationType":"remote","employmentType":"full_time","startDate":"2020",` +
		`"endDate":"2021","current":true,"overview":"r","bullets":["s"]}],` +
		`"educations":[{"id":"t","school":"u","degree":"v","fieldOfStudy":"w","startDate":"2020","endDate":"2021","description":"x"}],` +
		`"certifications":[{"id":"y","name":"z","issuer":"A","issueDate":"2020","expirationDate":"2021","credentialUrl":"B"}],` +
		`"projects":[{"id":"C","title":"D","description":"E","image":"F","link":"G","technologies":["H"]}]}`
	content, err := cv.Decode([]byte(stored))
	if err != nil {
		t.Fatal(err)
	}
	if raw, err := cv.Encode(content); err != nil || string(raw) != stored {
		t.Errorf("read and stored again: %s, %v", raw, err)
	}
}

func TestUnknownStoredVersionFails(t *testing.T) {
	for _, raw := range []string{`{"v":2,"summary":"s"}`, `{"summary":"s"}`, `{`, `null`, ``} {
		if got, err := cv.Decode([]byte(raw)); err == nil {
			t.Errorf("%s was read as %v", raw, got)
		}
	}
}

func TestToStoreAddsOnlyMissingIDs(t *testing.T) {
	given := &cv.Content{
		Highlights:     []*cv.Highlight{{Title: "t"}},
		Experiences:    []*cv.Experience{{Id: "mine"}, {}, {}},
		Educations:     []*cv.Education{{}},
		Certifications: []*cv.Certification{{}},
		Projects:       []*cv.Project{{}},
	}
	got := cv.ToStore(given)
	if got.Experiences[0].GetId() != "mine" {
		t.Errorf("a given id became %q", got.Experiences[0].GetId())
	}
	if got.Highlights[0].GetId() != "" {
		t.Error("a highlight without an id got one")
	}
	made := []string{got.Experiences[1].GetId(), got.Experiences[2].GetId(), got.Educations[0].GetId(), got.Certifications[0].GetId(), got.Projects[0].GetId()}
	for i, id := range made {
		if id == "" || slices.Contains(made[:i], id) {
			t.Errorf("generated ids %q", made)
		}
	}
	if !proto.Equal(cv.ToStore(got), got) {
		t.Error("a second call changed the ids")
	}
	if given.Experiences[1].GetId() != "" {
		t.Error("the given content was changed")
	}
	if strings.ToLower(made[0]) != made[0] {
		t.Errorf("id %q is not lower-case", made[0])
	}
}

func TestBlankNullableTextsAreStoredAsNull(t *testing.T) {
	t.Parallel()
	got := cv.ToStore(&cv.Content{
		Summary: " ", Highlights: []*cv.Highlight{{Id: proto.String(""), Title: "t"}},
		Experiences: []*cv.Experience{{Id: "e", Location: text(" "), Overview: text("o"), Bullets: []string{" "}}},
	})
	want := &cv.Content{
		Summary: " ", Highlights: []*cv.Highlight{{Title: "t"}},
		Experiences: []*cv.Experience{{Id: "e", Overview: text("o"), Bullets: []string{" "}}},
	}
	if !proto.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
