// Package helm tests the Helm chart in the folder vitae against the Kubernetes API types and the settings of the
// services. It is a module outside the workspace, because only this module needs the dependencies of the Kubernetes
// types. `make verify` runs its tests.
package helm
