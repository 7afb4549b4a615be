package render

import (
	"strings"
	"testing"
	"unicode/utf8"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

func namedCV(name, title string) *cvv1.SharedCv {
	return &cvv1.SharedCv{Title: title, Document: &cvv1.CvDocument{Name: name}}
}

func TestFilenameIsHarmless(t *testing.T) {
	for name, want := range map[string]string{
		"Layla Haddad":                   "Layla Haddad CV.pdf",
		"نورة المنصوري":                  "نورة المنصوري CV.pdf",
		"  Jean-Luc   O'Neill ":          "Jean-Luc O'Neill CV.pdf",
		"../../etc/passwd":               "etc passwd CV.pdf",
		"a\r\nSet-Cookie: x=1":           "a Set-Cookie x=1 CV.pdf",
		`"; filename="evil.exe`:          "filename= evil.exe CV.pdf",
		"evil\u202efdp.exe":              "evilfdp.exe CV.pdf",
		"":                               "CV.pdf",
		" . ":                            "CV.pdf",
		"\x00\x7f":                       "CV.pdf",
		strings.Repeat("م", 500):         strings.Repeat("م", 60) + " CV.pdf",
		"Zoë \U0001F469\u200d\U0001F4BB": "Zoë \U0001F469\U0001F4BB CV.pdf",
	} {
		if got := filename(namedCV(name, "")); got != want {
			t.Errorf("filename(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestFilenameHasTitleOfCV(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"For designers": "Layla Haddad CV (For designers).pdf", "للمصممين/عربي": "Layla Haddad CV (للمصممين عربي).pdf", " . ": "Layla Haddad CV.pdf",
		strings.Repeat("م", 200): "Layla Haddad CV (" + strings.Repeat("م", 116) + ").pdf",
	} {
		if got := filename(namedCV("Layla Haddad", title)); got != want || len(got) > filenameBytes {
			t.Errorf("filename(%q) = %q, want %q", title, got, want)
		}
	}
}

func FuzzFilename(f *testing.F) {
	f.Add("Layla")
	f.Add("\xff/../x")
	f.Fuzz(func(t *testing.T, name string) {
		got := filename(namedCV(name, name))
		if !strings.HasSuffix(got, ".pdf") || len(got) > 255 || !utf8.ValidString(got) ||
			strings.ContainsAny(got, "/\\\"\r\n\x00") || strings.HasPrefix(got, ".") {
			t.Errorf("filename(%q) = %q", name, got)
		}
	})
}
