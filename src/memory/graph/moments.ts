import type { Claim } from './claim.ts'
import { byText } from './claim-order.ts'

/** All that is said for one time, by value. */
export type Moment = {
  /** Undefined: nobody knows when. Comes last. */
  time: string | undefined
  said: Map<string, Claim[]>
  denied: Map<string, Claim[]>
  hedged: Map<string, Claim[]>
  ended: Set<string>
}

/** Claims by the time for which they are made, the earliest first. The order of claims is kept within a moment. */
export function moments(claims: readonly Claim[], endings: readonly Claim[]): Moment[] {
  const byTime = new Map<string | undefined, Moment>()
  for (const claim of claims) {
    for (const time of claim.until === undefined ? [claim.from] : [claim.from, claim.until]) {
      const moment = momentAt(byTime, time)
      if (claim.modality !== undefined) put(moment.hedged, `${claim.modality} ${claim.isDenied} ${claim.value}`, claim)
      else put(claim.isDenied ? moment.denied : moment.said, claim.value, claim)
    }
  }
  for (const { from, value } of endings) if (from !== undefined) momentAt(byTime, from).ended.add(value)
  return [...byTime.values()].sort((a, b) => byText(a.time ?? AFTER_ALL, b.time ?? AFTER_ALL))
}

const AFTER_ALL = '~'

function momentAt(moments: Map<string | undefined, Moment>, time: string | undefined): Moment {
  const found = moments.get(time)
  if (found !== undefined) return found
  const made = { time, said: new Map(), denied: new Map(), hedged: new Map(), ended: new Set<string>() }
  moments.set(time, made)
  return made
}

function put<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [item])
  else list.push(item)
}
