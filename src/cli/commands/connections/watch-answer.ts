import type { CallOptions } from '../../../client/client.ts'
import { Fault } from '../../../contract/faults.ts'
import type { Interaction, Output, ScreenSize } from '../../../ports.ts'
import type { Context } from '../../command/context.ts'
import { makeResultWriter, type ResultWriter } from '../../output/result-writer.ts'
import { drawLine } from '../../output/styled-line.ts'
import { startWatch } from '../../service/watch.ts'

/** A value on the server that is polled. */
export type Watched<Seen> = {
  look(options: CallOptions): Promise<Seen>
  /** Number of requests per poll. */
  calls: number
  /** Writes the value as the command does without `--watch`. */
  write(answer: ResultWriter, seen: Seen): Promise<void>
  /** The members of its JSON Lines event. The value has changed if these differ from the previous ones. */
  facts(seen: Seen): Record<string, unknown>
  /** Whether the value cannot change any more. */
  isLast(seen: Seen): boolean
}

/** The display of the watch. */
type Shown<Seen> = {
  /** Shows a value; undefined while the server is unavailable. */
  update(seen: Seen | undefined): Promise<void>
  /** Resolves when the user leaves the watch, and rejects on Ctrl-C. */
  left: Promise<void>
  end(): Promise<void>
}

/** How long the server may be unavailable, in milliseconds: enough for a restart or a migration. */
const AWAY_MS = 5 * 60_000

/**
 * Shows a value whenever it changes, until it is final or the user stops. A terminal is updated in place; otherwise each
 * change is written as an output or event of its own.
 *
 * @throws Fault `cancelled` on Ctrl-C; `unreachable` if the server stays unavailable.
 */
export async function watchAnswer<Seen>(context: Context, watched: Watched<Seen>): Promise<void> {
  const { answer, flags, person, world } = context
  if (answer.mode === 'json')
    throw new Fault('usage', '--json cannot be used with --watch', {
      hint: 'use --jsonl, which prints a line for each change'
    })
  const inPlace = answer.mode === 'table' && person && world.terminal.drawsOver && flags.fields === undefined
  const shown = inPlace ? showInPlace(context, watched) : showByTurns(context, watched)
  const over = new AbortController()
  try {
    await Promise.race([follow(context, watched, { shown, signal: over.signal }), shown.left])
  } catch (error) {
    const isLeft = error instanceof Fault && error.code === 'cancelled'
    if (!isLeft && !world.terminal.interrupted.aborted) throw error
    throw new Fault('cancelled', 'stopped watching; nothing was changed', { cause: error })
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

/** Lines that are not output: the first one, and an empty one that prevents scrolling. */
const OTHER_LINES = 2

/** Keys that end the watch. */
const LEAVES = ['q', 'escape', 'return', 'enter']

/** Updates the output in place on stderr. At the end, writes the last value to stdout. */
function showInPlace<Seen>(context: Context, watched: Watched<Seen>): Shown<Seen> {
  const { answer, flags, world } = context
  const colors = flags.color && world.terminal.errors.colors
  let last: { seen: Seen } | undefined
  let picture: Picture = { lines: [], columns: 0, head: 'Loading' }
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
      // After a change of width, shows the old lines until the new ones are ready.
      if (size.columns !== picture.columns) void paint(size.columns)
      return drawPicture(picture, size, colors)
    },
    press: ({ name }) => {
      over ||= LEAVES.includes(name)
    }
  }
  const left = world.terminal.interact(interaction)
  // The rejection is handled by the race in `watchAnswer`.
  left.catch(() => undefined)
  return {
    async update(seen) {
      picture = { ...picture, head: seen === undefined ? 'Server not responding, retrying' : 'Watching' }
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
  const text = `${head} (q or Ctrl-C to stop)`.slice(0, Math.max(1, size.columns - 1))
  const room = Math.max(1, size.rows - OTHER_LINES)
  return { line: drawLine([{ text, look: 'dim' }], colors), below: lines.slice(0, room), busy: false }
}

/** Renders the output for a terminal of the given width, as lines. */
async function renderLines(
  write: (answer: ResultWriter) => Promise<void>,
  { columns, colors }: { columns: number; colors: boolean }
): Promise<string[]> {
  let text = ''
  const output: Output = {
    isTerminal: true,
    columns: columns - 1,
    colors,
    rows: Number.POSITIVE_INFINITY,
    closed: false,
    write: async (more) => {
      text += typeof more === 'string' ? more : Buffer.from(more).toString()
    }
  }
  await write(makeResultWriter(output, { mode: 'table', fields: undefined, header: false, colors }))
  return text.split('\n').slice(0, -1)
}
