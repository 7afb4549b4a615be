//go:build ignore

// Command resumes creates the resumes of the demo applicants (a PDF, a DOCX and an RTF file), and writes them into
// world.json by their file names. The output is deterministic:
//
//	go run deploy/demo/resumes.go deploy/demo/world.json
package main

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"log"
	"os"
	"strings"
	"unicode/utf16"
)

// resume is a one-page resume. Its first line is the heading.
type resume struct {
	filename string
	lines    []string
	write    func(lines []string) []byte
}

var resumes = []resume{
	{"Tariq Rahman - resume.pdf", []string{
		"Tariq Rahman",
		"Dubai, United Arab Emirates",
		"",
		"Freight coordinator, Creek Shipping, 2021 to today",
		"Plans nine reefer trucks a night between Jebel Ali and Riyadh.",
		"Brought spoilt loads down from 2.1 to 0.3 per cent.",
		"",
		"Warehouse supervisor, Al Quoz Cold Stores, 2017 to 2021",
		"Three shifts, 40 people, no lost-time accident in four years.",
		"",
		"Diploma in supply chain management, Dubai, 2016",
		"English, Bengali, Urdu, working Arabic",
	}, pdf},
	{"السيرة الذاتية - خالد العتيبي.docx", []string{
		"خالد العتيبي",
		"محلل بيانات، الرياض",
		"محلل بيانات أول في سحاب اللوجستية منذ عام 2022: توقع التأخير ولوحات متابعة الأسطول.",
		"محلل بيانات في أسواق الديرة من 2019 إلى 2022: تحليل المبيعات والمخزون لستين فرعاً.",
		"بكالوريوس نظم المعلومات، جامعة نجد، 2018",
		"SQL, Python, Power BI",
	}, docx},
	{"Priya Menon CV.rtf", []string{
		"Priya Menon",
		"Management accountant, Dubai",
		"Creekside General Trading, since March 2021: month end in three days, and reconciliations that reconcile.",
		"Costed every delivery route once, and has done so each quarter since.",
		"MCom in accounting, University of Malabar, 2020",
	}, rtf},
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: resumes WORLD")
	}
	world, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range resumes {
		if world, err = put(world, r); err != nil {
			log.Fatal(err)
		}
	}
	if err := os.WriteFile(os.Args[1], world, 0o644); err != nil {
		log.Fatal(err)
	}
}

// put replaces the content that follows the resume's file name in the world file.
func put(world []byte, r resume) ([]byte, error) {
	const content = `"contentBase64": "`
	before, after, named := bytes.Cut(world, []byte(`"filename": "`+r.filename+`"`))
	between, after, has := bytes.Cut(after, []byte(content))
	_, after, ends := bytes.Cut(after, []byte(`"`))
	if !named || !has || !ends || len(between) > 200 {
		return nil, fmt.Errorf("no content follows the file name %q", r.filename)
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, `%s"filename": "%s"%s%s%s"%s`, before, r.filename, between, content,
		base64.StdEncoding.EncodeToString(r.write(r.lines)), after)
	return out.Bytes(), nil
}

// pdf returns a one-page PDF in Helvetica, a font that every PDF reader provides (PDF 1.4 §5.5.1). The text
// must be ASCII.
func pdf(lines []string) []byte {
	var page strings.Builder
	page.WriteString("BT /F1 20 Tf 60 770 Td 18 TL\n")
	escape := strings.NewReplacer(`\`, `\\`, `(`, `\(`, `)`, `\)`)
	for i, line := range lines {
		if i == 1 {
			page.WriteString("/F1 11 Tf\n")
		}
		fmt.Fprintf(&page, "(%s) Tj T*\n", escape.Replace(line))
	}
	page.WriteString("ET")
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R /Lang (en) >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", page.Len(), page.String()),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
	}
	out := bytes.NewBufferString("%PDF-1.4\n")
	var xref strings.Builder
	for i, o := range objects {
		fmt.Fprintf(&xref, "%010d 00000 n \n", out.Len())
		fmt.Fprintf(out, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := out.Len()
	fmt.Fprintf(out, "xref\n0 %d\n0000000000 65535 f \n%s", len(objects)+1, xref.String())
	fmt.Fprintf(out, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, start)
	return out.Bytes()
}

// docx returns a minimal DOCX package (ECMA-376 part 2) with right-to-left text.
func docx(lines []string) []byte {
	const (
		header   = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
		packages = "http://schemas.openxmlformats.org/package/2006/"
		office   = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
		document = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
	)
	var body strings.Builder
	for i, line := range lines {
		body.WriteString(`<w:p><w:pPr><w:bidi/></w:pPr><w:r><w:rPr>`)
		if i == 0 {
			body.WriteString(`<w:b/><w:bCs/><w:sz w:val="36"/><w:szCs w:val="36"/>`)
		}
		body.WriteString(`<w:rtl/></w:rPr><w:t>`)
		_ = xml.EscapeText(&body, []byte(line)) // a Builder never returns an error
		body.WriteString(`</w:t></w:r></w:p>`)
	}
	parts := []struct{ name, content string }{
		{"[Content_Types].xml", `<Types xmlns="` + packages + `content-types">` +
			`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Override PartName="/word/document.xml" ContentType="` + document + `"/></Types>`},
		{"_rels/.rels", `<Relationships xmlns="` + packages + `relationships">` +
			`<Relationship Id="rId1" Type="` + office + `" Target="word/document.xml"/></Relationships>`},
		{"word/document.xml", `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>` +
			body.String() + `</w:body></w:document>`},
	}
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, p := range parts {
		f, err := archive.Create(p.name)
		if err == nil {
			_, err = f.Write([]byte(header + p.content))
		}
		if err != nil {
			log.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		log.Fatal(err)
	}
	return out.Bytes()
}

func rtf(lines []string) []byte {
	out := bytes.NewBufferString(`{\rtf1\ansi\deff0{\fonttbl{\f0 Helvetica;}}\f0\fs22` + "\n")
	escape := strings.NewReplacer(`\`, `\\`, `{`, `\{`, `}`, `\}`)
	for i, line := range lines {
		if i == 0 {
			out.WriteString(`{\b\fs36 `)
		}
		for _, unit := range utf16.Encode([]rune(escape.Replace(line))) {
			if unit < 0x80 {
				out.WriteByte(byte(unit))
			} else {
				fmt.Fprintf(out, `\u%d?`, int16(unit))
			}
		}
		if i == 0 {
			out.WriteByte('}')
		}
		out.WriteString(`\par` + "\n")
	}
	out.WriteString("}\n")
	return out.Bytes()
}
