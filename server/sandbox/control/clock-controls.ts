import * as z from 'zod'
import type { ControlCall, ControlDesk } from './control-desk.ts'
import { describedInput } from './described-input.ts'

/** A hundred years, so that times stay ones that can be written. */
const ADVANCE_MS_MAX = 100 * 366 * 24 * 3_600_000
const TIME_MAX = Date.UTC(2200, 0)

const Move = z.union([
  z.strictObject({ advance_ms: z.int().min(0).max(ADVANCE_MS_MAX) }),
  z.strictObject({ set: z.union([z.int().min(0).max(TIME_MAX), z.iso.datetime({ offset: true })]) })
])

const HINT = '{"advance_ms": 3600000}, or {"set": "2026-10-01T09:00:00Z"}'

/** Moves the clock of the sandbox: by milliseconds, or to a time. */
export function moveClock(desk: ControlDesk, { input }: ControlCall): unknown {
  const move = describedInput(input, Move, HINT)
  if ('set' in move) desk.clock.set(typeof move.set === 'number' ? move.set : Date.parse(move.set))
  else desk.clock.advance(move.advance_ms)
  return tellClock(desk)
}

/** What time it is in the sandbox. */
export function tellClock({ clock }: Pick<ControlDesk, 'clock'>): unknown {
  return { now: new Date(clock.now()).toISOString(), now_ms: clock.now() }
}
