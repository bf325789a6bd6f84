/**
 * Checks whether a section of text should be read by the rules for English sentences. Guesses by its function words:
 * short or unusual texts count as English unless they show another language. Text mostly in another script never does,
 * and parts of names are ignored.
 */
export function isEnglish(text: string): boolean {
  const sample = text.slice(0, SAMPLE_UNITS)
  if (!isMostlyLatin(sample)) return false
  // A language that shares all these words with English cannot lead.
  if (!hasForeignWord(sample)) return true
  const shown = countEvidence(sample)
  const english = shown.get('english') ?? 0
  return Math.max(0, ...shown.values()) <= english + MARGIN
}

/** Checks that a text has letters, and enough of them in Latin script. */
function isMostlyLatin(sample: string): boolean {
  if (!BEYOND_ASCII.test(sample)) return /[a-z]/i.test(sample)
  const letters = sample.match(LETTER)?.length ?? 0
  const latin = sample.match(LATIN)?.length ?? 0
  return letters > 0 && latin >= letters * LATIN_SHARE_MIN
}

const BEYOND_ASCII = /[^\0-\x7f]/
const LETTER = /\p{L}/gu
const LATIN = /\p{Script=Latin}/gu

/** Checks for a function word of another language that English lacks. */
function hasForeignWord(sample: string): boolean {
  return (
    sample
      .toLowerCase()
      .match(WORD)
      ?.some((word) => FOREIGN_WORDS.has(word)) === true
  )
}

/**
 * Counts the evidence for each language: its function words, with half weight for words that may also be English or
 * names.
 */
function countEvidence(sample: string): Map<string, number> {
  const shown = new Map<string, number>()
  let english = 0
  let isAfterEnglish = true
  for (const { 0: written, index } of sample.matchAll(WORD)) {
    const word = written.toLowerCase().replace('’', "'")
    const languages = findLanguages(word)
    const isOfEnglish = languages.includes(ENGLISH)
    if (isOfEnglish) english++
    const isOfOther = languages.length > (isOfEnglish ? 1 : 0)
    if (isOfOther && !isInName(sample, { written, word, index })) {
      const weight = isAfterEnglish && AMBIGUOUS_WORDS.has(written) ? AMBIGUOUS : 1
      for (const language of languages) shown.set(language, (shown.get(language) ?? 0) + weight)
    }
    isAfterEnglish = isOfEnglish || CAPITALISED.test(written)
  }
  return shown.set(ENGLISH, english)
}

/** Returns the languages that a word is evidence for. */
function findLanguages(word: string): readonly string[] {
  if (word.endsWith("'s") && ENGLISH_GENITIVE.test(word)) return ONLY_ENGLISH
  return LANGUAGES.get(word) ?? NONE
}

const ENGLISH = 'english'
const ONLY_ENGLISH: readonly string[] = [ENGLISH]
const NONE: readonly string[] = []
const WORD = /[\p{L}'’]+/gu

/** `Ann's`; Dutch also has the apostrophe, but after vowels. */
const ENGLISH_GENITIVE = /^\p{L}+[^aeiouy\P{L}]'s$/u

type Place = { written: string; word: string; index: number }

/**
 * Recognises words inside names: `Die` in `we watched Die Hard`, `de la` in `Juan de la Cruz`, `Las` in `Las Vegas`.
 */
function isInName(sample: string, { written, word, index }: Place): boolean {
  const before = sample.slice(Math.max(0, index - AROUND_UNITS), index)
  const opens = SENTENCE_START.test(before)
  if (CAPITALISED.test(written) && !opens) return true
  if (!(opens ? NAME_OPENERS : NAME_PARTICLES).has(word)) return false
  return (opens || AFTER_NAME.test(before)) && BEFORE_NAME.test(sample.slice(index + word.length, index + AROUND_UNITS))
}

/** Number of UTF-16 code units considered on either side of a word. */
const AROUND_UNITS = 40

/** Capitalised as names and titles are. Words entirely in capitals do not count. */
const CAPITALISED = /^\p{Lu}['’]?\p{Ll}/u
const SENTENCE_START = /(?:^|[\n.!?:;…"'“”„«»‘([{*_>|¿¡–—-])\s*$/u

/** Words between the parts of a name: `Juan de la Cruz`, `Vincent van den Berg`. */
const NAME_PARTICLES: ReadonlySet<string> = new Set(
  'da das de del della den der des di do dos du el la las le les los ten ter van von zu'.split(' ')
)

const PARTICLES = `(?:(?:${[...NAME_PARTICLES].join('|')}) ){0,2}`
const AFTER_NAME = new RegExp(`(?:^|[^\\p{L}])\\p{Lu}[\\p{L}'’]* ${PARTICLES}$`, 'u')
const BEFORE_NAME = new RegExp(`^ ${PARTICLES}\\p{Lu}`, 'u')

/** Weight of a word that may also be English or a name. */
const AMBIGUOUS = 0.5

/** Another language must lead by more than one such word. */
const MARGIN = 0.5

/** Only the beginning is examined. */
const SAMPLE_UNITS = 2000
const LATIN_SHARE_MIN = 0.6

/**
 * The most frequent function words of languages in Latin script. A word may occur in several lists: the language with
 * the most matches counts.
 */
const FUNCTION_WORDS: Readonly<Record<string, string>> = {
  english:
    "the of and to is was are were it that for with on at by from this have has had i you he she we they my his her our their not be been do does did will would can could as but if or an a in me us them who what when where there so no yes just i'm don't it's i've i'll your its about into than then more some very out after before because how why which here only too never always every any these those him yesterday today tomorrow got went came took gave made said told saw knew thought bought brought sold lost found left felt kept wrote ate drank drove lives works likes loves wants needs",
  german:
    'der die das und nicht ist ich ein eine einen einem mit auf für von den dem zu seit wir sie er es im am bei nach wie auch war haben hat sind mein meine aber oder wenn',
  french:
    'le la les des est et une un nous dans pour pas avec sur du je que qui chez au aux ce cette il elle vous mon ma mes son sa ne plus en de à avons ont sont',
  spanish:
    'el la los las que y en un una con por para mi su es del se no lo le al como más pero yo tu está son muy de trabaja hay sus este esta',
  italian:
    'il lo la i gli le di che e per un una con non sono della nel del al è mio mia si da come più ma io ho ha questo questa',
  portuguese:
    'o os as que e do da em um uma com não para no na por se mais meu minha eu é foi de dos das ele ela são está',
  dutch:
    'de het een en van niet met voor zijn is ik op aan dat die we was er mijn bij ook naar heeft maar of hij ze om',
  swedish: 'och att det som en ett är på av för med inte jag vi han hon den till har var min men om från',
  danish: 'og at det som en et er på af for med ikke jeg vi han hun den til har var min men om fra',
  polish: 'i w na z się nie do jest to że jak ale po od za przez mój moja był była są co tak o',
  czech: 'a v na se je že to s z do o k ve pro jako ale po jsem jsme byl byla můj moje není',
  turkish: 've bir bu için ile de da ne çok ben sen biz var yok daha gibi ama mi olarak',
  finnish: 'ja on ei se että oli hän mutta kuin tai minä olen ovat myös niin joka kun',
  hungarian: 'a az és hogy nem egy is volt de ez én mint csak meg',
  romanian: 'și în de la cu pe un o nu este sunt care că din pentru mai al a fost eu',
  indonesian: 'yang dan di itu dengan untuk tidak ini dari dalam akan pada saya ada ke juga kami adalah'
}

/** Maps each function word to its languages. */
const LANGUAGES: ReadonlyMap<string, readonly string[]> = indexWords()

/** Function words that are not also English. */
const FOREIGN_WORDS: ReadonlySet<string> = new Set(
  [...LANGUAGES].filter(([, languages]) => !languages.includes(ENGLISH)).map(([word]) => word)
)

function indexWords(): Map<string, string[]> {
  const languages = new Map<string, string[]>()
  for (const [language, words] of Object.entries(FUNCTION_WORDS)) {
    for (const word of words.split(' ')) languages.set(word, [...(languages.get(word) ?? []), language])
  }
  return languages
}

/**
 * Function words of other languages that are common words or first names in English, in their English spelling: `met`,
 * `Ben`. They have half weight after a name or an English word.
 */
const AMBIGUOUS_WORDS: ReadonlySet<string> = new Set(
  'met die ale care men min mint plus pro till Ada Al Ale Ben Come Dan Meg Men Mia Mint Per Plus Pro Sen Till Van War'.split(
    ' '
  )
)

/** First words of names in languages that do not capitalise other nouns: `El Greco`, `Las Vegas`. */
const NAME_OPENERS: ReadonlySet<string> = new Set('da de del di du el la las le los van'.split(' '))
