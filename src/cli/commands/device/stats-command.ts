import { Fault } from '../../../contract/faults.ts'
import type { Stats } from '../../../device/device.ts'
import { defineCommand } from '../../command/command.ts'
import { cardLines } from '../../output/card-lines.ts'
import { formatCount, shellWord, shortBytes, shortTime } from '../../output/short-forms.ts'
import type { Page, StyledLine } from '../../output/styled-line.ts'
import { openSnapshot } from '../../snapshots/open-snapshot.ts'
import { describeDamage, showDamage } from '../../views/throw-if-damaged.ts'

export const statsCommand = defineCommand<Record<string, never>>({
  name: 'stats',
  summary: 'Show the counts and sizes of a snapshot',
  options: [],
  examples: ['memctl device stats', 'memctl device stats --json'],
  leaves: 'Nothing was changed',
  parse: () => ({}),
  run: async (context) => {
    await openSnapshot(context, async (device, as) => {
      const counts = { ...(await device.stats({ signal: context.world.terminal.interrupted })), ...as }
      await context.answer.object(counts, { lines: (page) => statsLines(counts, page) })
      const verify = `memctl device verify --snapshot ${shellWord(counts.path)}`
      const wrong = [
        counts.damaged > 0 && describeDamage(counts.damaged_lines, counts.damaged),
        counts.lost > 0 && `${formatCount(counts.lost, 'memory', 'memories')} lost`
      ]
      if (counts.damaged > 0) await showDamage(context, counts.damaged_lines)
      if (wrong.some(Boolean)) {
        const what = wrong.filter(Boolean).join(' and ')
        throw new Fault('invalid_snapshot', `${counts.path === '-' ? 'stdin' : counts.path} has ${what}`, {
          hint: verify,
          next: [verify]
        })
      }
    })
  }
})

function statsLines(counts: Stats, page: Page): StyledLine[] {
  const { index } = counts
  return cardLines(
    [
      ['snapshot', counts.path],
      ['size', `${shortBytes(counts.bytes)}, ${counts.form}`],
      ['memories', counts.memories.toLocaleString('en-US')],
      ['text', shortBytes(counts.text_bytes)],
      ['from', shortTime(counts.first_at)],
      ['to', shortTime(counts.last_at)],
      ['speakers', counts.speakers.toLocaleString('en-US')],
      ['conversations', counts.conversations.toLocaleString('en-US')],
      ...graphEntries(counts),
      ['forgotten', counts.forgotten || null],
      [
        'unknown',
        counts.unknown === 0 ? null : formatCount(counts.unknown, 'line of a newer kind', 'lines of newer kinds')
      ],
      ['surplus', counts.surplus === 0 ? null : `${formatCount(counts.surplus, 'line')} that compact would drop`],
      ['damaged', counts.damaged === 0 ? null : formatCount(counts.damaged, 'line')],
      ['lost', counts.lost === 0 ? null : formatCount(counts.lost, 'memory', 'memories')],
      ['moved aside', counts.aside_bytes === 0 ? null : shortBytes(counts.aside_bytes)],
      [
        'index',
        index === null
          ? 'none; the first search builds it'
          : `${shortBytes(index.bytes)}, ${index.fits ? 'up to date' : 'out of date'}`
      ]
    ],
    page
  )
}

/** Lists counts of entities, facts, procedures and events, without zeros. */
function graphEntries(counts: Stats): [string, string | null][] {
  return [
    [
      'entities',
      counts.entities === 0
        ? null
        : withTop(
            counts.entities,
            counts.top_entities.map(({ name }) => name)
          )
    ],
    ['facts', counts.facts === 0 ? null : factWords(counts)],
    ['predicates', counts.top_predicates.map(({ key, facts }) => `${key} ${facts.toLocaleString('en-US')}`).join(', ')],
    ['procedures', counts.procedures === 0 ? null : counts.procedures.toLocaleString('en-US')],
    ['events', counts.events === 0 ? null : counts.events.toLocaleString('en-US')]
  ]
}

function withTop(count: number, top: readonly string[]): string {
  return `${count.toLocaleString('en-US')}: ${top.join(', ')}${count > top.length ? ', …' : ''}`
}

function factWords(counts: Stats): string {
  const kinds = [
    [counts.facts_current, 'current'],
    [counts.facts_superseded, 'superseded'],
    [counts.facts_contradicted, 'contradicted'],
    [counts.facts_left_out, 'older ones not compared']
  ] as const
  const told = kinds.filter(([count]) => count > 0).map(([count, word]) => `${count.toLocaleString('en-US')} ${word}`)
  return `${counts.facts.toLocaleString('en-US')} stated${told.length === 0 ? '' : `; ${told.join(', ')}`}`
}
