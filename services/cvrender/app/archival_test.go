//go:build !nobrowser

package app_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vitae.internal/services/cvrender/internal/chromium"
	"vitae.internal/services/cvrender/internal/cv"
	"vitae.internal/services/cvrender/internal/matterhorn"
	"vitae.internal/services/cvrender/internal/pdf"
	"vitae.internal/services/cvrender/internal/pdfa"
	"vitae.internal/services/cvrender/internal/sample"
	"vitae.internal/services/cvrender/internal/template"
)

// wantArchival has a file checked against PDF/A-2a (behaviour: pdf#what-is-checked).
func wantArchival(t *testing.T, what string, file []byte) {
	t.Helper()
	faults, err := pdfa.Check(file)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(faults)
	for _, fault := range slices.Compact(faults) {
		t.Errorf("%s: %s", what, fault)
	}
}

func TestAPDFWithAPhotoKeepsTheRules(t *testing.T) {
	layout, err := template.New()
	if err != nil {
		t.Fatal(err)
	}
	browser, err := chromium.Start(t.Context(), chromium.Options{Fonts: layout.Fonts(), MemoryLimit: 1 << 30, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = browser.Close() })
	refiner, err := pdf.NewRefiner(layout.Fonts())
	if err != nil {
		t.Fatal(err)
	}
	for _, picture := range []image.Image{image.NewRGBA(image.Rect(0, 0, 64, 64)), image.NewGray(image.Rect(0, 0, 64, 64))} {
		var photo bytes.Buffer
		if err := jpeg.Encode(&photo, picture, nil); err != nil {
			t.Fatal(err)
		}
		for _, name := range template.Names {
			html, err := layout.HTML(sample.Arabic(), name, photo.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			printed, err := browser.Print(t.Context(), html)
			if err != nil {
				t.Fatal(err)
			}
			file, err := refiner.Refine(printed, pdf.Metadata{Author: sample.Arabic().Name})
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Contains(file, []byte("/Subtype /Image")) {
				t.Error("the file has no photo")
			}
			wantNothingWrong(t, string(name), file)
			wantArchival(t, string(name), file)
			if faults, err := matterhorn.Check(file); err != nil || len(faults) > 0 {
				t.Errorf("%s: %q, %v", name, faults, err)
			}
		}
	}
}

// TestAPDFWithAPrivateCharacterClaimsNothing holds that a file with a character whose meaning nobody knows
// does not say that it keeps ISO 14289-1 and ISO 19005-2 (6.2.11.7.3).
func TestAPDFWithAPrivateCharacterClaimsNothing(t *testing.T) {
	file := sharedRig(t).render(t, projection(cv.CV{Language: cv.English, Name: "Li \ue000", Headline: "Planner"})).file
	faults, err := pdfa.Check(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, clause := range []string{"6.2.11.7.3: ", "6.6.4: "} {
		if !slices.ContainsFunc(faults, func(f string) bool { return strings.HasPrefix(f, clause) }) {
			t.Errorf("no fault of %sin %q", clause, faults)
		}
	}
	if bytes.Contains(file, []byte("pdfuaid")) || bytes.Contains(file, []byte("pdfaid")) {
		t.Error("the file says that it keeps what it does not")
	}
}

// broken are changes of a right file whose streams are not compressed, by the clause that they break.
var broken = []struct{ clause, from, to string }{
	{"6.1.2", "%PDF-1.7\n%", "%PDF-1.7\n\n"}, {"6.1.3", "%%EOF\n", "%%EOF "}, {"6.1.3", "/ID [<", "/Ix [<"}, {"6.1.3", "/Outlines", "/Encrypt "},
	{"6.1.4", " 00000 n \n", " 00000 n\r\n"}, {"6.1.6", "<000", "<0g0"}, {"6.1.7.1", "/N 3 /Length 5", "/N 3 /Length 4"}, {"6.1.7.1", "/Supplement", "/FFilter   "},
	{"6.1.7.2", "/ItalicAngle", "/LZWDecode  "}, {"6.1.9", "endobj\n", "endobj\r"}, {"6.1.12", "/Outlines", "/Perms   "}, {"6.1.13", "/ca 1 ", "/ca 9999999999 "},
	{"6.2.2", " re\n", " rx\n"}, {"6.2.2", "/Resources", "/Resourcex"}, {"6.2.3", "/GTS_PDFA1", "/GTS_PDFX1"}, {"6.2.3", "mntrRGB ", "scnrRGB "}, {"6.2.3", "\x04\x20\x00\x00mntr", "\x05\x20\x00\x00mntr"},
	{"6.2.3", "/OutputConditionIdentifier", "/OutputConditionIdentifiex"}, {"6.2.4.3", "mntrRGB ", "mntrGRAY"}, {"6.2.4.3", " rg\n", " sc\n"}, {"6.2.4.4", "/Outlines", "/DeviceN "},
	{"6.2.5", "/BM", "/TR"}, {"6.2.6", "/BM", "/RI"}, {"6.2.8", "/BM", "/OPI"}, {"6.2.9", "/BM", "/PS"}, {"6.2.10", "/BM /Normal", "/BM /Normax"}, {"6.2.11.2", "/CIDFontType2", "/CIDFontType0"},
	{"6.2.11.3.1", "/Identity-H", "/Identity-V"}, {"6.2.11.3.2", "/CIDToGIDMap", "/CIDToGIDMax"}, {"6.2.11.4.1", "/FontFile2", "/FontFilex"}, {"6.2.11.4.2", "/StemV", "/CIDSet"},
	{"6.2.11.5", "/DW 600", "/DW 650"}, {"6.2.11.5", "/W [ 0 [ 472 0 0 236", "/W [ 0 [ 472 0 0 239"}, {"6.2.11.7.2", "/ToUnicode", "/ToUnicodx"}, {"6.2.11.7.2", "> <0061>", "> <FEFF>"}, {"6.2.11.7.3", "> <0061>", "> <E061>"},
	{"6.2.11.8", "[<0", "[<00000"}, {"6.3.1", "/Subtype /Link", "/Subtype /Note"}, {"6.3.2", "/F 4", "/F 6"}, {"6.4.1", "/Outlines", "/AcroForm"}, {"6.4.2", "/Outlines", "/XFA"}, {"6.5.1", "/S /URI", "/S /URL"}, {"6.5.1", "/Outlines", "/OpenAction"},
	{"6.5.2", "/Outlines", "/AA"}, {"6.6.2.1", "/Metadata", "/Metadatx"}, {"6.6.2.1", "<?xpacket begin=\"\ufeff\"", "<?xpacket bytes=\"\ufeff\""}, {"6.6.2.3.1", ":pdfuaid=\"http://www.aiim.org/pdfua", ":pdfuaid=\"http://www.aiim.org/pdfux"}, {"6.6.2.3.1", ">http://www.aiim.org/pdfua", ">http://www.aiim.org/pdfux"},
	{"6.6.2.3.3", "pdfaProperty:description", "pdfaProperty:descriptiox"}, {"6.6.2.3.3", ">internal<", ">internax<"}, {"6.6.4", "<pdfaid:part>2<", "<pdfaid:part>1<"}, {"6.6.4", "conformance>A<", "conformance>B<"},
	{"6.7.2.2", "/Marked true", "/Marked null"}, {"6.7.3.3", "/StructTreeRoot", "/StructTreeRoox"}, {"6.7.4", "/Lang (en)", "/Lang (e_)"}, {"6.8", "/Outlines", "/EF"}, {"6.9", "/Outlines", "/OCProperties"},
	{"6.10", "/Outlines", "/AlternatePresentations"}, {"6.10", "/Tabs", "/PresSteps"}, {"6.11", "/Outlines", "/Requirements"},
}

// TestTheRulesOfPDFAFindWhatIsBroken breaks a right file in each way.
func TestTheRulesOfPDFAFindWhatIsBroken(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from.pdf"), filepath.Join(dir, "to.pdf")
	if err := os.WriteFile(from, sharedRig(t).render(t, projection(sample.Senior())).file, 0o600); err != nil {
		t.Fatal(err)
	}
	whole := uncompressed(t, from, to)
	for _, b := range broken {
		file := whole
		if !bytes.Contains(file, []byte(b.from)) {
			t.Errorf("%s: the file has no %q", b.clause, b.from)
			continue
		}
		file = bytes.ReplaceAll(file, []byte(b.from), []byte(b.to))
		if len(b.from) != len(b.to) {
			if err := os.WriteFile(to, file, 0o600); err != nil {
				t.Fatal(err)
			}
			file = uncompressed(t, to, filepath.Join(dir, "mended.pdf"))
		}
		faults, err := pdfa.Check(file)
		if err != nil || !slices.ContainsFunc(faults, func(f string) bool { return strings.HasPrefix(f, b.clause+": ") }) {
			t.Errorf("%q in place of %q: found %.500q, %v, want %s", b.to, b.from, faults, err, b.clause)
		}
	}
	wantArchival(t, "the file without changes", whole)
}

// uncompressed gives a file without compression, and with the lengths and positions that it has.
func uncompressed(t *testing.T, from, to string) []byte {
	t.Helper()
	out, err := exec.Command("qpdf", "--warning-exit-0", "--preserve-unreferenced", "--newline-before-endstream", "--stream-data=uncompress", "--object-streams=disable", from, to).CombinedOutput()
	if err != nil {
		t.Fatalf("qpdf: %v (apt-get install qpdf): %s", err, out)
	}
	file, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	return file
}
