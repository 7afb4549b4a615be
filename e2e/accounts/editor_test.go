package accounts_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// editorLabels holds the accessible names of the editor in one language.
type editorLabels struct {
	labels
	headline, save, saved, drafted, discard, offline, differs, compare, mine string
	newCV, cvTitle, createCV, importCV, file, read, left, deleteCV           string
	photo, usePhoto, photoSaved, tooLarge                                    string
}

var editorEnglish = editorLabels{
	labels: english, headline: "Headline", save: "Save", saved: "Saved.", drafted: "Draft saved.", discard: "Discard changes", offline: "Not saved: no connection",
	differs: "This was changed somewhere else", compare: "Compare both versions", mine: "Your text",
	newCV: "New CV", cvTitle: "Title of the CV", createCV: "Create CV", importCV: "Import a CV", file: "File", read: "Read file",
	left: "Not imported", deleteCV: "Yes, delete",
	photo: "New photo", usePhoto: "Use this photo", photoSaved: "Photo saved.", tooLarge: "This file is larger than 10 MB.",
}

var editorArabic = editorLabels{
	labels: arabic, headline: "العنوان المهني", save: "حفظ", saved: "تم الحفظ.", drafted: "حُفظت المسودة.", discard: "تجاهل التعديلات", offline: "لم يُحفظ: لا يوجد اتصال",
	differs: "جرى تعديل هذا في مكان آخر في هذه الأثناء", compare: "مقارنة النصين", mine: "نصك",
	newCV: "سيرة جديدة", cvTitle: "عنوان السيرة", createCV: "إنشاء السيرة", importCV: "استيراد سيرة", file: "الملف", read: "قراءة الملف",
	left: "لم يُستورد", deleteCV: "نعم، احذفها",
	photo: "صورة جديدة", usePhoto: "استخدام هذه الصورة", photoSaved: "حُفظت صورتك.", tooLarge: "يتجاوز هذا الملف 10 ميغابايت.",
}

// openEditor signs in with a new browser and opens the editor of the person's profile.
func openEditor(t *testing.T, s *scene.Scene, l editorLabels, o browser.Options) device {
	t.Helper()
	d := newDevice(t, l.labels, o)
	d.Open(s.Stack.AppURLs[0] + "/sign-in?return=%2Fprofile")
	d.send(l.signIn, l.email, s.World.People[0].Email, l.password, world.Password)
	d.Find("textbox", l.headline) // the heading may also be in the preview
	return d
}

// typed inserts text before the current value of a field.
func (d device) typed(field, text string) {
	d.t.Helper()
	d.Find("textbox", field).Fill(text)
}

// fileField returns the file field with the given label. Browsers append the file's name to the label.
func (d device) fileField(label string) (field browser.Element) {
	d.t.Helper()
	d.Until("the field "+label, func() bool {
		all := d.All("button")
		at := slices.IndexFunc(all, func(e browser.Element) bool { return strings.HasPrefix(e.Name(), label) })
		if at >= 0 {
			field = all[at]
		}
		return at >= 0
	})
	return field
}

// largeFile creates a picture file with the given size in bytes.
func largeFile(t *testing.T, size int) string {
	t.Helper()
	var picture bytes.Buffer
	if err := jpeg.Encode(&picture, image.NewGray(image.Rect(0, 0, 1200, 900)), nil); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "photo.jpg")
	if err := os.WriteFile(file, append(picture.Bytes(), make([]byte, size-picture.Len())...), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// behaviour: profiles#the-editor
func TestPersonEditsProfileAndCVs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		labels editorLabels
		device browser.Options
	}{
		"en-desktop":         {editorEnglish, browser.Options{}},
		"ar-phone":           {editorArabic, browser.Options{Width: 360, Height: 740, Dark: true}},
		"ar-phone-no-script": {editorArabic, browser.Options{Width: 360, Height: 740, NoScript: true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, l := scene.New(t), c.labels
			app := s.Stack.AppURLs[0]
			d := openEditor(t, s, l, c.device)
			d.checkPage("profile")
			d.typed(l.headline, "Gardener, ")
			if !c.device.NoScript {
				d.until(l.drafted)
				d.checkPage("profile, draft saved")
				if page := scene.Open(t, app+"/p/"+s.World.People[0].Username); strings.Contains(string(page.Body), "Gardener, ") {
					t.Error("the public page shows a draft")
				}
				d.Open(app + "/profile")
				d.Find("button", l.discard)
				d.checkPage("profile, unsaved changes")
			}
			d.Find("button", l.save).Click()
			d.until(l.saved)
			d.checkPage("profile, saved")
			if page := scene.Open(t, app+"/p/"+s.World.People[0].Username); !strings.Contains(string(page.Body), "Gardener, ") {
				t.Errorf("the public page does not show the saved headline: %s", page.Body)
			}

			d.Open(app + "/cvs")
			d.Find("link", l.newCV)
			d.checkPage("list of CVs")
			d.Find("link", l.newCV).Click()
			d.Find("button", l.createCV)
			d.checkPage("new CV")
			d.send(l.createCV, l.cvTitle, "For gardens")
			d.Find("button", l.save)
			d.checkPage("CV")
			address := d.URL()
			d.Open(address + "/main")
			d.checkPage("a new main CV")
			d.Open(address + "/delete")
			d.checkPage("deletion")
			d.Find("button", l.deleteCV).Click()
			d.Find("link", l.newCV)
			if d.Has("heading", "For gardens") {
				t.Error("the deleted CV is still listed")
			}
			d.Open(app + "/profile/photo")
			d.checkPage("photo")
			d.fileField(l.photo).Attach(largeFile(t, 11<<20))
			d.Find("button", l.usePhoto).Click()
			if c.device.NoScript { // a script would shrink the photo
				d.until(l.tooLarge)
				d.checkPage("photo, too large")
				d.fileField(l.photo).Attach(largeFile(t, 9<<20))
				d.Find("button", l.usePhoto).Click()
			}
			d.until(l.photoSaved)
			if photo := scene.Open(t, app+"/p/"+s.World.People[0].Username); !strings.Contains(string(photo.Body), "data:image/jpeg;base64,") {
				t.Error("the public page does not show the photo")
			}
		})
	}
}

// behaviour: profiles#import
func TestPersonImportsCV(t *testing.T) {
	t.Parallel()
	for name, l := range map[string]editorLabels{"en": editorEnglish, "ar": editorArabic} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := scene.New(t)
			d := openEditor(t, s, l, browser.Options{})
			d.Open(s.Stack.AppURLs[0] + "/cvs/import")
			d.checkPage("import")
			file := filepath.Join(t.TempDir(), "resume.json")
			resume := `{"basics": {"name": "Layla", "label": "Gardener", "summary": "Grows roses."}, "work": [{"name": "Park", "position": "Gardener", "startDate": "2024-01", "url": "https://park.example"}]}`
			if err := os.WriteFile(file, []byte(resume), 0o600); err != nil {
				t.Fatal(err)
			}
			d.fileField(l.file).Attach(file)
			d.Find("button", l.read).Click()
			d.Find("heading", l.left)
			d.checkPage("imported data")
			if text := d.Text(); !strings.Contains(text, "https://park.example") || strings.Contains(text, "work[0]") {
				t.Errorf("the values that were not imported are not listed: %s", text)
			}
			d.Find("button", l.createCV).Click()
			d.Find("button", l.save)
			// The page loads the imported text after the form.
			expect.Eventually(t, "the CV shows the imported text", func(context.Context) error {
				if page := d.Text(); !strings.Contains(page, "Grows roses.") {
					return fmt.Errorf("the page has the text %s", page)
				}
				return nil
			})
		})
	}
}

// behaviour: profiles#autosave, profiles#concurrent-edits
func TestInputSurvivesOfflineAndConflict(t *testing.T) {
	t.Parallel()
	s, l := scene.New(t), editorEnglish
	first, second := openEditor(t, s, l, browser.Options{}), openEditor(t, s, l, browser.Options{Width: 360, Height: 740})
	first.Offline(true)
	first.typed(l.headline, "Offline ")
	first.until(l.offline)
	first.checkPage("offline")
	first.Offline(false)
	first.until(l.drafted)

	second.typed(l.headline, "Elsewhere ")
	second.until("Not saved: this was changed somewhere else")
	second.Find("button", l.compare).Click()
	second.Find("heading", l.differs)
	second.checkPage("conflict")
	if text := second.Text(); !strings.Contains(text, "Offline Backend engineer") || !strings.Contains(text, "Elsewhere Backend engineer") {
		t.Errorf("the page does not show both texts: %s", text)
	}
	second.Find("button", l.save).Click()
	second.until("Saved.")
	if page := scene.Open(t, s.Stack.AppURLs[0]+"/p/"+s.World.People[0].Username); !strings.Contains(string(page.Body), "Elsewhere Backend engineer") {
		t.Errorf("the public page: %s", page.Body)
	}
}
