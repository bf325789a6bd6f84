import { Fault } from '../../contract/faults.ts'
import type { Damage } from '../../device/device.ts'
import type { Context } from '../command/context.ts'
import { formatCount, shellWord } from '../output/short-forms.ts'

/** Maximum number of damaged lines that are listed; the rest is counted. */
const NAMED_MAX = 20
/** Maximum number of damaged lines in an error message. */
const NAMED_IN_LINE_MAX = 5

/** Lists the damaged lines that were skipped on stderr, and throws the fault with the exit code. */
export async function throwIfDamaged(context: Context, damaged: readonly Damage[], path: string): Promise<void> {
  if (damaged.length === 0) return
  await showDamage(context, damaged)
  const verify = `memctl device verify --snapshot ${shellWord(path)}`
  throw new Fault('invalid_snapshot', damageSentence(damaged, path), { hint: verify, next: [verify] })
}

/** Lists damaged lines on stderr, except in JSON mode. */
export async function showDamage({ diagnostics }: Context, damaged: readonly Damage[]): Promise<void> {
  const named = damaged.slice(0, NAMED_MAX).map((one) => [`line ${one.line}: ${one.reason}`])
  const more = damaged.length - named.length
  await diagnostics.show(more > 0 ? [...named, [`and ${formatCount(more, 'more line')}`]] : named)
}

function damageSentence(damaged: readonly Damage[], path: string): string {
  return `${path} has ${describeDamage(damaged, damaged.length)}; the results come from the valid lines`
}

/** Formats the number of damaged lines, with number and reason of the first ones. */
export function describeDamage(listed: readonly Damage[], count: number): string {
  const named = listed.slice(0, NAMED_IN_LINE_MAX).map((one) => `line ${one.line}: ${one.reason}`)
  const more = count > named.length ? '; …' : ''
  return `${formatCount(count, 'damaged line')} (${named.join('; ')}${more})`
}
