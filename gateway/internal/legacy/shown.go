package legacy

import (
	"errors"
	"log/slog"
	"net/http"

	"google.golang.org/grpc"

	"vitae.internal/gateway/internal/answer"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// NewShown returns the handler of GET /api/oauth/profile without authentication, for the
// page that shows a person what an app receives (behaviour: pages#what-an-app-receives).
// The caller must put a verified principal into the request's context.
func NewShown(candidate grpc.ClientConnInterface, log *slog.Logger) (http.Handler, error) {
	if candidate == nil || log == nil {
		return nil, errors.New("legacy: the connection to candidate and a log are required")
	}
	s := &server{failures: failures{answer.Errors{Log: log}}, profiles: candidatev1.NewLegacyProfileServiceClient(candidate)}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.profile(w, r); err != nil {
			s.failures.write(w, r, err)
		}
	}), nil
}
