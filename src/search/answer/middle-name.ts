import { entityKey } from '../../memory/graph/entity-key.ts'
import { fullForms, isFirstName } from '../../memory/graph/nicknames.ts'

/**
 * The name in the subject or the value of a fact by which other facts may be joined to it; undefined where there is none.
 *
 *     Northwind            -> Northwind
 *     Ada's sister Eva     -> Eva
 *     her sister Eva       -> Eva
 *     Northwind in May     -> Northwind
 *     She, Ada's friends   -> undefined
 */
export function middleName(text: string): string | undefined {
  if (text.length > NAME_UNITS_MAX) return undefined
  const whole = APPOSITION.exec(text)?.groups?.name ?? text
  const name = BEFORE_MORE.exec(whole)?.groups?.name ?? whole
  return NAME.test(name) && !PRONOUN.test(name) && name.split(' ').length <= NAME_WORDS_MAX ? name : undefined
}

const NAME_UNITS_MAX = 80
const NAME_WORDS_MAX = 5

/** A name after what it is: `Ada's elder sister Eva`, `the painter Mo Lin`. */
const APPOSITION =
  /^(?:(?:[Mm]y|[Yy]our|[Hh]is|[Hh]er|[Ii]ts|[Oo]ur|[Tt]heir|[Tt]he|[Aa]n?)|.{1,60}['’]s?) (?:\p{Ll}[\p{L}-]* ){1,3}(?<name>\p{Lu}.*)$/u
/** A name before when, where or how: `Porto last spring`, `Northwind as a driver`. */
const BEFORE_MORE =
  /^(?<name>.*?\p{L}[.'"”’)]?),? (?:in|on|at|as|for|from|to|with|near|since|until|by|into|last|this|next|every|yesterday|today|tomorrow|now|again|too|also|already|recently|soon|together)(?: .*)?$/u
/** Words with capitals or figures, and small words between them; letters without case may be a name. */
const NAME =
  /^(?=.*\p{L})(?:[Tt]he )?["'“‘]?[\p{Lu}\p{Lo}\p{N}][\p{L}\p{M}\p{N}.'’&+-]*(?: (?:of|the|and|de|del|di|da|la|le|van|von|der|den|al|bin|&|["'“(]?[\p{Lu}\p{Lo}\p{N}][\p{L}\p{M}\p{N}.'’&+-]*))*["'”’)]?$/u
const PRONOUN = /^(?:I|you|he|she|it|we|they|him|her|them|us|this|that|these|those|there|here|who|one)$/iu

/** Names under which others may speak of the same: the whole, the first name, and what a short form may stand for. */
export function otherNames(name: string): string[] {
  const key = entityKey(name)
  const [first = key, ...rest] = key.split(' ')
  const names = rest.length > 0 && isFirstName(first) ? [key, first] : [key]
  return [...new Set([...names, ...(isFirstName(first) ? fullForms(first) : [])])]
}
