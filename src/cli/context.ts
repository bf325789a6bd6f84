import type { Client } from '../client/client.ts'
import type { World } from '../ports.ts'
import type { Entry } from './command.ts'
import type { GlobalFlags } from './global-options.ts'
import { once } from './input/once.ts'
import type { Answer, OutputMode } from './output/answer.ts'
import { makeAnswer } from './output/answer.ts'
import { makeTalk, type Talk } from './output/talk.ts'
import type { DeviceRoom, Rooms } from './rooms.ts'
import { connect } from './service/connect.ts'
import { makeSettings, type Settings } from './settings/settings.ts'

/** What the run of a command gets: the world, what was asked of every command, and where to answer. */
export type Context = {
  world: World
  flags: GlobalFlags
  settings: Settings
  answer: Answer
  talk: Talk
  /** Whether somebody is there to answer a question. */
  person: boolean
  /** The device runtime, loaded at first use. */
  device(): Promise<DeviceRoom>
  /** The client of the server that settings name, with the key for it, made at first use. */
  client(): Promise<Client>
  rooms: Rooms
  /** Every command there is, loaded for it. */
  catalogue(): Promise<readonly Entry[]>
}

type Surroundings = Pick<Context, 'rooms' | 'catalogue'>

/** The context of one run: which form the answer has and whether a person is there follow from flags and streams. */
export function makeContext(world: World, flags: GlobalFlags, { rooms, catalogue }: Surroundings): Context {
  const { output, errors } = world.terminal
  const mode = outputMode(flags, output.isTerminal)
  const inJson = mode === 'json' || mode === 'jsonl'
  const settings = makeSettings(world, { snapshot: flags.snapshot, server: flags.server })
  const talk = makeTalk(errors, { held: inJson, verbose: flags.verbose, colors: flags.color && errors.colors })
  return {
    world,
    flags,
    settings,
    answer: makeAnswer(output, {
      mode,
      fields: flags.fields,
      header: flags.header,
      colors: flags.color && output.colors,
      note: talk.note
    }),
    talk,
    person: isPersonThere(world, flags),
    device: rooms.device,
    client: once(() => connect({ world, settings, talk, rooms })),
    rooms,
    catalogue
  }
}

function outputMode(flags: GlobalFlags, isTerminal: boolean): OutputMode {
  if (flags.jsonl) return 'jsonl'
  if (flags.json) return 'json'
  return isTerminal ? 'table' : 'tsv'
}

/** The one guard before every question: a terminal at both ends, no CI, and nobody said not to ask. */
function isPersonThere({ terminal, settings }: World, flags: GlobalFlags): boolean {
  const ci = settings.CI !== undefined && settings.CI !== '' && settings.CI !== 'false' && settings.CI !== '0'
  return flags.input && !ci && terminal.input.isTerminal && terminal.errors.isTerminal
}
