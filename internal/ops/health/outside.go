package health

// Outside are reasons that the daemon does not see of itself: sabot doctor finds them in the system around it. They are
// in the words of Rows, and neither /health nor the metrics have them.
var Outside = []Row{
	{
		"daemon-silent", Stops, "the table's daemon does not answer",
		"systemctl status sabotd says whether it runs, journalctl -u sabotd -n 30 why it ended", nil,
	},
	{
		"config-unfit", Stops, "the configuration cannot be used: the daemon does not start with it",
		"correct what sabot config check says, or take the last change back with sabot config restore", nil,
	},
	{
		"files-open", Degrades, "other users of this computer can read or change files of the table",
		"systemctl restart sabotd puts it right; if anybody may have used it, sabot journal audit the journal", nil,
	},
	{
		"version-differs", Degrades, "the daemon that runs is not of the version that is installed",
		"systemctl restart sabotd, between two rounds", nil,
	},
	{
		"restarts", Degrades, "the daemon was started again and again within the last hour",
		"journalctl -u sabotd says why it ended each time", nil,
	},
	{
		"unit-disabled", Degrades, "the table does not start when the computer is switched on",
		"sudo systemctl enable sabotd", nil,
	},
	{
		"update-failed", Degrades, "the last update did not come about",
		"see docs/update.md; journalctl -u sabot-update has all of it", nil,
	},
	{
		"journal-unsealed", Advises, "the journal is not sealed: nobody can prove later that it was not rewritten",
		"make its key with sabot key journal, name the file at journal.key_file, and give the line to the auditor: " +
			"see The key in docs/operations.md", nil,
	},
	{
		"device-unusable", Degrades, "a device that the configuration names cannot be used",
		"sabot devices --config FILE says more", nil,
	},
	{
		"group-missing", Degrades, "the table's user is not in the group whose devices the table uses",
		"put it into the group, then systemctl restart sabotd", nil,
	},
	{
		"port-probed", Degrades,
		"ModemManager may take the shoe for a modem, and write to its port when it is plugged in",
		"sudo systemctl disable --now ModemManager", nil,
	},
	{
		"port-seized", Degrades, "brltty may take the shoe's converter for a braille display, and away from the table",
		"sudo apt-get remove brltty, then plug the shoe in again", nil,
	},
	{
		"pit-drops", Degrades, "the connection to the pit's broker is lost again and again",
		"look for another client of the same name (mqtt.client_id), at the broker's own log, then at the network", nil,
	},
	{
		"broker-certificate-ends", Degrades, "a certificate of the pit's broker ends within 30 days, or has ended",
		"tell whoever runs the broker; a new authority goes into the file of mqtt.ca_file", nil,
	},
	{
		"screen-own-none", Advises,
		"screens have to enter, and none is the table's own: no screen has the settings, and a turned key proves at " +
			"the panel alone",
		"sabot key screen --own makes the line of a screen at the table; or write own: true in the line that is " +
			"there, and reload the daemon", nil,
	},
	{
		"disk-slow", Degrades, "the disk is slow: the next card waits for each write to it",
		"replace the card by one for applications (A2), or by an SSD; meanwhile let nothing else write to it", nil,
	},
	{
		"backup-none", Advises, "no backup is set up: what is on the table's card is lost with it",
		"see docs/backup.md: onto a stick or another machine, each morning by itself", nil,
	},
	{
		"clock-jumps", Degrades, "the clock was set back while the table ran: times on record are not in their order",
		"fit a clock with a battery, and let the computer reach a time server when it starts", nil,
	},
	{
		"clock-contested", Degrades, "several programs set the clock",
		"keep one of them: sudo systemctl disable --now the others", nil,
	},
	{
		"screen-blanks", Degrades, "the system switches the screen off by itself, or puts the computer to sleep",
		"switch that off: the table's page goes dark by itself, and cannot recognise a touch that was meant to wake " +
			"the system", nil,
	},
}
