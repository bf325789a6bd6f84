import type { CallOptions } from '../../../client/client.ts'
import { Fault } from '../../../contract/faults.ts'
import type { Interaction, Output, ScreenSize } from '../../../ports.ts'
import type { Context } from '../../command/context.ts'
import { makeResultWriter, type ResultWriter } from '../../output/result-writer.ts'
import { drawLine } from '../../output/styled-line.ts'
import { startWatch } from '../../service/watch.ts'

/** Something on a server that is looked at again and again. */
export type Watched<Seen> = {
  look(options: CallOptions): Promise<Seen>
  /** How many requests a look takes. */
  calls: number
  /** Answers as the command does that looks once. */
  write(answer: ResultWriter, seen: Seen): Promise<void>
  /** What is told of it in JSON Lines. Where it is the same as before, nothing has changed. */
  facts(seen: Seen): Record<string, unknown>
  /** Whether nothing can come after it. */
  isLast(seen: Seen): boolean
}

/** How what was seen comes to the reader. */
type Shown<Seen> = {
  /** What was seen; undefined where the server is away for a moment. */
  update(seen: Seen | undefined): Promise<void>
  /** Resolves when the reader has had enough, rejects when they stop everything. */
  left: Promise<void>
  end(): Promise<void>
}

/** A server that starts anew, even one that is moved, is waited for. In milliseconds. */
const AWAY_MS = 5 * 60_000

/**
 * Shows something as often as it changes, until there is nothing more to come or somebody stops it: in place on a terminal,
 * else one answer, or event, after the other.
 *
 * @throws Fault `cancelled` on Ctrl-C; `unreachable` where the server stays away.
 */
export async function watchAnswer<Seen>(context: Context, watched: Watched<Seen>): Promise<void> {
  const { answer, flags, person, world } = context
  if (answer.mode === 'json')
    throw new Fault('usage', '--json is one document, and a watch has many', { hint: 'give --jsonl with --watch' })
  const inPlace = answer.mode === 'table' && person && world.terminal.drawsOver && flags.fields === undefined
  const shown = inPlace ? showInPlace(context, watched) : showByTurns(context, watched)
  const over = new AbortController()
  try {
    await Promise.race([follow(context, watched, { shown, signal: over.signal }), shown.left])
  } catch (error) {
    const isLeft = error instanceof Fault && error.code === 'cancelled'
    if (!isLeft && !world.terminal.interrupted.aborted) throw error
    throw new Fault('cancelled', 'stopped watching. Nothing was changed', { cause: error })
  } finally {
    over.abort()
    await shown.end()
  }
}

async function follow<Seen>(
  context: Context,
  watched: Watched<Seen>,
  { shown, signal }: { shown: Shown<Seen>; signal: AbortSignal }
): Promise<void> {
  const watch = startWatch(context, Number.POSITIVE_INFINITY, { awayMs: AWAY_MS, signal })
  while (context.answer.isWanted()) {
    const seen = await watch.ask(watched.look)
    await shown.update(seen)
    if (seen !== undefined && watched.isLast(seen)) return
    await watch.pause(watched.calls)
  }
}

function showByTurns<Seen>({ answer }: Context, watched: Watched<Seen>): Shown<Seen> {
  let told: string | undefined
  return {
    async update(seen) {
      if (seen === undefined) return
      const facts = watched.facts(seen)
      const text = JSON.stringify(facts)
      if (text === told) return
      if (answer.mode === 'jsonl') await answer.jsonLine({ event: 'state', ...facts })
      else {
        if (answer.mode === 'table' && told !== undefined) await answer.story(() => [[]])
        await watched.write(answer, seen)
      }
      told = text
    },
    left: new Promise(() => undefined),
    end: async () => undefined
  }
}

/** Lines that are never of the answer: the first one, and a free one, so that nothing ever scrolls. */
const OTHER_LINES = 2

/** Keys by which a reader has had enough. */
const LEAVES = ['q', 'escape', 'return', 'enter']

/** An answer that is drawn over itself on the terminal of stderr; what it was last is the answer on stdout. */
function showInPlace<Seen>(context: Context, watched: Watched<Seen>): Shown<Seen> {
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
  write: (answer: ResultWriter) => Promise<void>,
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
  await write(makeResultWriter(output, { mode: 'table', fields: undefined, header: false, colors }))
  return text.split('\n').slice(0, -1)
}
