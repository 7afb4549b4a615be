package operators_test

import (
	"bytes"
	"encoding/base64"
	"testing"

	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/stored"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

// noSecretIsFound creates secrets and uses them as intended and in wrong places, while all services are
// running and while some are suspended. Then it searches everything that the system stores, logs and
// reports: logs, traces, metrics, Postgres and Redis.
func noSecretIsFound(t *testing.T) {
	traces := collect(t)
	s := suite.Start(t, "secrets", suite.NoTiers, suite.Split, "OTEL_EXPORTER_OTLP_ENDPOINT=http://"+traces.address,
		"VITAE_LOG_LEVEL=debug", "OTEL_EXPORTER_OTLP_COMPRESSION=none", "OTEL_BSP_SCHEDULE_DELAY=100")

	password, file := canary("password"), canary("resume")
	w := world.Applicants()
	w.People[0].Password = password
	for i := range w.Applications {
		if r := w.Applications[i].Resume; r != nil {
			r.Content = append(bytes.Clone(r.Content), []byte("\n% "+file+"\n")...)
		}
	}
	dev := world.OneDeveloper()
	w.Developers = []world.Developer{dev}
	p := scene.PlatformOn(t, s, w)
	secrets := planted{"password": password, "resume contents": file}
	c := secrets.signIn(t, p)
	secrets.ofDeployment(t, s)
	used := secrets.use(t, p, c)
	revoked := scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{Photo: true})
	secrets["revoked access token"], secrets["revoked refresh token"] = revoked.Access, revoked.Refresh
	t.Run("the gateway works and revocations hold without Redis", func(t *testing.T) { freezeRedis(t, c, revoked) })
	sendWhileSuspended(t, s, used, "redis-server", "candidate")
	sendWhileSuspended(t, s, used, "auth")
	secrets.misuse(t, p, c)

	search := secrets.search()
	if !search.found("a sample", []byte("x "+password+" y")) || !search.found("a sample in base64", []byte(base64.StdEncoding.EncodeToString([]byte("ab"+password)))) {
		t.Fatal("the search does not find a sample secret")
	}
	search.t = t
	search.metrics(s)
	stored.Tables(t, s, func(where string, rows []byte) { search.found(where, rows) })
	if keys := stored.Redis(t, s, func(key string, value []byte) { search.found("Redis "+key, append([]byte(key), value...)) }); keys == 0 {
		t.Error("Redis is empty")
	}
	suite.Stop(t, s) // makes the services send their last spans
	search.files(s)
	search.traces(traces)
}
