package world

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestFileIsParsedIntoRequests(t *testing.T) {
	const file = `{
	  "people": [{
	    "ref": "mona", "email": "Mona@demo.vitae.example", "password": "demo-password", "name": "Mona",
	    "username": "mona", "headline": "Engineer", "locale": "ar", "avatarUrl": "https://img.vitae.example/m.png",
	    "emailVerified": true, "uaePassVerified": true, "openToWork": true, "profilePublic": true,
	    "personalDetails": {"dateOfBirth": "1990-01-31", "gender": null}, "phone": "+971 50 000 0000", "address": "Villa 1",
	    "profile": {
	      "summary": "S", "socials": {"github": "https://github.example/mona"}, "languages": ["Arabic"],
	      "skillGroups": [{"category": "C", "items": ["Go"]}],
	      "highlights": [{"title": "H", "desc": "D"}],
	      "experiences": [{"id": "e1", "title": "T", "company": "C", "startDate": "2020-01", "endDate": null, "current": true, "bullets": ["b"]}]
	    },
	    "cvs": [{"ref": "cv2", "title": "Second", "document": {"bio": "B"}}]
	  }],
	  "developers": [{
	    "ref": "dev", "name": "Dev", "email": "dev@demo.vitae.example", "plan": {"perMinute": 5, "perDay": 10}, "suspended": true,
	    "apps": [{
	      "ref": "app", "name": "App", "logoUrl": "https://l.example/l.png", "homepage": "https://app.example",
	      "privacyPolicy": "https://app.example/privacy", "clientType": "public", "redirectUris": ["http://127.0.0.1/cb"], "scopes": ["profile"], "legacy": true,
	      "apiKeys": [{"ref": "key", "name": "Key", "scopes": ["jobs:read"], "expiresAt": "2030-01-31T00:00:00Z"}]
	    }]
	  }],
	  "companies": [], "jobs": [], "applications": []
	}`
	var faults Faults
	w := Parse([]byte(file), &faults)
	if list := faults.List(); len(list) > 0 {
		t.Fatalf("a valid file has faults: %v", list)
	}
	person, developer := w.People[0], w.Developers[0]
	profile := person.Profile.GetProfile()
	experience := profile.GetContent().GetExperiences()[0]
	key := developer.Apps[0].Keys[0].Request
	for what, ok := range map[string]bool{
		"account": proto.Equal(person.Account, &authv1.CreatePersonRequest{
			Email: "Mona@demo.vitae.example", Password: "demo-password", EmailVerified: true}),
		"profile": profile.GetName() == "Mona" && profile.GetUsername() == "mona" && profile.GetHeadline() == "Engineer" &&
			profile.GetLocale() == "ar" && profile.GetAvatarUrl() != "" && profile.GetEmail() == "Mona@demo.vitae.example" &&
			profile.GetEmailVerified() && profile.GetUaePassVerified() && profile.GetOpenToWork() && profile.GetProfilePublic() &&
			profile.GetPhone() != "" && profile.GetAddress() == "Villa 1",
		"details": profile.GetPersonalDetails().GetDateOfBirth().GetValue() == "1990-01-31" && profile.GetPersonalDetails().GetGender() == nil,
		"content": profile.GetContent().GetSocials()["github"] != "" && profile.GetContent().GetSkillGroups()[0].GetItems()[0] == "Go" &&
			profile.GetContent().GetHighlights()[0].Id == nil,
		"experience": experience.GetCurrent() && experience.GetEndDate() == nil && experience.GetStartDate().GetValue() == "2020-01",
		"cv":         person.CVs[0].Ref == "cv2" && person.CVs[0].Request.GetContent().GetBio() == "B",
		"plan": proto.Equal(developer.Request.GetPlan(), &authv1.Plan{
			Name: authv1.PlanName_PLAN_NAME_CUSTOM, PerMinute: 5, PerDay: 10}) && developer.Suspended,
		"app": developer.Apps[0].Request.GetClientType() == authv1.ClientType_CLIENT_TYPE_PUBLIC && developer.Apps[0].Request.GetLegacy() &&
			developer.Apps[0].Request.GetLogoUrl() == "https://l.example/l.png" && developer.Apps[0].Request.GetHomepage() == "https://app.example" &&
			developer.Apps[0].Request.GetPrivacyPolicy() == "https://app.example/privacy",
		"key": key.GetExpiresAt().AsTime().Year() == 2030 && key.GetScopes()[0] == "jobs:read",
	} {
		if !ok {
			t.Errorf("%s is wrong or incomplete", what)
		}
	}
}

// person returns a person with the required fields and more.
func person(more string) string {
	return `{"ref":"p","email":"p@vitae.example","password":"demo-password","name":"P"` + more + `}`
}

func developer(more string) string {
	return `{"developers":[{"ref":"d","name":"D","email":"d@vitae.example","plan":"standard"` + more + `}]}`
}

func app(more string) string {
	return developer(`,"apps":[{"ref":"a","name":"A","clientType":"public"` + more + `}]`)
}

func TestErrorsHavePaths(t *testing.T) {
	for name, c := range map[string]struct {
		file string
		want []string
	}{
		"not JSON":              {`{"people":[}`, []string{"$"}},
		"nothing":               {``, []string{"$"}},
		"text after the object": {`{} {}`, []string{"$"}},
		"not UTF-8":             {"{\"people\":\"\xff\"}", []string{"$"}},
		"not an object":         {`[]`, []string{"$"}},
		"null":                  {`null`, []string{"$"}},
		"unknown list":          {`{"persons":[]}`, []string{"persons"}},
		"list of wrong type":    {`{"people":{},"developers":"x"}`, []string{"people", "developers"}},
		"item of wrong type":    {`{"people":[1,null]}`, []string{"people[0]", "people[1]"}},
		"duplicate key":         {`{"people":[` + person(`,"name":"Q"`) + `]}`, []string{"people[0].name"}},
		"duplicate key with a space": {`{"people":[` + person(`,"profile":{"socials":{"a b":"x","a b":"y"}}`) + `]}`,
			[]string{`people[0].profile.socials["a b"]`}},
		"everything missing": {`{"people":[{}]}`,
			[]string{"people[0].ref", "people[0].email", "people[0].password", "people[0].name"}},
		"required but null": {`{"people":[{"ref":"p","email":null,"password":"demo-password","name":"P"}]}`, []string{"people[0].email"}},
		"empty ref":         {`{"people":[{"ref":"","email":"e","password":"demo-password","name":"P"}]}`, []string{"people[0].ref"}},
		"wrong types": {`{"people":[` + person(`,"emailVerified":"yes","phone":5,"cvs":{},"profile":[],"personalDetails":{"gender":1}`) + `]}`,
			[]string{"people[0].emailVerified", "people[0].phone", "people[0].personalDetails.gender", "people[0].profile", "people[0].cvs"}},
		"wrong types in sections": {`{"people":[` + person(`,"profile":{"skills":["Go",null,3],"socials":{"x":1},"experiences":[{"current":"no","bullets":"b","startDate":2020}]}`) + `]}`,
			[]string{"people[0].profile.skills[1]", "people[0].profile.skills[2]", "people[0].profile.socials.x",
				"people[0].profile.experiences[0].current", "people[0].profile.experiences[0].bullets", "people[0].profile.experiences[0].startDate"}},
		"misspelt fields": {`{"people":[` + person(`,"userName":"x","profile":{"skils":[],"educations":[{"univ":"x"}]},"cvs":[{"ref":"c","title":"T","document":{},"lang":"ar"}]`) + `]}`,
			[]string{"people[0].profile.skils", "people[0].profile.educations[0].univ", "people[0].cvs[0].lang", "people[0].userName"}},
		"NUL": {`{"people":[` + person(`,"headline":"a\u0000"`) + `]}`, []string{"people[0].headline"}},
		"CV without content": {`{"people":[` + person(`,"cvs":[{"ref":"c","title":"T"}]`) + `]}`,
			[]string{"people[0].cvs[0].document"}},
		"duplicate refs, email addresses and usernames": {`{"people":[
			{"ref":"p","email":"a@vitae.example","password":"demo-password","name":"P","username":"u","cvs":[{"ref":"c","title":"T","document":{}}]},
			{"ref":"p","email":"A@vitae.example","password":"demo-password","name":"P","username":"u","cvs":[{"ref":"c","title":"T","document":{}}]}]}`,
			[]string{"people[1].ref", "people[1].email", "people[1].username", "people[1].cvs[0].ref"}},
		"two forms of an email address": {`{"people":[
			{"ref":"p","email":"a@bücher.example","password":"demo-password","name":"P"},{"ref":"q","email":"A@xn--bcher-kva.example","password":"demo-password","name":"Q"}]}`,
			[]string{"people[1].email"}},
		"unknown plan":       {`{"developers":[{"ref":"d","name":"D","email":"e","plan":"gold"}]}`, []string{"developers[0].plan"}},
		"plan missing":       {`{"developers":[{"ref":"d","name":"D","email":"e"}]}`, []string{"developers[0].plan"}},
		"plan of wrong type": {`{"developers":[{"ref":"d","name":"D","email":"e","plan":7}]}`, []string{"developers[0].plan"}},
		"incomplete plan": {`{"developers":[{"ref":"d","name":"D","email":"e","plan":{"perMinute":1.5,"burst":2}}]}`,
			[]string{"developers[0].plan.perMinute", "developers[0].plan.perDay", "developers[0].plan.burst"}},
		"plan too large": {`{"developers":[{"ref":"d","name":"D","email":"e","plan":{"perMinute":1,"perDay":3000000000}}]}`,
			[]string{"developers[0].plan.perDay"}},
		"members": {`{"people":[` + person(``) + `],` + developer(`,"members":[{"person":"p","role":"owner"},{"person":"p","role":"viewer"},{"person":"q","role":"owner"},{"person":"p","role":"boss"},{}]`)[1:],
			[]string{"developers[0].members[1].person", "developers[0].members[2].person", "developers[0].members[3].role",
				"developers[0].members[3].person", "developers[0].members[4].person", "developers[0].members[4].role"}},
		"client type":      {developer(`,"apps":[{"ref":"a","name":"A","clientType":"secret"}]`), []string{"developers[0].apps[0].clientType"}},
		"lists of an app":  {app(`,"redirectUris":"http://x","scopes":[1]`), []string{"developers[0].apps[0].redirectUris", "developers[0].apps[0].scopes[0]"}},
		"expiry":           {app(`,"apiKeys":[{"ref":"k","name":"K","scopes":[],"expiresAt":"tomorrow"}]`), []string{"developers[0].apps[0].apiKeys[0].expiresAt"}},
		"empty expiry":     {app(`,"apiKeys":[{"ref":"k","name":"K","scopes":[],"expiresAt":""}]`), []string{"developers[0].apps[0].apiKeys[0].expiresAt"}},
		"key without name": {app(`,"apiKeys":[{"ref":"k"}]`), []string{"developers[0].apps[0].apiKeys[0].name"}},
		"several errors":   {`{"people":[{"ref":"p"},7],"jobs":[1]}`, []string{"people[0].email", "people[0].password", "people[0].name", "people[1]", "jobs[0]"}},
	} {
		t.Run(name, func(t *testing.T) {
			var faults Faults
			Parse([]byte(c.file), &faults)
			var got []string
			for _, f := range faults.List() {
				got = append(got, f.Path)
				if f.Message == "" {
					t.Errorf("%s has no message", f.Path)
				}
			}
			slices.Sort(got)
			slices.Sort(c.want)
			if !slices.Equal(got, c.want) {
				t.Errorf("faults at\n%q, want\n%q", got, c.want)
			}
		})
	}
}

func TestKnownIncludesEnclosingFields(t *testing.T) {
	var f Faults
	f.Add("people[1].cvs[0].title", "is required")
	for path, want := range map[string]bool{
		"people[1].cvs[0].title": true, "people[1].cvs[0]": true, "people[1].cvs": true, "people[1]": true,
		"people[1].cvs[0].title.x": false, "people[1].cvs[0].titl": false, "people": true, "people[10]": false, "people[1].c": false,
	} {
		if got := f.Known(path); got != want {
			t.Errorf("Known(%q) = %v, want %v", path, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"people":[` + person(`,"profile":{"socials":{"x":"y"}}`) + `]}`))
	f.Add([]byte(app(`,"apiKeys":[{}]`)))
	f.Add([]byte(`{"people":[{"profile":{"experiences":[{"current":[[]]}]}}]}`))
	f.Add([]byte(employers(`{`+theCompany+`}`, `{"ref":"j",`+theJob+theQuestions+`}`,
		`{"ref":"ap","job":"j","person":"p","cv":"c","answers":[{"question":0,"value":true}],"stages":["reviewed"]}`)))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var faults Faults
		w := Parse(raw, &faults)
		if len(faults.List()) > 0 {
			return
		}
		for _, p := range w.People {
			if p.Ref == "" || p.Account == nil || p.Profile.GetProfile() == nil {
				t.Fatalf("Parse accepted an incomplete person: %+v", p)
			}
		}
		for _, a := range w.Applications {
			if a.Ref == "" || a.Job == "" || a.Person == "" || (a.CV == "") == (a.Resume == nil) {
				t.Fatalf("Parse accepted an incomplete application: %+v", a)
			}
		}
	})
}

// The test fails if the format changes but the documentation or the demo world does not.
func TestDocumentedAndDemoFilesAreValid(t *testing.T) {
	docs, err := os.ReadFile("../../../docs/world-file.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(docs, []byte("```json\n"))
	example, _, found := bytes.Cut(rest, []byte("```"))
	if !found {
		t.Fatal("docs/world-file.md has no example")
	}
	demo, err := os.ReadFile("../../../deploy/demo/world.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, raw := range map[string][]byte{"example": example, "demo": demo} {
		var faults Faults
		w := Parse(raw, &faults)
		if list := faults.List(); len(list) > 0 || len(w.People) == 0 || len(w.Developers) == 0 {
			t.Errorf("%s: faults %v", name, list)
		}
	}
}
