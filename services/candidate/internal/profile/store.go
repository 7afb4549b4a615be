package profile

import "context"

// Store stores profiles and CVs. Every method is atomic.
type Store interface {
	// CreateProfile adds p, with its Photo. Errors: ErrProfileExists, ErrUsernameTaken.
	CreateProfile(ctx context.Context, p Profile) error
	// Taken reports whether another profile has a person's id or, in any case, a handle. Empty
	// text is never taken.
	Taken(ctx context.Context, personID, username string) (Taken, error)
	// ProfileByID and ProfileByUsername, in any case, return a profile.
	// Errors: ErrProfileNotFound.
	ProfileByID(ctx context.Context, personID string) (Profile, error)
	ProfileByUsername(ctx context.Context, username string) (Profile, error)
	// KeptPhoto returns a person's stored picture, nil for none.
	KeptPhoto(ctx context.Context, personID string) ([]byte, error)
	// UpdateProfile replaces the fields and UpdatedAt of the profile p.ID with those of p, the
	// Photo together with avatar_url, and returns the profile. Errors: ErrProfileNotFound,
	// ErrUsernameTaken.
	UpdateProfile(ctx context.Context, p Profile, fields []Field) (Profile, error)
	// CreateCv adds c. Errors: ErrProfileNotFound, ErrTooManyCvs.
	CreateCv(ctx context.Context, c Cv) error
	// Cv returns a CV. Errors: ErrCvNotFound.
	Cv(ctx context.Context, id string) (Cv, error)
	// UpdateCv makes the change, and returns the CV.
	// Errors: ErrCvNotFound.
	UpdateCv(ctx context.Context, change CvChange) (Cv, error)
	// DeleteCv removes a CV. Errors: ErrCvNotFound.
	DeleteCv(ctx context.Context, id string) error
	// Choice returns what a person can share, an empty Choice for an unknown person.
	Choice(ctx context.Context, personID string) (Choice, error)
	// Documents returns a person's CVs as documents, none for an unknown person.
	Documents(ctx context.Context, personID string) ([]Document, error)
	// ChooseTemplate sets the template of a person's CV. Errors:
	// ErrCvNotFound.
	ChooseTemplate(ctx context.Context, personID, cvID string, t Template) error
}

// Taken reports what CreateProfile would find taken.
type Taken struct{ Person, Username bool }
