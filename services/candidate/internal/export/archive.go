package export

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/pkg/disposition"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/candidate/internal/applicant"
	"vitae.internal/services/candidate/internal/photo"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/resume"
)

const (
	// Every archive contains these files.
	documentName = "export.json"
	schemaName   = "export.schema.json"
	photoName    = "photo.jpg"
	// Filename is the name of a downloaded export.
	Filename    = "vitae-export.zip"
	contentType = "application/zip"
	// page is the number of applications read per database statement.
	page = 50
)

// make creates an export and marks it as ready. It returns errLost if the worker no longer holds the lease
// on the export.
func (s *Service) make(ctx context.Context, e Export) error {
	what, err := s.gather(ctx, e.PersonID)
	if err != nil {
		return err
	}
	e.Done, e.Steps = 0, what.steps()
	read, write := io.Pipe()
	m := &maker{Service: s, e: e, zip: zip.NewWriter(&counting{to: write, n: &e.Size}), what: what, lenient: e.Attempts == mostAttempts}
	written := make(chan error, 1)
	go func() {
		err := m.write(ctx)
		_ = write.CloseWithError(err) // never fails
		written <- err
	}()
	err = s.cfg.Files.Put(ctx, e.key(), read, resume.Headers{ContentType: contentType, ContentDisposition: disposition.Attachment(Filename, Filename)})
	_ = read.CloseWithError(errors.New("export: the upload has failed"))
	if making := <-written; making != nil {
		return making // this is the cause if both have failed
	}
	if err != nil {
		return err
	}
	e.Steps = what.steps()
	now := s.cfg.Clock.Now()
	e.ExpiresAt = now.Add(Life)
	return orLost(s.cfg.Store.FinishExport(ctx, e, now))
}

func orLost(kept bool, err error) error {
	if err == nil && !kept {
		err = errLost
	}
	return err
}

// counting counts the bytes that are written to it.
type counting struct {
	to io.Writer
	n  *int64
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	*c.n += int64(n)
	return n, err
}

// gathered holds the data that goes into an archive.
type gathered struct {
	account      AccountData
	profile      *profile.Profile
	cvs          []profile.Cv
	drafts       []profile.Draft
	applications []Submitted
	// shown maps ids to applications as the person sees them, with their jobs and reads.
	shown map[string]applicant.Application
	// mainTemplate is the template of the main CV, or "" if there is none.
	mainTemplate profile.Template
	photo        photo.Photo
}

// steps returns the number of steps: one for each PDF, resume and photo, and one for the document.
func (g gathered) steps() int {
	n := len(g.cvIDs()) + 1
	for _, a := range g.applications {
		if a.Resume != nil {
			n++
		}
	}
	if g.photo.JPEG != nil {
		n++
	}
	return n
}

// cvIDs returns the ids of the CVs that have a PDF.
func (g gathered) cvIDs() (ids []string) {
	if g.profile != nil && g.profile.HasMainCv {
		ids = append(ids, profile.MainCvID)
	}
	for _, c := range g.cvs {
		ids = append(ids, c.ID)
	}
	return ids
}

// gather reads all data except the files. The person may have no profile.
func (s *Service) gather(ctx context.Context, personID string) (g gathered, err error) {
	var found bool
	if g.account, found, err = s.cfg.Account.Read(ctx, personID); err != nil {
		return g, err
	}
	if !found {
		return g, errLost // the account has been deleted
	}
	own, err := s.cfg.Profiles.ProfileByID(ctx, personID)
	switch {
	case errors.Is(err, profile.ErrProfileNotFound):
		return g, nil
	case err != nil:
		return g, err
	}
	g.profile = &own
	if g.cvs, err = s.cfg.Profiles.CvsOf(ctx, personID); err != nil {
		return g, err
	}
	if g.drafts, err = s.cfg.Profiles.DraftsOf(ctx, personID); err != nil {
		return g, err
	}
	documents, err := s.cfg.Profiles.Documents(ctx, personID)
	if err != nil {
		return g, err
	}
	for _, d := range documents {
		if d.ID == profile.MainCvID {
			g.mainTemplate = d.Template
		}
	}
	if err := s.gatherApplications(ctx, personID, &g); err != nil {
		return g, err
	}
	g.photo, err = s.cfg.Photos.Get(ctx, personID)
	if errs.KindOf(err) == errs.NotFound {
		err = nil
	}
	return g, err
}

// gatherApplications reads the applications, both as they were submitted and as the person sees them.
func (s *Service) gatherApplications(ctx context.Context, personID string, g *gathered) error {
	for after := ""; ; {
		some, err := s.cfg.Store.ApplicationsOf(ctx, personID, after, page)
		if err != nil {
			return err
		}
		if g.applications = append(g.applications, some...); len(some) < page {
			break
		}
		after = some[len(some)-1].JobID
	}
	g.shown = map[string]applicant.Application{}
	for after := ""; ; {
		shown, err := s.cfg.Applied.List(ctx, personID, after)
		if err != nil {
			return err
		}
		for _, a := range shown.Applications {
			g.shown[a.ID] = a
		}
		if after = shown.Next; after == "" {
			return nil
		}
	}
}

// maker writes an archive.
type maker struct {
	*Service
	e    Export
	zip  *zip.Writer
	what gathered
	// lenient reports whether to omit PDFs that cannot be rendered. It is set for the last attempt.
	lenient bool
	// pdfs maps CV ids to the names of the PDF files.
	pdfs map[string]string
}

// write writes the archive. The document comes last, because it contains the names of the other files.
func (m *maker) write(ctx context.Context) error {
	m.pdfs = map[string]string{}
	if err := m.progress(ctx, 0); err != nil {
		return err
	}
	for _, id := range m.what.cvIDs() {
		if err := m.pdf(ctx, id); err != nil {
			return err
		}
	}
	if m.what.photo.JPEG != nil {
		if err := m.step(ctx, photoName, m.what.photo.JPEG); err != nil {
			return err
		}
	}
	for _, a := range m.what.applications {
		if err := m.resume(ctx, a); err != nil {
			return err
		}
	}
	document, err := json.MarshalIndent(documentOf(m.what, m.pdfs, m.e.RequestedAt), "", "  ")
	if err != nil {
		return err
	}
	if err := m.file(schemaName, Schema); err != nil {
		return err
	}
	if err := m.step(ctx, documentName, document); err != nil {
		return err
	}
	return m.zip.Close()
}

// pdf writes the PDF of a CV, which shows everything that the person could share.
func (m *maker) pdf(ctx context.Context, id string) error {
	shared, err := m.cfg.Shared.Document(ctx, m.e.PersonID, id)
	if errs.KindOf(err) == errs.NotFound {
		return m.progress(ctx, 1) // deleted in the meantime
	}
	if err != nil {
		return err
	}
	photo := m.what.photo.Address
	if m.what.photo.JPEG != nil {
		photo = profile.InlinePhoto(m.what.photo.JPEG)
	}
	shared.Document.AvatarUrl = wrapperspb.String(photo)
	file, err := m.cfg.Renderer.Render(ctx, m.e.PersonID, shared)
	if err != nil && m.lenient && ctx.Err() == nil {
		m.cfg.Log.WarnContext(ctx, "an export is made without a PDF", "export", m.e.ID, "cv", id, "error", err)
		return m.progress(ctx, 1)
	}
	if err != nil {
		return err
	}
	m.pdfs[id] = "cvs/" + id + ".pdf"
	return m.step(ctx, m.pdfs[id], file)
}

func (m *maker) resume(ctx context.Context, a Submitted) error {
	if a.Resume == nil {
		return nil
	}
	content, err := m.cfg.Files.Open(ctx, a.Resume.Key)
	if errs.HasCode(err, resume.ErrNotFound.Code) {
		return m.progress(ctx, 1) // the file is missing; check-resumes reports this
	}
	if err != nil {
		return err
	}
	defer content.Close()
	to, err := m.zip.CreateHeader(&zip.FileHeader{Name: resumeName(a), Method: zip.Store, Modified: m.e.RequestedAt})
	if err != nil {
		return err
	}
	if _, err := io.Copy(to, content); err != nil {
		return fmt.Errorf("export: resume of %s: %w", a.ID, err)
	}
	return m.progress(ctx, 1)
}

// extensions maps media types to the file extensions of resumes.
var extensions = map[string]string{
	"application/pdf": ".pdf", "application/msword": ".doc", "application/rtf": ".rtf",
	"application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
}

// resumeName returns the name of a resume in the archive. It does not contain the name of the person's own
// file, which the program that unpacks the archive might interpret. That name appears only in the document.
func resumeName(a Submitted) string { return "resumes/" + a.ID + extensions[a.Resume.ContentType] }

// step writes a file and records it as a finished step.
func (m *maker) step(ctx context.Context, name string, content []byte) error {
	if err := m.file(name, content); err != nil {
		return err
	}
	return m.progress(ctx, 1)
}

func (m *maker) file(name string, content []byte) error {
	to, err := m.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: m.e.RequestedAt})
	if err != nil {
		return err
	}
	_, err = to.Write(content)
	return err
}

// progress records finished steps and renews the lease on the export.
func (m *maker) progress(ctx context.Context, steps int) error {
	m.e.Done += steps
	return orLost(m.cfg.Store.StepExport(ctx, m.e, m.cfg.Clock.Now().Add(hold)))
}
