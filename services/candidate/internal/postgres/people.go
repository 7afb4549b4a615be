package postgres

import (
	"context"
	"time"

	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/projection"
	"vitae.internal/services/candidate/internal/sharing"
)

var _ sharing.Store = (*Store)(nil)

func (s *Store) Reference(ctx context.Context, personID, cvID string) (projection.Source, error) {
	row, err := s.q.PersonReference(ctx, sqlc.PersonReferenceParams{PersonID: personID, CvID: cvID})
	if err != nil {
		return projection.Source{}, errorOf("read shared reference", err, profile.ErrProfileNotFound)
	}
	return sourceFromRow(rowOfReference(row), cvID), nil
}

// rowOfReference is a person's row with the columns that a reference has.
func rowOfReference(r sqlc.PersonReferenceRow) sqlc.PersonRow {
	return sqlc.PersonRow{
		PersonID: r.PersonID, Email: r.Email, EmailVerified: r.EmailVerified, Name: r.Name, Username: r.Username,
		Headline: r.Headline, Locale: r.Locale, AvatarUrl: r.AvatarUrl, UaePassVerified: r.UaePassVerified,
		OpenToWork: r.OpenToWork, ProfilePublic: r.ProfilePublic, HasMainCv: r.HasMainCv, UpdatedAt: r.UpdatedAt,
		CvID: r.CvID, CvTitle: r.CvTitle, CvUpdatedAt: r.CvUpdatedAt,
	}
}

func (s *Store) Document(ctx context.Context, personID, cvID string) (projection.Source, error) {
	row, err := s.q.Person(ctx, sqlc.PersonParams{PersonID: personID, CvID: cvID, MainCvID: profile.MainCvID})
	if err != nil {
		return projection.Source{}, errorOf("read shared document", err, profile.ErrProfileNotFound)
	}
	return documentFromRow(row, cvID)
}

func (s *Store) Published(ctx context.Context, username string) (projection.Source, error) {
	row, err := s.q.PublishedPerson(ctx, username)
	if err != nil {
		return projection.Source{}, errorOf("read public page", err, profile.ErrProfileNotFound)
	}
	source, err := documentFromRow(sqlc.PersonRow(row), profile.MainCvID)
	source.Socials = nil // the public page shows those of the CV
	return s.withPhoto(ctx, source, err)
}

func (s *Store) Own(ctx context.Context, personID, cvID string) (projection.Source, error) {
	source, err := s.Document(ctx, personID, cvID)
	return s.withPhoto(ctx, source, err)
}

// withPhoto puts a photo that is kept here into a source that was read without an error.
func (s *Store) withPhoto(ctx context.Context, source projection.Source, err error) (projection.Source, error) {
	if err != nil || source.Person.AvatarURL != profile.KeptPhoto {
		return source, err
	}
	jpeg, err := keptPhoto(ctx, s.q, source.Person.ID)
	source.Person.AvatarURL = profile.InlinePhoto(jpeg)
	return source, err
}

// documentFromRow gives a person with the content of the CV cvID.
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
		source.Socials = content.Socials
	}
	return source, nil
}

// sourceFromRow gives a person and the CV cvID without its content.
func sourceFromRow(row sqlc.PersonRow, cvID string) projection.Source {
	source := projection.Source{Person: personFromRow(row), Location: row.Location, Cv: chosenFromRow(row, cvID)}
	source.Person.CreatedAt = time.Time{} // nothing that is shared shows it
	return source
}

// chosenFromRow gives the CV cvID without its content: the main one, or the one that
// was found; nil if there is neither.
func chosenFromRow(row sqlc.PersonRow, cvID string) *projection.Cv {
	switch {
	case cvID == profile.MainCvID && row.HasMainCv:
		return &projection.Cv{ID: profile.MainCvID, Title: profile.MainCvTitle, UpdatedAt: row.UpdatedAt.UTC()}
	case cvID != profile.MainCvID && row.CvID != nil:
		return &projection.Cv{ID: *row.CvID, Title: *row.CvTitle, UpdatedAt: row.CvUpdatedAt.UTC()}
	}
	return nil
}

// profileFromRow gives a profile from a row that was read with the main CV.
func profileFromRow(row sqlc.PersonRow) (profile.Profile, error) {
	content, err := cv.Decode(row.Content)
	if err != nil {
		return profile.Profile{}, err
	}
	return profile.Profile{Person: personFromRow(row), Content: content}, nil
}

// personFromRow is the one mapping of a person's columns.
func personFromRow(row sqlc.PersonRow) profile.Person {
	return profile.Person{
		ID:              row.PersonID,
		Email:           row.Email,
		EmailVerified:   row.EmailVerified,
		Name:            row.Name,
		Username:        row.Username,
		Headline:        row.Headline,
		Locale:          row.Locale,
		AvatarURL:       row.AvatarUrl,
		UAEPassVerified: row.UaePassVerified,
		OpenToWork:      row.OpenToWork,
		Public:          row.ProfilePublic,
		Details: profile.Details{
			DateOfBirth:     row.DateOfBirth,
			Gender:          row.Gender,
			MaritalStatus:   row.MaritalStatus,
			Nationality:     row.Nationality,
			Residence:       row.Residence,
			VisaResidency:   row.VisaResidency,
			NationalService: row.NationalService,
			Dependents:      row.Dependents,
		},
		Phone:     row.Phone,
		Address:   row.Address,
		HasMainCv: row.HasMainCv,
		CreatedAt: row.CreatedAt.UTC(),
		UpdatedAt: row.UpdatedAt.UTC(),
	}
}
