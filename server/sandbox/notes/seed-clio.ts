import type { SeedWorkspace } from './seed-story.ts'

const LONG_NAME = `Long${' of name'.repeat(1280)}`

/** Who restores old buildings in many languages, with names and texts that break programs. */
export const CLIO: SeedWorkspace = {
  id: '5eed0003-0000-4000-8000-0000000c1100',
  name: 'Clio Jensen',
  email: 'clio.jensen@example.org',
  workspace: 'Stone & Lime',
  people: ['Mads Østergård', '森 愛子'],
  pages: [
    {
      title: 'Nyborg church',
      daysAgo: 14,
      text: `Lime mortar only: one part lime, three parts sand, no cement. The north wall is dry since May.
- Taget: nye tegl i 2027
- 漆喰の補修は愛子が担当 🏯
- Öl und Wachs für die Türen`,
      pages: [
        {
          title: 'Møde 3. juni',
          daysAgo: 20,
          text: 'Mads bygger stilladset i uge 31. Provstiet betaler halvdelen, 240.000 kroner.'
        },
        { title: '見積もり', daysAgo: 17, hidden: true, text: '和紙と糊で 86,000 円。納期は六週間です。' }
      ]
    },
    {
      title: 'Names that break things',
      daysAgo: 2,
      text: `Plain * stars * and _lines_, <b>tags</b>, {braces}, C:\\\\path\\\\file, 2^10, a|b, ~about~, \`ticks
\\# no heading, and a price of $5 or $6.`,
      pages: [
        { title: LONG_NAME, daysAgo: 10, text: 'A page whose name takes longer to read than its text.' },
        {
          title: 'Red \u001b[31mSkull\u001b[0m\u0007',
          daysAgo: 11,
          text: 'Written \u001b]0;owned\u0007 in escape sequences.'
        },
        { title: '\u202egnp.exe\u202c', daysAgo: 12, text: 'Turned: \u202ethgir ot tfel\u202c, and \u0000 nothing.' },
        {
          title: '<script>alert(1)</script>',
          daysAgo: 13,
          text: '"><img src=x onerror=alert(1)> ../../etc/passwd %00'
        },
        { title: '', daysAgo: 13 }
      ],
      tables: [
        {
          title: 'Odd rows',
          columns: {
            'Na:me\n': 'title',
            '\u202etext': 'rich_text',
            ['constructor' as string]: 'number'
          },
          rows: [
            ['A row', 9, { '\u202etext': 'line one\nline two', constructor: 7 }],
            ['', 9, {}]
          ]
        }
      ]
    }
  ]
}
