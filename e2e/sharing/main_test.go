// Package sharing_test tests what a connected app sees of a person: exactly the fields of its scopes,
// as JSON, as a PDF and through the durable link, even after changes.
package sharing_test

import (
	"testing"

	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{}) }
