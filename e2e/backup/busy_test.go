package backup_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// pause is the time between two requests of a client. It leaves processor time for other processes.
const pause = 50 * time.Millisecond

// busy simulates partners who create jobs, and create and delete API keys, until stop is called.
type busy struct {
	*record
	company string

	mu sync.Mutex
	// before holds jobs whose creation was acknowledged before the restored point in time. after holds
	// jobs whose creation began after it.
	passed        bool
	before, after []string
	deleted, live []string // API keys
}

func (b *busy) run(t *testing.T) (stop func()) {
	t.Helper()
	note := expect.Must(b.Stack.Note())(t)
	keys := authv1.NewDeveloperServiceClient(suite.Dial(t, b.Stack, note.GRPC.Auth, "auth", "vitaectl"))
	ctx, cancel := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	for _, do := range []func(context.Context) error{b.makeJob, func(ctx context.Context) error { return b.useKey(ctx, keys) }} {
		wait.Go(func() {
			tick := time.NewTicker(pause)
			defer tick.Stop()
			for ctx.Err() == nil {
				// This is not ctx, so pending requests can finish. An unacknowledged request may or may
				// not have succeeded.
				if err := do(context.WithoutCancel(ctx)); err != nil && errs.KindOf(err) != errs.Unavailable {
					t.Error(err)
					return
				}
				<-tick.C
			}
		})
	}
	stop = sync.OnceFunc(func() { cancel(); wait.Wait() })
	t.Cleanup(stop)
	return stop
}

func (b *busy) makeJob(ctx context.Context) error {
	b.mu.Lock()
	passed := b.passed
	b.mu.Unlock()
	a, err := b.API.CreateJob(ctx, b.company, world.Draft())
	if err != nil || a.Status == http.StatusServiceUnavailable {
		return err
	}
	body, err := a.JSON()
	if err != nil {
		return err
	}
	made, _ := expect.At(body, "data", "id").(string)
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case passed:
		b.after = append(b.after, made)
	case !b.passed:
		b.before = append(b.before, made)
	}
	return nil
}

// maxLive is the maximum number of keys that stay valid. It is below the limit of keys per app.
const maxLive = 40

// useKey creates a key and deletes it. If fewer than maxLive keys are valid, it first creates a key that stays
// valid.
func (b *busy) useKey(ctx context.Context, keys authv1.DeveloperServiceClient) error {
	b.mu.Lock()
	stays := len(b.live) < maxLive
	b.mu.Unlock()
	var live, last string
	create := func() (secret string, err error) {
		made, err := keys.CreateApiKey(ctx, &authv1.CreateApiKeyRequest{AppId: b.Created.Apps["ats"].ID, Name: "busy", Scopes: world.CompanyScopes})
		last = made.GetApiKey().GetId()
		return made.GetSecret(), err
	}
	if stays {
		secret, err := create()
		if err != nil {
			return err
		}
		live = secret
	}
	deleted, err := create()
	if err != nil {
		return err
	}
	if _, err := keys.DeleteApiKey(ctx, &authv1.DeleteApiKeyRequest{Id: last}); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if stays {
		b.live = append(b.live, live)
	}
	b.deleted = append(b.deleted, deleted)
	return nil
}

// markRestorePoint records that the point in time to restore has passed.
func (b *busy) markRestorePoint() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.passed = true
}

// checkRestored asserts that jobs have their state at the restored point in time, and keys their latest state.
func (b *busy) checkRestored(t *testing.T) {
	t.Helper()
	if len(b.before) == 0 || len(b.after) == 0 || len(b.deleted) == 0 {
		t.Errorf("%d jobs before the restored time, %d after it, %d deleted keys: the test proves nothing", len(b.before), len(b.after), len(b.deleted))
	}
	status := func(path, key string) int {
		return get(t, b.Stack.BaseURLs[0]+path, key).Status
	}
	for _, id := range b.before {
		if got := status("/v1/jobs/"+id, b.API.Key); got != http.StatusOK {
			t.Errorf("a job from before the restored time: status %d", got)
		}
	}
	for _, id := range b.after {
		if got := status("/v1/jobs/"+id, b.API.Key); got != http.StatusNotFound {
			t.Errorf("a job from after the restored time: status %d", got)
		}
	}
	for i := range b.live {
		if got := status("/v1/companies/"+b.company, b.live[i]); got != http.StatusOK {
			t.Errorf("a valid key: status %d", got)
		}
		if got := status("/v1/companies/"+b.company, b.deleted[i]); got != http.StatusUnauthorized {
			t.Errorf("a deleted key: status %d", got)
		}
	}
	t.Logf("%d jobs before the restored time and %d after it; %d valid and %d deleted keys", len(b.before), len(b.after), len(b.live), len(b.deleted))
}
