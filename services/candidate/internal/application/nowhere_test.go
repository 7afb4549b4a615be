package application_test

import (
	"context"
	"time"

	"vitae.internal/services/candidate/internal/application"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// nowhere is a Store and Catalog that must not be called.
type nowhere struct{}

func (nowhere) Wake() { panic("called") }

func (nowhere) Posting(context.Context, string) (application.Posting, error) { panic("called") }

func (nowhere) AppOf(context.Context, string) (string, error) { panic("called") }

func (nowhere) Apply(context.Context, application.New) (application.Row, error) { panic("called") }

func (nowhere) Move(context.Context, string, application.Status, time.Time, func(application.Status) error) (application.Row, error) {
	panic("called")
}

func (nowhere) List(context.Context, application.Filter, application.Page) (application.List, error) {
	panic("called")
}
