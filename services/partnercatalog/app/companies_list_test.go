package app_test

import (
	"fmt"
	"slices"
	"testing"

	"vitae.internal/pkg/errs"
	pagingv1 "vitae.internal/proto/gen/vitae/paging/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

func TestCompaniesArePagedNewestFirst(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.create("app_2", wanted("Other"))
	var newestFirst []*partnercatalogv1.Company
	for i := range 27 {
		newestFirst = slices.Insert(newestFirst, 0, r.create("app_1", wanted(fmt.Sprint("Company ", i))))
	}
	// The order is that of the times in the answers, then of the ids.
	if !slices.IsSortedFunc(newestFirst, func(a, b *partnercatalogv1.Company) int {
		return b.GetCreatedAt().AsTime().Compare(a.GetCreatedAt().AsTime())
	}) {
		t.Fatal("later companies are older")
	}
	for _, tc := range []struct {
		page, size *int32
		from, to   int
		paging     *pagingv1.Paging
	}{
		{nil, nil, 0, 25, &pagingv1.Paging{Page: 1, PageSize: 25, Total: 27, TotalPages: 2}},
		{ptr(int32(2)), nil, 25, 27, &pagingv1.Paging{Page: 2, PageSize: 25, Total: 27, TotalPages: 2}},
		{nil, ptr(int32(100)), 0, 27, &pagingv1.Paging{Page: 1, PageSize: 100, Total: 27, TotalPages: 1}},
		{ptr(int32(3)), ptr(int32(10)), 20, 27, &pagingv1.Paging{Page: 3, PageSize: 10, Total: 27, TotalPages: 3}},
		{ptr(int32(4)), ptr(int32(10)), 27, 27, &pagingv1.Paging{Page: 4, PageSize: 10, Total: 27, TotalPages: 3}},
		{ptr(int32(1<<31 - 1)), ptr(int32(100)), 27, 27, &pagingv1.Paging{Page: 1<<31 - 1, PageSize: 100, Total: 27, TotalPages: 1}},
	} {
		resp, err := r.companies.ListCompanies(r.key("app_1"), &partnercatalogv1.ListCompaniesRequest{Page: tc.page, PageSize: tc.size})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "the page", resp, &partnercatalogv1.ListCompaniesResponse{Companies: newestFirst[tc.from:tc.to], Paging: tc.paging})
	}
	empty, err := r.companies.ListCompanies(r.key("app_3"), &partnercatalogv1.ListCompaniesRequest{})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "no companies", empty, &partnercatalogv1.ListCompaniesResponse{Paging: &pagingv1.Paging{Page: 1, PageSize: 25}})

	for _, page := range []int32{0, -1} {
		_, err := r.companies.ListCompanies(r.key("app_1"), &partnercatalogv1.ListCompaniesRequest{Page: &page})
		refused(t, "page", err, errs.Invalid, invalid, "page")
	}
	for _, size := range []int32{0, -1, 101} {
		_, err := r.companies.ListCompanies(r.key("app_1"), &partnercatalogv1.ListCompaniesRequest{PageSize: &size})
		refused(t, "page size", err, errs.Invalid, invalid, "page_size")
	}
}
