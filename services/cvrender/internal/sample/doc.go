// Package sample holds invented CVs for tests and benchmarks: short and long,
// English, Arabic and both at once.
//
// It must never be imported by anything but tests.
package sample
