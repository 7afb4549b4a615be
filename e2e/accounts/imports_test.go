package accounts_test

import (
	_ "embed"
	"encoding/binary"
	"mime"
	"net/http"
	"strings"
	"testing"
	"unicode/utf16"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// europassCandidate is a file in the form that europa.eu exports.
//
//go:embed testdata/europass-candidate.xml
var europassCandidate string

// passport is a Europass SkillsPassport with one education.
func passport(encoding, education string) string {
	return `<?xml version="1.0" encoding="` + encoding + `"?><SkillsPassport xmlns="http://europass.cedefop.europa.eu/Europass"><LearnerInfo><EducationList><Education><Title>` +
		education + `</Title><Organisation><Name>Sample University</Name></Organisation></Education></EducationList></LearnerInfo></SkillsPassport>`
}

// utf16LE encodes text as Windows saves it: in UTF-16 with a byte order mark.
func utf16LE(text string) string {
	file := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		file = binary.LittleEndian.AppendUint16(file, unit)
	}
	return string(file)
}

// importedFiles holds files that people import, each with the values that an app then reads in the shared CV.
var importedFiles = map[string]struct {
	person, file string
	left         []string // listed on the page as not imported
	data, pdf    []string
	never        []string // in neither
	filename     string   // start of the PDF's ASCII filename
	company      string   // entered if the file names none
}{
	"JSON Resume before 1.0": {
		person: "Mira Sample", filename: "Mira Sample CV",
		file: `{"basics":{"name":"Mira Sample","label":"Hydrologist","summary":"I measure rivers.","website":"https://mira.example"},
			"work":[{"company":"River Works","position":"Hydrologist","website":"https://river.example","startDate":"2017-05-01","highlights":["Built gauges"]},
			{"company":"Lake Office","position":"Intern","startDate":"2015-10-01","endDate":"2016-08-01"}],
			"volunteer":[{"organization":"Flood Help","position":"Helper","website":"https://help.example","startDate":"2014"}]}`,
		left: []string{"https://river.example", "https://help.example"},
		data: []string{`"company":"River Works"`, `"company":"Lake Office"`, `"company":"Flood Help"`, `"https://mira.example"`},
		pdf:  []string{"River Works", "Lake Office", "Flood Help", "May 2017 – Present", "Oct 2015 – Aug 2016"},
	},
	"HTML": {
		person: "Nguyễn Thị Ánh", filename: "Nguyen Thi Anh CV",
		file: `{"basics":{"summary":"<p>I build <strong>dams</strong> &amp; locks.</p>"},
			"work":[{"name":"River Works","position":"Engineer","startDate":"2020","highlights":["<p>Repaired <em>three</em> locks</p>"]}]}`,
		data:  []string{`"I build dams & locks."`, `"Repaired three locks"`},
		pdf:   []string{"I build dams & locks.", "Repaired three locks", "Nguyễn Thị Ánh"},
		never: []string{"strong", "<em>", "&amp;"},
	},
	"characters that few fonts have": {
		person: "李明", filename: "CV",
		file: `{"basics":{"summary":"Worked with 李明 and 李华 at 北京. 🎉 then 🎉"},"work":[{"name":"김민준","position":"Engineer","startDate":"2020"}]}`,
		data: []string{"Worked with 李明 and 李华 at 北京. 🎉 then 🎉"},
		pdf:  []string{"李明 Profile", "Worked with 李明 and 李华 at 北京. 🎉 then 🎉", "김민준"},
	},
	"line separators": {
		person: "Omar Nasser", filename: "Omar Nasser CV",
		file: `{"basics":{"summary":"alpha\u2028beta gamma\u2029delta epsilon\u0085zeta eta\u000btheta"},
			"work":[{"name":"River Works","position":"Hydrologist","startDate":"2020","summary":"one\u000btwo three\u2028four","highlights":["five\u000bsix seven\u2028eight"]}]}`,
		data: []string{`"alpha\nbeta gamma\ndelta epsilon\nzeta eta\ntheta"`, `"one\ntwo three\nfour"`, `"five six seven eight"`},
		pdf:  []string{"alpha beta gamma delta epsilon zeta eta theta", "one two three four", "five six seven eight"},
	},
	"Latin signs in Arabic": {
		person: "خالد العتيبي", filename: "CV",
		file: `{"basics":{"summary":"مطوّر برمجيات بخبرة عشر سنوات في C++ و C# و .NET."},
			"work":[{"name":"شركة Yahoo!","position":"مطوّر C++","startDate":"2020-01","highlights":["كتبت محرّكاً بلغة C++"]}]}`,
		data:  []string{"في C++ و C# و .NET.", `"شركة Yahoo!"`},
		pdf:   []string{"C++ و C# و .NET", "Yahoo!", "مطوّر C++"},
		never: []string{"++C", "#C", "!Yahoo"},
	},
	"a study that goes on": {
		person: "Omar Nasser", filename: "Omar Nasser CV",
		file: `{"basics":{"summary":"I study rivers."},"education":[{"institution":"Sample University","studyType":"PhD","startDate":"2023-09"},
			{"institution":"Sample College","studyType":"BSc","endDate":"2019-06"}]}`,
		data: []string{`"startDate":"2023-09"`, `"endDate":"2019-06"`},
		pdf:  []string{"Sep 2023 – Present", "Jun 2019"},
	},
	"ends that are words": {
		person: "Omar Nasser", filename: "Omar Nasser CV",
		file: `{"work":[{"name":"Dam","position":"Engineer","startDate":"2014-06-29 00:00:00","endDate":"Present"},
			{"name":"Lock","position":"Guard","startDate":"2012-6","endDate":"May 2014"},{"name":"Quay","position":"Guard","startDate":"2010","endDate":""}]}`,
		data: []string{`"current":true`, `"startDate":"2014-06-29"`, `"startDate":"2012-06"`, `"endDate":"2014-05"`},
		pdf:  []string{"Jun 2014 – Present", "Jun 2012 – May 2014", "2010 – Present"},
	},
	"a Europass Candidate": {
		person: "Mira Sample", filename: "Mira Sample CV", company: "Red Crescent",
		file: europassCandidate,
		data: []string{
			"Rivers and us", "Rivers and you", "Sample City", "Rowing", "https://www.linkedin.com/in/mira-sample", "Arabic (native)", "Syriac (native)",
			"QGIS", "Python", "Flood helper", "Sediment in slow rivers", "River atlas", "Young Measurer 2022",
		},
		pdf: []string{"Rivers and us", "Rivers and you", "Rowing", "Syriac", "QGIS", "Flood helper", "Sediment in slow rivers", "River atlas", "Young Measurer 2022"},
	},
	"a PDF of Europass": {
		person: "Zoë Müller", filename: "Zoe Muller CV",
		file: europassPDF, data: []string{`"degree":"Études"`}, pdf: []string{"Études", "Sample University", "Zoë Müller"},
	},
	"UTF-8 that is called ASCII": {
		person: "Omar Nasser", filename: "Omar Nasser CV",
		file: passport("US-ASCII", "علم المياه"), data: []string{"علم المياه"}, pdf: []string{"علم المياه"},
	},
	"Windows-1256": {
		person: "Omar Nasser", filename: "Omar Nasser CV",
		file: passport("windows-1256", "\xda\xe1\xe3 \xc7\xe1\xe3\xed\xc7\xe5"), data: []string{"علم المياه"}, pdf: []string{"علم المياه"},
	},
	"UTF-16 JSON": {
		person: "Omar Nasser", filename: "Omar Nasser CV",
		file: utf16LE(`{"basics":{"summary":"عالم مياه 🎉"}}`), data: []string{"عالم مياه 🎉"}, pdf: []string{"عالم مياه"},
	},
	"UTF-16 XML": {
		person: "Omar Nasser", filename: "Omar Nasser CV",
		file: utf16LE(passport("UTF-16", "علم المياه")), data: []string{"علم المياه"}, pdf: []string{"علم المياه"},
	},
}

// withoutSpaces removes all spaces, because poppler omits spaces where the direction of a line changes.
func withoutSpaces(text string) string { return strings.ReplaceAll(text, " ", "") }

func mapped(texts []string, change func(string) string) []string {
	var all []string
	for _, text := range texts {
		all = append(all, change(text))
	}
	return all
}

// A person imports a file, shares the CV, and an app reads it as data and as a PDF.
//
// behaviour: profiles#import
func TestImportedFilesAreReadByApps(t *testing.T) {
	t.Parallel()
	for name, tc := range importedFiles {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			who := world.Bare()
			who.Name = tc.person
			s := scene.New(t, who)
			m := marked{Platform: scene.Platform{Scene: s}, browser: s.NewPerson(t, who.Ref)}
			at := expect.Must(m.browser.Open(t.Context(), s.Stack.AppURLs[0]+"/cvs/import"))(t)
			expect.Must(m.browser.SignIn(t.Context(), at.Page))(t)
			expect.Shows(t, "the page of the import", m.importCV(t, tc.file, tc.company), true, tc.left...)

			app := s.Client(t, "web")
			c := scene.Connected{Scene: s, App: app, Person: m.browser, Tokens: scene.Connect(t, app, m.browser, world.EveryScope, person.Choice{CV: importedTitle})}
			data := c.Get(t, "/v1/me/cv")
			expect.Success(t, data)
			expect.Shows(t, "the data", string(data.Body), true, tc.data...)
			expect.Shows(t, "the data", string(data.Body), false, tc.never...)

			pdf := c.Get(t, "/v1/me/cv.pdf")
			text := withoutSpaces(expect.Flattened(expect.PDFText(t, pdf)))
			expect.Shows(t, "the PDF", text, true, mapped(tc.pdf, withoutSpaces)...)
			expect.Shows(t, "the PDF", text, false, append(mapped(tc.never, withoutSpaces), "\ufffd")...)
			disposition := pdf.Header.Get("Content-Disposition")
			_, params, err := mime.ParseMediaType(disposition)
			if err != nil || params["filename"] != tc.person+" CV ("+importedTitle+").pdf" ||
				!strings.Contains(disposition, `filename="`+tc.filename+" ("+importedTitle+`).pdf"`) {
				t.Errorf("Content-Disposition %q: %v", disposition, err)
			}
		})
	}
}

// behaviour: profiles#import
func TestUnsupportedImportFilesAreRejected(t *testing.T) {
	t.Parallel()
	s := scene.New(t, world.Bare())
	m := marked{Platform: scene.Platform{Scene: s}, browser: s.NewPerson(t, "bare")}
	at := expect.Must(m.browser.Open(t.Context(), s.Stack.AppURLs[0]+"/cvs/import"))(t)
	expect.Must(m.browser.SignIn(t.Context(), at.Page))(t)
	for name, tc := range map[string]struct{ file, want string }{
		"Reactive Resume":   {`{"basics":{"name":"Mira"},"sections":{"experience":{"items":[]}},"metadata":{}}`, "This isn’t a data export from LinkedIn, a JSON Resume or a Europass file."},
		"a PDF without XML": {"%PDF-1.7 x", "This PDF doesn’t contain Europass XML."},
	} {
		if status, answer := m.sendCV(t, tc.file); status != http.StatusUnprocessableEntity || !strings.Contains(answer.Text(), tc.want) {
			t.Errorf("%s: %d %s", name, status, answer.Text())
		}
	}
}
