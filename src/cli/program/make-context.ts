import type { World } from '../../ports.ts'
import type { Context } from '../command/context.ts'
import type { GlobalFlags } from '../command/global-options.ts'
import { makeAnswer, type OutputMode } from '../output/answer.ts'
import { makeTalk } from '../output/talk.ts'
import { type LazyModules, once } from '../ports/lazy-modules.ts'
import { openClient } from '../service/open-client.ts'
import { makeSettings } from '../settings/settings.ts'

/** The context of one run: which form the answer has and whether a person is there follow from flags and streams. */
export function makeContext(world: World, flags: GlobalFlags, modules: LazyModules): Context {
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
    device: modules.device,
    client: once(() => openClient({ world, settings, talk, modules })),
    modules
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
