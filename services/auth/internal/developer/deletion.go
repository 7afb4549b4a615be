package developer

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/periodic"
)

// AppDeletion names an app to delete.
type AppDeletion struct {
	AppID string
	// ConfirmName is the name of the app as somebody typed it; empty if nobody was asked.
	ConfirmName string
	// Unasked allows an empty ConfirmName.
	Unasked bool
}

// DeleteApp deletes an app: everything of it is refused everywhere when this returns, even
// if an earlier call deleted it (behaviour: apps#deleting-an-app). Errors: ErrAppNotFound;
// Invalid naming confirm_name.
func (s *Service) DeleteApp(ctx context.Context, d AppDeletion) error {
	if !fault.IsStorable(d.AppID) {
		return ErrAppNotFound
	}
	entry, err := s.store.DeleteApp(ctx, d.AppID, s.clock.Now(), d.check)
	if err != nil && !errors.Is(err, ErrAppNotFound) {
		return err
	}
	if pending := s.revocations.Publish(ctx, entry); pending != nil {
		return pending
	}
	return err
}

func (d AppDeletion) check(a App) error {
	if d.ConfirmName != a.Name && (d.ConfirmName != "" || !d.Unasked) {
		return fault.Of(fault.CodeArgument, "confirm_name", "must be the name of the app")
	}
	return nil
}

const (
	// endEvery is the pause between two rounds of the job.
	endEvery = 30 * time.Second
	// endAtOnce bounds one transaction of it, so that it never holds locks for long.
	endAtOnce = 200
)

// Ender ends what belongs to deleted apps.
type Ender interface {
	// EndConnections ends at most so many live connections of deleted apps, with all that
	// is below them, in one transaction, and gives how many it ended. It leaves those that
	// are locked.
	EndConnections(ctx context.Context, now time.Time, atMost int32) (int, error)
}

// EndingConfig is what the job is made of. All fields are required.
type EndingConfig struct {
	Store Ender
	Clock clock.Clock
	Log   *slog.Logger
}

// NewEndingJob makes the job that ends the connections of deleted apps. They are refused
// already, because every check reads whether the app lives; the job only brings their rows
// to their end, so that the clean-up finds them. An app may have millions.
func NewEndingJob(c EndingConfig) (periodic.Job, error) {
	if c.Store == nil || c.Clock == nil {
		return periodic.Job{}, errors.New("developer: Store and Clock are required")
	}
	return periodic.New(periodic.Job{Every: endEvery, Log: c.Log, Waiting: "connections of deleted apps wait for the next round", Round: c.round})
}

func (c EndingConfig) round(ctx context.Context) error {
	for {
		ended, err := c.Store.EndConnections(ctx, c.Clock.Now(), endAtOnce)
		if err != nil || ended < endAtOnce {
			return err
		}
	}
}
