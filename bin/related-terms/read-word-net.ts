/** The texts of WordNet's database files: `data.*` by part of speech, and `index.sense`. */
export type WordNetTexts = { data: Readonly<Record<PartOfSpeech, string>>; senses: string }

type PartOfSpeech = 'n' | 'v' | 'a' | 'r'

/** Words with the same meaning, and the pointers of this meaning or of its words. */
export type Synset = { id: string; words: string[]; pointers: Pointer[] }

/** `fromWord` and `toWord` count from 1 in their synsets; 0 means the whole synset. */
type Pointer = { symbol: string; to: string; fromWord: number; toWord: number }

/**
 * The number of occurrences of a word with this meaning in tagged texts, and the rank of the meaning for the word, from
 * 1.
 */
type Sense = { tags: number; place: number }

export type WordNet = {
  /** By id: part of speech and offset. */
  synsets: ReadonlyMap<string, Synset>
  sense(synset: string, word: string): Sense | undefined
}

/** Parses WordNet's database (format: wndb(5WN) and senseidx(5WN)), limited to relations between single words. */
export function readWordNet(texts: WordNetTexts): WordNet {
  const synsets = new Map<string, Synset>()
  for (const [part, text] of Object.entries(texts.data)) {
    for (const line of text.split('\n')) {
      // The license precedes the data, in indented lines.
      if (line === '' || line.startsWith(' ')) continue
      const synset = readSynset(part, line)
      synsets.set(synset.id, synset)
    }
  }
  const senses = readSenses(texts.senses)
  return { synsets, sense: (synset, word) => senses.get(`${synset} ${word}`) }
}

/**
 * Parses a line: offset, file, type, words (hexadecimal count) each with a number, pointers each with four fields, then
 * the gloss.
 */
function readSynset(part: string, line: string): Synset {
  const fields = (line.split(' | ', 1)[0] ?? '').split(' ')
  const field = (at: number): string => fields[at] ?? ''
  const wordCount = Number.parseInt(field(3), 16)
  // An adjective may have its syntactic position in brackets.
  const words = Array.from({ length: wordCount }, (_, nth) => field(4 + 2 * nth).replace(/\(.*\)$/, ''))
  const start = 4 + 2 * wordCount
  const pointers = Array.from({ length: Number(field(start)) }, (_, nth) => {
    const at = start + 1 + 4 * nth
    const ends = field(at + 3)
    return {
      symbol: field(at),
      to: `${toPartOfSpeech(field(at + 2))}${field(at + 1)}`,
      fromWord: Number.parseInt(ends.slice(0, 2), 16),
      toWord: Number.parseInt(ends.slice(2), 16)
    }
  })
  return { id: `${part}${field(0)}`, words, pointers }
}

/** Returns the file of a part of speech. Satellite adjectives (s) are in the file of adjectives. */
function toPartOfSpeech(letter: string): string {
  return letter === 's' ? 'a' : letter
}

/** Parses lines: lemma%type:…, offset, rank of the sense, number of tags. */
function readSenses(text: string): Map<string, Sense> {
  const senses = new Map<string, Sense>()
  for (const line of text.split('\n')) {
    const [key = '', offset, place, tags] = line.split(' ')
    const mark = key.indexOf('%')
    if (mark < 0) continue
    const part = 'nvara'[Number(key[mark + 1]) - 1]
    senses.set(`${part}${offset} ${key.slice(0, mark)}`, { tags: Number(tags), place: Number(place) })
  }
  return senses
}
