// Package paging implements the paging of lists (behaviour: requests#paging), independently of how
// the lists are stored.
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

// Page is a requested page of a list.
type Page struct {
	// Number is the page number, starting at 1.
	Number int32
	// Size is the number of items on a full page, from 1 to 100.
	Size int32
}

// Parse validates a requested page. A nil number or size means the default. It returns
// PUBLIC_API_VALIDATION_ERROR if `page` or `page_size` is invalid (behaviour: requests#paging).
func Parse(number, size *int32) (Page, error) {
	p := Page{Number: defaultPage, Size: defaultSize}
	faults := fault.Validation()
	if number != nil {
		if p.Number = *number; p.Number < 1 {
			faults.Add("page", "must be a whole number from 1")
		}
	}
	if size != nil {
		if p.Size = *size; p.Size < 1 || p.Size > maxSize {
			faults.Add("page_size", "must be a whole number from 1 to %d", maxSize)
		}
	}
	if err := faults.Err(); err != nil {
		return Page{}, err
	}
	return p, nil
}

// Offset returns the number of items before the page.
func (p Page) Offset() int64 { return int64(p.Number-1) * int64(p.Size) }

// Of returns the paging information for a list of total items.
func (p Page) Of(total int32) *pagingv1.Paging {
	return &pagingv1.Paging{
		Page:       p.Number,
		PageSize:   p.Size,
		Total:      total,
		TotalPages: int32((int64(total) + int64(p.Size) - 1) / int64(p.Size)),
	}
}
