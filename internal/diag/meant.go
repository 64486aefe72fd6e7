package diag

import (
	"strings"
)

// Meant returns the known name that was probably meant by what was written, and
// whether there is one.
func Meant(written string, known []string) (name string, ok bool) {
	const enough = 3
	for _, k := range known {
		if len(written) >= enough && strings.HasPrefix(k, written) {
			return k, true
		}
	}
	best, distance := "", max(1, len(written)/3)
	for _, k := range known {
		if d := editDistance(strings.ToLower(written), k); d <= distance && (best == "" || d < distance) {
			best, distance = k, d
		}
	}
	return best, best != ""
}

// editDistance counts the characters to insert, delete, replace, or swap with their neighbour, to turn a into b.
func editDistance(a, b string) int {
	const farAway = 1 << 10
	x, y := []rune(a), []rune(b)
	if len(x) > farAway {
		return farAway
	}
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			change := 1
			if x[i-1] == y[j-1] {
				change = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+change)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(x)][len(y)]
}
