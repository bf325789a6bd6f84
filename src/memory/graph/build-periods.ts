import { type Claim, compareClaims, compareText } from './claim.ts'

/** A period for which equal claims hold. */
export type Period = {
  claims: Claim[]
  /** UTC; undefined if no source has a time. */
  from: string | undefined
  /** First instant after the period, UTC; undefined if nothing has ended it. */
  to: string | undefined
  /** Contradicting periods of the same time. */
  against: Set<Period>
}

/** All claims about one subject with one predicate class. */
export type Bucket = {
  claims: Claim[]
  /** Claims of other predicates that end these: `left Acme`. */
  endings: Claim[]
}

/**
 * Computes when each claim of a bucket holds. Claims are processed in order of time. A later value of a single-valued
 * predicate ends the previous value, and a later denial ends what it denies. A claim repeated after its end starts a
 * new period. Different values for one time from different sources contradict each other. The result does not depend on
 * the order of the claims.
 */
export function buildPeriods({ claims, endings }: Bucket): Period[] {
  const over = claims.filter(isOver)
  if (over.length > 0) {
    const others = claims.filter((claim) => !isOver(claim))
    return [...buildPastPeriods(over), ...(others.length === 0 ? [] : buildPeriods({ claims: others, endings }))]
  }
  if (claims.length === 1 && endings.length === 0) return [createPeriod(claims, claims[0]?.from)]
  const walk: Walk = { periods: [], open: new Map(), loose: new Map(), denied: new Map(), last: new Map() }
  for (const moment of groupByMoment([...claims].sort(compareClaims), endings)) {
    if (moment.time === undefined) takeUndated(walk, moment)
    else takeMoment(walk, moment)
  }
  return walk.periods
}

/** Recognises a claim about something that was already over. */
function isOver({ over, isDenied, modality }: Claim): boolean {
  return over !== undefined && !isDenied && modality === undefined
}

/** Builds one period per value for `used to live in Rome`; it ends at the earliest time of such a claim. */
function buildPastPeriods(claims: readonly Claim[]): Period[] {
  const periods = new Map<string, Period>()
  for (const claim of [...claims].sort(compareClaims)) {
    const { began, by } = claim.over ?? {}
    const known = periods.get(claim.value)
    if (known === undefined) periods.set(claim.value, { ...createPeriod([claim], began), to: by })
    else {
      known.claims.push(claim)
      if (by !== undefined && by < (known.to ?? by)) known.to = by
      known.from ??= began
    }
  }
  return [...periods.values()]
}

type Walk = {
  periods: Period[]
  /** Open periods by value: those that compete with other values, and those that do not. */
  open: Map<string, Period>
  loose: Map<string, Period>
  denied: Map<string, Period>
  /** The latest period of each value, ended or not, including hedged ones. */
  last: Map<string, Period>
}

/** Maximum number of values of one time that are compared with each other, far more than a real text states. */
const COMPARED_MAX = 50

function takeMoment(walk: Walk, { time = '', said, denied, hedged, ended }: Moment): void {
  const over = supersede(walk, said, time)
  const begun = [...said].map(([value, claims]) => assertValue(walk, value, { claims, time }))
  markContradictions(begun)
  for (const period of over) if (isFixed(period)) for (const other of listRivals(begun)) markOpposed(period, other)
  for (const [value, claims] of denied) denyValue(walk, value, { claims, time, isSaid: said.has(value) })
  for (const value of ended) {
    for (const period of findMatching(walk, value))
      if (!said.has(value) && (period.from ?? '') < time) endPeriod(walk, period, time)
  }
  for (const [key, claims] of hedged) joinPeriod(walk, walk.last, { key: `?${key}`, claims, time })
}

type Saying = { claims: readonly Claim[]; time: string | undefined }

/** Ends the periods that compete with the current claims, and returns them. */
function supersede(walk: Walk, said: Moment['said'], time: string): Period[] {
  if (walk.open.size === 0) return []
  const rivals = [...said.values()].flatMap(
    (claims) => claims.find((claim) => competes(claim) && isMove(claim)) ?? claims.find(competes) ?? []
  )
  if (rivals.length === 0) return []
  const compared = rivals.sort((a, b) => compareText(a.value, b.value)).slice(0, COMPARED_MAX)
  const over = [...walk.open.values()].filter(
    ({ claims: [claim] }) => claim !== undefined && !compared.some((rival) => staysBeside(claim, rival))
  )
  for (const period of over) endPeriod(walk, period, time)
  return over
}

function isFixed({ claims: [claim] }: Period): boolean {
  return claim?.meaning.isFixed === true
}

/** Returns the competing periods, up to the maximum that is compared. */
function listRivals(periods: readonly Period[]): Period[] {
  return periods.filter(({ claims }) => claims.some(competes)).slice(0, COMPARED_MAX)
}

function competes({ meaning, isName }: Claim): boolean {
  return meaning.isSingle && (isName || !meaning.ofNames)
}

/** Longer values must be equal to match. In UTF-16 code units. */
const CLOSER_UNITS = 80

/** Checks whether values are equal or one is more specific: `Rome` and `Rome, Italy`. */
function isCloser(a: Claim, b: Claim): boolean {
  if (a.value === b.value) return true
  const [short, long] = a.value.length < b.value.length ? [a.value, b.value] : [b.value, a.value]
  if (long.length > CLOSER_UNITS) return false
  return long.startsWith(short) && (long[short.length] === ',' || (a.meaning.ofNames && long[short.length] === ' '))
}

function staysBeside(held: Claim, rival: Claim): boolean {
  return isMove(rival) ? isCloser(held, rival) : isBeside(held, rival)
}

/** Checks whether both can hold at once: a town and a country. */
function isBeside(a: Claim, b: Claim): boolean {
  return isCloser(a, b) || (a.meaning.ofPlaces && isRegion(a.value) !== isRegion(b.value))
}

/** Recognises a move, which also ends the stay in a country. */
function isMove({ meaning }: Claim): boolean {
  return meaning.otherwise !== undefined
}

function assertValue(walk: Walk, value: string, { claims, time }: Saying): Period {
  const isRival = claims.some(competes)
  const held = walk.loose.get(value)
  if (held !== undefined && isRival) {
    walk.loose.delete(value)
    walk.open.set(value, held)
  }
  const denial = walk.denied.get(value)
  if (denial !== undefined && (denial.from ?? '') < (time ?? '')) {
    denial.to = time
    walk.denied.delete(value)
  }
  const places = walk.open.has(value) || isRival ? walk.open : walk.loose
  const period = joinPeriod(walk, places, { key: value, claims, time })
  walk.last.set(value, period)
  return period
}

/** Adds claims to the open period of a key, or starts one. */
function joinPeriod(walk: Walk, places: Map<string, Period>, { key, claims, time }: Saying & { key: string }): Period {
  const found = places.get(key)
  if (found !== undefined) {
    for (const claim of claims) found.claims.push(claim)
    return found
  }
  const made = createPeriod([...claims], time)
  places.set(key, made)
  walk.periods.push(made)
  return made
}

function createPeriod(claims: Claim[], from: string | undefined): Period {
  return { claims, from, to: undefined, against: new Set() }
}

/** Applies a denial: it ends earlier claims and contradicts those of the same time. */
function denyValue(walk: Walk, value: string, { claims, time, isSaid }: Saying & { isSaid: boolean }): void {
  const denial = joinPeriod(walk, walk.denied, { key: value, claims, time })
  for (const period of findMatching(walk, value)) {
    if (isSaid || (period.from ?? '') >= (time ?? '')) markOpposed(denial, period)
    else endPeriod(walk, period, time)
  }
}

/** Returns the open periods with this value or a more specific one. */
function findMatching({ open, loose }: Walk, value: string): Period[] {
  const exact = open.get(value) ?? loose.get(value)
  if (exact !== undefined) return [exact]
  if (open.size > COMPARED_MAX) return []
  return [...open.values()].filter(({ claims: [claim] }) => claim !== undefined && isCloser(claim, { ...claim, value }))
}

function endPeriod(walk: Walk, period: Period, time: string | undefined): void {
  period.to = time
  const value = period.claims[0]?.value ?? ''
  walk.open.delete(value)
  walk.loose.delete(value)
}

function markOpposed(a: Period, b: Period): void {
  a.against.add(b)
  b.against.add(a)
}

/** Marks different values of one time as contradictions, except values that one source lists together. */
function markContradictions(periods: readonly Period[]): void {
  const rivals = listRivals(periods)
  for (const [at, one] of rivals.entries()) {
    for (const other of rivals.slice(at + 1)) if (isOtherwise(one, other)) markOpposed(one, other)
  }
}

function isOtherwise(one: Period, other: Period): boolean {
  const [a, b] = [one.claims[0], other.claims[0]]
  if (a === undefined || b === undefined || isBeside(a, b)) return false
  const ids = new Set(one.claims.map(({ stated }) => stated.source.id))
  return !other.claims.some(({ stated }) => ids.has(stated.source.id))
}

/** Adds claims without a time: they support dated claims, end nothing, and contradict other open values. */
function takeUndated(walk: Walk, { said, denied, hedged }: Moment): void {
  const dated = [...walk.open.values()]
  const begun: Period[] = []
  for (const [value, claims] of said) {
    const known = walk.last.get(value)
    if (known !== undefined) for (const claim of claims) known.claims.push(claim)
    else begun.push(assertValue(walk, value, { claims, time: undefined }))
  }
  markContradictions([...begun, ...dated])
  for (const [value, claims] of denied) denyValue(walk, value, { claims, time: undefined, isSaid: true })
  for (const [key, claims] of hedged) joinPeriod(walk, walk.last, { key: `?${key}`, claims, time: undefined })
}

/** All claims for one time, by value. */
type Moment = {
  /** Undefined if unknown; sorted last. */
  time: string | undefined
  said: Map<string, Claim[]>
  denied: Map<string, Claim[]>
  hedged: Map<string, Claim[]>
  ended: Set<string>
}

/** Groups claims by the time they are about, earliest first. Keeps the order of claims within a moment. */
function groupByMoment(claims: readonly Claim[], endings: readonly Claim[]): Moment[] {
  const byTime = new Map<string | undefined, Moment>()
  for (const claim of claims) {
    for (const time of claim.until === undefined ? [claim.from] : [claim.from, claim.until]) {
      const moment = openMoment(byTime, time)
      if (claim.modality !== undefined)
        appendTo(moment.hedged, `${claim.modality} ${claim.isDenied} ${claim.value}`, claim)
      else appendTo(claim.isDenied ? moment.denied : moment.said, claim.value, claim)
    }
  }
  for (const { from, value } of endings) if (from !== undefined) openMoment(byTime, from).ended.add(value)
  return [...byTime.values()].sort((a, b) => compareText(a.time ?? AFTER_ALL, b.time ?? AFTER_ALL))
}

const AFTER_ALL = '~'

function openMoment(moments: Map<string | undefined, Moment>, time: string | undefined): Moment {
  const found = moments.get(time)
  if (found !== undefined) return found
  const made = { time, said: new Map(), denied: new Map(), hedged: new Map(), ended: new Set<string>() }
  moments.set(time, made)
  return made
}

function appendTo<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [item])
  else list.push(item)
}

/** Checks whether a key names a country, a part of one or a continent: a resident of Oslo may also live in Norway. */
function isRegion(key: string): boolean {
  return REGIONS.has(key)
}

/** Names in the form of `toEntityKey`, without those that are better known as towns or first names. */
const REGIONS: ReadonlySet<string> = new Set(
  [
    'afghanistan,albania,algeria,angola,argentina,armenia,australia,austria,azerbaijan,bahrain,bangladesh,belarus',
    'belgium,belize,benin,bhutan,bolivia,bosnia,botswana,brazil,bulgaria,burkina faso,burundi,cambodia,cameroon,canada',
    'chile,china,colombia,congo,costa rica,croatia,cuba,cyprus,czechia,czech republic,denmark,dominican republic,ecuador',
    'egypt,el salvador,england,eritrea,estonia,ethiopia,fiji,finland,france,gabon,gambia,germany,ghana,greece,greenland',
    'guatemala,guinea,guyana,haiti,honduras,hungary,iceland,india,indonesia,iran,iraq,ireland,israel,italy,ivory coast',
    'jamaica,japan,kazakhstan,kenya,kosovo,kuwait,kyrgyzstan,laos,latvia,lebanon,liberia,libya,lithuania,madagascar',
    'malawi,malaysia,mali,malta,mauritius,mexico,moldova,mongolia,montenegro,morocco,mozambique,myanmar,namibia,nepal',
    'netherlands,new zealand,nicaragua,niger,nigeria,north korea,north macedonia,northern ireland,norway,oman,pakistan',
    'palestine,papua new guinea,paraguay,peru,philippines,poland,portugal,qatar,romania,russia,rwanda,saudi arabia',
    'scotland,senegal,serbia,sierra leone,slovakia,slovenia,somalia,south africa,south korea,south sudan,spain,sri lanka',
    'sudan,suriname,sweden,switzerland,syria,taiwan,tajikistan,tanzania,thailand,togo,trinidad,tunisia,turkey,türkiye',
    'turkmenistan,uganda,uk,ukraine,united arab emirates,united kingdom,united states,united states of america,uruguay',
    'us,usa,u.s,u.s.a,uzbekistan,venezuela,vietnam,wales,yemen,zambia,zimbabwe',
    'africa,asia,europe,north america,south america,latin america,central america,middle east,scandinavia',
    'alabama,alaska,arizona,arkansas,california,colorado,connecticut,delaware,florida,hawaii,idaho,illinois,indiana,iowa',
    'kansas,kentucky,louisiana,maine,maryland,massachusetts,michigan,minnesota,mississippi,missouri,montana,nebraska',
    'nevada,new hampshire,new jersey,new mexico,north carolina,north dakota,ohio,oklahoma,oregon,pennsylvania',
    'rhode island,south carolina,south dakota,tennessee,texas,utah,vermont,west virginia,wisconsin,wyoming',
    'bavaria,saxony,tuscany,sicily,provence,normandy,brittany,catalonia,andalusia,ontario,british columbia,alberta'
  ].flatMap((line) => line.split(','))
)
