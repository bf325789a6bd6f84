/**
 * Weights of a logistic sum, by feature. Fitted by regression on how well facts agree with the gold tuples of CaRB's development
 * set (share of a fact's words that its best gold tuple has), features only, with a penalty on large weights; a weight of 1 makes a
 * fact about 2.7 times as likely. `node test/bench/extraction-eval.mjs` shows how well the result orders facts (AUC) there.
 */
export const CONFIDENCE_WEIGHTS: ReadonlyMap<string, number> = new Map([
  ['base', -0.05],
  ['apposition.is', -0.13],
  ['apposition.role', -0.42],
  ['clause.adjunct', -0.44],
  ['clause.adverbial', -0.1],
  ['clause.coordinate', 0.2],
  ['clause.first', 0.13],
  ['clause.opening', 0.31],
  ['clause.participle', -0.35],
  ['clause.passive', 0.69],
  ['clause.plain', 0.5],
  ['clause.relative', -0.19],
  ['copula.is', -0.03],
  ['copula.seems', 0.37],
  ['possessive.has', -1.6],
  ['predicate.modal', 0.03],
  ['predicate.next', -0.14],
  ['report.said', 1.18],
  ['sentence.long', -0.24],
  ['sentence.short', 0.14],
  ['subject.long', -0.08],
  ['subject.name', 0.27],
  ['subject.opens', 0.18],
  ['subject.pronoun', -0.05],
  ['value.comma', -0.67],
  ['value.determined', 0.13],
  ['value.long', 0.01],
  ['value.longest', -0.51],
  ['value.middle', 0.34],
  ['value.short', -0.15],
  ['value.verb', -0.41]
])
