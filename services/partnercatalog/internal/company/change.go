package company

import "time"

// Change is what to write to a company; nil stays as it is.
type Change struct {
	// ID of the company.
	ID string
	// AppID that must have made it; empty for internal teams, who reach any.
	AppID string
	// Slug that the company must have.
	Slug *string

	Name          *string
	Tagline       *string
	Description   *string
	Location      *string
	Website       *string
	Industry      *string
	EmployeeCount *string
	Logo          *string
	// Socials are merged into those that are there; empty ones are removed.
	Socials Socials

	Founded   *string
	Banner    *string
	Published *bool
	Verified  *bool

	// UpdatedAt is when the change was made.
	UpdatedAt time.Time
}
