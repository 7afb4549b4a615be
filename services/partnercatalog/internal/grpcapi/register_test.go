package grpcapi_test

import (
	"log/slog"
	"testing"

	"google.golang.org/grpc"

	"vitae.internal/pkg/clock"
	"vitae.internal/services/partnercatalog/internal/company"
	"vitae.internal/services/partnercatalog/internal/grpcapi"
	"vitae.internal/services/partnercatalog/internal/job"
	"vitae.internal/services/partnercatalog/internal/postgres"
)

func TestConstructorsRefuseAMissingPart(t *testing.T) {
	store := &postgres.Store{}
	companies, err := company.NewService(company.Config{Store: store, Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := job.NewService(job.Config{Store: store, Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	for name, construct := range map[string]func() error{
		"store without a pool":      func() error { _, err := postgres.New(nil); return err },
		"companies without a store": func() error { _, err := company.NewService(company.Config{Clock: clock.System{}}); return err },
		"companies without a clock": func() error { _, err := company.NewService(company.Config{Store: store}); return err },
		"jobs without a store":      func() error { _, err := job.NewService(job.Config{Clock: clock.System{}}); return err },
		"jobs without a clock":      func() error { _, err := job.NewService(job.Config{Store: store}); return err },
		"clean-up without a store": func() error {
			_, err := job.NewCleanUpJob(job.CleanUpConfig{Clock: clock.System{}, Log: slog.Default()})
			return err
		},
		"clean-up without a clock": func() error {
			_, err := job.NewCleanUpJob(job.CleanUpConfig{Store: store, Log: slog.Default()})
			return err
		},
		"clean-up without a log": func() error {
			_, err := job.NewCleanUpJob(job.CleanUpConfig{Store: store, Clock: clock.System{}})
			return err
		},
		"server without companies": func() error { return newAPI(grpcapi.Config{Jobs: jobs}) },
		"server without jobs":      func() error { return newAPI(grpcapi.Config{Companies: companies}) },
	} {
		if construct() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	api, err := grpcapi.New(grpcapi.Config{Companies: companies, Jobs: jobs})
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	api.Register(server)
	if len(server.GetServiceInfo()) != 4 {
		t.Errorf("services %v", server.GetServiceInfo())
	}
}

func newAPI(c grpcapi.Config) error {
	_, err := grpcapi.New(c)
	return err
}
