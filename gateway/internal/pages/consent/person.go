package consent

import (
	"context"
	"net/http"

	"golang.org/x/sync/errgroup"

	"vitae.internal/gateway/internal/pages/shell"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// personal is the data about the person that the page needs.
type personal struct {
	cvs         *candidatev1.ListOwnCvsResponse
	connections []*authv1.Connection
}

// read calls the candidate and auth services concurrently. It returns CV_NOT_FOUND if the candidate service
// does not let the person share the CV cvID, which may be "". It returns shell.ErrNoProfile if the person
// has no profile.
func (p Pages) read(ctx context.Context, who shell.Person, cvID string) (found personal, err error) {
	work, ctx := errgroup.WithContext(ctx)
	work.Go(func() (err error) {
		found.cvs, err = shell.ListCVs(ctx, p.profiles, who, cvID)
		return err
	})
	work.Go(func() (err error) {
		found.connections, err = shell.ListConnections(ctx, p.connections, who)
		return err
	})
	err = work.Wait()
	if err == nil && found.cvs.GetName() == "" { // only a person without a profile has no name
		err = shell.ErrNoProfile
	}
	return found, err
}

// setPerson stores the data that was read about the person.
func (c *pending) setPerson(found personal) {
	c.cvs, c.live = found.cvs, c.connected(found.connections)
	c.left = c.standing()
}

// startReading starts read while the auth service checks the request and the session, which may have ended.
// The caller must call stop. It may call result only if the visitor has a session.
func (p Pages) startReading(r *http.Request) (result func() (personal, error), stop func()) {
	token := p.SessionToken(r)
	if token == "" {
		return nil, func() {}
	}
	var found personal
	var err error
	ctx, cancel := context.WithCancel(r.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		found, err = p.read(ctx, shell.Person{Token: token}, "")
	}()
	return func() (personal, error) { <-done; return found, err }, func() { cancel(); <-done }
}
