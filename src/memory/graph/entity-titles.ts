/** Words before a name that are no part of it, in the spelling that `entityKey` compares: without a final full stop. */
export const ARTICLES: ReadonlySet<string> = new Set(['the', 'a', 'an'])

/** Forms of address and academic titles. */
export const HONORIFICS: ReadonlySet<string> = new Set([
  ...['mr', 'mrs', 'ms', 'mx', 'miss', 'mister', 'madam', 'mme', 'mlle', 'herr', 'frau', 'señor', 'señora', 'sir'],
  ...['dr', 'doctor', 'prof', 'professor', 'rev', 'reverend', 'fr', 'hon', 'capt', 'captain', 'sgt', 'lt', 'col']
])
