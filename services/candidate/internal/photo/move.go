package photo

import (
	"context"
	"time"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/periodic"
	"vitae.internal/pkg/picture"
	"vitae.internal/services/candidate/internal/profile"
)

const (
	// moveEvery is the pause between two rounds. Rounds after the first find only what
	// replicas of the release before have written.
	moveEvery = 10 * time.Minute
	// moveBatch bounds the memory of one statement: an inline photo has up to 700,000
	// characters.
	moveBatch = 20
)

// MoveJob is the job that moves inline photos out of profiles.
func (s *Service) MoveJob() (periodic.Job, error) {
	return periodic.New(periodic.Job{
		Every: moveEvery, Log: s.log, Waiting: "inline photos stay in profiles until the next round", Round: s.Move,
	})
}

// Move moves all inline photos out of profiles. Any number of replicas may do so at once.
func (s *Service) Move(ctx context.Context) error {
	for after := ""; ; {
		found, err := s.store.InlinePhotos(ctx, after, moveBatch)
		if err != nil {
			return err
		}
		for _, one := range found {
			if err := s.move(ctx, one); err != nil {
				return err
			}
			after = one.PersonID
		}
		if len(found) < moveBatch {
			return nil
		}
	}
}

// move moves a photo. What cannot be read as a picture was never shown in a PDF and could
// not be shown now, so the profile has no photo then.
func (s *Service) move(ctx context.Context, one Inline) error {
	file, _ := profile.InlineFile(one.Address)
	jpeg, err := s.pictures.JPEG(ctx, file)
	if errs.HasCode(err, picture.ErrUnreadable.Code) {
		s.log.WarnContext(ctx, "a stored photo cannot be read and is dropped", "person", one.PersonID, "error", err)
		jpeg, err = nil, nil
	}
	if err != nil {
		return err
	}
	return s.store.MovePhoto(ctx, one, jpeg)
}
