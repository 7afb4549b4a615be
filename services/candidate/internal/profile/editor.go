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

// ErrVersionConflict is returned if a save is based on an older version than the stored one
// (behaviour: profiles#concurrent-edits).
var ErrVersionConflict = errs.New(errs.Precondition, "VERSION_CONFLICT", "It was changed since it was read.")

// From identifies the state on which a save is based: the version, and the revision of the draft, which is 0
// if there was none.
type From struct{ Version, Draft int64 }

// AnyVersion makes a save unconditional.
const AnyVersion = 0

// EditorStore stores the changes that owners make. Every method is atomic.
type EditorStore interface {
	// ProfileVersion returns the version of a profile. It returns ErrProfileNotFound if the profile does not
	// exist.
	ProfileVersion(ctx context.Context, personID string) (int64, error)
	// SaveProfile does the same as Store.UpdateProfile if the version matches, and returns the new version.
	// Unless the version is AnyVersion, it also deletes the draft if the revision matches. In addition to the
	// errors of UpdateProfile, it returns ErrVersionConflict if the version or the revision does not match.
	SaveProfile(ctx context.Context, p Profile, fields []Field, from From) (int64, error)
	// OwnCv returns one of the person's CVs and its version. It returns ErrCvNotFound if the person has no
	// such CV.
	OwnCv(ctx context.Context, personID, cvID string) (Cv, int64, error)
	// SaveCv replaces the title and content of the CV c.ID, which belongs to c.PersonID, if the version
	// matches. It returns the new version. It deletes the draft in the same way as SaveProfile. It returns
	// ErrCvNotFound or ErrVersionConflict.
	SaveCv(ctx context.Context, c Cv, from From) (int64, error)
	// Draft returns the draft of a document, or a Draft with revision 0 if there is none.
	Draft(ctx context.Context, personID, document string) (Draft, error)
	// SaveDraft replaces the draft with revision d.Revision, and returns the new revision. It returns
	// ErrProfileNotFound or ErrCvNotFound, or ErrVersionConflict if the version or revision does not match.
	SaveDraft(ctx context.Context, d Draft) (int64, error)
	// DropDraft deletes the draft if its revision is d.Revision.
	DropDraft(ctx context.Context, d Draft) error
	// DeleteOwnCv deletes one of the person's CVs. It returns ErrCvNotFound if the person has no such CV.
	DeleteOwnCv(ctx context.Context, personID, cvID string) error
	// MakeMain replaces the content of the main CV of kept.PersonID with the result of become. become takes
	// the contents of the main CV and of the CV cvID. The previous main CV, if any, is saved as kept.
	// MakeMain returns ErrCvNotFound or ErrTooManyCvs.
	MakeMain(ctx context.Context, cvID string, kept Cv, become func(main, chosen *cv.Content) *cv.Content) error
}

// EditorConfig holds the dependencies of an Editor. All are required.
type EditorConfig struct {
	Store    EditorStore
	Profiles *Service
	Clock    clock.Clock
}

// Editor implements the use cases for people who edit their own profile and CVs. It applies the validation
// rules of Service.
type Editor struct{ cfg EditorConfig }

// NewEditor returns an Editor.
func NewEditor(c EditorConfig) (*Editor, error) {
	if c.Store == nil || c.Profiles == nil || c.Clock == nil {
		return nil, errors.New("profile: Store, Profiles and Clock are required")
	}
	return &Editor{c}, nil
}

// notOwn lists the fields that people cannot edit: verification flags, and the email address, which belongs
// to the account in the auth service.
var notOwn = []Field{FieldEmail, FieldEmailVerified, FieldUAEPassVerified}

// Profile returns a person's profile and its version. It reads the version first: if someone writes in
// between, a later save fails with a conflict instead of overwriting that change. It returns
// PROFILE_NOT_FOUND if there is no profile.
func (e *Editor) Profile(ctx context.Context, personID string) (Profile, int64, error) {
	version, err := e.cfg.Store.ProfileVersion(ctx, personID)
	if err != nil {
		return Profile{}, 0, err
	}
	p, err := e.cfg.Profiles.ByID(ctx, personID)
	return p, version, err
}

// SaveProfile replaces the fields in the mask, and returns the new version. It returns PROFILE_NOT_FOUND,
// USERNAME_TAKEN, VERSION_CONFLICT, or an INVALID_ARGUMENT error that names update_mask and every invalid
// field.
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

// takePhoto accepts an uploaded picture, but never a URL. Otherwise, people could make the deployment fetch
// any URL that they enter.
func (e *Editor) takePhoto(ctx context.Context, p *Profile, faults *fault.List) error {
	const path = root + "." + string(FieldAvatarURL)
	if _, inline := InlineFile(p.AvatarURL); p.AvatarURL != "" && !inline && !faults.Has(path) {
		faults.Add(path, "must be a picture")
	}
	return e.cfg.Profiles.takePhoto(ctx, p, nil, faults)
}

// Cv returns one of a person's CVs and its version. It returns CV_NOT_FOUND if the person has no such CV.
func (e *Editor) Cv(ctx context.Context, personID, cvID string) (Cv, int64, error) {
	if !id.Valid(cvPrefix, cvID) {
		return Cv{}, 0, ErrCvNotFound
	}
	return e.cfg.Store.OwnCv(ctx, personID, cvID)
}

// CreateCv adds a CV. It returns the same errors as Service.CreateCv.
func (e *Editor) CreateCv(ctx context.Context, personID, title string, content *cv.Content) (Cv, error) {
	return e.cfg.Profiles.CreateCv(ctx, personID, title, content)
}

// SaveCv replaces the title and content of a CV, and returns the new version. It returns CV_NOT_FOUND,
// VERSION_CONFLICT, or an INVALID_ARGUMENT error that names every invalid field.
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

// DeleteCv deletes one of a person's CVs. It returns CV_NOT_FOUND if the person has no such CV.
func (e *Editor) DeleteCv(ctx context.Context, personID, cvID string) error {
	if !id.Valid(cvPrefix, cvID) {
		return ErrCvNotFound
	}
	return e.cfg.Store.DeleteOwnCv(ctx, personID, cvID)
}

// MakeMain makes a CV the main CV, and saves the previous main CV under keptTitle
// (behaviour: profiles#replacing-the-main-cv). It returns CV_NOT_FOUND, TOO_MANY_CVS, or an INVALID_ARGUMENT
// error that names kept_title.
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

// asMain returns the content that a CV gets when it becomes the main CV. Personal fields that the CV does not
// have, such as the location, keep the profile's values.
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
