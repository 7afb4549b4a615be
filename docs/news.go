package docs

import (
	"fmt"
	"strings"
	"time"
)

// newsFile is the path of the guide with the news.
const newsFile = "guides/news.md"

// Entry is a news entry for partners.
type Entry struct {
	Title string
	// Day is the date of the entry.
	Day time.Time
	// Text is the first paragraph without the date and without markup.
	Text string
}

// News returns the news for partners, newest first. Each entry is a chapter of the guide, and its first paragraph
// starts with the date. News returns an error if a chapter has no date or the chapters are out of order.
func News() ([]Entry, error) {
	raw, err := Files.ReadFile(newsFile)
	if err != nil {
		return nil, fmt.Errorf("docs: %w", err)
	}
	chapters := strings.Split(string(raw), "\n## ")
	if len(chapters) < 2 {
		return nil, fmt.Errorf("docs: %s contains no news", newsFile)
	}
	var all []Entry
	for _, chapter := range chapters[1:] {
		entry, err := entryOf(chapter)
		if err != nil {
			return nil, err
		}
		if len(all) > 0 && entry.Day.After(all[len(all)-1].Day) {
			return nil, fmt.Errorf("docs: %s: %q is below an older entry", newsFile, entry.Title)
		}
		all = append(all, entry)
	}
	return all, nil
}

func entryOf(chapter string) (Entry, error) {
	title, rest, _ := strings.Cut(chapter, "\n")
	paragraph, _, _ := strings.Cut(strings.TrimSpace(rest), "\n\n")
	day, text, found := strings.Cut(strings.Join(strings.Fields(paragraph), " "), ". ")
	at, err := time.Parse("2 January 2006", day)
	if !found || err != nil {
		return Entry{}, fmt.Errorf("docs: %s: %q does not begin with a date such as %q", newsFile, title, "2 January 2006. ")
	}
	return Entry{Title: title, Day: at, Text: plain(text)}, nil
}

// plain removes code marks and link targets.
func plain(text string) string {
	text = strings.ReplaceAll(text, "`", "")
	for {
		before, rest, found := strings.Cut(text, "](")
		if !found {
			return text
		}
		_, after, _ := strings.Cut(rest, ")")
		i := strings.LastIndexByte(before, '[')
		text = before[:max(i, 0)] + before[i+1:] + after
	}
}
