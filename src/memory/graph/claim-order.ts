import type { Claim } from './claim.ts'

/** The most confident claim first, then the earliest; the rest only so that any order of claims is sorted alike. */
export function compareClaims(a: Claim, b: Claim): number {
  const [one, other] = [a.stated, b.stated]
  return (
    confidenceOf(b) - confidenceOf(a) ||
    byText(one.source.at, other.source.at) ||
    byText(one.source.id, other.source.id) ||
    one.fact.span[0] - other.fact.span[0] ||
    one.fact.span[1] - other.fact.span[1] ||
    byText(wording(a), wording(b))
  )
}

/** Where a rule says nothing of itself. */
const CONFIDENCE_OTHERWISE = 0.5

/** 0..1. */
export function confidenceOf({ stated }: Claim): number {
  return stated.fact.confidence ?? CONFIDENCE_OTHERWISE
}

/** Texts by their UTF-16 code units, which is the same everywhere. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function wording({ stated: { fact } }: Claim): string {
  return [fact.subject, fact.predicate, fact.value, fact.rule].join('\u0000')
}
