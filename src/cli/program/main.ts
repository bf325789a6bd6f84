import type { World } from '../../ports.ts'
import { hasFlag } from '../command/global-options.ts'
import type { LazyModules } from '../ports/lazy-modules.ts'
import { reportFailure } from './report-failure.ts'
import { runCommand } from './run-command.ts'

/** Runs one command line and returns its exit code. No other code decides exit codes. */
export async function main(argv: readonly string[], world: World, modules: LazyModules): Promise<number> {
  try {
    await runCommand(argv, world, modules)
    return 0
  } catch (error) {
    const { errors } = world.terminal
    return await reportFailure(error, errors, {
      json: hasFlag(argv, '--json', '--jsonl'),
      debug: hasFlag(argv, '--debug'),
      colors: errors.colors && !hasFlag(argv, '--no-color')
    })
  }
}
