package cvimport_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	cvimport "vitae.internal/gateway/internal/pages/profile/import"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// archive returns a ZIP archive with the given files.
func archive(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, text := range files {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = f.Write([]byte(text)) // writing to a buffer does not fail
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// behaviour: profiles#import
func TestLinkedInExportBecomesCV(t *testing.T) {
	t.Parallel()
	got, err := cvimport.Read(t.Context(), archive(t, map[string]string{
		"Basic_LinkedInDataExport/Profile.csv": "\ufeffFirst Name,Last Name,Maiden Name,Address,Birth Date,Headline,Summary,Industry,Zip Code,Geo Location,Twitter Handles,Websites,Instant Messengers\r\n" +
			"Layla,Haddad,,Al Majaz 3,\"May 17, 1999\",Front-end developer,\"I build \"\"web\"\" interfaces.\nAnd more.\",Software,00000,\"Sharjah, United Arab Emirates\",,\"[PORTFOLIO:https://layla.example,https://blog.example]\",\r\n",
		"Positions.csv": "Company Name,Title,Description,Location,Started On,Finished On\n" +
			"Noor Digital,Front-end developer,Checkout,Dubai,Sep 2025,\nNoor Digital,Intern,,,Jan 2024,Mar 2025\n",
		"Education.csv":       "School Name,Start Date,End Date,Notes,Degree Name,Activities\nUniversity of Sharjah,2020,2024,Honours,BSc,Chess\n",
		"Skills.csv":          "Name\nTypeScript\nGo\n",
		"Languages.csv":       "Name,Proficiency\nArabic,Native or bilingual proficiency\nFrench,\n",
		"Certifications.csv":  "Name,Url,Authority,Started On,Finished On,License Number\nCKA,https://cert.example,CNCF,Jan 2024,Jan 2027,A-1\n",
		"Email Addresses.csv": "Email Address,Confirmed,Primary,Updated On\nlayla@example.com,Yes,Yes,1/1/24\n",
		"Courses.csv":         "Name,Number\nHydraulics,CE 301\n",
		"Projects.csv":        "Title,Description,Url,Started On,Finished On\nSouq,Maps,,Sep 2024,\n",
		"Organizations.csv":   "Name,Position,Description,Started On,Finished On\nIEEE,Member,,Jan 2023,\n",
		"PhoneNumbers.csv":    "Extension,Number,Type\n,+971 50 123 4567,Mobile\n,+971 6 555 0000,Home\n",
		"messages.csv":        "CONVERSATION ID,CONTENT\n1,a secret\n",
	}))
	if err != nil {
		t.Fatal(err)
	}
	want := &candidatev1.CvContent{}
	if err := protojson.Unmarshal([]byte(`{
		"summary": "I build \"web\" interfaces.\nAnd more.", "location": "Sharjah, United Arab Emirates",
		"socials": {"portfolio": "https://layla.example", "website": "https://blog.example"},
		"experiences": [
			{"title": "Front-end developer", "company": "Noor Digital", "location": "Dubai", "startDate": "2025-09", "current": true, "overview": "Checkout"},
			{"title": "Intern", "company": "Noor Digital", "startDate": "2024-01", "endDate": "2025-03"}],
		"educations": [{"school": "University of Sharjah", "degree": "BSc", "startDate": "2020", "endDate": "2024", "description": "Honours\nActivities: Chess"}],
		"highlights": [{"title": "Course: Hydraulics", "desc": "CE 301"}, {"title": "Membership: IEEE", "desc": "Member, Jan 2023"}], "projects": [{"title": "Souq", "description": "Sep 2024\nMaps"}],
		"skills": ["TypeScript", "Go"], "languages": ["Arabic (native or bilingual)", "French"],
		"certifications": [{"name": "CKA", "issuer": "CNCF", "issueDate": "2024-01", "expirationDate": "2027-01", "credentialUrl": "https://cert.example"}]
	}`), want); err != nil {
		t.Fatal(err)
	}
	if !proto.Equal(got.Content, want) {
		t.Errorf("content is %s", protojson.Format(got.Content))
	}
	if p := got.Person; p.GetName() != "Layla Haddad" || p.GetHeadline() != "Front-end developer" || p.GetPhone() != "+971 50 123 4567" || p.GetAddress() != "Al Majaz 3, 00000" {
		t.Errorf("person is %v", p)
	}
	left := map[string]string{}
	for _, one := range got.Left {
		left[one.Path] = one.Text
	}
	if len(left) != 4 || !slices.Equal(got.Emails, []string{"layla@example.com"}) || left["Profile[0].Birth Date"] != "May 17, 1999" || left["Profile[0].Industry"] != "Software" ||
		left["Certifications[0].License Number"] != "A-1" || left["PhoneNumbers[1]"] != "+971 6 555 0000" {
		t.Errorf("unimported texts are %v", left)
	}
}

// The expected errors identify the file, not a row, which shows that it was rejected before its rows were
// read.
func TestLargeArchiveIsRejectedUnread(t *testing.T) {
	t.Parallel()
	many := map[string]string{"Skills.csv": "Name\nGo\n"}
	for i := range 1000 {
		many[fmt.Sprint(i)] = ""
	}
	for name, c := range map[string]struct {
		files map[string]string
		where string
	}{
		"files":   {many, ".zip"},
		"rows":    {map[string]string{"Skills.csv": "Name\n" + strings.Repeat("x\n", 60_000)}, "Skills.csv"},
		"columns": {map[string]string{"Skills.csv": "Name" + strings.Repeat(",", 50_000) + "\nGo\n"}, "Skills.csv"},
	} {
		_, err := cvimport.Read(t.Context(), archive(t, c.files))
		if unreadable := (*cvimport.Unreadable)(nil); !errors.As(err, &unreadable) || *unreadable != (cvimport.Unreadable{Reason: cvimport.ReasonLarge, Where: c.where}) {
			t.Errorf("%s: %v", name, err)
		}
	}
	delete(many, "0")
	if _, err := cvimport.Read(t.Context(), archive(t, many)); err != nil {
		t.Errorf("1,000 files: %v", err)
	}
}

func TestOtherArchivesAreRejected(t *testing.T) {
	t.Parallel()
	for want, file := range map[string][]byte{
		cvimport.ReasonUnknown: archive(t, map[string]string{"word/document.xml": "<w/>"}),
		cvimport.ReasonLarge:   archive(t, map[string]string{"Skills.csv": "Name\n" + strings.Repeat("x\n", 1<<20)}),
		cvimport.ReasonBytes:   bytes.Repeat([]byte("x"), cvimport.MaxText+1),
	} {
		_, err := cvimport.Read(t.Context(), file)
		if unreadable := (*cvimport.Unreadable)(nil); !errors.As(err, &unreadable) || unreadable.Reason != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	cut := archive(t, map[string]string{"Skills.csv": "Name\nGo\n"})
	if _, err := cvimport.Read(t.Context(), cut[:len(cut)/2]); err == nil {
		t.Error("a truncated archive was read")
	}
}
