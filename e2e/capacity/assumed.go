package capacity

import "strconv"

// assumedTable lists what is not measured, with the name that each figure has in the file.
func assumedTable(p Plan) string {
	h, m := p.Habits, p.Machine
	return table([][]string{
		{"assumed", "is", "in scenarios.json"},
		{"busiest time over the mean of the day", significant(h.PeakOverMean) + " times", "`peakOverMean`"},
		{"share of the calls of the largest account", percent(h.LargestAccount), "`largestAccount`"},
		{"accounts that call within an hour", significant(h.Accounts), "`accounts`"},
		{"connections of a person", significant(h.Connections), "`connections`"},
		{"CVs beside the main one; photos", significant(h.FurtherCVs) + "; " + significant(h.Photos), "`furtherCVs`, `photos`"},
		{"applications of a person; with a file; its size", significant(h.Applications) + "; " + percent(h.ResumeShare) + "; " + bytesOf(h.ResumeBytes), "`applications`, `resumeShare`, `resumeBytes`"},
		{"people for each job; jobs of a company", significant(h.PeoplePerJob) + "; " + significant(h.JobsPerCompany), "`peoplePerJob`, `jobsPerCompany`"},
		{"people whose rows are read within hours", percent(h.ActivePeople), "`activePeople`"},
		{"days that a connection in use keeps its rotated refresh tokens", significant(h.FamilyDays), "`familyDays`"},
		{"WAL with images of pages over that without", significant(h.PageImages) + " times", "`pageImages`"},
		{"tables that are changed over tables that were only filled", significant(h.Bloat) + " times", "`bloat`"},
		{"header of an answer", bytesOf(h.HeaderBytes), "`headerBytes`"},
		{"of processors, what is planned for", percent(m.Busy), "`busy`"},
		{"cores of a replica of a part", significant(m.ReplicaCores), "`replicaCores`"},
		{"a server of Postgres: cores, memory, disk", significant(m.PostgresCores) + ", " + gigabytes(m.PostgresMemory) + ", " + gigabytes(m.PostgresDisk), "`postgresCores`, `postgresMemory`, `postgresDisk`"},
		{"flushes a second of a server of Postgres with two synchronous standbys", significant(m.PostgresFlushes), "`postgresFlushes`"},
		{"connections of a server of Postgres; of a replica of a part", significant(m.PostgresConnections) + "; " + significant(m.PoolConnections), "`postgresConnections`, `poolConnections`"},
		{"memory of a Redis", gigabytes(m.RedisMemory), "`redisMemory`"},
	})
}

// gigabytes writes a size as it was assumed, without rounding it.
func gigabytes(v float64) string { return strconv.FormatFloat(v/1e9, 'f', -1, 64) + " GB" }
