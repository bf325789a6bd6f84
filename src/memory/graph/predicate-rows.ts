import { splitWords } from '../language/split-words.ts'
import type { ValueKind } from './value-kind.ts'

/**
 * Predicates with the same meaning, one row each. To add one, add a row here and an example in the test. Words are in
 * the form of `predicate-class.ts`: without articles and adverbs, verbs in the first person (`live in`), `am`, `is` and
 * `are` as `be`, `has` as `have`. The past tense is kept (`was born on`), because it need not hold now.
 */
export type PredicateRow = {
  key: string
  /** Holds one value at a time: a later one ends the previous one. */
  isSingle: boolean
  /** Never really changes: another value contradicts the first, whatever its time. */
  isFixed?: true
  /** Only names compete: a person can live in a small flat and in Rome. */
  ofNames?: true
  /** Values are places: a town and a country do not compete, except after a move (`ifNamed`). */
  ofPlaces?: true
  /** Predicates of the subject. */
  verbs?: readonly string[]
  /** Predicates that count only if the value is a name: `joined Northwind` is employment, `joined a choir` is not. */
  ifNamed?: readonly string[]
  /** Names of the attribute, as in `owner: Ann`, `the owner is Ann`, `Ann is the owner of it`. */
  nouns?: readonly string[]
  /** Predicates of the value: a person who `owns` a thing is its owner. */
  inverse?: readonly string[]
  /** Required kind of value after a plain copula: `my boss is annoying` does not name another boss. */
  kind?: ValueKind
  /** Predicates that end it for the named value. */
  endedBy?: readonly string[]
  /** Predicates that end it only if nothing but a time or a purpose follows: a person who left Acme at six returns. */
  leftBy?: readonly string[]
}

export const PREDICATE_ROWS: readonly PredicateRow[] = [
  {
    key: 'lives_in',
    isSingle: true,
    ofNames: true,
    ofPlaces: true,
    verbs: ['live in', 'live at', 'reside in', 'reside at', 'dwell in', 'have lived in', 'be resident of'],
    ifNamed: splitWords(`
      moved to, moved back to, moved back home to, relocated to, relocated back to, settled in, be back in, be back home in,
      returned to
    `),
    nouns: ['residence', 'place of residence', 'current city', 'home city', 'city of residence'],
    endedBy: ['moved away from', 'moved out of', 'moved from', 'relocated from', 'used to live in'],
    leftBy: ['left']
  },
  {
    key: 'works_at',
    isSingle: true,
    ofNames: true,
    verbs: splitWords(`
      work at, work for, have worked at, have worked for, be employed by, be employed at,
      started working at, started working for, started work at, started job at, got job at,
      took job at, was hired by, be hired by, got hired by, got hired at
    `),
    ifNamed: ['joined', 'started at'],
    nouns: ['employer', 'workplace', 'place of work', 'company'],
    inverse: ['employ', 'hired'],
    endedBy: splitWords(`
      quit, resigned from, retired from, was fired from, was fired by, got fired from,
      was laid off from, was laid off by, used to work at, used to work for
    `),
    leftBy: ['left', 'departed']
  },
  {
    key: 'studies_at',
    isSingle: true,
    ofNames: true,
    verbs: ['study at', 'be enrolled at', 'enrolled at', 'be student at', 'go to school at'],
    nouns: ['school', 'university', 'college'],
    endedBy: ['graduated from', 'dropped out of', 'used to study at', 'was expelled from'],
    leftBy: ['left']
  },
  {
    key: 'married_to',
    isSingle: true,
    ofNames: true,
    verbs: ['be married to', 'married', 'got married to', 'have been married to'],
    nouns: ['wife', 'husband', 'spouse'],
    endedBy: ['divorced', 'got divorced from', 'be divorced from', 'separated from'],
    leftBy: ['left']
  },
  {
    key: 'role',
    isSingle: true,
    verbs: ['work as', 'have worked as', 'be employed as', 'serve as'],
    nouns: ['role', 'job', 'job title', 'position', 'occupation', 'profession'],
    endedBy: ['used to work as', 'stepped down as', 'resigned as', 'retired as']
  },
  {
    key: 'located_in',
    isSingle: true,
    ofNames: true,
    ofPlaces: true,
    verbs: ['be located in', 'be located at', 'be situated in', 'be based in', 'be headquartered in', 'have office in'],
    nouns: ['location', 'headquarters', 'venue']
  },
  {
    key: 'birthday',
    isSingle: true,
    isFixed: true,
    kind: 'time',
    verbs: ['was born on', 'be born on'],
    nouns: ['birthday', 'date of birth', 'birth date', 'birthdate', 'dob']
  },
  {
    key: 'birthplace',
    isSingle: true,
    isFixed: true,
    ofNames: true,
    ofPlaces: true,
    verbs: ['was born in', 'be born in'],
    nouns: ['birthplace', 'place of birth']
  },
  {
    key: 'also_known_as',
    isSingle: false,
    verbs: ['be known as', 'known as', 'go by', 'be nicknamed', 'nicknamed', 'be better known as'],
    nouns: ['nickname', 'alias', 'aliases', 'aka']
  },
  { key: 'name', isSingle: true, kind: 'name', verbs: ['be called', 'be named'], nouns: ['name', 'full name'] },
  {
    key: 'email',
    isSingle: true,
    kind: 'mail',
    nouns: ['email', 'e mail', 'email address', 'e mail address', 'mail address']
  },
  {
    key: 'phone',
    isSingle: true,
    kind: 'phone',
    nouns: ['phone', 'phone number', 'telephone', 'telephone number', 'mobile', 'mobile number', 'cell phone', 'tel']
  },
  {
    key: 'address',
    isSingle: true,
    kind: 'name',
    nouns: ['address', 'home address', 'postal address', 'street address']
  },
  { key: 'age', isSingle: true, kind: 'number', nouns: ['age'] },
  { key: 'marital_status', isSingle: true, kind: 'word', nouns: ['marital status', 'relationship status'] },
  {
    key: 'status',
    isSingle: true,
    kind: 'word',
    verbs: ['be marked as', 'be marked', 'was marked as'],
    nouns: ['status', 'current status']
  },
  {
    key: 'owner',
    isSingle: true,
    verbs: ['be owned by', 'belong to'],
    nouns: ['owner'],
    inverse: ['own'],
    endedBy: ['used to belong to']
  },
  { key: 'capital', isSingle: true, kind: 'name', nouns: ['capital', 'capital city'] },
  {
    key: 'deadline',
    isSingle: true,
    kind: 'time',
    verbs: ['be due on', 'be due by', 'be due'],
    nouns: ['deadline', 'due', 'due date', 'due by', 'due on']
  },
  { key: 'price', isSingle: true, kind: 'number', verbs: ['cost', 'be priced at', 'sell for'], nouns: ['price'] },
  { key: 'version', isSingle: true, kind: 'word', nouns: ['version', 'current version', 'latest version'] },
  ...oneOfEach(['assignee', 'reviewer', 'hometown']),
  ...oneOfEach(['ceo', 'cto', 'cfo', 'manager', 'boss', 'president', 'mayor', 'chair', 'captain'], 'name'),
  ...oneOfEach(['date', 'start date', 'end date', 'release date', 'launch date', 'due time'], 'time'),
  ...oneOfEach(['budget', 'salary', 'population', 'height', 'weight', 'port'], 'number'),
  ...oneOfEach(['website', 'homepage', 'url'], 'link'),
  ...oneOfEach(['title', 'priority', 'severity', 'username', 'nationality', 'color', 'size', 'host'], 'word'),
  ...oneOfEach(['branch', 'region', 'license', 'timezone', 'currency'], 'word')
]

/** Creates rows for attributes with one name only. */
function oneOfEach(nouns: readonly string[], kind?: ValueKind): PredicateRow[] {
  return nouns.map((noun) => ({
    key: noun.replaceAll(' ', '_'),
    isSingle: true,
    nouns: [noun],
    ...(kind !== undefined && { kind })
  }))
}
