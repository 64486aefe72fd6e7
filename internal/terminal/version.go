package terminal

import "runtime/debug"

// stamped is set by the linker: see the Makefile's build.
var stamped string

// Version returns the stamped version or, in a build without one, the revision
// that Go has recorded.
func Version() string {
	if stamped != "" {
		return stamped
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	revision, changed := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			revision = "-" + s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+changes"
		}
	}
	return "dev" + revision + changed
}
