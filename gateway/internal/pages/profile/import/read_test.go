package cvimport_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	cvimport "vitae.internal/gateway/internal/pages/profile/import"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

func sample(t testing.TB, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// The expected CV of each sample is in a file next to it.
func TestSamplesBecomeCVs(t *testing.T) {
	for name, tc := range map[string]struct {
		title string
		// person holds the person's name, headline, phone and address.
		person [4]string
		left   map[string]string
	}{
		"resume.json": {"Programmer", [4]string{"Layla Haddad", "Programmer", "+971 50 123 4567", "Al Majaz 3, 00000"}, map[string]string{
			"basics.image": "https://example.com/layla.jpg", "work[0].url": "https://noor.example",
			"references[0].name": "Omar", "references[0].reference": "She is good.", "hobbies[0]": "chess", "education[0].url": "https://sharjah.example",
		}},
		"candidate.xml": {"", [4]string{"Layla Haddad", "", "", "Al Majaz 3"}, map[string]string{
			"Candidate/CandidatePerson/BirthDate":                                       "1999-05-17",
			"Candidate/CandidateProfile/EmploymentHistory/EmployerHistory/IndustryCode": "J",
		}},
		"skillspassport.xml": {"Front-end developer", [4]string{"Layla Haddad", "Front-end developer", "", "Al Majaz 3"}, map[string]string{
			"SkillsPassport/LearnerInfo/Headline/Type/Label": "A headline type",
		}},
	} {
		got, err := cvimport.Read(t.Context(), sample(t, name))
		if err != nil {
			t.Errorf("%s: error %v", name, err)
			continue
		}
		want := &candidatev1.CvContent{}
		if err := protojson.Unmarshal(sample(t, name+".cv.json"), want); err != nil {
			t.Fatal(err)
		}
		if !proto.Equal(got.Content, want) {
			t.Errorf("%s:\ngot  %s\nwant %s", name, protojson.Format(got.Content), protojson.Format(want))
		}
		if p := got.Person; [4]string{p.GetName(), p.GetHeadline(), p.GetPhone(), p.GetAddress()} != tc.person {
			t.Errorf("%s: person is %v", name, p)
		}
		if !slices.Equal(got.Emails, []string{"layla@example.com"}) {
			t.Errorf("%s: email addresses are %q", name, got.Emails)
		}
		if got.Title != tc.title {
			t.Errorf("%s: title is %q", name, got.Title)
		}
		left := map[string]string{}
		for _, one := range got.Left {
			left[one.Path] = one.Text
		}
		for path, text := range tc.left {
			if left[path] != text {
				t.Errorf("%s: unimported text at %s is %q, want %q", name, path, left[path], text)
			}
			delete(left, path)
		}
		for path, text := range left {
			t.Errorf("%s: unexpected unimported text at %s: %q", name, path, text)
		}
	}
}

func TestUnreadableFileErrorNamesPlace(t *testing.T) {
	deep := func(n int, open, shut string) string { return strings.Repeat(open, n) + strings.Repeat(shut, n) }
	for name, tc := range map[string]struct{ file, reason, where string }{
		"nothing":                    {"", cvimport.ReasonEmpty, ""},
		"white space":                {" \n\t", cvimport.ReasonEmpty, ""},
		"a PDF":                      {"%PDF-1.7 x", cvimport.ReasonPDF, ""},
		"a PDF of streams":           {"%PDF-1.7\n" + strings.Repeat("stream\nxy\nendstream\n", 9000), cvimport.ReasonPDF, ""},
		"Reactive Resume":            {`{"basics":{"name":"Mira"},"sections":{"experience":{"items":[]}},"metadata":{}}`, cvimport.ReasonUnknown, ""},
		"another object":             {`{"name": "Layla"}`, cvimport.ReasonUnknown, ""},
		"another XML":                {`<html><body/></html>`, cvimport.ReasonUnknown, ""},
		"a SkillsPassport of nobody": {`<SkillsPassport><DocumentInfo/></SkillsPassport>`, cvimport.ReasonUnknown, ""},
		"a broken object":            {"{\n\"basics\": {\n\"name\": \"x\",,\n}}", cvimport.ReasonBroken, "3"},
		"half an object":             {"{\"work\": [\n{\"name\": \"x\"}", cvimport.ReasonBroken, "2"},
		"two objects":                {`{"work": []} {}`, cvimport.ReasonBroken, "1"},
		"a broken element":           {"<Candidate>\n<a>\n</b></Candidate>", cvimport.ReasonBroken, "3"},
		"half a document":            {"<Candidate>\n<a>", cvimport.ReasonBroken, "2"},
		"two roots":                  {"<Candidate/>\n<Candidate/>", cvimport.ReasonBroken, "2"},
		"an unknown entity":          {"<Candidate>&lol;</Candidate>", cvimport.ReasonBroken, "1"},
		"no UTF-8":                   {"{\"work\": \"\xff\"}", cvimport.ReasonEncoding, ""},
		"an unknown encoding":        {"<?xml version=\"1.0\" encoding=\"x-none\"?><Candidate>\xff</Candidate>", cvimport.ReasonEncoding, ""},
		"half of UTF-16":             {"\xff\xfe{", cvimport.ReasonUnknown, ""},
		"NUL":                        {"{\"work\": \"\x00\"}", cvimport.ReasonEncoding, ""},
		"a document type":            {`<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><Candidate>&a;</Candidate>`, cvimport.ReasonDoctype, ""},
		"a deep object":              {`{"work": ` + deep(50, "[", "]") + `}`, cvimport.ReasonLarge, "work" + strings.Repeat("[0]", 40)},
		"a deep document":            {"<Candidate>" + deep(50, "<a>", "</a>") + "</Candidate>", cvimport.ReasonLarge, "Candidate" + strings.Repeat("/a", 40)},
		"very many parts":            {"<Candidate>" + strings.Repeat("<a/>", 60_000) + "</Candidate>", cvimport.ReasonLarge, "Candidate/a[50000]"},
		"a long key":                 {`{"` + strings.Repeat("k", 900_000) + `": [0` + strings.Repeat(",0", 40_000) + `]}`, cvimport.ReasonLarge, strings.Repeat("k", 500)},
		"a long element":             {"<Candidate><" + strings.Repeat("k", 700_000) + strings.Repeat(` a=""`, 40_000) + "/></Candidate>", cvimport.ReasonLarge, "Candidate/" + strings.Repeat("k", 490)},
		"a long attribute":           {"<Candidate " + strings.Repeat("k", 700_000) + `=""/>`, cvimport.ReasonLarge, "Candidate/@" + strings.Repeat("k", 489)},
		"a bare list":                {`[1]`, cvimport.ReasonUnknown, ""},
	} {
		_, err := cvimport.Read(t.Context(), []byte(tc.file))
		got := (*cvimport.Unreadable)(nil)
		if !errors.As(err, &got) || got.Reason != tc.reason || got.Where != tc.where {
			t.Errorf("%s: %v, want %s at %q", name, err, tc.reason, tc.where)
		}
	}
}

// The encoding is detected from the bytes, regardless of the declaration in the file.
func TestEncodingIsDetectedFromBytes(t *testing.T) {
	passport := func(encoding string) string {
		return `<?xml version="1.0" encoding="` + encoding + `"?><SkillsPassport><LearnerInfo><EducationList><Education><Title>Études</Title></Education></EducationList></LearnerInfo></SkillsPassport>`
	}
	wide := func(s string, order binary.AppendByteOrder, start string) []byte {
		out := []byte(start)
		for _, unit := range utf16.Encode([]rune(s)) {
			out = order.AppendUint16(out, unit)
		}
		return out
	}
	resume := `{"education":[{"institution":"x","studyType":"Études"}]}`
	latin, err := charmap.Windows1252.NewEncoder().String(passport("windows-1252"))
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string][]byte{
		"UTF-8":                            []byte(passport("UTF-8")),
		"UTF-8 that is called US-ASCII":    []byte(passport("US-ASCII")),
		"UTF-8 that is called utf8":        []byte(passport("utf8")),
		"UTF-8 that is called ISO-8859-1":  []byte(passport("ISO-8859-1")),
		"UTF-8 that is called UTF-16":      []byte(passport("UTF-16")),
		"UTF-8 with a mark":                []byte("\ufeff" + resume),
		"windows-1252":                     []byte(latin),
		"UTF-16 of Windows":                wide(resume, binary.LittleEndian, "\xff\xfe"),
		"UTF-16 of the network":            wide(resume, binary.BigEndian, "\xfe\xff"),
		"UTF-16 without a mark":            wide(resume, binary.LittleEndian, ""),
		"UTF-16 that is called UTF-8":      wide(passport("UTF-8"), binary.BigEndian, ""),
		"UTF-8 with white space before it": []byte("\n  " + resume),
	} {
		cv, err := cvimport.Read(t.Context(), file)
		if err != nil || len(cv.Content.GetEducations()) != 1 || cv.Content.GetEducations()[0].GetDegree().GetValue() != "Études" {
			t.Errorf("%s: %v, %v", name, cv.Content, err)
		}
	}
}

// pdfWith returns a PDF with the given streams, compressed or not.
func pdfWith(t *testing.T, compress bool, streams ...string) []byte {
	t.Helper()
	out := bytes.NewBufferString("%PDF-1.4\n")
	for i, s := range streams {
		if compress {
			var packed bytes.Buffer
			w := zlib.NewWriter(&packed)
			_, _ = w.Write([]byte(s)) // writing to memory does not fail
			_ = w.Close()
			s = packed.String()
		}
		fmt.Fprintf(out, "%d 0 obj\n<< /Length %d >>\nstream\r\n%s\nendstream\nendobj\n", i+1, len(s), s)
	}
	return append(out.Bytes(), "%%EOF"...)
}

func TestXMLInEuropassPDFIsRead(t *testing.T) {
	page, passport := "BT /F1 12 Tf (Candidate) Tj ET", string(sample(t, "skillspassport.xml"))
	for name, file := range map[string][]byte{
		"compressed":   pdfWith(t, true, page, passport, page),
		"as it is":     pdfWith(t, false, page, passport),
		"a Candidate":  pdfWith(t, true, string(sample(t, "candidate.xml"))),
		"a large page": pdfWith(t, true, strings.Repeat(page, 100_000), passport),
		"many pages":   pdfWith(t, false, append(slices.Repeat([]string{page}, 1500), passport)...),
	} {
		cv, err := cvimport.Read(t.Context(), file)
		if err != nil || len(cv.Content.GetExperiences()) == 0 || cv.Content.GetExperiences()[0].GetTitle() != "Front-end developer" {
			t.Errorf("%s: %v, %v", name, cv.Content, err)
		}
	}
	for name, file := range map[string][]byte{
		"no XML":       pdfWith(t, true, page, `<?xml version="1.0"?><rdf/>`),
		"half of it":   pdfWith(t, true, passport)[:1200],
		"far too many": pdfWith(t, false, append(slices.Repeat([]string{page}, 2000), passport)...),
		"a large file": pdfWith(t, true, passport+strings.Repeat(" ", 2<<20)),
	} {
		if _, err := cvimport.Read(t.Context(), file); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func FuzzFilesAreReadOrRejected(f *testing.F) {
	for _, name := range []string{"resume.json", "candidate.xml", "skillspassport.xml"} {
		f.Add(sample(f, name))
	}
	f.Add([]byte(`{"work":[{"name":{"a":["b"]}}],"skills":"x","languages":[1,true,null,[["deep"]]]}`))
	f.Add([]byte("%PDF-1.4 stream\n<SkillsPassport><LearnerInfo/></SkillsPassport>endstream"))
	f.Add([]byte(`<Candidate><CandidateProfile><EmploymentHistory/></CandidateProfile></Candidate>`))
	f.Fuzz(func(t *testing.T, file []byte) {
		cv, err := cvimport.Read(t.Context(), file)
		if err != nil {
			if unreadable := (*cvimport.Unreadable)(nil); !errors.As(err, &unreadable) {
				t.Errorf("error is not *Unreadable: %v", err)
			}
			return
		}
		if cv.Content == nil {
			t.Error("no content and no error")
		}
	})
}

// Every string in a sample must turn up in the CV or in the list of strings that could not be imported.
func TestTextAnywhereInSampleIsNotLost(t *testing.T) {
	for _, name := range []string{"resume.json", "skillspassport.xml", "candidate.xml"} {
		file := string(sample(t, name))
		open, shut := ": \"", "\""
		if strings.HasSuffix(name, ".xml") {
			open, shut = ">", "<"
		}
		for at := 0; ; {
			next := strings.Index(file[at:], open)
			if next < 0 {
				break
			}
			at += next + len(open)
			end := strings.Index(file[at:], shut)
			if end <= 0 || strings.TrimSpace(file[at:at+end]) == "" || strings.Contains(file[at:at+end], "&") {
				continue
			}
			marked := file[:at] + "CANARY" + file[at:]
			cv, err := cvimport.Read(t.Context(), []byte(marked))
			if err != nil {
				t.Fatalf("%s at %d: %v", name, at, err)
			}
			found := strings.Contains(strings.ToLower(protojson.Format(cv.Content)+protojson.Format(cv.Person)+strings.Join(cv.Emails, "")), "canary")
			for _, left := range cv.Left {
				found = found || strings.Contains(left.Text, "CANARY")
			}
			if !found && !describesTheFile(file[:at]) {
				t.Errorf("%s: text after %q is lost", name, file[max(0, at-60):at])
			}
		}
	}
}

// describesTheFile reports whether a string describes the file rather than the person. It decides this
// from the bytes before the string.
func describesTheFile(before string) bool {
	line := before[strings.LastIndexByte(before, '\n')+1:]
	for _, part := range []string{
		`"$schema"`, `"version"`, `"lastModified"`, `"username"`, "DocumentID", "DocumentType", "CreationDate", "XSDVersion", "Generator", "Comment", "Code>", "<ID",
		"PartyName", "Ongoing", "CurrentIndicator", "Current>", "TaxonomyID", "supplier",
	} {
		if strings.Contains(line, part) {
			return true
		}
	}
	return false
}

// Work is measured in allocated bytes, because time would depend on the machine. Quadratic work would
// quadruple when the file doubles in size; growing slices may make it slightly more than double.
func TestImportTakesLinearWork(t *testing.T) {
	const many = 300
	list := func(n int, item string) string { return strings.TrimSuffix(strings.Repeat(item+",", n), ",") }
	for name, file := range map[string]func(n int) string{
		"links of one platform": func(n int) string {
			return `{"basics":{"profiles":[` + list(n, `{"network":"x","url":"https://x.example"}`) + `]}}`
		},
		"links of a Candidate": func(n int) string {
			return "<Candidate><CandidateProfile/><CandidatePerson>" +
				strings.Repeat("<Communication><ChannelCode>Web</ChannelCode><URI>https://x.example</URI></Communication>", n) + "</CandidatePerson></Candidate>"
		},
		"links of a SkillsPassport": func(n int) string {
			return "<SkillsPassport><LearnerInfo><Identification><ContactInfo><WebsiteList>" +
				strings.Repeat("<Website><Contact>https://x.example</Contact></Website>", n) + "</WebsiteList></ContactInfo></Identification></LearnerInfo></SkillsPassport>"
		},
		"profiles of a Candidate": func(n int) string {
			return "<Candidate>" + strings.Repeat("<CandidateProfile><ExecutiveSummary>I write.</ExecutiveSummary></CandidateProfile>", 20*n) + "</Candidate>"
		},
		"positions": func(n int) string {
			return `{"work":[` + list(n, `{"name":"a","position":"b","highlights":["c","d"]}`) + `]}`
		},
		"skills":     func(n int) string { return `{"skills":[` + list(20*n, `{"name":"a"}`) + `]}` },
		"keywords":   func(n int) string { return `{"skills":[{"keywords":[` + list(20*n, `"a"`) + `]}]}` },
		"left texts": func(n int) string { return `{"work":[{"name":"a"}],"x":[` + list(20*n, `"a"`) + `]}` },
		"names":      func(n int) string { return `{"work":[{"name":"a"` + strings.Repeat(`,"x":"y"`, 20*n) + `}]}` },
		"attributes": func(n int) string {
			return "<Candidate><CandidateProfile" + strings.Repeat(` a="b"`, 20*n) + "/></Candidate>"
		},
		"namespaces": func(n int) string {
			return "<Candidate><CandidateProfile>" + strings.Repeat(`<p:a xmlns:p="urn:x">b</p:a>`, 10*n) + "</CandidateProfile></Candidate>"
		},
		"marks of HTML": func(n int) string {
			return "<Candidate><CandidateProfile><ExecutiveSummary>" + strings.Repeat("&lt;p&gt;&lt;li &lt; a&lt;/p&gt;", 20*n) + "</ExecutiveSummary></CandidateProfile></Candidate>"
		},
	} {
		work := func(n int) float64 {
			raw := []byte(file(n))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if _, err := cvimport.Read(t.Context(), raw); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			runtime.ReadMemStats(&after)
			return float64(after.TotalAlloc - before.TotalAlloc)
		}
		if once, twice := work(many), work(2*many); twice > 2.6*once {
			t.Errorf("%s: %v bytes allocated, and %v for a file twice as large", name, once, twice)
		}
	}
}

func TestCanceledRequestStopsImport(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	end()
	for _, name := range []string{"resume.json", "candidate.xml", "skillspassport.xml"} {
		if _, err := cvimport.Read(ctx, sample(t, name)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// These cases occur in real files, but not in the samples.
func TestRealFilesBecomeCVs(t *testing.T) {
	for name, tc := range map[string]struct{ file, want string }{
		"names before JSON Resume 1.0": {
			`{"basics":{"website":"https://mira.example"},"work":[{"company":"River Works","position":"Hydrologist","startDate":"2017"}],
			  "publications":[{"name":"Rivers","website":"https://rivers.example"}],"languages":[{"language":"Arabic","level":"native"}]}`,
			`{"socials":{"website":"https://mira.example"},"experiences":[{"title":"Hydrologist","company":"River Works","startDate":"2017","current":true}],
			  "projects":[{"title":"Rivers","link":"https://rivers.example"}],"languages":["Arabic (native)"]}`,
		},
		"HTML in JSON Resume": {
			`{"basics":{"summary":"<p>I build <strong>dams</strong> &amp; locks.</p><p>See <a href=\"https://dam.example\">here</a>.</p>"},
			  "work":[{"name":"a < b > c","position":"List<String>","highlights":["<p>Repaired <em>three</em> locks</p>"],"endDate":"2020"}]}`,
			`{"summary":"I build dams & locks.\nSee here (https://dam.example).",
			  "experiences":[{"title":"List<String>","company":"a < b > c","bullets":["Repaired three locks"],"endDate":"2020"}]}`,
		},
		"an end that is now": {
			`{"work":[{"name":"a","position":"b","startDate":"2020","endDate":"Present"},{"name":"c","position":"d","startDate":"2019","endDate":"حتى الآن"}]}`,
			`{"experiences":[{"title":"b","company":"a","startDate":"2020","current":true},{"title":"d","company":"c","startDate":"2019","current":true}]}`,
		},
		"labels in the language of an entry": {
			`{"education":[{"institution":"جامعة الشارقة","score":"3.7","courses":["الخرسانة","التربة"]}],"awards":[{"title":"جائزة نور","date":"2024-06-01"}]}`,
			`{"educations":[{"school":"جامعة الشارقة","description":"المعدل التراكمي: 3.7\nالمقررات: الخرسانة، التربة"}],"highlights":[{"title":"جائزة نور","desc":"1 يونيو 2024"}]}`,
		},
		"text that was pasted": {
			`{"basics":{"summary":"One\u2028two\u000bthree\u0001four"}}`, `{"summary":"One\ntwo\nthree four"}`,
		},
		"dates as people write them": {
			`{"work":[{"name":"a","position":"b","startDate":"2014-6","endDate":"May 2015"},{"name":"c","position":"d","startDate":"2014-06-29 00:00:00","endDate":"some day"}]}`,
			`{"experiences":[{"title":"b","company":"a","startDate":"2014-06","endDate":"2015-05"},{"title":"d","company":"c","startDate":"2014-06-29","endDate":"some day"}]}`,
		},
		"a Candidate of europa.eu": {
			string(sample(t, "europa.xml")), string(sample(t, "europa.xml.cv.json")),
		},
	} {
		got, err := cvimport.Read(t.Context(), []byte(tc.file))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := &candidatev1.CvContent{}
		if err := protojson.Unmarshal([]byte(tc.want), want); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !proto.Equal(got.Content, want) {
			t.Errorf("%s:\ngot  %s\nwant %s", name, protojson.Format(got.Content), protojson.Format(want))
		}
	}
}
