// Package app is the partner catalogue as one part: the service that owns
// companies and jobs. It is the only package of the module that others import.
//
// Its methods arrive with the partner API. Until then it owns its database,
// keeps it migrated, and answers health and reflection, so that deployments,
// certificates and roles already have their final shape. It must not serve a
// method before the rules behind it exist.
package app
