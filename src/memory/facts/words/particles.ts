/** Adverbs that belong to the verb before them: "grew **up**", "switched **over**". */
export const PARTICLES: ReadonlySet<string> = new Set(
  'up out off away back down over on in along around together through apart forward ahead aside about by'.split(' ')
)
