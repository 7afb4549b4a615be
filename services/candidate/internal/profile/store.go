package profile

import "context"

// Store keeps profiles and CVs. Every method is atomic: it does all or nothing.
type Store interface {
	// CreateProfile adds p, with its Photo. Errors: ErrProfileExists, ErrUsernameTaken.
	CreateProfile(ctx context.Context, p Profile) error
	// Taken reports which of a person's id and a handle, in any case, another profile
	// has already. Empty text is never taken.
	Taken(ctx context.Context, personID, username string) (Taken, error)
	// ProfileByID and ProfileByUsername (in any case) give a profile.
	// Errors: ErrProfileNotFound.
	ProfileByID(ctx context.Context, personID string) (Profile, error)
	ProfileByUsername(ctx context.Context, username string) (Profile, error)
	// KeptPhoto gives the picture that is kept for a person, nil if there is none.
	KeptPhoto(ctx context.Context, personID string) ([]byte, error)
	// UpdateProfile replaces the fields and UpdatedAt of the profile p.ID with those of p,
	// the Photo together with the avatar_url, and gives the whole profile. Errors: ErrProfileNotFound, ErrUsernameTaken.
	UpdateProfile(ctx context.Context, p Profile, fields []Field) (Profile, error)
	// CreateCv adds c. Errors: ErrProfileNotFound, ErrTooManyCvs.
	CreateCv(ctx context.Context, c Cv) error
	// Cv gives a CV. Errors: ErrCvNotFound.
	Cv(ctx context.Context, id string) (Cv, error)
	// UpdateCv makes the change, and gives the whole CV.
	// Errors: ErrCvNotFound.
	UpdateCv(ctx context.Context, change CvChange) (Cv, error)
	// DeleteCv removes a CV. Errors: ErrCvNotFound.
	DeleteCv(ctx context.Context, id string) error
	// Choice gives what a person can share, an empty Choice for an unknown person.
	Choice(ctx context.Context, personID string) (Choice, error)
	// Documents gives a person's CVs as documents, none for an unknown person.
	Documents(ctx context.Context, personID string) ([]Document, error)
	// ChooseTemplate has the PDF of a person's CV laid out in a template. Errors:
	// ErrCvNotFound.
	ChooseTemplate(ctx context.Context, personID, cvID string, t Template) error
}

// Taken is what CreateProfile would find taken.
type Taken struct{ Person, Username bool }
