import type { Claim } from './claim.ts'

/**
 * Claims with `joined` and the like read as what they are where the one who was joined is a person: who joins Ann does
 * not work at Ann. Who people are, the claims themselves tell: they live and work somewhere, and nobody works at them.
 */
export function withPeopleJoined(claims: readonly Claim[]): readonly Claim[] {
  if (!claims.some(isOfEmployer)) return claims
  const people = new Set(claims.filter(isOfPerson).map(({ subject }) => subject))
  for (const { predicate, meaning, value } of claims)
    if (predicate === EMPLOYER && meaning.otherwise === undefined) people.delete(value)
  return claims.map((claim) => {
    const { otherwise } = claim.meaning
    if (otherwise === undefined || !isOfEmployer(claim) || !people.has(claim.value)) return claim
    return { ...claim, predicate: otherwise.key, meaning: otherwise }
  })
}

const EMPLOYER = 'works_at'

function isOfEmployer({ predicate, meaning }: Claim): boolean {
  return predicate === EMPLOYER && meaning.otherwise !== undefined
}

/** What only people do; `moved to` and `joined` are said of things too. */
function isOfPerson({ predicate, meaning }: Claim): boolean {
  return OF_PEOPLE.has(predicate) && meaning.otherwise === undefined
}

const OF_PEOPLE = new Set(['lives_in', 'works_at', 'studies_at', 'married_to', 'birthday'])
