package profile

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/format"
)

// ErrVersionConflict is the error of a save that is based on an older version than the stored
// one (behaviour: profiles#concurrent-edits).
var ErrVersionConflict = errs.New(errs.Precondition, "VERSION_CONFLICT", "It was changed since it was read.")

// From is the base of a save: a version, and the revision of a draft, 0 for none.
type From struct{ Version, Draft int64 }

// AnyVersion is the version of an unconditional save.
const AnyVersion = 0

// EditorStore stores the changes of owners. Every method is atomic.
type EditorStore interface {
	// ProfileVersion returns the version of a profile. Errors: ErrProfileNotFound.
	ProfileVersion(ctx context.Context, personID string) (int64, error)
	// SaveProfile is Store.UpdateProfile if the version matches, and returns the new version. Unless
	// the version is AnyVersion, it deletes the draft if its revision matches. Errors: those of
	// UpdateProfile; ErrVersionConflict if the version or the revision does not match.
	SaveProfile(ctx context.Context, p Profile, fields []Field, from From) (int64, error)
	// OwnCv returns a CV of the person, with its version. Errors: ErrCvNotFound.
	OwnCv(ctx context.Context, personID, cvID string) (Cv, int64, error)
	// SaveCv replaces title and content of the CV c.ID of c.PersonID if the version matches, and
	// returns the new version. It deletes the draft as SaveProfile does. Errors: ErrCvNotFound,
	// ErrVersionConflict.
	SaveCv(ctx context.Context, c Cv, from From) (int64, error)
	// Draft returns the draft of a document; with revision 0 if there is none.
	Draft(ctx context.Context, personID, document string) (Draft, error)
	// SaveDraft replaces the draft with revision d.Revision, and returns the new revision. Errors:
	// ErrProfileNotFound, ErrCvNotFound; ErrVersionConflict for another version or revision.
	SaveDraft(ctx context.Context, d Draft) (int64, error)
	// DropDraft deletes the draft if its revision is d.Revision.
	DropDraft(ctx context.Context, d Draft) error
	// DeleteOwnCv removes a CV of the person. Errors: ErrCvNotFound.
	DeleteOwnCv(ctx context.Context, personID, cvID string) error
	// MakeMain replaces the main CV of kept.PersonID with the result of become, for the contents
	// of the main CV and of the CV cvID. It saves the previous main CV, if any, as kept.
	// Errors: ErrCvNotFound, ErrTooManyCvs.
	MakeMain(ctx context.Context, cvID string, kept Cv, become func(main, chosen *cv.Content) *cv.Content) error
}

// EditorConfig holds the dependencies of an Editor. All are required.
type EditorConfig struct {
	Store    EditorStore
	Profiles *Service
	Clock    clock.Clock
}

// Editor has the use cases of people who edit their own profile and CVs, with the validation
// rules of Service.
type Editor struct{ cfg EditorConfig }

// NewEditor returns an Editor.
func NewEditor(c EditorConfig) (*Editor, error) {
	if c.Store == nil || c.Profiles == nil || c.Clock == nil {
		return nil, errors.New("profile: Store, Profiles and Clock are required")
	}
	return &Editor{c}, nil
}

// notOwn are the fields that people cannot edit: verification flags, and the account's email
// address, which auth owns.
var notOwn = []Field{FieldEmail, FieldEmailVerified, FieldUAEPassVerified}

// Profile returns the profile of a person, and its version. It reads the version first, so
// that a write in between makes a later save conflict and is not lost.
// Errors: PROFILE_NOT_FOUND.
func (e *Editor) Profile(ctx context.Context, personID string) (Profile, int64, error) {
	version, err := e.cfg.Store.ProfileVersion(ctx, personID)
	if err != nil {
		return Profile{}, 0, err
	}
	p, err := e.cfg.Profiles.ByID(ctx, personID)
	return p, version, err
}

// SaveProfile replaces the fields of the mask, and returns the new version.
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
	p.toStore()
	p.UpdatedAt = e.cfg.Clock.Now()
	return e.cfg.Store.SaveProfile(ctx, p, mask, from)
}

// takePhoto accepts an uploaded picture, never a URL: the deployment would fetch from any URL
// that a person enters.
func (e *Editor) takePhoto(ctx context.Context, p *Profile, faults *fault.List) error {
	const path = root + "." + string(FieldAvatarURL)
	if _, inline := InlineFile(p.AvatarURL); p.AvatarURL != "" && !inline && !faults.Has(path) {
		faults.Add(path, "must be a picture")
	}
	return e.cfg.Profiles.takePhoto(ctx, p, nil, faults)
}

// Cv returns a CV of a person, and its version. Errors: CV_NOT_FOUND.
func (e *Editor) Cv(ctx context.Context, personID, cvID string) (Cv, int64, error) {
	if !id.Valid(cvPrefix, cvID) {
		return Cv{}, 0, ErrCvNotFound
	}
	return e.cfg.Store.OwnCv(ctx, personID, cvID)
}

// CreateCv adds a CV. Errors: as Service.CreateCv.
func (e *Editor) CreateCv(ctx context.Context, personID, title string, content *cv.Content) (Cv, error) {
	return e.cfg.Profiles.CreateCv(ctx, personID, title, content)
}

// SaveCv replaces title and content of a CV, and returns the new version.
// Errors: INVALID_ARGUMENT naming every invalid field; CV_NOT_FOUND, VERSION_CONFLICT.
func (e *Editor) SaveCv(ctx context.Context, c Cv, from From) (int64, error) {
	if err := ValidateCreateCv(c.Title, c.Content); err != nil {
		return 0, err
	}
	if !id.Valid(cvPrefix, c.ID) {
		return 0, ErrCvNotFound
	}
	c.Content, c.UpdatedAt = cv.ToStore(c.Content), e.cfg.Clock.Now()
	return e.cfg.Store.SaveCv(ctx, c, from)
}

// DeleteCv removes a CV of a person. Errors: CV_NOT_FOUND.
func (e *Editor) DeleteCv(ctx context.Context, personID, cvID string) error {
	if !id.Valid(cvPrefix, cvID) {
		return ErrCvNotFound
	}
	return e.cfg.Store.DeleteOwnCv(ctx, personID, cvID)
}

// MakeMain makes a CV the main one, and saves the previous main CV with a title
// (behaviour: profiles#replacing-the-main-cv). Errors: INVALID_ARGUMENT naming kept_title;
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
	now := e.cfg.Clock.Now()
	kept := Cv{ID: id.New(cvPrefix), PersonID: personID, Title: keptTitle, CreatedAt: now, UpdatedAt: now}
	return e.cfg.Store.MakeMain(ctx, cvID, kept, asMain)
}

// asMain returns the content of a CV that becomes the main one. Personal fields that the CV
// does not have, such as the location, keep the profile's values.
func asMain(main, chosen *cv.Content) *cv.Content {
	out := proto.CloneOf(chosen)
	out.Location = cmp.Or(out.GetLocation(), main.GetLocation())
	out.About = cmp.Or(out.GetAbout(), main.GetAbout())
	if len(out.GetSocials()) == 0 {
		out.Socials = maps.Clone(main.GetSocials())
	}
	if len(out.GetInterests()) == 0 {
		out.Interests = slices.Clone(main.GetInterests())
	}
	return out
}
