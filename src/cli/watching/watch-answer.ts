import type { CallOptions } from '../../client/client.ts'
import { Fault } from '../../contract/faults.ts'
import type { Context } from '../context.ts'
import type { Answer } from '../output/answer.ts'
import { startWatch } from '../service/watch.ts'
import { showInPlace } from './show-in-place.ts'

/** Something on a server that is looked at again and again. */
export type Watched<Seen> = {
  look(options: CallOptions): Promise<Seen>
  /** How many requests a look takes. */
  calls: number
  /** Answers as the command does that looks once. */
  write(answer: Answer, seen: Seen): Promise<void>
  /** What is told of it in JSON Lines. Where it is the same as before, nothing has changed. */
  facts(seen: Seen): Record<string, unknown>
  /** Whether nothing can come after it. */
  isLast(seen: Seen): boolean
}

/** How what was seen comes to the reader. */
export type Shown<Seen> = {
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
