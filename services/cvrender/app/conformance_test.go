//go:build !nobrowser

package app_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"google.golang.org/protobuf/types/known/wrapperspb"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	"vitae.internal/services/cvrender/internal/cvtest"
	"vitae.internal/services/cvrender/internal/pdftest"
)

// TestEveryPDFConforms checks the requirements of ISO 32000 and PDF/UA-1 that a program can check
// (behaviour: pdf#accessibility-checks).
func TestEveryPDFConforms(t *testing.T) {
	api.DisableConfigDir()
	r := sharedRig(t)
	all := append(demo(t), cvtest.Senior(), cvtest.Arabic(), cvtest.Mixed(), cvtest.Both(), cvtest.Wide(), cvtest.Hard(), cvtest.Veteran(), cvtest.LongArabic(), &cvv1.SharedCv{Language: "en", Document: &cvv1.CvDocument{Name: "Bare"}})
	for _, c := range all {
		for name, number := range templates {
			d, what := r.renderIn(t, c, number), fmt.Sprintf("%s, %s", name, c.GetDocument().GetName())
			wantNothingWrong(t, what, d.file)
			wantAccessible(t, what, d.file)
		}
	}
}

func wantAccessible(t *testing.T, what string, file []byte) {
	t.Helper()
	faults, err := pdftest.Matterhorn(file)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(faults)
	for _, fault := range slices.Compact(faults) {
		t.Errorf("%s: %s", what, fault)
	}
}

// TestNoncharacterPDFClaimsNoPDFUA checks that a file containing text that PDF/UA-1 forbids does not
// claim to conform to PDF/UA-1 (ISO 14289-1, 7.21.7).
func TestNoncharacterPDFClaimsNoPDFUA(t *testing.T) {
	file := sharedRig(t).render(t, &cvv1.SharedCv{Language: "en", Document: &cvv1.CvDocument{Name: "Li \ufffe", Title: wrapperspb.String("Planner")}}).file
	if bytes.Contains(file, []byte("pdfuaid")) {
		t.Error("the file claims PDF/UA-1")
	}
}

// wantNothingWrong checks a file against ISO 32000 with qpdf and pdfcpu. qpdf reads the tables, objects
// and streams; pdfcpu validates the entries of dictionaries.
func wantNothingWrong(t *testing.T, what string, file []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cv.pdf")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("qpdf", "--check", path).CombinedOutput(); err != nil {
		t.Errorf("%s: qpdf: %v (apt-get install qpdf): %s", what, err, out)
	}
	for _, mode := range []int{model.ValidationRelaxed, model.ValidationStrict} {
		conf := model.NewDefaultConfiguration()
		conf.ValidationMode = mode
		if err := api.Validate(bytes.NewReader(file), conf); err != nil {
			t.Errorf("%s: pdfcpu, mode %d: %v", what, mode, err)
		}
	}
}

// TestConformanceChecksFindFaults breaks a valid file in many ways, each of which the checks must
// detect.
func TestConformanceChecksFindFaults(t *testing.T) {
	file := sharedRig(t).render(t, cvtest.Senior()).file
	for condition, change := range map[string][2]string{ // of equal length, so that the file's cross-reference table remains valid
		"ISO 14289-1, 7.1": {"/Marked true", "/Marked null"}, "07-001": {"/DisplayDocTitle true", "/DisplayDocTitle null"},
		"11-001": {"/Lang (en)", "/Lang ()  "}, "06-002": {"<pdfuaid:part>1<", "<pdfuaid:part>2<"}, "09-005": {"/S /LBody", "/S /Sect "}, "14-002": {"/S /H1", "/S /H2"},
		"14-003": {"/S /H2", "/S /H6"}, "28-009": {"/Tabs /S", "/Tabs /R"}, "28-012": {"/Contents (", "/Contentx ("}, "28-011": {"/S /Link", "/S /Span"},
		"31-027": {"/ToUnicode", "/ToUnixode"}, "31-009": {"/FontFile2", "/FontFilex"}, "01-005": {"/K 4>", "/K 5>"}, "ISO 32000-1, 14.7.4": {"/K 4>", "/K 5>"}, "02-001": {"/S /P", "/S /Q"},
	} {
		if !bytes.Contains(file, []byte(change[0])) {
			t.Errorf("%s: the file does not contain %q", condition, change[0])
			continue
		}
		faults, err := pdftest.Matterhorn(bytes.ReplaceAll(file, []byte(change[0]), []byte(change[1])))
		if err != nil || !slices.ContainsFunc(faults, func(f string) bool { return strings.HasPrefix(f, condition+": ") }) {
			t.Errorf("with %q in place of %q: found %q, %v, want %s", change[1], change[0], faults, err, condition)
		}
	}
}
