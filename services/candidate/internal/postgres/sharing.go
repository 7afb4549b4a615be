package postgres

import (
	"context"
	"time"

	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/projection"
)

// Reference implements sharing.Store.
func (s *Store) Reference(ctx context.Context, personID, cvID string) (projection.Source, error) {
	row, err := s.q.SharedReference(ctx, cvID, personID)
	if err != nil {
		return projection.Source{}, fault("read shared reference", err, profile.ErrProfileNotFound)
	}
	source := projection.Source{Person: profile.Person{
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
		HasMainCv:       row.HasMainCv,
		UpdatedAt:       row.UpdatedAt.UTC(),
	}}
	source.Cv = chosen(source.Person, cvID, row.CvID, row.CvTitle, row.CvUpdatedAt)
	return source, nil
}

// Document implements sharing.Store.
func (s *Store) Document(ctx context.Context, personID, cvID string) (projection.Source, error) {
	row, err := s.q.SharedDocument(ctx, cvID, profile.MainCvID, personID)
	if err != nil {
		return projection.Source{}, fault("read shared document", err, profile.ErrProfileNotFound)
	}
	source := projection.Source{Location: row.Location, Person: profile.Person{
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
		UpdatedAt: row.UpdatedAt.UTC(),
	}}
	source.Cv = chosen(source.Person, cvID, row.CvID, row.CvTitle, row.CvUpdatedAt)
	if source.Cv == nil && cvID != profile.MainCvID {
		return source, nil
	}
	content, err := cv.Decode(row.Content)
	if err != nil {
		return projection.Source{}, err
	}
	if source.Cv != nil {
		source.Cv.Content = content
	}
	if cvID == profile.MainCvID {
		source.Socials = content.Socials
	}
	return source, nil
}

// Published implements sharing.Store.
func (s *Store) Published(ctx context.Context, username string) (projection.Source, error) {
	row, err := s.q.PublishedDocument(ctx, username)
	if err != nil {
		return projection.Source{}, fault("read public page", err, profile.ErrProfileNotFound)
	}
	content, err := cv.Decode(row.Content)
	if err != nil {
		return projection.Source{}, err
	}
	source := projection.Source{Location: content.Location, Person: profile.Person{
		ID:              row.PersonID,
		Name:            row.Name,
		Username:        row.Username,
		Headline:        row.Headline,
		Locale:          row.Locale,
		AvatarURL:       row.AvatarUrl,
		UAEPassVerified: row.UaePassVerified,
		OpenToWork:      row.OpenToWork,
		Public:          row.ProfilePublic,
		HasMainCv:       row.HasMainCv,
		UpdatedAt:       row.UpdatedAt.UTC(),
	}}
	if source.Cv = mainCv(source.Person); source.Cv != nil {
		source.Cv.Content = content
	}
	return source, nil
}

// chosen is the CV cvID without its content: the main one, or the one that was
// found; nil when there is neither.
func chosen(p profile.Person, cvID string, found, title *string, updatedAt *time.Time) *projection.Cv {
	switch {
	case cvID == profile.MainCvID:
		return mainCv(p)
	case found == nil:
		return nil
	}
	return &projection.Cv{ID: *found, Title: *title, UpdatedAt: updatedAt.UTC()}
}

func mainCv(p profile.Person) *projection.Cv {
	if !p.HasMainCv {
		return nil
	}
	return &projection.Cv{ID: profile.MainCvID, Title: profile.MainCvTitle, UpdatedAt: p.UpdatedAt}
}
