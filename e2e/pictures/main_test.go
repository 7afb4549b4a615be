// Package pictures_test opens every page for people, and some for partners, in each of their states. In
// both languages it asserts that the page fits into desktop and phone windows, even with a wide font,
// and that axe-core finds no violations, in light and dark mode.
//
// With `make pictures` it saves screenshots of each page for review (docs/contributing/pictures.md). It
// asserts nothing about their content.
package pictures_test

import (
	"testing"

	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{}) }
