// Package host puts the parts together: it turns a configuration into a running table.
// It decides nothing about the game.
package host

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/host/paneldriver"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/ops/metrics"
	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/notation"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/recall"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// goodbye limits how long the parts may take to end.
const goodbye = 5 * time.Second

// Daemon is one table, ready to run. It has a field for each part that it opens, runs and closes; what a part knows is
// in the part.
type Daemon struct {
	Board *Board

	config config.Config
	log    *slog.Logger
	given  given

	kept    kept
	runner  *runner.Runner
	shoe    shoeLine
	panel   dealersPanel
	shows   shows
	page    page
	pit     *pit // nil without a broker
	people  people
	notices *notices
	program program
	service service
}

// given is what whoever starts the table gives it besides its configuration: see the Options.
type given struct {
	// updates is the folder with what came of updates, "" for none.
	updates string
	fresh   bool // the journal is expected to be a new one
	// notesAuditKey has a start warn while the audit key lies at the table.
	notesAuditKey bool
	settings      bool
	tried         shoe.Position // of a shoe that was tried before there was a table
	// inspected makes the page of devices and log; nil for a table without.
	inspected func(*Daemon) []site.Row
	// panel opens the lines of keys and signals, bus that of the character display.
	panel   PanelOpener
	bus     BusOpener
	outside Outside
	haste   Haste
}

// kept is what the table remembers: its journal, and the files beside it.
type kept struct {
	journal *journal.Journal
	// unusable says of files beside the journal that they were put aside, and why.
	unusable []string
	putAway  putAway
	restored runner.Restored
	// recorded are the past rounds.
	recorded *recall.Recall
	storage  storageState
	// faces is the key of the cards that lie face down.
	faces runner.FacesKey
}

// shoeLine is the shoe, and what is known of its line.
type shoeLine struct {
	driver shoe.Driver
	exit   *exitKeeper // nil for a shoe that takes no commands
	link   *linkState
}

// dealersPanel are the dealer's keys and signals.
type dealersPanel struct {
	desk  *paneldriver.Desk // runs the panel, nil without any
	lines lines
}

// shows is what every display shows. Of the table itself only the runner's goroutine knows it.
type shows struct {
	screen screen
	away   away
	drawn  display.View // as last shown; only the runner's goroutine uses it
	bets   bets         // as the screens must know them; only the runner's goroutine uses it
	lcd    *characters  // nil without a character display
}

// page is the table's own, and where it is served.
type page struct {
	server   *web.Server
	listener net.Listener
	// access and certificate are nil if only this machine can reach the page.
	access      *web.Access
	certificate *site.Certificate
}

// people are those at the table.
type people struct {
	authority *authority.Authority
	changed   chan struct{} // holds one: keepTime must check again
}

// program is what the table tells of the program that runs it, and of its computer.
type program struct {
	version  string
	computer watcher
	counts   *counter
	metrics  *metrics.Metrics
}

// Option changes what a daemon runs on.
type Option func(*Daemon)

// Open acquires everything that the table needs: the journal, the port of the page. The
// error says what is missing or in use, and what to do.
func Open(c config.Config, houses profile.Book, version string, log *slog.Logger, options ...Option) (d *Daemon,
	err error,
) {
	d = &Daemon{
		Board: newBoard(), config: c, log: log,
		given: given{panel: openGPIO, bus: openI2C}, shoe: shoeLine{link: &linkState{}},
		people:  people{changed: make(chan struct{}, 1)},
		program: program{version: version},
		service: service{beats: make(chan struct{}, 1), serving: make(chan struct{})},
	}
	d.notices = newNotices(log, d.putOnRecord)
	d.program.metrics = metrics.New(d.snapshot)
	for _, option := range options {
		option(d)
	}
	if err = d.open(houses); err != nil {
		err = errors.Join(err, d.Close())
	}
	return d, err
}

// open makes the table's parts, each of which may need those before it.
func (d *Daemon) open(houses profile.Book) (err error) {
	var parts securefile.Looks
	if d.kept.unusable, parts, err = d.putModesRight(); err != nil {
		return err
	}
	if d.panel.desk, err = d.openDesk(); err != nil {
		return err
	}
	if err = d.openPage(); err != nil {
		return err
	}
	doubts, err := d.openJournal(parts)
	if err != nil {
		return err
	}
	if err = d.openAccess(); err != nil {
		return err
	}
	d.program.counts = newCounter(d.kept.journal, d.log)
	d.kept.recorded = recall.New(d.kept.journal, houses)
	language := d.config.Speaks(houses)
	d.drawPage(houses, language)
	if err = d.openPeople(); err != nil {
		return err
	}
	setup, set, err := d.restore(houses)
	if err != nil {
		return err
	}
	d.recallDealer()
	d.openBets()
	if err = d.openFaces(); err != nil {
		return err
	}
	d.runner = d.newRunner(&setup, set, slices.Concat(doubts, d.doubtsOfFiles(), d.kept.restored.Doubts()))
	d.shoe.driver, err = openShoe(d.config.Shoe, d.given.outside.Shoe, d.positions(), d.lastReports(),
		discreet(d.log, d.hidesCards))
	if err != nil {
		return err
	}
	d.shoe.exit = newExitKeeper(d.shoe.driver.Exit(), d.kept.restored.Table.Alarm(), d.Board, d.log)
	if d.pit, err = d.openPit(); err != nil {
		return err
	}
	d.shows.lcd = openCharacters(d.config, language, d.given.bus, d.Board, d.charactersLater, d.log)
	return nil
}

// drawPage has the table's page show what the board does.
func (d *Daemon) drawPage(houses profile.Book, language display.Language) {
	d.page.server = web.New(web.Options{
		Logger: d.log, Language: language, Houses: houses, Recall: d.kept.recorded,
		Press: d.press, Try: d.try, Settings: d.given.settings, Devices: d.devicesPage(),
		People: d, Badges: d.config.Dealers.Proof.UsesBadge(), Access: d.page.access,
		Metrics: d.program.metrics.Handler(), Health: http.HandlerFunc(d.serveHealth),
	})
	d.shows.screen.show = func(v display.View) {
		d.Board.Show(v)
		d.page.server.Show(v)
	}
}

// newRunner makes the loop that plays the restored table on, by rules that are nil where the table keeps its own.
func (d *Daemon) newRunner(setup *rules.Setup, set *rules.Rules, doubts []vocab.Input) *runner.Runner {
	return runner.New(runner.Options{
		Journal: d.kept.journal, Found: d.kept.journal.Found,
		Table: d.kept.restored.Table, Last: d.kept.restored.Setup, Setup: setup, Rules: set,
		Closed: d.config.Starts == config.StartsClosed, Doubts: doubts,
		Shown: d.shown, Durable: d.durable, Trouble: d.troubled, Again: d.refusedAgain,
		CardShown: d.program.metrics.View, CardDurable: d.program.metrics.Durable,
		Alive: d.service.alive, AliveEvery: d.service.aliveEvery(),
		Now: d.given.outside.now(), Log: d.log, Faces: &d.kept.faces, JournalID: d.kept.journal.ID(),
	})
}

// lastReports are what the shoe sent last, by the record: copies of them are passed over.
func (d *Daemon) lastReports() []shoe.Report {
	next, _ := d.kept.journal.Next()
	reports, err := runner.Reports(d.kept.journal, next, d.kept.faces, d.kept.journal.ID())
	if err != nil {
		d.log.Warn("the last reports of the shoe cannot be read: if it sends each several times, "+
			"a copy of the last card may be dealt again; compare table and display", "err", err)
	}
	return reports
}

// restore takes the table up from its journal, by the rules that are configured.
func (d *Daemon) restore(houses profile.Book) (setup rules.Setup, set *rules.Rules, err error) {
	setup = d.config.Setup()
	if set, err = houses.Set(setup); err != nil {
		return setup, nil, fmt.Errorf("setting the table up as configured: %w", err)
	}
	setup.Profile = set.Fingerprint
	if d.kept.restored, err = runner.Restore(d.kept.journal, houses, set); err != nil {
		return setup, nil, fmt.Errorf("restoring the table from %s: %w", d.config.Journal.Path, err)
	}
	if d.kept.restored.Differs != nil {
		d.log.Error("THE OPEN ROUND CANNOT BE REPLAYED AS IT WAS RECORDED: a supervisor must void it at the table",
			"err", d.kept.restored.Differs,
			"state", string(notation.AppendPosition(nil, d.kept.restored.Table)))
	}
	return setup, set, nil
}

// Pages adds pages to the table's own. It is called before Run.
func (d *Daemon) Pages(more ...site.Row) { d.page.server.Add(more...) }

// Site is all that the table answers.
func (d *Daemon) Site() *site.Site { return d.page.server.Handler() }

// Boot is the number of this start.
func (d *Daemon) Boot() uint64 { return d.kept.journal.Boot() }

// Replayed counts the inputs of the open round that were replayed at the start.
func (d *Daemon) Replayed() int { return d.kept.restored.Replayed }

// Submit puts an input in for a bench or a demonstration, and returns when it is durable. The error is an
// *authority.Refusal for a resolution without a proven supervisor.
func (d *Daemon) Submit(ctx context.Context, in vocab.Input) (runner.Answer, error) {
	in.Come(d.origin(vocab.FromBench, ""))
	return d.submit(ctx, in, nil)
}

// submit is Submit for an input that applies only while still returns true; nil is one that
// always applies.
func (d *Daemon) submit(ctx context.Context, in vocab.Input, still func(*table.Table) bool) (runner.Answer, error) {
	if ctx.Err() != nil { // nor is it noted that nobody was proven
		return runner.Answer{}, context.Cause(ctx)
	}
	switch in.Kind {
	case vocab.InHold:
		in.By = d.present(ctx) // whoever sends it says anything
		return d.resolve(ctx, in, still)
	case vocab.InResolve, vocab.InCorrect:
		return d.resolve(ctx, in, still)
	case vocab.InHole:
		if in.Hole == vocab.HoleExposed {
			return d.resolve(ctx, in, still)
		}
	case vocab.InAcknowledge:
		return d.acknowledge(ctx, in)
	case vocab.InOpen:
		if err := d.people.authority.MayDeal(); err != nil {
			return runner.Answer{}, err
		}
	case vocab.InAdjust:
		return d.adjust(ctx, in, still)
	case vocab.InCount, vocab.InFill, vocab.InCredit, vocab.InBuyIn, vocab.InDrop, vocab.InChange, vocab.InTips:
		return d.atTray(ctx, in, still)
	case vocab.InTable, vocab.InLimits:
		return d.supervised(ctx, in, still)
	case vocab.InShoe:
		return d.load(ctx, in, still)
	case vocab.InFloor, vocab.InMessage:
		in.By = d.present(ctx)
	}
	return d.runner.SubmitIf(ctx, in, still)
}

// Run runs the table until ctx ends, or until a part cannot continue. The connection to the
// pit ends last, so that the pit hears of everything.
func (d *Daemon) Run(ctx context.Context) error {
	d.log.Info("the table is open", "table", d.config.Table, "house", d.config.House, "boot", d.Boot(),
		"journal", d.config.Journal.Path, "replayed", d.Replayed(), "state",
		string(notation.AppendPosition(nil, d.kept.restored.Table)), "url", d.URL(), "version", d.program.version)
	parts, running := errgroup.WithContext(ctx)
	until := func(run func(context.Context)) {
		parts.Go(func() error {
			run(running)
			return nil
		})
	}
	for _, part := range []func(context.Context) error{
		d.runner.Run, d.runShoe, d.serve, d.notices.run,
		d.shows.lcd.run,
	} {
		parts.Go(func() error { return part(running) })
	}
	for _, part := range []func(context.Context){
		d.shoe.exit.run, d.recordUpdates, d.tellSupervisors, d.noteClock, d.pit.runCommands, d.pit.runJackpot, d.tidy,
		d.moveKey,
		d.tellService,
	} {
		until(part)
	}
	until(func(ctx context.Context) { keepTime(ctx, d.people.authority, d.people.changed, d.showPeople) })
	if d.page.certificate != nil {
		until(d.page.certificate.Watch)
	}
	if d.panel.desk != nil {
		parts.Go(func() error { return d.panel.desk.Run(running) })
	}

	go d.watchComputer(running)
	go d.program.counts.run(running)

	publishing, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	published := make(chan struct{})
	go func() {
		d.pit.run(publishing)
		close(published)
	}()

	err := parts.Wait()
	stop()
	<-published
	return err
}

// runShoe hands the shoe's events to the runner. A card is acknowledged once the
// journal has it, and a key does what it does then.
func (d *Daemon) runShoe(ctx context.Context) error {
	err := d.shoe.driver.Run(ctx, func(e shoe.Event) {
		d.shoe.link.note(e)
		d.shoe.exit.heard(e)
		d.runner.Shoe(ctx, e, func(p shoe.Position) {
			d.shoe.driver.Stored(p)
			d.shoeKey(e)
		})
	})
	if ctx.Err() != nil {
		return nil
	}
	return fmt.Errorf("the shoe on %s: %w", d.config.Shoe.Port, err)
}

// shown shows the dealer the table, even if it is not durable yet.
func (d *Daemon) shown(t *table.Table, seq uint64) {
	v := display.From(t, d.config.Table, seq)
	d.shows.bets.complete(&v)
	v.Packs, v.Shoe.Port = d.config.Shoe.Packs, d.config.Shoe.Port
	d.shows.drawn = v
	d.shows.screen.draw(v)
}

// durable passes what the journal has to the pit and the shoe: the table as last shown.
func (d *Daemon) durable(*table.Table, uint64) {
	d.tellPit()
	d.shoe.exit.durable(d.shows.drawn)
}

// press takes an input from the page.
func (d *Daemon) press(ctx context.Context, in vocab.Input, moment string) (uint64, vocab.Reason, error) {
	in.Command, in.Message.Text, in.Refused.Times = "", "", 0 // only the pit sends
	ctx = atScreen(ctx)
	in.Come(d.origin(vocab.FromScreen, web.ScreenOf(ctx)))
	var still func(*table.Table) bool
	if moment != "" {
		still = func(t *table.Table) bool { return display.Moment(t) == moment }
	}
	answer, err := d.submit(runner.AtScreen(ctx), in, still)
	if errors.Is(err, runner.ErrMovedOn) {
		err = fmt.Errorf("%w: %w", web.ErrMovedOn, err)
	}
	return answer.Seq, answer.Rejected, err
}

// try finds out what would come of a correction; nothing is put in.
func (d *Daemon) try(ctx context.Context, in vocab.Input) (trial display.Trial, err error) {
	_, passed := d.runner.SubmitIf(ctx, in, func(t *table.Table) bool {
		trial, err = display.Try(t, in)
		return false
	})
	if !errors.Is(passed, runner.ErrMovedOn) {
		return trial, passed
	}
	return trial, err
}

// Close releases everything that Open acquired. A table that ran must have ended.
func (d *Daemon) Close() error {
	var errs []error
	if d.panel.desk != nil {
		errs = append(errs, d.panel.desk.Close())
	}
	if d.page.listener != nil {
		if err := d.page.listener.Close(); !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	if d.kept.journal != nil {
		errs = append(errs, d.kept.journal.Close())
	}
	return errors.Join(errs...)
}
