package disposition_test

import (
	"mime"
	"strings"
	"testing"
	"unicode/utf8"

	"vitae.internal/pkg/disposition"
)

func TestInlineSupportsEveryScript(t *testing.T) {
	for name, want := range map[string]string{
		"د. عائشة CV.pdf":       `inline; filename="CV.pdf"; filename*=UTF-8''%D8%AF.%20%D8%B9%D8%A7%D8%A6%D8%B4%D8%A9%20CV.pdf`,
		"ملف.pdf":               `inline; filename="CV.pdf"; filename*=UTF-8''%D9%85%D9%84%D9%81.pdf`,
		"Layla Haddad CV.pdf":   `inline; filename="Layla Haddad CV.pdf"; filename*=UTF-8''Layla%20Haddad%20CV.pdf`,
		"ليلى.pdf":              `inline; filename="CV.pdf"; filename*=UTF-8''%D9%84%D9%8A%D9%84%D9%89.pdf`,
		"José CV.pdf":           `inline; filename="Jose CV.pdf"; filename*=UTF-8''Jos%C3%A9%20CV.pdf`,
		"Łukasz Groß.pdf":       `inline; filename="Lukasz Gross.pdf"; filename*=UTF-8''%C5%81ukasz%20Gro%C3%9F.pdf`,
		"Đặng Ánh.pdf":          `inline; filename="Dang Anh.pdf"; filename*=UTF-8''%C4%90%E1%BA%B7ng%20%C3%81nh.pdf`,
		"":                      `inline; filename="CV.pdf"; filename*=UTF-8''CV.pdf`,
		"a\"b\\c/d\r\nX: y.pdf": `inline; filename="abcdX: y.pdf"; filename*=UTF-8''a%22bcdX%3A%20y.pdf`,
		"\u202efdp.exe":         `inline; filename="fdp.exe"; filename*=UTF-8''fdp.exe`,
		"Nguyễn Thị Ánh CV.pdf": `inline; filename="Nguyen Thi Anh CV.pdf"; filename*=UTF-8''Nguy%E1%BB%85n%20Th%E1%BB%8B%20%C3%81nh%20CV.pdf`,
		"ليلى CV (للعمل).pdf":   `inline; filename="CV.pdf"; filename*=UTF-8''%D9%84%D9%8A%D9%84%D9%89%20CV%20%28%D9%84%D9%84%D8%B9%D9%85%D9%84%29.pdf`,
		"Li CV (李 明).pdf":       `inline; filename="Li CV.pdf"; filename*=UTF-8''Li%20CV%20%28%E6%9D%8E%20%E6%98%8E%29.pdf`,
		"100%.pdf":              `inline; filename="100.pdf"; filename*=UTF-8''100%25.pdf`,
	} {
		if got := disposition.Inline(name, "CV.pdf"); got != want {
			t.Errorf("%q:\ngot  %s\nwant %s", name, got, want)
		}
	}
}

func TestAttachmentUsesNameOrFallback(t *testing.T) {
	for name, want := range map[string]string{
		"Omar.docx":   `attachment; filename="Omar.docx"; filename*=UTF-8''Omar.docx`,
		"سيرة.docx":   `attachment; filename="resume.docx"; filename*=UTF-8''%D8%B3%D9%8A%D8%B1%D8%A9.docx`,
		"":            `attachment; filename="resume.docx"; filename*=UTF-8''resume.docx`,
		"Omar.backup": `attachment; filename="Omar.backup"; filename*=UTF-8''Omar.backup`,
	} {
		if got := disposition.Attachment(name, "resume.docx"); got != want {
			t.Errorf("%q:\ngot  %s\nwant %s", name, got, want)
		}
	}
}

func FuzzDispositionParses(f *testing.F) {
	f.Add("Layla.pdf")
	f.Add("\x00\r\n\"';*=")
	f.Fuzz(func(t *testing.T, name string) {
		got := disposition.Inline(name, "CV.pdf")
		if strings.ContainsAny(got, "\r\n\x00") {
			t.Fatalf("header for %q is %q", name, got)
		}
		kind, params, err := mime.ParseMediaType(got)
		if err != nil || kind != "inline" || params["filename"] == "" || !utf8.ValidString(params["filename"]) {
			t.Errorf("header for %q is %q: %v", name, got, err)
		}
	})
}
