// The moments of which there are pictures: how a table is led to each, and what the page
// then says.

const wiesbaden = { house: 'wiesbaden' };

// Seven guests on four boxes; box 3 splits its eights.
const bets = 'open; stake 1 anna 20; stake 3 ben 50; stake 3 carla 20; stake 4 dora 10; stake 6 emil 100; stake 6 fritz 40';
const sides = 'stake 3 ben 10 twins; stake 6 emil 20 twins; stake 4 dora 10 crazy-twins';
const dealt = 'TH 8S KD 9C 6D TD 8D AS 2C';
const split = ['rest; split', '3S'];

const overdrawn = [`${bets}; close`, dealt, 'rest; rest; rest', 'TC AH', '5D'];

const slip = '1000x2 100x20 5x25';
const signIn = ['dealer', 'sign-D', 'sign-7', 'dealer-enter'].map((one) => `[data-key="${one}"]`);
const pieces = [...'12203'].map((one) => `[data-key="pieces-${one}"]`);

/** What docs/dealer.md, docs/tray-dealer.md and docs/supervisor.md show. */
export const moments = [
  { picture: 'bets.png', setup: wiesbaden, lines: [`${bets}; ${sides}`], says: /Place your bets/, touches: ['#box-3 .whole'] },
  { picture: 'play.png', setup: wiesbaden, lines: [`${bets}; ${sides}; close`, dealt, ...split], says: /hand/ },
  {
    picture: 'who.png', setup: wiesbaden, lines: [`${bets}; ${sides}; close`, dealt, ...split],
    says: /hand/, touches: ['#keys [data-key="double"]'],
  },
  {
    picture: 'insurance.png', setup: wiesbaden,
    lines: [`${bets}; close`, 'TH 8S KD 9C AD AH 8D AS 2C'], says: /Insurance/,
  },
  {
    picture: 'payment.png', setup: wiesbaden,
    lines: [`${bets}; ${sides}; close`, dealt, 'rest; rest; rest', 'TC AH', 'paid box 1'], says: /Pay/,
  },
  { picture: 'unread.png', setup: wiesbaden, proof: 'pin', lines: [`${bets}; close`, dealt, 'rest; card', '??'], says: /STOP/ },
  { picture: 'overdraw.png', setup: wiesbaden, proof: 'pin', lines: overdrawn, says: /STOP/ },
  {
    picture: 'pin.png', setup: wiesbaden, proof: 'pin', lines: overdrawn, says: /STOP/,
    touches: ['#keys [data-key="burn"]', '[data-key="name-anna"]', '[data-key="digit-4"]', '[data-key="digit-7"]'],
  },
  {
    picture: 'cards.png', setup: wiesbaden, lines: [`${bets}; close`, dealt, 'rest; card', '??'], says: /STOP/,
    touches: ['#keys [data-key="identify"]', '[data-key="rank-9"]'],
  },
  { picture: 'menu.png', setup: wiesbaden, lines: [`${bets}; close`, dealt], says: /Box 1/, touches: ['[data-opens="menu"]'] },
  {
    picture: 'upright.png', setup: wiesbaden, lines: [`${bets}; ${sides}; close`, dealt, ...split],
    says: /hand/, size: { width: 600, height: 1024 },
  },
  { picture: 'floor.png', setup: wiesbaden, lines: [`${bets}; close`, dealt, 'floor called chips by=d7'], says: /Box 1/, touches: ['.key.floor'] },
  {
    picture: 'tray-count.png', setup: wiesbaden, proof: 'pin', lines: [], says: /Open the bets/,
    touches: [...signIn, '[data-opens="menu"]', '[data-key="float"]', '[data-key="tray-opening"]', ...pieces],
  },
  {
    picture: 'tray-fill.png', setup: wiesbaden, says: /Open the bets/,
    lines: ['count opening 5x20 100x50 dealer=d7 by=anna', `fill asked ${slip} by=d7; fill approved 1 by=anna; fill sent 1 ${slip} by=cage`],
    touches: ['[data-key="due-fill"]', '[data-row="10000"]'],
  },
  {
    picture: 'open.png', setup: wiesbaden, lines: [`${bets}; close`, dealt, '7D', 'resolve next-card'], says: /Box 1/,
  },
  {
    picture: 'guest.png', setup: { house: 'mendrisio' }, lines: ['open; stake 1 anna 20; stake 4 ben 50; close', 'TS 9D 6H 8C 7C', 'rest; rest', 'TC 4H'],
    path: 'guest', in: '.now h2', says: /Payouts/, size: { width: 1280, height: 720 },
  },
  {
    picture: 'guest-upright.png', setup: { house: 'schaffhausen' }, speaks: 'de-CH', language: 'de', lines: ['open'],
    path: 'guest', in: '.now h2', says: /Spiel/, size: { width: 720, height: 1280 },
  },
];

/** What docs/dealer.md shows of the help, and docs/recall.md of the night that the sample server has on record. */
export const recalled = [
  { picture: 'help.png', setup: wiesbaden, lines: [`${bets}; close`, dealt], path: 'help?of=crazy-twins', says: /Crazy/, in: 'main h2' },
  { picture: 'replay.png', setup: wiesbaden, lines: [`${bets}; close`, dealt], path: 'recall/21/replay?record=1071', says: /Step 20/, in: '.when' },
  { picture: 'sheet.png', setup: wiesbaden, lines: [`${bets}; close`, dealt], path: 'recall/21/sheet', says: /Record of round 21/, in: 'article h1' },
];

// A round of each house, in a language of its guests: what is dealt until box 1 may call,
// and from there to the payment.
const rounds = {
  schaffhausen: { language: 'de', side: '10 perfect-pairs', play: 'TH 6S KD 9C 5D TD 6H AD 2C; paid box 3 wager=perfect-pairs bettor=ben', ends: ['rest; rest; rest', 'TC 4H'] },
  wiesbaden: { language: 'de', side: '10 twins', play: 'TH 6S KD 9C 5D TD 6H AD 2C', ends: ['rest; rest; rest', 'TC 4H'] },
  'st-moritz': { language: 'it', side: '10 3-card-wins', play: 'TH 6S KD 9C 5D TD 6H AD 2C', ends: ['rest; rest; rest', 'TC 4H'] },
  'st-moritz-65': { language: 'en', side: '10 queens-trio', play: 'TH 6S KD 9C 5D TD 6H AD 2C', ends: ['rest; rest; rest', 'TC 4H'] },
  mendrisio: { language: 'fr', side: '10 admiral-jack', play: 'TH 6S KD 9C 5D TD 6H AD 2C', ends: ['rest; rest; rest', 'TC 4H'] },
  baden: { language: 'zh', play: 'TH 6S 9D 8C 5D', ends: ['higher', 'KD', 'rest; rest; rest; rest', '6C', '7H', '8D', '3S'] },
};

/** What docs/views.md shows: each house while bets are open, in play and in payment. */
export const houses = Object.entries(rounds).flatMap(([house, { language, side, play, ends }]) => {
  const speaks = house === 'wiesbaden' || house === 'mendrisio' ? 'en' : 'en-CH'; // as their country writes amounts
  const staked = side ? `${bets}; stake 3 ben ${side}` : bets;
  return [
    { picture: `${house}-bets.png`, setup: { house }, speaks, language, lines: [staked], says: /./, touches: ['#box-3 .whole'] },
    { picture: `${house}-play.png`, setup: { house }, speaks, language, lines: [`${staked}; close`, play], says: /1/ },
    { picture: `${house}-payment.png`, setup: { house }, speaks, language, lines: [`${staked}; close`, play, ...ends], says: /./ },
  ];
});
