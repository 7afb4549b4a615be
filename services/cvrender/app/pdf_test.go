//go:build !nobrowser

package app_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	"vitae.internal/services/cvrender/internal/cvtest"
)

func TestEnglishTextIsInReadingOrder(t *testing.T) {
	r := sharedRig(t)
	wantInOrder(t, pdfText(t, r.render(t, cvtest.Senior()).file), []string{
		"Layla Haddad", "Principal Platform Engineer", "Dubai, United Arab Emirates",
		"layla.haddad@example.com", "+971 50 123 4567", "vitae.example/p/layla/cv", "linkedin.com/in/laylahaddad",
		"github.com/laylah", "Mastodon @layla@hachyderm.example",
		"Identity verified with UAE Pass", "Open to work",
		"Profile", "Platform engineer with fourteen years", "at three in the morning.", "Grew up between Beirut and Dubai.",
		"Highlights", "Zero-downtime migration: Moved 4.2 billion", "Regional award: Women in Technology MENA",
		"Experience", "Principal Platform Engineer", "Mar 2021 – Present", "Meridian Pay · Dubai, UAE · Hybrid · Full time",
		"Technical lead of the platform group", "Replaced nightly settlement", "instead of 14 hours.", "Hired fourteen engineers",
		"Staff Engineer, Logistics", "Jan 2017 – Feb 2021", "Souq Express", "Owned routing", "Wrote the on-call handbook",
		"Senior Software Engineer", "Jun 2013 – Dec 2016", "Levant Telecom", "Software Engineer", "Oct 2011 – May 2013", "Cedar Labs",
		"Projects", "pgfence", "A linter that finds", "Go, PostgreSQL", "github.com/laylah/pgfence", "Majlis",
		"Education", "BEng, Computer and Communications Engineering", "Sep 2006 – Jun 2010", "American University of Beirut",
		"MSc, Computer Science", "2010 – 2011", "University of Edinburgh",
		"Certifications", "Certified Kubernetes Administrator, The Linux Foundation, May 2022, Expires: May 2025",
		"certs.example.org/verify/CKA-22-1188", "Professional Cloud Architect, Google Cloud, Nov 2021",
		"Skills", "Backend: Go, PostgreSQL, Redis, gRPC", "Operations: Kubernetes", "Other: Technical writing",
		"Languages", "Arabic (native), English (fluent), French (professional)",
		"Personal details", "Date of birth: 12 Apr 1988", "Gender: Female", "Marital status: Married", "Nationality: Lebanese",
		"Residence: Dubai, Al Barsha", "Visa and residency: Golden visa until 2031", "Dependents: Two children",
	})
}

func TestArabicTextIsInReadingOrder(t *testing.T) {
	r := sharedRig(t)
	text := pdfText(t, r.render(t, cvtest.Arabic()).file)
	wantInOrder(t, text, words(
		"نورة المنصوري", "مديرة تطوير المنتجات الرقمية", "الإمارات العربية المتحدة",
		"noura@example.ae", "+971 55 765 4321", "vitae.example/p/noura/cv", "linkedin.com/in/noura", "@noura_ae",
		"هوية موثقة عبر", "متاح للعمل",
		"الملف المهني", "مديرة منتجات بخبرة تتجاوز اثني عشر", "أؤمن بأن الخدمة الجيدة هي التي لا يلاحظها أحد لأنها تعمل ببساطة",
		"متطوعة في برامج إرشاد الشباب",
		"أبرز الإنجازات", "جائزة التميز الحكومي", "أفضل خدمة رقمية لعام", "2023",
		"الخبرات", "مديرة تطوير المنتجات", "من", "مارس", "2020", "حتى الآن", "هيئة الخدمات الرقمية", "عمل هجين", "دوام كامل",
		"قيادة ثلاثة فرق مسؤولة عن بوابة الخدمات الموحدة", "خفض مدة إنجاز المعاملة من خمسة أيام إلى أربع دقائق",
		"إطلاق الهوية الرقمية", "رفع رضا المتعاملين",
		"مديرة منتج", "سبتمبر", "2015", "فبراير", "2020", "شركة الأفق للتقنية", "بناء منصة لحجز المواعيد الطبية",
		"محللة أعمال", "من 2012", "إلى 2015", "بنك الخليج", "توثيق متطلبات نظام القروض الجديد والإشراف على اختباره",
		"المشاريع", "دليل الخدمات", "فهرس مفتوح المصدر للخدمات العامة", "Go, PostgreSQL", "github.com/noura/dalil",
		"التعليم", "بكالوريوس، نظم المعلومات", "من 2008", "إلى 2012", "جامعة الإمارات العربية المتحدة",
		"الشهادات المهنية", "مالك منتج معتمد", "certs.example.org/cspo/5521",
		"المهارات", "المنتج: إدارة المنتجات، بحوث المستخدمين، خرائط الطريق", "SQL, Figma", "تحليل البيانات",
		"اللغات", "العربية (اللغة الأم)", "الإنجليزية (ممتاز)",
		"البيانات الشخصية", "تاريخ الميلاد", "1990", "الجنس: أنثى", "الجنسية: إماراتية", "مكان الإقامة: أبوظبي",
	))
}

func TestPDFHasTagsTitleOutlineAndFonts(t *testing.T) {
	r := sharedRig(t)
	for _, c := range []struct {
		cv       *cvv1.SharedCv
		title    string
		headings []string
		outline  int
	}{
		{cvtest.Senior(), "Layla Haddad – CV", []string{"Experience", "Education", "Skills"}, 18},
		{cvtest.Arabic(), "نورة المنصوري – السيرة الذاتية", nil, 15},
		{cvtest.Mixed(), "Salem Al Ketbi سالم الكتبي – CV", []string{"Experience"}, 8},
	} {
		t.Run(c.cv.GetDocument().GetName(), func(t *testing.T) {
			file := r.render(t, c.cv).file
			info := poppler(t, file, "pdfinfo", "FILE")
			for _, want := range []string{"Tagged: yes", "JavaScript: no", "Page size: 594.96 x 841.92 pts (A4)", "Title: " + c.title} {
				if !strings.Contains(flatten(info), want) {
					t.Errorf("pdfinfo lacks %q:\n%s", want, info)
				}
			}
			if !strings.Contains(flatten(info), "Author: "+c.cv.GetDocument().GetName()) {
				t.Errorf("the author is missing:\n%s", info)
			}
			// ISO 14289-1, 5: the file claims conformance. 7.18.5: each link has a description of its target.
			if !strings.Contains(string(file), "<pdfuaid:part>1</pdfuaid:part>") || strings.Count(string(file), "/Subtype /Link") != strings.Count(string(file), "/Contents (") {
				t.Error("not PDF/UA-1")
			}
			if strings.Contains(info, "CreationDate") {
				t.Error("the file contains its creation date, so its bytes would differ each time")
			}
			if want := fmt.Sprintf("/Lang (%s)", c.cv.GetLanguage()); !strings.Contains(string(file), want) {
				t.Errorf("%s is missing", want)
			}
			wantFontsEmbedded(t, file)
			structure := poppler(t, file, "pdfinfo", "-struct-text", "FILE")
			wantInOrder(t, flatten(structure), []string{"Document", "H1", "H2", "H3", "LI", "LBody"})
			for _, h := range c.headings {
				if !regexp.MustCompile(`H2 \(block\)\s+(""\s+)?(NonStruct\s+)?"` + h).MatchString(structure) {
					t.Errorf("heading %q is missing in\n%s", h, structure)
				}
			}
			if got := outline.FindAll(file, -1); len(got) != c.outline {
				t.Errorf("outline has %d entries, want %d", len(got), c.outline)
			}
		})
	}
}

// outline matches the entries of the outline, which have a title and a parent.
var outline = regexp.MustCompile(`(?s)<</Title [^>]*>?[^>]*/Parent \d+ 0 R`)

// wantFontsEmbedded checks the table that pdffonts prints. Its columns are name, type, encoding, emb, sub and
// uni.
func wantFontsEmbedded(t *testing.T, file []byte) {
	t.Helper()
	table := poppler(t, file, "pdffonts", "FILE")
	rows := strings.Split(strings.TrimSpace(table), "\n")[2:]
	if len(rows) < 2 {
		t.Errorf("fonts:\n%s", table)
	}
	for _, row := range rows {
		if !strings.Contains(row, "Identity-H       yes yes yes") {
			t.Errorf("font is not embedded with a map to Unicode: %s", row)
		}
		if !strings.Contains(row, "IBMPlexSans") {
			t.Errorf("unknown font: %s", row)
		}
	}
}

func TestHeadingsStayWithTheirFirstLine(t *testing.T) {
	r := sharedRig(t)
	for _, base := range []*cvv1.SharedCv{cvtest.Veteran(), cvtest.LongArabic()} {
		headings := headingLines(base)
		// A few additional lines on the first page move all later page breaks.
		for shift := range 14 {
			c := proto.CloneOf(base)
			c.Document.Summary = wrapperspb.String(c.GetDocument().GetSummary().GetValue() + strings.Repeat("\nOne more line of text.", shift))
			file := r.render(t, c).file
			pages := strings.Split(strings.TrimRight(poppler(t, file, "pdftotext", "FILE", "-"), "\f\n"), "\f")
			if len(pages) < 3 {
				t.Fatalf("%d pages, want a long CV", len(pages))
			}
			for i, page := range pages[:len(pages)-1] {
				last := lastLine(page)
				for _, h := range headings {
					if last == h || strings.HasPrefix(last, h+" ·") {
						t.Errorf("%s, shift %d: page %d ends with %q", base.GetLanguage(), shift, i+1, last)
					}
				}
			}
		}
	}
}

func TestEveryPageHasNameAndNumber(t *testing.T) {
	r := sharedRig(t)
	for _, c := range []struct {
		cv   *cvv1.SharedCv
		foot string
	}{{cvtest.Veteran(), "Page %d of %d"}, {cvtest.LongArabic(), "صفحة %d من %d"}} {
		file := r.render(t, c.cv).file
		pages := strings.Split(strings.TrimRight(poppler(t, file, "pdftotext", "FILE", "-"), "\f\n"), "\f")
		for i, page := range pages {
			text := flatten(page)
			if want := fmt.Sprintf(c.foot, i+1, len(pages)); !strings.Contains(text, want) || !strings.Contains(text, c.cv.GetDocument().GetName()) {
				t.Errorf("%s: page %d lacks %q or the name:\n%s", c.cv.GetLanguage(), i+1, want, text)
			}
		}
	}
}

// headingLines returns the lines that must not be the last on a page.
func headingLines(c *cvv1.SharedCv) []string {
	out := []string{"Experience", "Projects", "Education", "Certifications", "Skills", "Languages", "Personal details",
		"الخبرات", "المشاريع", "التعليم", "الشهادات المهنية", "المهارات", "اللغات", "البيانات الشخصية"}
	for _, e := range c.GetDocument().GetExperiences() {
		out = append(out, e.GetTitle(), e.GetCompany())
	}
	return out
}

var pageNumber = regexp.MustCompile(`Page \d+ of \d+|صفحة \d+ من \d+`)

// lastLine returns the last line of text on a page, above the page number.
func lastLine(page string) string {
	lines := strings.Split(strings.TrimSpace(page), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if l := flatten(lines[i]); l != "" && !pageNumber.MatchString(l) {
			return l
		}
	}
	return ""
}
