package app_test

import (
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/pkg/errs"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

func (r *running) page(id string) *partnercatalogv1.CompanyPage {
	r.t.Helper()
	resp, err := r.pages.GetCompanyPage(r.t.Context(), &partnercatalogv1.GetCompanyPageRequest{CompanyId: id})
	if err != nil {
		r.t.Fatal(err)
	}
	return resp.GetPage()
}

func TestInternalTeamsSetPageFields(t *testing.T) {
	t.Parallel()
	r := start(t)
	before := r.full("app_1")
	id := before.GetId()
	equal(t, "read", r.page(id), &partnercatalogv1.CompanyPage{Company: before, AppId: "app_1", Socials: &partnercatalogv1.SocialLinks{}})

	type set = partnercatalogv1.SetCompanyPageRequest
	want := proto.CloneOf(before)
	for i, step := range []struct {
		req  *set
		want func()
	}{
		{&set{Published: ptr(true)}, func() { want.Published = true }},
		{&set{Verified: ptr(true), Banner: ptr(" https://b.example/b.png ")}, func() {
			want.Verified, want.Banner = true, wrapperspb.String("https://b.example/b.png")
		}},
		{&set{Founded: ptr("1999-02-28")}, func() { want.Founded = wrapperspb.String("1999-02-28") }},
		{&set{Published: ptr(false), Verified: ptr(false)}, func() { want.Published, want.Verified = false, false }},
		{&set{Banner: ptr(""), Founded: ptr(" ")}, func() { want.Banner, want.Founded = nil, nil }},
	} {
		step.req.CompanyId = id
		resp, err := r.pages.SetCompanyPage(t.Context(), step.req)
		if err != nil {
			t.Fatal(err)
		}
		got := resp.GetPage().GetCompany()
		if !got.GetUpdatedAt().AsTime().After(want.GetUpdatedAt().AsTime()) {
			t.Errorf("%d: updated at %v, want a time after %v", i, got.GetUpdatedAt(), want.GetUpdatedAt())
		}
		step.want()
		want.UpdatedAt = got.GetUpdatedAt()
		equal(t, "set", got, want)
		equal(t, "read by the app", r.get("app_1", id), want)
	}
	resp, err := r.pages.SetCompanyPage(t.Context(), &set{CompanyId: id})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "empty change", resp.GetPage().GetCompany(), want)
}

func TestPageErrorContainsInvalidField(t *testing.T) {
	t.Parallel()
	r := start(t)
	before := r.full("app_1")
	type set = partnercatalogv1.SetCompanyPageRequest
	for name, banner := range faultyLinks {
		if name == "empty" { // an empty banner clears the field
			continue
		}
		_, err := r.pages.SetCompanyPage(t.Context(), &set{CompanyId: before.GetId(), Banner: &banner})
		checkError(t, "banner: "+name, err, errs.Invalid, invalid, "banner")
	}
	for _, day := range []string{"1999", "1999-02", "1999-02-29", "0000-01-01", "31.12.1999", "1999-12-31T00:00:00Z", "١٩٩٩-١٢-٣١", "\x00"} {
		_, err := r.pages.SetCompanyPage(t.Context(), &set{CompanyId: before.GetId(), Founded: &day})
		checkError(t, "founded: "+day, err, errs.Invalid, invalid, "founded")
	}
	equal(t, "after the invalid changes", r.get("app_1", before.GetId()), before)
}

func TestUnknownPageIsNotFound(t *testing.T) {
	t.Parallel()
	r := start(t)
	for _, id := range []string{"com_0", "x", "com_\x00"} {
		_, err := r.pages.GetCompanyPage(t.Context(), &partnercatalogv1.GetCompanyPageRequest{CompanyId: id})
		checkError(t, "read", err, errs.NotFound, "COMPANY_NOT_FOUND", "")
		_, err = r.pages.SetCompanyPage(t.Context(), &partnercatalogv1.SetCompanyPageRequest{CompanyId: id, Published: ptr(true)})
		checkError(t, "set", err, errs.NotFound, "COMPANY_NOT_FOUND", "")
		_, err = r.pages.SetCompanyPage(t.Context(), &partnercatalogv1.SetCompanyPageRequest{CompanyId: id})
		checkError(t, "empty change", err, errs.NotFound, "COMPANY_NOT_FOUND", "")
	}
}
