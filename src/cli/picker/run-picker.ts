import type { Context } from '../command/context.ts'
import type { Picked, PickSetup } from './make-picker.ts'

/** Whether this session can show a picker: a person is there, and the terminal can be drawn over. */
export function canPick({ person, world }: Pick<Context, 'person' | 'world'>): boolean {
  return person && world.terminal.drawsOver
}

/**
 * Lets the person choose from a list or tree on stderr. Undefined where the person leaves with Esc; Ctrl-C is a `cancelled`
 * fault. The picker and the package for prompts are loaded here, at first use.
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
