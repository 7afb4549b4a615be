// Package helm holds the chart for Kubernetes, in the folder vitae, to what the cluster's
// API and the parts accept. It is a module outside the workspace: the types of Kubernetes
// bring dependencies that nothing else here needs. Its tests run in `make verify`.
package helm
