package metrics

import (
	"bytes"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"time"
)

// program is what the program itself costs, as Go and the kernel tell it.
type program struct {
	memory  goMemory
	pauses  debug.GCStats
	threads int
	process *process
}

// goMemory is what Go tells of its memory.
type goMemory = runtime.MemStats

// process is what the kernel tells of the process.
type process struct {
	seconds, files, mostFiles, virtual, mostVirtual, resident float64
}

// began is when this program did.
var began = time.Now()

func lookAtProgram() program {
	p := program{process: lookAtProcess("/proc/self")}
	p.pauses.PauseQuantiles = make([]time.Duration, len(quantiles))
	runtime.ReadMemStats(&p.memory)
	debug.ReadGCStats(&p.pauses)
	p.threads, _ = runtime.ThreadCreateProfile(nil)
	return p
}

// ticks are the parts of a second in which the kernel counts the processor's time.
const ticks = 100

// lookAtProcess reads the kernel's files on a process; nil where there are none. proc(5) says what is in them.
func lookAtProcess(folder string) *process {
	stat, err := os.ReadFile(folder + "/stat")
	if err != nil {
		return nil
	}
	limits, err := os.ReadFile(folder + "/limits")
	if err != nil {
		return nil
	}
	files, err := os.ReadDir(folder + "/fd")
	if err != nil {
		return nil
	}
	// The name of the program, in brackets, may hold anything; the third field comes after it.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	field := func(number int) float64 {
		if number-3 >= len(fields) {
			return 0
		}
		n, _ := strconv.ParseFloat(string(fields[number-3]), 64)
		return n
	}
	return &process{
		seconds: (field(14) + field(15)) / ticks, resident: field(24) * float64(os.Getpagesize()),
		files: float64(len(files)), mostFiles: limit(limits, "Max open files"),
		virtual: field(23), mostVirtual: limit(limits, "Max address space"),
	}
}

// limit is the one of a name in the kernel's list; where there is none it is the largest number, as Prometheus' own
// library says.
func limit(list []byte, name string) float64 {
	const unlimited = 1<<64 - 1
	for line := range bytes.Lines(list) {
		if rest, is := bytes.CutPrefix(line, []byte(name)); is {
			if n, err := strconv.ParseFloat(string(bytes.Fields(rest)[0]), 64); err == nil {
				return n
			}
		}
	}
	return unlimited
}

// quantiles are those of Go's pauses.
var quantiles = []string{"0", "0.25", "0.5", "0.75", "1"}

// tellPauses writes how long Go's garbage collector has stopped the program.
func (p *program) tellPauses(t *text) {
	const name = "go_gc_duration_seconds"
	t.family(name, "Pauses of the garbage collector", "summary")
	for i, pause := range p.pauses.PauseQuantiles {
		t.sample(name, []string{"quantile"}, quantiles[i:], pause.Seconds())
	}
	t.sample(name+"_sum", nil, nil, p.pauses.PauseTotal.Seconds())
	t.sample(name+"_count", nil, nil, float64(p.pauses.NumGC))
}

// programRows are the other metrics of Go and of the process, by the names that Prometheus' own library for Go gives
// them.
var programRows = []row[program]{
	{
		"go_info", gauge,
		[]string{"version"},
		"1, with the version of Go",
		func(_ *program, e emit) { e(1, runtime.Version()) },
	},
	{"go_goroutines", gauge, nil, "Goroutines", func(_ *program, e emit) { e(float64(runtime.NumGoroutine())) }},
	{"go_threads", gauge, nil, "Threads of the system that were made", func(p *program, e emit) {
		e(float64(p.threads))
	}},
	{
		"go_sched_gomaxprocs_threads", gauge, nil, "Threads that run Go's code at the same time",
		func(_ *program, e emit) { e(float64(runtime.GOMAXPROCS(0))) },
	},
	memory("alloc_bytes", gauge, "Bytes of objects on the heap", func(m *goMemory) uint64 { return m.Alloc }),
	memory("alloc_bytes_total", counter, "Bytes that were ever allocated on the heap",
		func(m *goMemory) uint64 { return m.TotalAlloc }),
	memory("mallocs_total", counter, "Objects that were ever allocated",
		func(m *goMemory) uint64 { return m.Mallocs }),
	memory("frees_total", counter, "Objects that were freed", func(m *goMemory) uint64 { return m.Frees }),
	memory("sys_bytes", gauge, "Bytes that Go has from the system", func(m *goMemory) uint64 { return m.Sys }),
	memory("heap_alloc_bytes", gauge, "Bytes of objects on the heap, again",
		func(m *goMemory) uint64 { return m.HeapAlloc }),
	memory("heap_sys_bytes", gauge, "Bytes of the heap", func(m *goMemory) uint64 { return m.HeapSys }),
	memory("heap_idle_bytes", gauge, "Bytes of the heap without objects",
		func(m *goMemory) uint64 { return m.HeapIdle }),
	memory("heap_inuse_bytes", gauge, "Bytes of the heap with objects, and between them",
		func(m *goMemory) uint64 { return m.HeapInuse }),
	memory("heap_released_bytes", gauge, "Bytes of the heap that the system has back",
		func(m *goMemory) uint64 { return m.HeapReleased }),
	memory("heap_objects", gauge, "Objects on the heap", func(m *goMemory) uint64 { return m.HeapObjects }),
	memory("stack_inuse_bytes", gauge, "Bytes of goroutines' stacks",
		func(m *goMemory) uint64 { return m.StackInuse }),
	memory("stack_sys_bytes", gauge, "Bytes of all stacks", func(m *goMemory) uint64 { return m.StackSys }),
	memory("mspan_inuse_bytes", gauge, "Bytes that describe the heap's pages",
		func(m *goMemory) uint64 { return m.MSpanInuse }),
	memory("mspan_sys_bytes", gauge, "Bytes for what describes the heap's pages",
		func(m *goMemory) uint64 { return m.MSpanSys }),
	memory("mcache_inuse_bytes", gauge, "Bytes of the processors' caches",
		func(m *goMemory) uint64 { return m.MCacheInuse }),
	memory("mcache_sys_bytes", gauge, "Bytes for the processors' caches",
		func(m *goMemory) uint64 { return m.MCacheSys }),
	memory("buck_hash_sys_bytes", gauge, "Bytes for profiles", func(m *goMemory) uint64 { return m.BuckHashSys }),
	memory("gc_sys_bytes", gauge, "Bytes of the garbage collector", func(m *goMemory) uint64 { return m.GCSys }),
	memory("other_sys_bytes", gauge, "Bytes for other things", func(m *goMemory) uint64 { return m.OtherSys }),
	memory("next_gc_bytes", gauge, "Bytes on the heap at which they are collected next",
		func(m *goMemory) uint64 { return m.NextGC }),
	{
		"go_memstats_last_gc_time_seconds", gauge, nil, "When the heap was collected last, in seconds since 1970",
		func(p *program, e emit) { e(float64(p.memory.LastGC) / 1e9) },
	},
	{
		"process_start_time_seconds", gauge, nil, "When the program began, in seconds since 1970",
		func(_ *program, e emit) {
			clock := time.Now() // as it is set, which a Raspberry Pi's may not have been when the program began
			e(float64(clock.Add(-time.Since(began)).UnixMilli()) / 1000)
		},
	},
	ofProcess("cpu_seconds_total", counter, "Seconds of a processor", func(p *process) float64 { return p.seconds }),
	ofProcess("open_fds", gauge, "Open files", func(p *process) float64 { return p.files }),
	ofProcess("max_fds", gauge, "How many files may be open", func(p *process) float64 { return p.mostFiles }),
	ofProcess("virtual_memory_bytes", gauge, "Bytes of addresses", func(p *process) float64 { return p.virtual }),
	ofProcess("virtual_memory_max_bytes", gauge, "How many bytes of addresses there may be",
		func(p *process) float64 { return p.mostVirtual }),
	ofProcess("resident_memory_bytes", gauge, "Bytes in memory", func(p *process) float64 { return p.resident }),
}

// memory is a row of what Go tells of its memory.
func memory(name string, k kind, help string, read func(*goMemory) uint64) row[program] {
	return row[program]{"go_memstats_" + name, k, nil, help, func(p *program, e emit) { e(float64(read(&p.memory))) }}
}

// ofProcess is a row of what the kernel tells; it is missing where the kernel tells nothing.
func ofProcess(name string, k kind, help string, read func(*process) float64) row[program] {
	return row[program]{"process_" + name, k, nil, help, func(p *program, e emit) {
		if p.process != nil {
			e(read(p.process))
		}
	}}
}
