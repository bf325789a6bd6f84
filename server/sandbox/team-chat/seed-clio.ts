import type { SeedWorkspace } from './seed-story.ts'

const LONG_NAME = `Long${' of name'.repeat(1280)}`

/** Who restores old buildings with people of many languages, and with names and texts that break programs. */
export const CLIO: SeedWorkspace = {
  name: 'Clio Jensen',
  email: 'clio.jensen@example.org',
  number: 3,
  team: 'Stone & Lime',
  domain: 'stone-and-lime-sandbox',
  people: [
    ['clio', 'Clio Jensen', 'Clio', 'Conservator'],
    ['mads', 'Mads Østergård', 'Mads', 'Mason'],
    ['aiko', '森 愛子', '愛子', 'Paper'],
    ['escape', 'Red \u001b[31mSkull\u001b[0m\u0007', '\u001b]0;owned\u0007Skull', ''],
    ['bidi', '\u202eesreveR', '\u202egnp.exe\u202c', ''],
    ['long', LONG_NAME, LONG_NAME, ''],
    ['markup', '<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '']
  ],
  channels: [
    {
      name: 'general',
      talk: [
        [44, 600, 'mads', 'Kalk skal hærde i 28 dage, ikke 21.'],
        [42, 610, 'aiko', '和紙は金曜日に届きます。', [[12, 'clio', 'ありがとう, I keep the drawer free.']]],
        [20, 620, 'clio', 'The chapel is closed for us from 11 to 29 May: scaffolding goes up on the 8th.']
      ]
    },
    {
      name: 'chapel',
      topic: 'St Olai',
      talk: [
        [
          33,
          640,
          'mads',
          'North wall: salt up to 1.4 m. We poultice twice before any lime wash.',
          [
            [22, 'clio', 'Conductivity was 890 before and 310 after the first round.'],
            [1600, 'mads', 'Second round: 120. We may paint.']
          ]
        ],
        [11, 655, 'clio', 'The bell frame is oak of 1643, says the lab.']
      ]
    },
    {
      name: 'strange-things',
      talk: [
        [30, 600, 'escape', 'My name tries to paint your terminal \u001b[41mred\u001b[0m.'],
        [29, 600, 'bidi', 'My name \u202eturns around\u202c.'],
        [28, 600, 'long', 'My name has ten thousand letters.'],
        [27, 600, 'markup', '&lt;script&gt;alert("text")&lt;/script&gt; and <javascript:alert(1)|a link>'],
        [
          26,
          600,
          'clio',
          'Broken marks: <@U0> <@ <!> <#> <|> <> &amp;lt; &nbsp; <!date^1^{date}> <!subteam^S0> <@{markup}>'
        ],
        [25, 600, 'mads', `A long one: ${'lime '.repeat(7000)}`, [[5, 'clio', 'Too much lime.']]]
      ]
    },
    { name: 'données-été', talk: [[14, 700, 'clio', 'Relevés du 12 avril : 61 % d’humidité.']] },
    { name: 'paper', private: true, talk: [[19, 660, 'aiko', 'Wheat starch, 1:5, cooked for 40 minutes.']] },
    { name: 'empty', talk: [] }
  ]
}
