import type { Context } from '../command/context.ts'
import type { Picked, PickSetup } from './make-picker.ts'

/** Checks whether the session can show a picker: it is interactive, and its terminal can be redrawn. */
export function canPick({ person, world }: Pick<Context, 'person' | 'world'>): boolean {
  return person && world.terminal.drawsOver
}

/**
 * Lets the user select from a list or tree on stderr. Returns undefined if the user leaves with Esc, and rejects with a
 * `cancelled` fault on Ctrl-C. Loads the picker lazily.
 */
export async function runPicker(context: Context, setup: PickSetup): Promise<Picked | undefined> {
  const { terminal } = context.world
  const [{ makePicker }, { makePage }] = await Promise.all([
    import('./make-picker.ts'),
    import('../output/styled-line.ts')
  ])
  const colors = context.flags.color && terminal.errors.colors
  const { width } = await makePage({ output: terminal.errors, options: { colors } })
  const picker = makePicker(setup, { colors, width })
  await terminal.interact(picker.interaction).finally(picker.close)
  return picker.result()
}
