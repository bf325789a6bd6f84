import type { Interaction, Output, ScreenSize } from '../../ports.ts'
import type { Context } from '../context.ts'
import { type Answer, makeAnswer } from '../output/answer.ts'
import { drawLine } from '../output/line.ts'
import type { Shown, Watched } from './watch-answer.ts'

/** Lines that are never of the answer: the first one, and a free one, so that nothing ever scrolls. */
const OTHER_LINES = 2

/** Keys by which a reader has had enough. */
const LEAVES = ['q', 'escape', 'return', 'enter']

/** An answer that is drawn over itself on the terminal of stderr; what it was last is the answer on stdout. */
export function showInPlace<Seen>(context: Context, watched: Watched<Seen>): Shown<Seen> {
  const { answer, flags, world } = context
  const colors = flags.color && world.terminal.errors.colors
  let last: { seen: Seen } | undefined
  let picture: Picture = { lines: [], columns: 0, head: 'looking' }
  let over = false
  let redraw = (): void => undefined

  async function paint(columns: number): Promise<void> {
    const seen = last?.seen
    if (seen === undefined || columns === 0) return
    picture = { ...picture, columns }
    const lines = await renderLines((to) => watched.write(to, seen), { columns, colors })
    if (columns === picture.columns) picture = { ...picture, lines }
    redraw()
  }

  const interaction: Interaction = {
    start: (onChange) => {
      redraw = onChange
    },
    draw(size) {
      if (over) return undefined
      // Drawn for another width than there is now: for this moment as it is.
      if (size.columns !== picture.columns) void paint(size.columns)
      return drawPicture(picture, size, colors)
    },
    press: ({ name }) => {
      over ||= LEAVES.includes(name)
    }
  }
  const left = world.terminal.interact(interaction)
  // Whoever follows notices.
  left.catch(() => undefined)
  return {
    async update(seen) {
      picture = { ...picture, head: seen === undefined ? 'the server does not answer, trying again' : 'watching' }
      if (seen !== undefined) last = { seen }
      await paint(picture.columns)
      redraw()
    },
    left,
    async end() {
      over = true
      redraw()
      await left.catch(() => undefined)
      if (last !== undefined) await watched.write(answer, last.seen)
    }
  }
}

type Picture = { lines: readonly string[]; columns: number; head: string }

function drawPicture({ lines, head }: Picture, size: ScreenSize, colors: boolean) {
  const text = `${head} (q or Ctrl-C ends it)`.slice(0, Math.max(1, size.columns - 1))
  const room = Math.max(1, size.rows - OTHER_LINES)
  return { line: drawLine([{ text, look: 'dim' }], colors), below: lines.slice(0, room), busy: false }
}

/** What is written to a terminal of so many columns, line by line. */
async function renderLines(
  write: (answer: Answer) => Promise<void>,
  { columns, colors }: { columns: number; colors: boolean }
): Promise<string[]> {
  let text = ''
  const output: Output = {
    isTerminal: true,
    columns: columns - 1,
    colors,
    closed: false,
    write: async (more) => {
      text += typeof more === 'string' ? more : Buffer.from(more).toString()
    }
  }
  await write(makeAnswer(output, { mode: 'table', fields: undefined, header: false, colors }))
  return text.split('\n').slice(0, -1)
}
