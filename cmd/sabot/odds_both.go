package main

import (
	"context"
	"fmt"

	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/profile"
)

// half is one of two houses that are put beside each other.
type half struct {
	house *profile.House
	// name says which it is, and set what was changed in it.
	name string
	set  []string
}

// whatIf writes a house as it is and as it would be, and the difference.
func (o *oddsAsked) whatIf(ctx context.Context, h *profile.House) error {
	changed, err := profile.WhatIf(h, o.changes)
	if err != nil {
		return err
	}
	return o.both(ctx, half{house: h, name: h.House}, half{changed, "so changed", o.changes})
}

// compared writes two houses beside each other.
func (o *oddsAsked) compared(ctx context.Context, a, b string) error {
	one, err := o.houseOf(a)
	if err != nil {
		return err
	}
	other, err := o.houseOf(b)
	if err != nil {
		return err
	}
	return o.both(ctx, half{house: one, name: one.House}, half{house: other, name: other.House})
}

// both writes what was asked for of both halves, and where it can the difference.
func (o *oddsAsked) both(ctx context.Context, halves ...half) error {
	if err := o.suits(halves[0].house, halves[1].house); err != nil {
		return err
	}
	if o.bankCard != "" && o.hand == "" {
		return o.each(halves, func(i int) error { return o.bank(halves[i].house.Rules, halves[i].set) })
	}
	var reports [2]*odds.Report
	var sheets [2]odds.Sheet
	var charts [2]*odds.Chart
	for i, h := range halves {
		report, err := o.report(ctx, h.house.Rules)
		if err != nil {
			return err
		}
		reports[i], sheets[i], charts[i] = report, odds.SheetOf(report), chartOf(report)
		sheets[i].Set = h.set
	}
	switch {
	case o.hand != "":
		return o.each(halves, func(i int) error { return o.cell(reports[i]) })
	case o.csv:
		return odds.ChartsCSV(o.e.out, halves[0].name, charts[0], halves[1].name, charts[1])
	case o.html:
		return odds.HTML(o.e.out, odds.Page{Sheet: &sheets[0], Chart: charts[0]},
			odds.Page{Sheet: &sheets[1], Chart: charts[1]})
	case o.json:
		return o.bothJSON(halves, sheets)
	}
	if err := odds.DifferenceText(o.e.out, &sheets[0], &sheets[1], halves[0].name, halves[1].name); err != nil ||
		!o.chart {
		return err
	}
	fmt.Fprintln(o.e.out)
	if err := o.each(halves, func(i int) error { return charts[i].Text(o.e.out) }); err != nil {
		return err
	}
	return charts[0].Changes(o.e.out, charts[1])
}

// each writes something of each half, in text below its name.
func (o *oddsAsked) each(halves []half, write func(i int) error) error {
	for i, h := range halves {
		if i > 0 {
			if err := o.say("\n"); err != nil {
				return err
			}
		}
		if err := o.say(h.name + ": "); err != nil {
			return err
		}
		if err := write(i); err != nil {
			return fmt.Errorf("%s: %w", h.name, err)
		}
	}
	return nil
}

// bothJSON writes the lines of both halves, each with its bank's.
func (o *oddsAsked) bothJSON(halves []half, sheets [2]odds.Sheet) error {
	for i, h := range halves {
		if err := sheets[i].JSON(o.e.out); err != nil {
			return err
		}
		if o.wager != "" {
			continue
		}
		if err := o.allBanks(h.house.Rules, h.set); err != nil {
			return err
		}
	}
	return nil
}
