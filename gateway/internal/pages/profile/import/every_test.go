package cvimport_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"pgregory.net/rapid"

	cvimport "vitae.internal/gateway/internal/pages/profile/import"
)

// filler replaces the fields of a file, written as "*", with strings that each occur only once.
type filler struct {
	t *rapid.T
	// path holds the names on the way to the current field.
	path []string
	// marks maps the path of each field to its string.
	marks map[string]string
}

// mark returns a unique string for the current field.
func (f *filler) mark(written string) string {
	if written != "*" {
		return written
	}
	mark := fmt.Sprintf("mark%04dx", len(f.marks))
	f.marks[mark] = strings.Join(f.path, ".")
	return mark
}

// often returns how many times an element occurs, which is usually once.
func (f *filler) often() int {
	return []int{1, 1, 1, 1, 1, 0, 2}[rapid.IntRange(0, 6).Draw(f.t, "often")]
}

func (f *filler) below(name string, do func()) {
	f.path = append(f.path, name)
	do()
	f.path = f.path[:len(f.path)-1]
}

func (f *filler) json(v any) any {
	switch v := v.(type) {
	case string:
		return f.mark(v)
	case []any:
		var out []any
		for _, item := range v {
			for range f.often() {
				out = append(out, f.json(item))
			}
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if f.often() > 0 {
				f.below(name, func() { out[name] = f.json(v[name]) })
			}
		}
		return out
	}
	return v
}

// element is an XML element with its contents.
type element struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Text    string     `xml:",chardata"`
	Parts   []element  `xml:",any"`
}

func (f *filler) xml(e element) element {
	e.Attrs = slices.Clone(e.Attrs)
	for i, a := range e.Attrs {
		f.below("@"+a.Name.Local, func() { e.Attrs[i].Value = f.mark(a.Value) })
	}
	e.Text = f.mark(strings.TrimSpace(e.Text))
	parts := e.Parts
	e.Parts = nil
	for _, part := range parts {
		for range f.often() {
			f.below(part.XMLName.Local, func() { e.Parts = append(e.Parts, f.xml(part)) })
		}
	}
	return e
}

// aboutTheFile lists the fields that say nothing about the person (behaviour: profiles#import). They
// describe the file, or are codes with a label next to them.
var aboutTheFile = []string{
	"$schema", "meta.", "DocumentID", "CandidateSupplier", "RenderingInformation", "CandidateProfile.ID", "@languageCode", "@schemeID", "@schemeName", "@typeCode", "@type", "@languageID",
	"@locale", "DocumentInfo", "PrintingPreferences",
}

func says(path string) bool {
	return !slices.ContainsFunc(aboutTheFile, func(part string) bool { return strings.Contains(path, part) })
}

// behaviour: profiles#import
func TestEveryFieldOfEveryFormatIsKeptOrListed(t *testing.T) {
	for name, fill := range map[string]func(*filler, []byte) ([]byte, error){
		"every/jsonresume.json": func(f *filler, raw []byte) ([]byte, error) {
			var file any
			if err := json.Unmarshal(raw, &file); err != nil {
				return nil, err
			}
			return json.Marshal(f.json(file))
		},
		"every/candidate.xml":      filled,
		"every/skillspassport.xml": filled,
	} {
		raw := sample(t, name)
		if cv, err := cvimport.Read(t.Context(), raw); err != nil || cv.More > 0 {
			t.Errorf("%s: error %v, %d texts are not listed", name, err, cv.More)
		}
		rapid.Check(t, func(rt *rapid.T) {
			f := &filler{t: rt, marks: map[string]string{}}
			file, err := fill(f, raw)
			if err != nil {
				rt.Fatal(err)
			}
			cv, err := cvimport.Read(t.Context(), file)
			if err != nil {
				return // without these parts, the file is not a CV
			}
			kept := strings.ToLower(cv.Title + protojson.Format(cv.Content) + protojson.Format(cv.Person) + strings.Join(cv.Emails, " "))
			for _, left := range cv.Left {
				kept += " " + left.Text
			}
			for mark, path := range f.marks {
				if says(path) && !strings.Contains(kept, mark) && !hasLabel(path, file, mark) && cv.More == 0 {
					rt.Errorf("%s: %s is lost from %s", name, path, file)
				}
			}
		})
	}
}

func filled(f *filler, raw []byte) ([]byte, error) {
	var file element
	if err := xml.Unmarshal(raw, &file); err != nil {
		return nil, err
	}
	return xml.Marshal(f.xml(file))
}

// hasLabel reports whether a field is a code with a label next to it.
func hasLabel(path string, file []byte, mark string) bool {
	_, behind, _ := strings.Cut(string(file), mark)
	next, _, _ := strings.Cut(strings.TrimPrefix(behind[strings.Index(behind, ">")+1:], "<"), ">")
	return strings.HasSuffix(path, ".Code") && (strings.HasPrefix(next, "Label") || strings.HasPrefix(next, "Code")) ||
		strings.HasSuffix(path, ".CompetencyID") && strings.HasPrefix(next, "CompetencyName")
}
