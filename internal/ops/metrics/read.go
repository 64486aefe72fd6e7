package metrics

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Read are the series that a daemon has told, in their order.
type Read []Sample

// Sample is the value of one series.
type Sample struct {
	Name   string
	Labels map[string]string
	Value  float64
}

// ReadText reads what a daemon answers. It takes what this package writes, and what Prometheus' own library does.
func ReadText(from []byte) (all Read, err error) {
	number := 0
	for line := range strings.Lines(string(from)) {
		number++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		one, err := readSample(line)
		if err != nil {
			return nil, fmt.Errorf("line %d of the metrics: %w", number, err)
		}
		all = append(all, one)
	}
	return all, nil
}

// readSample reads one line, such as sabot_undervoltage{when="now"} 1.
func readSample(line string) (one Sample, err error) {
	end := strings.IndexAny(line, "{ ")
	if end <= 0 {
		return one, fmt.Errorf("%.80q is no series and its value", line)
	}
	one.Name, line = line[:end], line[end:]
	if rest, has := strings.CutPrefix(line, "{"); has {
		if one.Labels, line, err = readLabels(rest); err != nil {
			return one, err
		}
	}
	value, _, _ := strings.Cut(strings.TrimSpace(line), " ") // a time may follow
	if one.Value, err = strconv.ParseFloat(value, 64); err != nil {
		return one, fmt.Errorf("%s has the value %.80q, which is no number", one.Name, value)
	}
	return one, nil
}

// readLabels reads labels up to the bracket that closes them.
func readLabels(line string) (labels map[string]string, rest string, err error) {
	labels = map[string]string{}
	for !strings.HasPrefix(line, "}") {
		name, after, is := strings.Cut(strings.TrimLeft(line, ", "), "=")
		if !is || name == "" {
			return nil, "", fmt.Errorf("%.80q are no labels", line)
		}
		quoted, err := strconv.QuotedPrefix(after)
		if err != nil || quoted[0] != '"' {
			return nil, "", fmt.Errorf("the label %s has no value in quotes", name)
		}
		if labels[name], err = strconv.Unquote(quoted); err != nil {
			return nil, "", fmt.Errorf("the label %s: %w", name, err)
		}
		line = after[len(quoted):]
	}
	return labels, line[1:], nil
}

// Value is that of a series, the first if there are several with other labels.
func (r Read) Value(name string) (float64, bool) {
	one := r.first(name)
	return one.Value, one.Name != ""
}

// Label is a label of a series, "" without one.
func (r Read) Label(name, label string) string { return r.first(name).Labels[label] }

func (r Read) first(name string) Sample {
	for _, one := range r {
		if one.Name == name {
			return one
		}
	}
	return Sample{}
}

// Above counts what was measured in a histogram, and what of it was above a limit, which must be that of a bucket.
func (r Read) Above(name string, limit float64) (over, all uint64, mean float64) {
	count, _ := r.Value(name + "_count")
	if count < 1 {
		return 0, 0, 0
	}
	sum, _ := r.Value(name + "_sum")
	all, mean = uint64(count), sum/count
	for _, one := range r {
		if one.Name != name+"_bucket" {
			continue
		}
		if bound, err := strconv.ParseFloat(one.Labels["le"], 64); err == nil && math.Abs(bound-limit) < 1e-9 {
			return all - min(uint64(one.Value), all), all, mean
		}
	}
	return 0, all, mean
}
