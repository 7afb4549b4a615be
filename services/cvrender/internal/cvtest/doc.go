// Package cvtest holds invented CVs for tests and benchmarks: short and long, English, Arabic and both
// at once.
package cvtest
