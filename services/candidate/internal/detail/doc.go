// Package detail returns an application as employers see it
// (behaviour: applications#application-detail). It adds the person's current profile, the submitted
// CV, the person's other CVs and the uploaded resume.
//
// It must never show an application to an app that does not manage the application's company. It
// must not show any of the person's contact details except the account's email address, so all
// content passes through package projection.
package detail
