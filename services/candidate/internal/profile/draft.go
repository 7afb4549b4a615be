package profile

import (
	"context"
	"time"

	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
)

// maxDraft is the maximum size of a draft in bytes. It is the same as the maximum size of a form.
const maxDraft = 1 << 20

// Draft holds the unsaved changes in a form. Only its owner can see them (behaviour: profiles#autosave).
type Draft struct {
	PersonID string
	// Document is MainCvID for the profile, or the id of a CV.
	Document string
	// Form is the URL-encoded form.
	Form string
	// Version is the version of the saved document on which the form is based.
	Version int64
	// Revision changes with each write. It is 0 if there is no draft.
	Revision int64
	SavedAt  time.Time
}

// SaveDraft replaces the draft with revision d.Revision, and returns the new revision. It returns
// PROFILE_NOT_FOUND, CV_NOT_FOUND, VERSION_CONFLICT, or an INVALID_ARGUMENT error that names form.
func (e *Editor) SaveDraft(ctx context.Context, d Draft) (int64, error) {
	faults := fault.Argument()
	if len(d.Form) > maxDraft || !fault.IsStorable(d.Form) {
		faults.Add("form", "must be a text of at most %d bytes", maxDraft)
	}
	if err := faults.Err(); err != nil {
		return 0, err
	}
	if d.Document != MainCvID && !id.Valid(cvPrefix, d.Document) {
		return 0, ErrCvNotFound
	}
	d.SavedAt = e.cfg.Clock.Now()
	return e.cfg.Store.SaveDraft(ctx, d)
}

// Draft returns the draft of a document, or a Draft with revision 0 if there is none.
func (e *Editor) Draft(ctx context.Context, personID, document string) (Draft, error) {
	return e.cfg.Store.Draft(ctx, personID, document)
}

// DiscardDraft deletes a draft if its revision is still d.Revision.
func (e *Editor) DiscardDraft(ctx context.Context, d Draft) error {
	if !fault.IsStorable(d.Document) {
		return nil
	}
	return e.cfg.Store.DropDraft(ctx, d)
}
