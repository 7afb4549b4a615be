// Package cvtest has invented CVs for tests and benchmarks: short and long, English, Arabic and
// mixed.
package cvtest
