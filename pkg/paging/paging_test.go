package paging_test

import (
	"math"
	"testing"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/paging"
)

func number(n int32) *int32 { return &n }

func TestErrorContainsInvalidField(t *testing.T) {
	for _, c := range []struct {
		page, size *int32
		field      string
	}{
		{number(0), nil, "page"},
		{number(-1), nil, "page"},
		{nil, number(0), "page_size"},
		{nil, number(101), "page_size"},
	} {
		_, err := paging.Parse(c.page, c.size)
		if e, ok := errs.As(err); !ok || e.Kind != errs.Invalid || e.Field() != c.field {
			t.Errorf("Parse(%v, %v) = %v, want a fault in %s", c.page, c.size, err, c.field)
		}
	}
}

func TestErrorContainsBothInvalidFields(t *testing.T) {
	_, err := paging.Parse(number(0), number(0))
	if e, ok := errs.As(err); !ok || len(e.Violations) != 2 || e.Field() != "page" || e.Violations[1].Field != "page_size" {
		t.Errorf("got %v", err)
	}
}

func TestPageHasOffsetAndTotalPages(t *testing.T) {
	for _, c := range []struct {
		page, size        *int32
		offset            int64
		total, totalPages int32
	}{
		{nil, nil, 0, 0, 0},
		{nil, nil, 0, 25, 1},
		{number(2), nil, 25, 26, 2},
		{number(3), number(100), 200, 1_000_000, 10_000},
		{number(math.MaxInt32), number(100), (math.MaxInt32 - 1) * 100, math.MaxInt32, 21_474_837},
		{number(1), number(1), 0, math.MaxInt32, math.MaxInt32},
	} {
		p, err := paging.Parse(c.page, c.size)
		if err != nil {
			t.Fatal(err)
		}
		got := p.Of(c.total)
		if p.Offset() != c.offset || got.GetPage() != p.Number || got.GetPageSize() != p.Size ||
			got.GetTotal() != c.total || got.GetTotalPages() != c.totalPages {
			t.Errorf("page %+v of %d: offset %d, %v; want offset %d and %d pages", p, c.total, p.Offset(), got, c.offset, c.totalPages)
		}
	}
}
