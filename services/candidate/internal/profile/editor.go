package profile

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/format"
)

// ErrVersionConflict refuses a save that was made from an older version than the stored
// one (behaviour: profiles#two-tabs).
var ErrVersionConflict = errs.New(errs.Precondition, "VERSION_CONFLICT", "It was changed since it was read.")

// From is what a save was made from: a version, and the revision of a draft, 0 for none.
type From struct{ Version, Draft int64 }

// AnyVersion is the version of a save that does not depend on what is stored.
const AnyVersion = 0

// EditorStore keeps what people change themselves. Every method is atomic.
type EditorStore interface {
	// ProfileVersion gives the version of a profile. Errors: ErrProfileNotFound.
	ProfileVersion(ctx context.Context, personID string) (int64, error)
	// SaveProfile is Store.UpdateProfile for a profile of the version, and gives the new one. It deletes the
	// draft of the revision that it was made from, if it depends on a version at all.
	// Errors: as there; ErrVersionConflict, also for a draft of another revision.
	SaveProfile(ctx context.Context, p Profile, fields []Field, from From) (int64, error)
	// OwnCv gives a CV of the person, with its version. Errors: ErrCvNotFound.
	OwnCv(ctx context.Context, personID, cvID string) (Cv, int64, error)
	// SaveCv replaces title and content of the CV c.ID of c.PersonID at the version, and gives
	// the new one. It deletes the draft as SaveProfile does. Errors: ErrCvNotFound, ErrVersionConflict.
	SaveCv(ctx context.Context, c Cv, from From) (int64, error)
	// Draft returns the draft of a document; without a revision if there is none.
	Draft(ctx context.Context, personID, document string) (Draft, error)
	// SaveDraft keeps d in place of the draft of d.Revision, and returns its revision. Errors:
	// ErrProfileNotFound, ErrCvNotFound; ErrVersionConflict for another version or revision.
	SaveDraft(ctx context.Context, d Draft) (int64, error)
	// DropDraft deletes the draft of d.Revision, if it is there.
	DropDraft(ctx context.Context, d Draft) error
	// DeleteOwnCv removes a CV of the person. Errors: ErrCvNotFound.
	DeleteOwnCv(ctx context.Context, personID, cvID string) error
	// MakeMain replaces the main CV of kept.PersonID by what become makes of it and of the
	// content of the CV cvID. If there was a main CV, kept holds its content from then on.
	// Errors: ErrCvNotFound, ErrTooManyCvs.
	MakeMain(ctx context.Context, cvID string, kept Cv, become func(main, chosen cv.Content) cv.Content) error
}

// EditorConfig is what an Editor needs. All fields are required.
type EditorConfig struct {
	Store    EditorStore
	Profiles *Service
	Clock    clock.Clock
}

// Editor is the use cases of people who change their own profile and CVs. The checks are
// those of Service.
type Editor struct {
	store    EditorStore
	profiles *Service
	clock    clock.Clock
}

// NewEditor makes the use cases.
func NewEditor(c EditorConfig) (*Editor, error) {
	if c.Store == nil || c.Profiles == nil || c.Clock == nil {
		return nil, errors.New("profile: Store, Profiles and Clock are required")
	}
	return &Editor{store: c.Store, profiles: c.Profiles, clock: c.Clock}, nil
}

// notOwn are the fields that nobody writes about themselves: what was verified is worth
// nothing otherwise, and the address of the account is auth's.
var notOwn = []Field{FieldEmail, FieldEmailVerified, FieldUAEPassVerified}

// Profile gives the profile of a person, and its version. The version is read first: a
// write in between makes a later save a conflict, and loses nothing.
// Errors: PROFILE_NOT_FOUND.
func (e *Editor) Profile(ctx context.Context, personID string) (Profile, int64, error) {
	version, err := e.store.ProfileVersion(ctx, personID)
	if err != nil {
		return Profile{}, 0, err
	}
	p, err := e.profiles.ByID(ctx, personID)
	return p, version, err
}

// SaveProfile replaces the fields of the mask, and gives the new version.
// Errors: INVALID_ARGUMENT naming update_mask and every field that is wrong;
// PROFILE_NOT_FOUND, USERNAME_TAKEN, VERSION_CONFLICT.
func (e *Editor) SaveProfile(ctx context.Context, p Profile, mask []Field, from From) (int64, error) {
	faults := p.validateChange(mask)
	for _, field := range mask {
		if slices.Contains(notOwn, field) {
			faults.Add("update_mask", "must not name what a person cannot say of themselves")
		}
	}
	if slices.Contains(mask, FieldAvatarURL) {
		if err := e.takePhoto(ctx, &p, faults); err != nil {
			return 0, err
		}
	}
	if err := faults.Err(); err != nil {
		return 0, err
	}
	p.setContent(p.Content)
	p.UpdatedAt = e.clock.Now()
	return e.store.SaveProfile(ctx, p, mask, from)
}

// takePhoto takes a picture, never an address of one: the deployment would fetch from
// wherever a person says.
func (e *Editor) takePhoto(ctx context.Context, p *Profile, faults *fault.List) error {
	const path = root + "." + string(FieldAvatarURL)
	if _, inline := InlineFile(p.AvatarURL); p.AvatarURL != "" && !inline && !faults.Has(path) {
		faults.Add(path, "must be a picture")
	}
	return e.profiles.takePhoto(ctx, p, nil, faults)
}

// Cv gives a CV of a person, and its version. Errors: CV_NOT_FOUND.
func (e *Editor) Cv(ctx context.Context, personID, cvID string) (Cv, int64, error) {
	if !id.Valid(cvPrefix, cvID) {
		return Cv{}, 0, ErrCvNotFound
	}
	return e.store.OwnCv(ctx, personID, cvID)
}

// CreateCv adds a CV. Errors: as Service.CreateCv.
func (e *Editor) CreateCv(ctx context.Context, personID, title string, content cv.Content) (Cv, error) {
	return e.profiles.CreateCv(ctx, personID, title, content)
}

// SaveCv replaces title and content of a CV, and gives the new version.
// Errors: INVALID_ARGUMENT naming every field that is wrong; CV_NOT_FOUND, VERSION_CONFLICT.
func (e *Editor) SaveCv(ctx context.Context, c Cv, from From) (int64, error) {
	if err := ValidateCreateCv(c.Title, c.Content); err != nil {
		return 0, err
	}
	if !id.Valid(cvPrefix, c.ID) {
		return 0, ErrCvNotFound
	}
	c.Content, c.UpdatedAt = c.Content.WithIDs(), e.clock.Now()
	return e.store.SaveCv(ctx, c, from)
}

// DeleteCv removes a CV of a person. Errors: CV_NOT_FOUND.
func (e *Editor) DeleteCv(ctx context.Context, personID, cvID string) error {
	if !id.Valid(cvPrefix, cvID) {
		return ErrCvNotFound
	}
	return e.store.DeleteOwnCv(ctx, personID, cvID)
}

// MakeMain makes a CV the main one, and keeps what the main CV held under a title
// (behaviour: profiles#another-main-cv). Errors: INVALID_ARGUMENT naming kept_title;
// CV_NOT_FOUND, TOO_MANY_CVS.
func (e *Editor) MakeMain(ctx context.Context, personID, cvID, keptTitle string) error {
	faults := fault.Argument()
	format.Name(faults, "kept_title", keptTitle, maxTitle)
	if err := faults.Err(); err != nil {
		return err
	}
	if !id.Valid(cvPrefix, cvID) {
		return ErrCvNotFound
	}
	now := e.clock.Now()
	kept := Cv{ID: id.New(cvPrefix), PersonID: personID, Title: keptTitle, CreatedAt: now, UpdatedAt: now}
	return e.store.MakeMain(ctx, cvID, kept, asMain)
}

// asMain gives the content of a CV that becomes the main one. What the CV does not say of the
// person stays as the profile has it: a CV of its own often leaves out where somebody lives.
func asMain(main, chosen cv.Content) cv.Content {
	out := chosen
	out.Location = cmp.Or(out.Location, main.Location)
	out.About = cmp.Or(out.About, main.About)
	if len(out.Socials) == 0 {
		out.Socials = maps.Clone(main.Socials)
	}
	if len(out.Interests) == 0 {
		out.Interests = slices.Clone(main.Interests)
	}
	return out
}
