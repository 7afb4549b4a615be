// Package paging cuts lists into pages as the specification says (spec: Envelope
// and paging, Other constants).
//
// It knows nothing of how a list is stored.
package paging

import (
	"vitae.internal/pkg/fault"
	pagingv1 "vitae.internal/proto/gen/vitae/paging/v1"
)

const (
	defaultPage = 1
	defaultSize = 25
	maxSize     = 100
)

// Page is the page that a request asks for.
type Page struct {
	// Number is the page's, from 1.
	Number int32
	// Size is how many items a full page has, 1 to 100.
	Size int32
}

// Parse checks the page that a request asks for; nil is the default.
// Errors: INVALID_ARGUMENT PUBLIC_API_VALIDATION_ERROR naming `page` or
// `page_size` (decision 5).
func Parse(number, size *int32) (Page, error) {
	p := Page{Number: defaultPage, Size: defaultSize}
	if number != nil {
		if p.Number = *number; p.Number < 1 {
			return Page{}, fault.Of(fault.CodeValidation, "page", "must be a whole number from 1")
		}
	}
	if size != nil {
		if p.Size = *size; p.Size < 1 || p.Size > maxSize {
			return Page{}, fault.Of(fault.CodeValidation, "page_size", "must be a whole number from 1 to %d", maxSize)
		}
	}
	return p, nil
}

// Offset is how many items come before the page.
func (p Page) Offset() int64 { return int64(p.Number-1) * int64(p.Size) }

// Of says where the page stands in a list of total items.
func (p Page) Of(total int32) *pagingv1.Paging {
	return &pagingv1.Paging{
		Page:       p.Number,
		PageSize:   p.Size,
		Total:      total,
		TotalPages: int32((int64(total) + int64(p.Size) - 1) / int64(p.Size)),
	}
}
