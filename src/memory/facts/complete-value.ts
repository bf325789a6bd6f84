import type { FactRecord } from '../../contract/snapshot.ts'
import type { Token } from '../language/token.ts'

/** The first and the last word of a value in its text. */
type Edges = { first: Token | undefined; last: Token | undefined }

/**
 * Completes the value of a fact from its text, and its span: the rest of a word that the tokenizer splits, and the marks
 * of a quotation. Removes what was cut off at its end. A value that ends inside a formula becomes empty.
 */
export function completeValue(fact: FactRecord, { first, last }: Edges, text: string): void {
  completeWord(fact, last, text)
  completeQuotation(fact, first, text)
  fact.value = dropOpenedClause(trimBrackets(fact.value))
}

/** Adds the rest of a word that the tokenizer splits: `Chart.js`, `v2.1`, `a thank-you`. */
function completeWord(fact: FactRecord, lastWord: Token | undefined, text: string): void {
  const [start, end] = fact.span
  if (lastWord?.end !== end) return
  if (!REST_MARKS.has(text.charAt(end))) return
  const isOpen = text.charAt(end) === ')' && /\([^)]*$/.test(fact.value)
  const rest = isOpen ? ')' : (REST_OF_WORD.exec(text.slice(end, end + REST_UNITS_MAX))?.[0] ?? '')
  if (rest === '') return
  fact.value += rest
  fact.span = [start, end + rest.length]
}

/** Removes the first words of a clause that is not part of the value: `a trip especially since`, `a tool which is`. */
function dropOpenedClause(value: string): string {
  const last = value.slice(value.lastIndexOf(' ') + 1)
  return CLAUSE_OPENINGS.has(last) ? value.replace(OPENED_CLAUSE, '') : value
}

/** The last words of `OPENED_CLAUSE`. */
const CLAUSE_OPENINGS = new Set(
  'hey yes yeah no well anyway since because although though whereas is was are were like such part way as'.split(' ')
)
const OPENED_CLAUSE =
  /,? (?:but|and) (?:hey|yes|yeah|no|well|oh well|anyway)$|(?:,? (?:especially|particularly|even|just|and|but|so))*,? (?:since|because|although|though|whereas|(?:which|that|who) (?:is|was|are|were))$| in a way$|,? such as$|, (?:like|such|(?:specifically|especially) the part)$|,? (?:and|but) according to .*$/

/** Removes a remark in brackets that is cut off; a value that ends inside a word or a formula becomes empty. */
function trimBrackets(value: string): string {
  if (!/[()]/.test(value)) return value
  const opened: number[] = []
  for (let at = 0; at < value.length; at++) {
    if (value[at] === '(') opened.push(at)
    else if (value[at] === ')' && opened.pop() === undefined) return ''
  }
  const [cut] = opened
  if (cut === undefined) return value
  return value[cut - 1] === ' ' ? value.slice(0, cut).trimEnd() : ''
}

/** Adds the mark that opens or closes a title: `is reading | "Emma" by Jane Austen`. */
function completeQuotation(fact: FactRecord, firstWord: Token | undefined, text: string): void {
  if (!/["“”`'‘’]/.test(fact.value)) return
  if ((fact.value.match(/`/g)?.length ?? 0) % 2 === 1 && text.charAt(fact.span[1]) === '`') {
    fact.value += '`'
    fact.span = [fact.span[0], fact.span[1] + 1]
  }
  const before = text.charAt((firstWord?.start ?? 0) - 1)
  const [start, end] = fact.span
  const after = text.charAt(end)
  const isTitle = (after === "'" || after === '’') && OPEN_TITLE.test(fact.value)
  if (isTitle || (before === '"' && after === '"' && /^[^"]*,?" .* "[^"]*$/.test(fact.value))) {
    fact.value = isTitle ? fact.value + after : before + fact.value + after
    fact.span = [start, end + 1]
    return
  }
  if ((fact.value.match(/["“”]/g)?.length ?? 0) % 2 === 0) return
  if (/["“]/.test(before)) fact.value = before + fact.value
  else if (/["”]/.test(after)) {
    fact.value += after
    fact.span = [start, end + 1]
  }
}

const OPEN_TITLE = /(?:^|\s)['‘][^'’]+(?:['’]\p{L}[^'’]*)?$/u
const REST_UNITS_MAX = 40
const REST_MARKS = new Set(['-', '.', '/', '_', ')'])
const REST_OF_WORD = /^(?:[-./_][\p{L}\p{N}]+)+/u

/** Removes a last phrase that only points somewhere: `some new shoes` of "some new shoes **after all these games**". */
export function dropPointer(fact: FactRecord): void {
  if (!MAYBE_POINTER.test(fact.value)) return
  const [pointer] = LAST_POINTER.exec(fact.value) ?? []
  const kept = fact.value.slice(0, -(pointer?.length ?? 0))
  // "never sold a boat **in this town**" denies less than "never sold a boat".
  const isPart = fact.negated === true || fact.rule?.startsWith('opinion.') === true || NEVER.test(fact.predicate)
  if (pointer === undefined || isPart || OPEN_END.test(kept)) return
  fact.value = kept
  fact.span = [fact.span[0], fact.span[1] - pointer.length]
}

/** A quick test for the words of such phrases. */
const MAYBE_POINTER = / th| (?:it|him)$/
const NEVER = /\b(?:never|not|hardly|rarely)\b|n['’]t\b/
const OPEN_END =
  /\b(?:something|anything|everything|was|were|is|are|over|looks?|sounds?|feels?|head|what|just|trouble|(?:time|hour|day|night|week|month|year)s?)$/
const LAST_POINTER =
  /(?<=\p{L}{3}) (?:there|like (?:this|that|these|those)|(?:in|on|at|with|for|from|after|before|during|through|around) (?:it|them|him|(?:all )?(?:these|those|this)(?! (?:days|week|month|year|morning|afternoon|evening|spring|summer|autumn|fall|winter|time|season|semester|weekend|mon|tues|wednes|thurs|fri|satur|sun)) \p{Ll}{3,}))$/u
