// Package plot lays out the console's charts, which are stacked columns over time with limits as
// lines. The template "plot" renders them as SVG, so html/template escapes every string.
//
// Charts work without JavaScript (behaviour: console#plots). Each chart is one image with a title
// and a description for screen readers. Radio buttons over the columns show their values on hover,
// by touch and by keyboard.
//
// Chart libraries (gonum/plot, go-analyze/charts, margaid) are not used, because they render images
// of a fixed size and color, without columns that can be focused with the keyboard.
package plot
