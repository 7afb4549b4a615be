// Package sharing reads people, CVs and photos for partners and public pages.
package sharing

import (
	"context"
	"time"

	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/photo"
	"vitae.internal/services/candidate/internal/postgres/database"
	"vitae.internal/services/candidate/internal/postgres/profiles"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/projection"
	"vitae.internal/services/candidate/internal/sharing"
)

var (
	_ sharing.Store = (*Store)(nil)
	_ photo.Store   = (*Store)(nil)
)

// Store reads shared data.
type Store struct{ db *database.DB }

// New returns a Store.
func New(db *database.DB) *Store { return &Store{db} }

func (s *Store) Reference(ctx context.Context, personID, cvID string) (projection.Source, error) {
	row, err := s.db.Queries.PersonReference(ctx, sqlc.PersonReferenceParams{PersonID: personID, CvID: cvID})
	if err != nil {
		return projection.Source{}, database.ErrorOf("read shared reference", err, profile.ErrProfileNotFound)
	}
	return sourceFromRow(rowOfReference(row), cvID), nil
}

// rowOfReference converts a reference row to a person row.
func rowOfReference(r sqlc.PersonReferenceRow) sqlc.PersonRow {
	return sqlc.PersonRow{
		PersonID: r.PersonID, Email: r.Email, EmailVerified: r.EmailVerified, Name: r.Name, Username: r.Username,
		Headline: r.Headline, Locale: r.Locale, AvatarUrl: r.AvatarUrl, UaePassVerified: r.UaePassVerified,
		OpenToWork: r.OpenToWork, ProfilePublic: r.ProfilePublic, HasMainCv: r.HasMainCv, UpdatedAt: r.UpdatedAt,
		CvID: r.CvID, CvTitle: r.CvTitle, CvUpdatedAt: r.CvUpdatedAt,
	}
}

func (s *Store) Document(ctx context.Context, personID, cvID string) (projection.Source, error) {
	row, err := s.db.Queries.Person(ctx, sqlc.PersonParams{PersonID: personID, CvID: cvID, MainCvID: profile.MainCvID})
	if err != nil {
		return projection.Source{}, database.ErrorOf("read shared document", err, profile.ErrProfileNotFound)
	}
	return documentFromRow(row, cvID)
}

func (s *Store) Published(ctx context.Context, username string) (projection.Source, error) {
	row, err := s.db.Queries.PublishedPerson(ctx, username)
	if err != nil {
		return projection.Source{}, database.ErrorOf("read public page", err, profile.ErrProfileNotFound)
	}
	source, err := documentFromRow(sqlc.PersonRow(row), profile.MainCvID)
	source.Socials = nil // the public page shows the links in the CV
	return s.withPhoto(ctx, source, err)
}

func (s *Store) Own(ctx context.Context, personID, cvID string) (projection.Source, error) {
	source, err := s.Document(ctx, personID, cvID)
	return s.withPhoto(ctx, source, err)
}

// withPhoto adds the stored photo to source. If err is not nil, it returns source and err unchanged.
func (s *Store) withPhoto(ctx context.Context, source projection.Source, err error) (projection.Source, error) {
	if err != nil || source.Person.AvatarURL != profile.KeptPhoto {
		return source, err
	}
	jpeg, err := profiles.KeptPhoto(ctx, s.db.Queries, source.Person.ID)
	source.Person.AvatarURL = profile.InlinePhoto(jpeg)
	return source, err
}

// documentFromRow returns a person with the content of the CV cvID.
func documentFromRow(row sqlc.PersonRow, cvID string) (projection.Source, error) {
	source := sourceFromRow(row, cvID)
	if source.Cv == nil && cvID != profile.MainCvID {
		return source, nil
	}
	content, err := cv.Decode(row.Content)
	if err != nil {
		return projection.Source{}, err
	}
	if source.Cv != nil {
		source.Cv.Content, source.Cv.Template = content, profile.Template(row.Template)
	}
	if cvID == profile.MainCvID {
		source.Socials = content.GetSocials()
	}
	return source, nil
}

// sourceFromRow returns a person and the CV cvID, but without the CV's content.
func sourceFromRow(row sqlc.PersonRow, cvID string) projection.Source {
	source := projection.Source{Person: profiles.PersonFromRow(row), Location: row.Location, Cv: chosenFromRow(row, cvID)}
	source.Person.CreatedAt = time.Time{} // never shared
	return source
}

// chosenFromRow returns the CV cvID without its content, or nil if the CV does not exist.
func chosenFromRow(row sqlc.PersonRow, cvID string) *projection.Cv {
	switch {
	case cvID == profile.MainCvID && row.HasMainCv:
		return &projection.Cv{ID: profile.MainCvID, Title: profile.MainCvTitle, UpdatedAt: row.UpdatedAt.UTC()}
	case cvID != profile.MainCvID && row.CvID != nil:
		return &projection.Cv{ID: *row.CvID, Title: *row.CvTitle, UpdatedAt: row.CvUpdatedAt.UTC()}
	}
	return nil
}

func (s *Store) Photo(ctx context.Context, personID string) (photo.Stored, error) {
	row, err := s.db.Queries.Photo(ctx, personID)
	if err != nil {
		return photo.Stored{}, database.ErrorOf("read photo", err, photo.ErrNotFound)
	}
	return photo.Stored{Address: row.AvatarUrl, JPEG: row.Jpeg}, nil
}
