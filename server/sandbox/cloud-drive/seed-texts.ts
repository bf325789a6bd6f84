type SeedText = { name: string; text: string }

/** What the made-up people of the sandbox write. */

export const DOCUMENTS: readonly SeedText[] = [
  {
    name: 'Project overview',
    text: '# Tidewater Library\n\nThe town of Eastmere wants a library on the old fish quay. Mara Lindqvist leads the design; Jonas Brandt is the structural engineer. The building opens in June 2027 and may cost 4.2 million euro.\n\n## Goals\n\n- a reading room with light from the north\n- a floor that may be flooded twice a year\n- no lift shafts on the water side\n'
  },
  {
    name: 'Decision log',
    text: '# Decisions\n\nWe decided on larch for the facade because it greys evenly. The roof will be zinc. Solar panels were rejected since the monument office does not allow them on the quay. The cafe moves to the south corner.\n'
  },
  {
    name: 'Risk register',
    text: '# Risks\n\n1. Storm surge during the foundation works: pumps are on call from October to March.\n2. Larch is delivered late: Nordwald promises eight weeks.\n3. The monument office asks for a second hearing.\n'
  },
  {
    name: 'Materials',
    text: '# Materials\n\n| Part | Material | Supplier |\n|---|---|---|\n| Facade | Larch, 28 mm | Nordwald |\n| Roof | Zinc, 0.8 mm | Metallbau Feddersen |\n| Floor | Terrazzo | Bottega Sorrel |\n'
  },
  {
    name: 'Interview with the librarian',
    text: '# Interview with Odile Marchetti\n\nOdile has run the library for nineteen years. She wants a returns box that can be reached by bicycle. Children come on Wednesdays, so the story corner must be far from the reading room.\n'
  },
  {
    name: 'Programme of rooms',
    text: '# Rooms\n\nReading room 320 m2. Stacks 210 m2. Story corner 60 m2. Cafe 85 m2. Workshop 70 m2. The workshop has its own entrance and is open until 22:00.\n'
  },
  {
    name: 'Lighting concept',
    text: '# Light\n\nThe north wall is glass to a height of 5 metres. Lamps are 3000 kelvin. Hanne Solberg tests a mock-up in the old customs shed on 14 November.\n'
  },
  {
    name: 'Acoustics',
    text: '# Acoustics\n\nThe reverberation time of the reading room is to be 0.8 seconds. Felt baffles hang between the beams. The cafe is kept apart by a lobby with two doors.\n'
  }
]

const TOPICS = [
  ['the foundation', 'Jonas Brandt will check the piles again.', 'The pump is rented from Kade & Sons.'],
  ['the facade', 'Mara Lindqvist ordered three samples of larch.', 'The samples arrive on Monday.'],
  ['the budget', 'Ines Prado found 40,000 euro in the contingency.', 'The terrazzo stays.'],
  ['the permit', 'The monument office wants a drawing at 1:20.', 'Hanne Solberg draws it.'],
  ['the opening', 'The mayor asked for a date in June 2027.', 'The children of the school will carry the books.'],
  ['the kitchen', 'The cafe gets a gas-free kitchen.', 'Odile Marchetti asks for a window to the quay.'],
  ['the roof', 'Metallbau Feddersen offers zinc at 118 euro a square metre.', 'The gutter is drained inside.']
] as const

export const MEETINGS: readonly SeedText[] = Array.from({ length: 14 }, (_, i) => {
  const [topic, first, second] = TOPICS[i % TOPICS.length] ?? TOPICS[0]
  const [other, third] = TOPICS[(i + 3) % TOPICS.length] ?? TOPICS[0]
  return {
    name: `Meeting ${i + 1}: ${topic}`,
    text: `# Meeting ${i + 1}\n\nPresent: Mara Lindqvist, Jonas Brandt, Ines Prado.\n\n**About ${topic}.** ${first} ${second}\n\n**About ${other}.** ${third}\n\nNext meeting in a week, in the customs shed.\n`
  }
})

export const GUIDES: readonly SeedText[] = [
  {
    name: 'how-we-name-files.md',
    text: '# Names of files\n\nThe date comes first, then the project, then what it is: `2026-03-01 tidewater section.pdf`.\n'
  },
  {
    name: 'holidays.md',
    text: '# Holidays\n\nEverybody has 30 days. Ask Ines two weeks before. The studio is closed between Christmas and New Year.\n'
  },
  {
    name: 'travel.md',
    text: '# Travel\n\nTrains are booked in second class. A night costs at most 120 euro. Receipts go into the blue folder.\n'
  },
  {
    name: 'printer.md',
    text: '# The plotter\n\nIt jams when the roll is shorter than two metres. Switch it off, wait ten seconds, and feed the paper by hand.\n'
  },
  {
    name: 'onboarding.md',
    text: '# The first week\n\n1. Get a key from Ines.\n2. Read the decision log of your project.\n3. Visit the site with Jonas, in boots.\n'
  }
]

export const CLIENTS: readonly SeedText[] = [
  {
    name: 'Contract Eastmere.docx',
    text: '# Contract\nThe town of Eastmere engages Harbour Lane Studio for the design of a library.\nThe fee is 380,000 euro, due in five parts.'
  },
  {
    name: 'Letter to Nordwald.docx',
    text: '# Larch\nPlease deliver 900 square metres of larch to the fish quay in calendar week 18.'
  },
  {
    name: 'Reference Brandt.docx',
    text: '# Reference\nJonas Brandt has worked with us since 2014. He finds simple answers to wet questions.'
  }
]

export const BUDGET =
  'item,supplier,euro\nfoundation,Kade & Sons,610000\nfacade,Nordwald,402000\nroof,Metallbau Feddersen,188800\nterrazzo,Bottega Sorrel,96500\nlamps,Solberg Lys,71200\n'

export const RECIPES: readonly SeedText[] = [
  {
    name: 'rye bread.txt',
    text: 'Rye bread: 400 g rye, 300 g water, 90 g sourdough, 9 g salt. Bake at 240 degrees, after twenty minutes at 200.'
  },
  {
    name: 'fish soup.txt',
    text: 'Fish soup: fennel, leek, saffron, cod from the quay. Never boil it once the fish is in.'
  },
  {
    name: 'plum cake.txt',
    text: 'Plum cake after Grandmother Elsa: a kilo of plums, cut side up, and cinnamon only after baking.'
  },
  {
    name: 'garden.txt',
    text: 'The quince was planted in 2019. Cut the raspberries after the harvest, and the hydrangea never in autumn.'
  }
]

export const FAMILY: readonly SeedText[] = [
  {
    name: 'Insurance',
    text: '# Insurance\n\nThe house is insured with Meridian Mutual under number HX-2207. The contract ends on 31 December.\n'
  },
  {
    name: 'Heating',
    text: '# Heating\n\nThe heat pump was installed in May 2024. Filters are changed each quarter. Ask for Mr Adeyemi.\n'
  },
  {
    name: 'School of Lina',
    text: '# School\n\nLina starts at the Brook School in August. Her teacher is Ms Karlsson. Tuesday is swimming.\n'
  }
]

export const HOSTILE_NAMES: readonly string[] = [
  'Robin <script>alert(1)</script>',
  '\u001b[31mred\u001b[0m \u001b]0;title\u0007',
  'invoice\u202Efdp.exe',
  '../../etc/passwd',
  'line\nbreak\ttab\u0000nul',
  'quote \' and \\ and " and `',
  '="=HYPERLINK(""http://x.invalid"")"',
  '\u{1F469}\u200D\u{1F4BB} zero\u200Bwidth e\u0301',
  `${'long '.repeat(2000)}name`,
  '%2e%2e%2f?q=1&a=b#c'
]

/** As it comes out of a PDF: lines, and nothing else. */
export const BRIEF = `Competition brief

The town of Eastmere wants a library on the old fish quay. It replaces the reading room in Mill Street, which closes in 2027.

The jury is chaired by Odile Marchetti, who runs the library. The first prize is 30,000 euro.

What the building needs

1. A reading room with light from the north, for 120 people.
2. A ground floor that may be flooded twice a year.
3. A returns box that can be reached by bicycle.

Entries are due on 2 June 2025 at noon. Questions go to Ines Prado by e-mail, and are answered in writing.
`

/** What the site keeps by hand, day by day. */
export const DIARY = `<!doctype html>
<html lang="en"><head><title>Site diary</title><style>td { padding: 4px }</style></head><body>
<h1>Site diary</h1>
<h2>6 March 2026</h2>
<p>The piles of the east side are in. Jonas Brandt measured them: <b>12.4 metres</b> deep, 8 mm off the axis at most.</p>
<h2>13 March 2026</h2>
<p>Storm from the north-west. Kade &amp; Sons stopped at noon, nobody was hurt.</p>
<ul><li>Two fence panels are lost.</li><li>The pump ran until 4:00.</li></ul>
<h2>20 March 2026</h2>
<table><tr><th>Delivered</th><th>From</th></tr><tr><td>18 beams</td><td>Nordwald</td></tr>
<tr><td>6 t of steel</td><td>Metallbau Feddersen</td></tr></table>
</body></html>
`
