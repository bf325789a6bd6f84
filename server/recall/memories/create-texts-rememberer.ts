import type { RememberedText, RememberInput } from '../engine/engine.ts'
import type { EnginePool } from '../pool/engine-pool.ts'
import { unlessCalledOff } from '../pool/unless-called-off.ts'

/** Texts in one call to a thread, and their UTF-16 code units: about 50 ms of work. */
const INPUTS_MAX = 64
const UNITS_MAX = 8192
/** A longer text keeps a thread busy for a long time. */
const LONG_UNITS = 64 * 1024

/**
 * Creates a function that builds the memories of many texts. One part of them is in a thread at a time, so that other
 * waiting calls run between two parts.
 */
export function createTextsRememberer(pool: EnginePool) {
  return async (inputs: readonly RememberInput[], signal: AbortSignal): Promise<RememberedText[]> => {
    const remembered: RememberedText[] = []
    for (const argument of inParts(inputs)) {
      const isLong = argument.some(({ text }) => text.length > LONG_UNITS)
      const answer = pool.run({ name: 'remember', send: () => ({ argument }), isLong, signal })
      const made = await unlessCalledOff(answer, signal)
      if (made.length !== argument.length) throw new Error('an engine thread returned fewer memories than texts')
      for (const one of made) remembered.push('tooLarge' in one ? { tooLarge: one.tooLarge.message } : one)
    }
    return remembered
  }
}

function* inParts(inputs: readonly RememberInput[]): Generator<RememberInput[]> {
  let part: RememberInput[] = []
  let units = 0
  for (const input of inputs) {
    if (part.length === INPUTS_MAX || (part.length > 0 && units + input.text.length > UNITS_MAX)) {
      yield part
      part = []
      units = 0
    }
    part.push(input)
    units += input.text.length
  }
  if (part.length > 0) yield part
}
