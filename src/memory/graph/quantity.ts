/** What a number counts: the words after it, `euros` of `950 euros`; undefined of what is no plain number. */
export function countedIn(value: string): string | undefined {
  if (value.length > VALUE_UNITS) return undefined
  const { before = '', unit } = QUANTITY.exec(value)?.groups ?? {}
  return unit === undefined ? undefined : `${before}${unit}`.trim().toLowerCase()
}

/** Longer ones are told in sentences. In UTF-16 code units. */
const VALUE_UNITS = 40

const QUANTITY = /^(?<before>[€$£¥]?) ?\d[\d.,:]*(?<unit>(?: ?[\p{L}%€$£¥°²³]+){0,3})$/u

/** One thing that has one number at a time: `the rent`, `Ann's rent`; not several, nor one of many. */
export function isOneThing(subject: string): boolean {
  return ONE_THING.test(subject)
}

const ONE_THING = /^(?:(?:the|this|that|my|our|your|his|her|its|their) |.{1,80}['’]s )[^,]{0,60}(?:[^s,]|ss)$/iu
