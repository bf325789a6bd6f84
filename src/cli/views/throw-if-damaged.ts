import { Fault } from '../../contract/faults.ts'
import type { Damage } from '../../device/device.ts'
import type { Context } from '../command/context.ts'
import { formatCount, shellWord } from '../output/short-forms.ts'

/** Damaged lines that are named one by one; the rest is counted. */
const NAMED_MAX = 20
/** In the one line that JSON mode leaves. */
const NAMED_IN_LINE_MAX = 5

/** Names the damaged lines that an answer had to do without, and throws the fault that makes the exit code. */
export async function throwIfDamaged(context: Context, damaged: readonly Damage[], path: string): Promise<void> {
  if (damaged.length === 0) return
  await showDamage(context, damaged)
  const verify = `memctl device verify --snapshot ${shellWord(path)}`
  throw new Fault('invalid_snapshot', damageSentence(damaged, path), { hint: verify, next: [verify] })
}

/** A line on stderr for each, as far as a person wants to read; in JSON mode nothing but the error line comes. */
export async function showDamage({ diagnostics }: Context, damaged: readonly Damage[]): Promise<void> {
  const named = damaged.slice(0, NAMED_MAX).map((one) => [`line ${one.line}: ${one.reason}`])
  const more = damaged.length - named.length
  await diagnostics.show(more > 0 ? [...named, [`and ${formatCount(more, 'more line')}`]] : named)
}

function damageSentence(damaged: readonly Damage[], path: string): string {
  return `${path} has ${describeDamage(damaged, damaged.length)}; the sound rest was served`
}

/** How many lines are damaged, and of the first ones which and why. */
export function describeDamage(listed: readonly Damage[], count: number): string {
  const named = listed.slice(0, NAMED_IN_LINE_MAX).map((one) => `line ${one.line}: ${one.reason}`)
  const more = count > named.length ? '; …' : ''
  return `${formatCount(count, 'damaged line')} (${named.join('; ')}${more})`
}
