import type { SeedSeries } from './seed-story.ts'

/** A weekly letter in HTML, laid out with tables as such letters are. */
export function newsletter(from: string): SeedSeries {
  const sender = from.replace(/\s*<.*/, '')
  return {
    from,
    everyDays: 7,
    labels: ['INBOX', 'CATEGORY_PROMOTIONS', 'UNREAD'],
    headers: { 'List-Unsubscribe': '<https://letters.example/unsubscribe>', Precedence: 'bulk' },
    issues: STORIES.map(([title, story], at) => ({
      subject: `${sender} #${at + 41}: ${title}`,
      html: letter({ sender, title, story, next: STORIES[(at + 1) % STORIES.length]?.[0] ?? '' })
    }))
  }
}

/** Orders and bills, beginning somewhere in the list. */
export function receipts(from: number): SeedSeries {
  const orders = [...ORDERS.slice(from), ...ORDERS.slice(0, from)]
  return {
    from: 'Corner Shop <orders@cornershop.example>',
    everyDays: 9,
    labels: ['INBOX', 'CATEGORY_UPDATES'],
    issues: orders.map(([thing, price, days], at) => ({
      subject: `Your order ${4102 + at * 37}: ${thing}`,
      text: `Thank you for your order.\n\nItem: ${thing}\nTotal: ${price}\nDelivery: in ${days} days\n\nYou can send it back within 30 days.`
    }))
  }
}

/** What a machine reports on a team's builds. */
export function buildReports(team: string): SeedSeries {
  return {
    from: `Build Robot <builds@${team}.example>`,
    everyDays: 5,
    labels: ['INBOX', 'CATEGORY_UPDATES', 'Label_2'],
    headers: { 'Auto-Submitted': 'auto-generated' },
    issues: BUILDS.map(([branch, outcome, why], at) => ({
      subject: `[${team}] build ${880 + at} on ${branch}: ${outcome}`,
      text: `Build ${880 + at} of ${team} on branch ${branch} has ${outcome}.\n\n${why}`
    }))
  }
}

/** A mailing list with its footer. */
export function mailingList(): SeedSeries {
  return {
    from: 'Garden & Hedge <garden@lists.example>',
    everyDays: 8,
    labels: ['INBOX', 'CATEGORY_FORUMS'],
    headers: { 'List-Id': 'Garden & Hedge <garden.lists.example>', 'List-Post': '<mailto:garden@lists.example>' },
    issues: TIPS.map(([title, tip]) => ({
      subject: `[garden] ${title}`,
      text: `${tip}\n\n-- \ngarden mailing list\nhttps://lists.example/garden`
    }))
  }
}

function letter({
  sender,
  title,
  story,
  next
}: {
  sender: string
  title: string
  story: string
  next: string
}): string {
  return `<!doctype html><html><head><style>body{font-family:Georgia}.x{color:#345}</style><title>${title}</title></head><body>
<div style="display:none">${title}&#847; &zwnj; &#847; &zwnj; &#847; &zwnj;</div>
<table width="600" cellpadding="0"><tr><td class="x"><h1>${title}</h1></td></tr>
<tr><td><p>${story}</p><p><a href="https://letters.example/read?utm_source=mail">Read on</a></p></td></tr>
<tr><td><p>Next week: ${next}.</p></td></tr>
<tr><td><small>${sender} &middot; <a href="https://letters.example/unsubscribe">Unsubscribe</a></small></td></tr></table>
<img src="https://letters.example/open.gif" width="1" height="1"></body></html>`
}

const STORIES: readonly (readonly [string, string])[] = [
  [
    'The lighthouse that moved',
    'In 1999 the lighthouse of Cape Hatteras was rolled 884 metres inland, because the sea had come within 37 metres of it.'
  ],
  ['Bread without an oven', 'Bakers in Iceland bury their dough beside hot springs and dig it up a day later.'],
  ['A clock for ten thousand years', 'Inside a mountain in Texas stands a clock that ticks once a year.'],
  ['How to read a tide table', 'Springs and neaps, rule of twelfths: a short course for people who get wet feet.'],
  ['The last ice merchants', 'Until the 1930s ice from Norwegian lakes cooled the fish of London.'],
  ['Bridges that breathe', 'Long bridges grow by half a metre in summer, and where that half metre goes.'],
  ['Forgotten punctuation', 'The interrobang and the irony mark: signs that nearly made it.'],
  ['Wood that floats best', 'Balsa is not the lightest wood in the world, and cork is no wood at all.'],
  ['The man who mapped smells', 'A walk through Edinburgh with a map of its odours, from malt to low tide.'],
  ['Why barns are red', 'Rust was cheap and kept the moss away.'],
  ['Counting sheep, literally', 'Yan, tan, tethera: shepherds of Cumbria counted in a language nobody else spoke.'],
  ['Night trains return', 'Five new lines this year, and what a bunk costs on each of them.']
]

const ORDERS: readonly (readonly [string, string, number])[] = [
  ['wool blanket, grey', '59.00 EUR', 3],
  ['bicycle lamp, rear', '18.50 EUR', 2],
  ['printer paper, 5 reams', '27.90 EUR', 4],
  ['coffee beans, 2 kg', '41.00 EUR', 2],
  ['notebook, dotted', '12.40 EUR', 3],
  ['rubber boots, size 42', '36.00 EUR', 5],
  ['desk lamp', '74.90 EUR', 6],
  ['tea, Darjeeling first flush', '22.00 EUR', 3],
  ['screwdriver set', '33.30 EUR', 2],
  ['tent pegs, 20', '9.80 EUR', 4]
]

const BUILDS: readonly (readonly [string, string, string])[] = [
  ['main', 'passed', '412 tests in 3 min 12 s.'],
  ['radio-lr1121', 'failed', 'test/power.c:88: expected sleep current below 4 uA, was 11 uA.'],
  ['radio-lr1121', 'failed', 'test/power.c:88: expected sleep current below 4 uA, was 6 uA.'],
  ['radio-lr1121', 'passed', '415 tests in 3 min 20 s.'],
  ['main', 'passed', '415 tests in 3 min 18 s. Coverage is 84 %.'],
  ['compass-filter', 'failed', 'The linker ran out of flash: 1,204 bytes too many.'],
  ['compass-filter', 'passed', '417 tests in 3 min 25 s.'],
  ['docs', 'passed', 'No tests to run.'],
  ['main', 'failed', 'The runner lost its connection after 40 minutes.'],
  ['main', 'passed', '417 tests in 3 min 22 s.'],
  ['shallow-alarm', 'passed', '421 tests in 3 min 31 s.']
]

const TIPS: readonly (readonly [string, string])[] = [
  ['Slugs and beer', 'I tried the beer traps again. Forty slugs in one night, and they clearly prefer stout.'],
  ['When to cut a hornbeam hedge', 'Late June, once the birds have left, and again lightly in September.'],
  [
    'Blight warning',
    'Two days above 10 degrees with 11 hours of humidity over 90 %: that is a Smith period, take in the tomatoes.'
  ],
  ['Free compost', 'The council gives away compost on Saturday behind the bus depot. Bring your own bags.'],
  ['Grafting apples', 'Whip and tongue works best in March, before the sap rises. I used rootstock M26.'],
  ['Water butts', 'Mine froze and split. Leave a stick in it over winter, the ice then pushes upwards.'],
  ['Wasps in the shed', 'Leave them be until October, the nest is not used twice.'],
  ['Open gardens', 'Number 8, 15 and 22 open their gates on the second Sunday in May.'],
  ['Leaf mould', 'Two years in a wire cage, and it is the best seed compost there is.'],
  ['Seed swap', 'Seed swap at the library on the 20th at 14:00. I bring sweet peas and chard.']
]
