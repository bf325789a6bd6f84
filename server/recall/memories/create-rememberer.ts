import { Fault } from '../../../src/contract/faults.ts'
import type { RememberInput } from '../engine/engine.ts'
import type { NewMemory, Remembered } from '../engine/engine-calls.ts'
import type { EnginePool } from '../pool/engine-pool.ts'
import { unlessCalledOff } from '../pool/unless-called-off.ts'

/** Texts in one call to a thread: about 50 ms of work. */
const INPUTS_MAX = 32
/** A longer text gets its own call, so that others do not wait for it. */
const UNITS_MAX = 4096
/** A longer text keeps a thread busy for a long time. */
const LONG_UNITS = 64 * 1024

type Gathering = { inputs: RememberInput[]; answer: Promise<Remembered[]> }

/** Creates a function that builds the memory of a text. Calls that wait for a thread are sent together. */
export function createRememberer(pool: EnginePool): (input: RememberInput, signal?: AbortSignal) => Promise<NewMemory> {
  let gathering: Gathering | undefined

  const gather = (input: RememberInput): Gathering => {
    const inputs = [input]
    const isLong = input.text.length > LONG_UNITS
    const gathered: Gathering = { inputs, answer: pool.run({ name: 'remember', send: () => send(gathered), isLong }) }
    return gathered
  }

  const send = (gathered: Gathering): { argument: RememberInput[] } => {
    if (gathering === gathered) gathering = undefined
    return { argument: gathered.inputs }
  }

  const join = (input: RememberInput): { gathered: Gathering; place: number } => {
    if (gathering === undefined || gathering.inputs.length === INPUTS_MAX) {
      gathering = gather(input)
      return { gathered: gathering, place: 0 }
    }
    return { gathered: gathering, place: gathering.inputs.push(input) - 1 }
  }

  return async (input, signal) => {
    const { gathered, place } = input.text.length > UNITS_MAX ? { gathered: gather(input), place: 0 } : join(input)
    const made = (await unlessCalledOff(gathered.answer, signal))[place]
    if (made === undefined) throw new Error('an engine thread returned fewer memories than texts')
    if ('tooLarge' in made) throw new Fault('too_large', made.tooLarge.message, { hint: made.tooLarge.hint })
    return made
  }
}
