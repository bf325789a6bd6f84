import type { Item } from './port/format.ts'
import { ITEM_KINDS, type ItemKind, LOSS_REASONS, type LossReason } from './port/losses.ts'

/** The number of items of a kind, and their outcomes: `seen = taken + merged + left_out`. */
export type KindCounts = { seen: number; taken: number; merged: number; left_out: number }

/** Why items of a kind were left out, with the paths of the first ones. */
export type Loss = { kind: ItemKind; reason: LossReason; count: number; examples: string[] }

export type AccountReport = KindCounts & {
  kinds: Partial<Record<ItemKind, KindCounts>>
  /** By kind and reason, the most frequent first. */
  losses: Loss[]
}

/** The maximum number of examples kept for each kind and reason. */
const EXAMPLES_MAX = 20
const EXAMPLE_UNITS_MAX = 300

/** Counts items. */
type Account = {
  add(item: Item): void
  report(): AccountReport
}

/** Creates an account, in which every item is counted once, so that the numbers always add up. */
export function createAccount(): Account {
  const kinds = new Map<ItemKind, KindCounts>()
  const losses = new Map<string, Loss>()

  const countLoss = (kind: ItemKind, reason: LossReason, { count, path }: { count: number; path: string }): void => {
    const key = `${kind} ${reason}`
    const loss = losses.get(key) ?? { kind, reason, count: 0, examples: [] }
    losses.set(key, loss)
    loss.count += count
    if (loss.examples.length < EXAMPLES_MAX) loss.examples.push(path.slice(0, EXAMPLE_UNITS_MAX).toWellFormed())
  }

  return {
    add(item) {
      const counts = kinds.get(item.kind) ?? { seen: 0, taken: 0, merged: 0, left_out: 0 }
      kinds.set(item.kind, counts)
      const count = 'lines' in item ? 1 : (item.count ?? 1)
      counts.seen += count
      if ('lines' in item) counts.taken += 1
      else if ('merged' in item) counts.merged += count
      else {
        counts.left_out += count
        countLoss(item.kind, item.leftOut, { count, path: item.path })
      }
    },
    report: () => ({
      ...sumCounts([...kinds.values()]),
      kinds: Object.fromEntries([...kinds].sort(([one], [other]) => (one < other ? -1 : 1))),
      losses: [...losses.values()].sort(
        (one, other) =>
          other.count - one.count || (`${one.kind} ${one.reason}` < `${other.kind} ${other.reason}` ? -1 : 1)
      )
    })
  }
}

function sumCounts(all: readonly KindCounts[]): KindCounts {
  const sum = { seen: 0, taken: 0, merged: 0, left_out: 0 }
  for (const { seen, taken, merged, left_out } of all) {
    sum.seen += seen
    sum.taken += taken
    sum.merged += merged
    sum.left_out += left_out
  }
  return sum
}

/** Describes a report in one line, as in `taken 1,204 of 1,377; left out: 141 tool calls, 22 images, 10 empty`. */
export function describeAccount({ seen, taken, merged, losses }: AccountReport): string {
  const reasons = new Map<LossReason, number>()
  for (const { reason, count } of losses) reasons.set(reason, (reasons.get(reason) ?? 0) + count)
  const parts = [...reasons]
    .sort(([, one], [, other]) => other - one)
    .map(([reason, count]) => describeLoss(reason, count))
  return [
    `taken ${formatNumber(taken)} of ${formatNumber(seen)}`,
    ...(merged > 0 ? [`merged: ${formatNumber(merged)} ${merged === 1 ? 'duplicate' : 'duplicates'}`] : []),
    ...(parts.length > 0 ? [`left out: ${parts.join(', ')}`] : [])
  ].join('; ')
}

function describeLoss(reason: LossReason, count: number): string {
  const [one, several] = LOSS_REASONS[reason]
  return `${formatNumber(count)} ${count === 1 ? one : several}`
}

/** Describes the counts of one kind, as in `1,204 of 1,377 messages`. */
export function describeKind(kind: ItemKind, { seen, taken }: KindCounts): string {
  const [one, several] = ITEM_KINDS[kind]
  return `${formatNumber(taken)} of ${formatNumber(seen)} ${seen === 1 ? one : several}`
}

function formatNumber(count: number): string {
  return count.toLocaleString('en-US')
}
