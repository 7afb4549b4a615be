package template

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/wrapperspb"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	"vitae.internal/services/cvrender/internal/cvtest"
)

func TestDatesFollowLanguage(t *testing.T) {
	for _, c := range []struct {
		start, end string
		current    bool
		en, ar     string
	}{
		{"2021-03", "", true, "Mar 2021 – Present", "من مارس 2021 حتى الآن"},
		{"2021-03-15", "2022-01-31", false, "Mar 2021 – Jan 2022", "من مارس 2021 إلى يناير 2022"},
		{"2016", "2020", false, "2016 – 2020", "من 2016 إلى 2020"},
		{"2016-09", "2020", false, "Sep 2016 – 2020", "من سبتمبر 2016 إلى 2020"},
		{"2020", "2020", false, "2020", "2020"},
		{"2020-05", "", false, "May 2020", "مايو 2020"},
		{"", "2020", false, "2020", "2020"},
		{"", "", true, "Present", "حتى الآن"},
		{"", "", false, "", ""},
		{"spring", "2020-13", false, "spring – 2020-13", "من spring إلى 2020-13"},
	} {
		if got := english.period(c.start, c.end, c.current); got != c.en {
			t.Errorf("en %s..%s: %q, want %q", c.start, c.end, got, c.en)
		}
		if got := arabic.period(c.start, c.end, c.current); got != c.ar {
			t.Errorf("ar %s..%s: %q, want %q", c.start, c.end, got, c.ar)
		}
	}
	if got := english.date("1988-04-12", true); got != "12 Apr 1988" {
		t.Errorf("birthday is %q", got)
	}
}

func TestEducationWithoutEndIsCurrent(t *testing.T) {
	t.Parallel()
	for want, e := range map[string]*cvv1.Education{
		"Sep 2023 – Present": {StartDate: wrapperspb.String("2023-09")}, "Jun 2019": {EndDate: wrapperspb.String("2019-06")}, "": {},
	} {
		if got := education(e, &english).When; got != want {
			t.Errorf("%v: %q, want %q", e, got, want)
		}
	}
}

func TestOnlyWebAddressesBecomeLinks(t *testing.T) {
	for value, want := range map[string]link{
		"https://www.linkedin.com/in/layla/": {Text: "linkedin.com/in/layla", Href: "https://www.linkedin.com/in/layla/"},
		"http://example.org":                 {Text: "example.org", Href: "http://example.org"},
		"@layla":                             {Label: "X", Text: "@layla"},
		"javascript:alert(1)":                {Label: "X", Text: "javascript:alert(1)"},
		"file:///etc/passwd":                 {Label: "X", Text: "file:///etc/passwd"},
		"https://user:pw@example.org/":       {Label: "X", Text: "https://user:pw@example.org/"},
		"https://":                           {Label: "X", Text: "https://"},
		"%zz":                                {Label: "X", Text: "%zz"},
	} {
		if got := webLink("X", value); got != want {
			t.Errorf("%s: %+v, want %+v", value, got, want)
		}
	}
}

func TestAdjacentTextsOfOneDirectionStayTogether(t *testing.T) {
	for _, c := range []struct {
		w    *words
		in   []string
		want string
	}{
		{&arabic, []string{"Go", "SQL", "تحليل", "بحوث", "Figma"}, "[Go, SQL]، تحليل، بحوث، [Figma]"},
		{&english, []string{"Go", "إدارة", "بحوث", "SQL"}, "Go, [إدارة، بحوث], SQL"},
		{&english, []string{" ", "Go", "7", ""}, "Go, 7"},
		{&english, nil, ""},
	} {
		got := ""
		for _, p := range c.w.list(c.in...).Items {
			if p.Against != nil {
				p.Text = "[" + p.Text + "]"
			}
			got += p.Text
		}
		if got != c.want {
			t.Errorf("%v: %q, want %q", c.in, got, c.want)
		}
	}
}

func TestDocumentIsDeterministic(t *testing.T) {
	layout := newTemplate(t)
	c := cvtest.Senior()
	for _, key := range []string{"b", "a", "c", "d", "e"} {
		c.Document.Socials[key] = "https://" + key + ".example"
	}
	first := html(t, layout, c)
	for range 20 {
		if html(t, layout, c) != first {
			t.Fatal("the document depends on the order of a map")
		}
	}
}

// unseen maps the fields of a shared CV that a document does not show to the reason for each.
var unseen = map[protoreflect.FullName]string{
	"vitae.cv.v1.SharedCv.id":                 "of use to programs only",
	"vitae.cv.v1.SharedCv.updated_at":         "of use to programs only",
	"vitae.cv.v1.SharedCv.title":              "in the name of the file",
	"vitae.cv.v1.SharedCv.is_main_cv":         "decides on the title",
	"vitae.cv.v1.SharedCv.language":           "the language of the document",
	"vitae.cv.v1.SharedCv.pdf":                "the document itself",
	"vitae.cv.v1.SharedCv.public_profile_url": "shown without a public page of the CV",
	"vitae.cv.v1.CvDocument.username":         "part of the address of the public page",
	"vitae.cv.v1.CvDocument.avatar_url":       "the photo is given as bytes",
	"vitae.cv.v1.Highlight.id":                "of use to programs only",
	"vitae.cv.v1.Experience.id":               "of use to programs only",
	"vitae.cv.v1.Experience.current":          "replaces the end",
	"vitae.cv.v1.Education.id":                "of use to programs only",
	"vitae.cv.v1.Certification.id":            "of use to programs only",
	"vitae.cv.v1.Project.id":                  "of use to programs only",
	"vitae.cv.v1.Project.image":               "needs a request",
}

// fill sets every string in m to a unique marker, and returns the fields by marker.
func fill(m protoreflect.Message, fields map[string]protoreflect.FullName) {
	for i := range m.Descriptor().Fields().Len() {
		f := m.Descriptor().Fields().Get(i)
		marker := func() protoreflect.Value {
			text := fmt.Sprintf("M%dM", len(fields))
			fields[text] = f.FullName()
			if strings.HasSuffix(string(f.Name()), "_url") || f.Name() == "link" || f.IsMap() {
				text = "https://example.com/" + text
			}
			return protoreflect.ValueOfString(text)
		}
		_, skipped := unseen[f.FullName()]
		switch {
		case skipped:
		case f.IsMap():
			m.Mutable(f).Map().Set(protoreflect.ValueOfString("github").MapKey(), marker())
		case f.IsList() && f.Message() != nil:
			fill(m.Mutable(f).List().AppendMutable().Message(), fields)
		case f.IsList():
			m.Mutable(f).List().Append(marker())
		case f.Message() != nil && f.Message().FullName() == "google.protobuf.StringValue":
			m.Set(f, protoreflect.ValueOfMessage(wrapperspb.String(marker().String()).ProtoReflect()))
		case f.Message() != nil:
			fill(m.Mutable(f).Message(), fields)
		case f.Kind() == protoreflect.StringKind:
			m.Set(f, marker())
		default:
			m.Set(f, protoreflect.ValueOfBool(true))
		}
	}
}

func TestDocumentShowsEveryField(t *testing.T) {
	t.Parallel()
	c, fields := &cvv1.SharedCv{}, map[string]protoreflect.FullName{}
	fill(c.ProtoReflect(), fields)
	out := html(t, newTemplate(t), c)
	for marker, field := range fields {
		if !strings.Contains(out, marker) {
			t.Errorf("%s is not shown", field)
		}
	}
	for _, badge := range []string{english.Verified, english.OpenToWork} {
		if !strings.Contains(out, badge) {
			t.Errorf("%q is not shown", badge)
		}
	}
}

func TestEmptyCVRendersValidDocument(t *testing.T) {
	layout := newTemplate(t)
	for _, language := range []string{"en", "ar", "xx", ""} {
		out := html(t, layout, &cvv1.SharedCv{Language: language})
		if strings.Contains(out, "<h2>") || strings.Contains(out, "<img") {
			t.Errorf("%s: an empty CV has sections:\n%s", language, out)
		}
	}
}

func TestLanguagesHaveAllWords(t *testing.T) {
	for keyword := range english.values {
		if arabic.values[keyword] == "" {
			t.Errorf("Arabic lacks %s", keyword)
		}
	}
	for i := range english.months {
		if arabic.months[i] == "" || english.months[i] == "" {
			t.Errorf("month %d has no name", i+1)
		}
	}
	for i := range english.personal {
		if arabic.personal[i] == "" || english.personal[i] == "" {
			t.Errorf("personal detail %d has no label", i)
		}
	}
}

// FuzzNoTextBecomesMarkup checks that the tags in a document do not depend on the strings in the
// CV.
func FuzzNoTextBecomesMarkup(f *testing.F) {
	layout, err := New()
	if err != nil {
		f.Fatal(err)
	}
	// Text with the opposite direction to the CV is isolated.
	isolation := strings.NewReplacer(`<bdi lang="ar" dir="rtl" role="mark">`, "", "</bdi>", "")
	tags := func(out string) int { return strings.Count(isolation.Replace(out), "<") }
	plain, err := layout.HTML(probe("x"), Classic, nil)
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{"<script>", `"><img src=x>`, "</title>", "a & b", "{{.}}", "مرحبا <b>"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.TrimSpace(text) == "" || strings.ContainsAny(text, "\n") || !utf8.ValidString(text) {
			return // the document shows nothing, or shows several paragraphs
		}
		out, err := layout.HTML(probe(text), Classic, nil)
		if err != nil {
			t.Fatal(err)
		}
		if tags(out) != tags(plain) {
			t.Errorf("%q changes the tags:\n%s", text, out)
		}
	})
}

// probe returns a CV with the given text in every field that is shown unchanged.
func probe(text string) *cvv1.SharedCv {
	wrapped := wrapperspb.String(text)
	return &cvv1.SharedCv{
		Language: "en", PersonalDetails: &cvv1.PersonalDetails{Nationality: wrapped},
		Document: &cvv1.CvDocument{
			Name: text, Title: wrapped, Summary: wrapped, Bio: wrapperspb.String("b " + text + " b"), Location: wrapped,
			Experiences: []*cvv1.Experience{{Title: text, Company: text, Overview: wrapped, Bullets: []string{text}}},
			Highlights:  []*cvv1.Highlight{{Title: text, Desc: text}}, Projects: []*cvv1.Project{{Title: text}},
		},
	}
}

func newTemplate(t *testing.T) *Template {
	t.Helper()
	layout, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return layout
}

func html(t *testing.T, layout *Template, c *cvv1.SharedCv) string {
	t.Helper()
	out, err := layout.HTML(c, Classic, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestSymbolsStayNextToNames(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"خبرة في C++ و C# و .NET.": `خبرة في <bdi dir="ltr">C++</bdi> و <bdi dir="ltr">C#</bdi> و <bdi dir="ltr">.NET</bdi>.`,
		"وC++، شركة Yahoo!":        `و<bdi dir="ltr">C++</bdi>، شركة <bdi dir="ltr">Yahoo!</bdi>`,
		"(C++/C#) و Node.js, Go.":  `(<bdi dir="ltr">C++/C#</bdi>) و Node.js, Go.`,
		"بنسبة 50% و +971 <b>":     `بنسبة 50% و +971 &lt;b&gt;`,
		"C++ & C#":                 `C++ &amp; C#`,
	} {
		if got := string(isolated(in)); got != want {
			t.Errorf("isolated(%q) = %s, want %s", in, got, want)
		}
	}
}
