import type { Token } from '../language/token.ts'
import { classifyVerbForm } from '../language/verb-forms.ts'
import { FRIENDLY_OBJECTS, NOTS } from './procedure-words.ts'

/**
 * Checks whether an instruction begins at this token: `Open the lid`, `don't merge`, `never use …`, `always close …`.
 * Wishes and greetings (`Have fun`, `Take care`), proposals (`Let's go`) and nouns (`Water boils`) are not
 * instructions.
 */
export function isImperative(tokens: readonly Token[], at: number): boolean {
  const verb = findInstructedVerb(tokens, at)
  return verb !== undefined && isInstruction(tokens, verb)
}

/** Returns the verb of a possible instruction, after `don't`, `do not`, `never` and `always`. */
export function findInstructedVerb(tokens: readonly Token[], at: number): number | undefined {
  const first = tokens[at]?.lower
  const second = tokens[at + 1]?.lower ?? ''
  if (first === 'do' && NOTS.has(second)) return at + 2
  if (first === "don't" || first === 'dont' || first === 'never' || first === 'always' || first === 'only')
    return at + 1
  return tokens[at] === undefined ? undefined : at
}

/** Checks whether the word is an instructing base form and not a subject. */
function isInstruction(tokens: readonly Token[], at: number): boolean {
  const verb = tokens[at]
  if (verb === undefined || NO_INSTRUCTIONS.has(verb.lower) || !mayInstruct(verb)) return false
  const next = tokens[at + 1]
  if (next === undefined) return true
  if (next.tag === 'AUX' || next.text === ',' || NO_OBJECT.has(next.lower)) return false
  if (verb.lower === 'let' && (next.lower === "'s" || FRIENDLY_OBJECTS.has(next.lower))) return false
  if (verb.lower === 'take' && (next.lower === 'care' || next.lower === 'it')) return false
  const isVerb =
    next.tag === 'VERB' && classifyVerbForm(next.lower) !== 'base' && classifyVerbForm(next.lower) !== 'ing'
  return !(isVerb && verb.tag !== 'VERB') && !isSubject(tokens, at)
}

/**
 * Recognises a subject by its later auxiliary: "**Open doors** let in cold", "**Name and address** must be given".
 * "make sure it is shut" is an instruction.
 */
function isSubject(tokens: readonly Token[], verb: number): boolean {
  const { lower: first = '', tag: firstTag } = tokens[verb] ?? {}
  if (CONFIRMING.has(first)) return false
  const isPlural = tokens[verb + 1]?.tag === 'NOUN' && tokens[verb + 1]?.lower.endsWith('s')
  if (isPlural && firstTag !== 'VERB' && tokens[verb + 2]?.tag === 'VERB' && !CAUSING.has(first)) return true
  for (let at = verb + 1; at < Math.min(tokens.length, verb + REACH); at++) {
    const { tag, lower = '' } = tokens[at] ?? {}
    if (tag === 'AUX') return lower !== 'do' && lower !== 'be' && lower !== 'have'
    if (tag === 'PUNCT' || tag === 'PRON' || tag === 'SCONJ' || tag === 'VERB' || CLAUSE_WORDS.has(lower)) return false
  }
  return false
}

const REACH = 10
const CONFIRMING: ReadonlySet<string> = new Set([
  'make',
  'check',
  'ensure',
  'verify',
  'confirm',
  'remember',
  'see',
  'note',
  'test'
])
const CAUSING: ReadonlySet<string> = new Set(['let', 'make', 'help', 'watch', 'have', 'see'])
const CLAUSE_WORDS: ReadonlySet<string> = new Set(
  'that|which|who|what|how|when|where|if|whether|until|while|before|after|because|so|once|whatever|whichever'.split('|')
)

const NO_OBJECT: ReadonlySet<string> = new Set([
  'of',
  "'s",
  'is',
  'are',
  'was',
  'were',
  'has',
  'had',
  'will',
  'would',
  'than'
])

function mayInstruct({ lower, lemma, tag }: Token): boolean {
  if (INSTRUCTION_VERBS.has(lower)) return true
  return tag === 'VERB' && lemma === lower && classifyVerbForm(lower) === 'base' && /^[a-z]+$/.test(lower)
}

/** Verbs that begin steps and rules. At the start of a sentence, the tagger takes many of them for nouns or names. */
const INSTRUCTION_VERBS: ReadonlySet<string> = new Set(
  [
    'accept|activate|add|adjust|align|allow|apply|arrange|ask|assemble|assign|attach|avoid|back|bake|beat|begin|boil|book|bring',
    'browse|brush|build|buy|calculate|call|cancel|carry|change|charge|check|choose|chop|clean|clear|click|clone|close|collect|combine',
    'commit|compare|compile|complete|configure|confirm|connect|contact|continue|convert|cook|cool|copy|cover|create|cut|decide',
    'define|delete|deploy|describe|detach|disable|discard|disconnect|divide|document|download|drag|drain|draw|drive|drop|dry|edit',
    'eject|email|empty|enable|ensure|enter|escalate|export|extract|fasten|feed|fetch|fill|find|finish|fix|flip|flush|fold|follow|format',
    'freeze|fry|gather|generate|get|give|go|grab|grate|grease|grill|grind|hang|heat|hold|identify|ignore|import|include|inform|insert',
    'inspect|install|introduce|invite|join|keep|knead|label|launch|lay|leave|lift|link|list|load|locate|lock|log|lower|mail|make|mark',
    'marinate|measure|melt|merge|mix|monitor|mount|move|mute|name|navigate|notify|open|order|organize|pack|park|paste|pause|pay|peel',
    'pick|place|plan|plant|plug|point|pour|power|preheat|prepare|press|print|provide|publish|pull|purchase|push|put|read|rebase',
    'reboot|record|reduce|refresh|refrigerate|register|release|reload|remember|remove|rename|repeat|replace|report|request|rerun',
    'reset|restart|restore|retry|return|review|revert|rinse|roast|roll|rotate|run|save|scan|scroll|seal|search|season|select|send',
    'separate|serve|set|shake|share|shut|sign|simmer|skip|slice|slide|soak|sort|spread|sprinkle|squeeze|stack|start|steam|stick|stir',
    'stop|store|strain|submit|subscribe|swap|switch|tag|take|tap|test|thaw|tie|tighten|tilt|toggle|toss|transfer|trim|try|turn|twist',
    'type|undo|uninstall|unlock|unplug|unscrew|unzip|update|upgrade|upload|use|validate|verify|wait|walk|warm|wash|watch|water|wear',
    'ring|knock|shout|dial|wave|honk|prime|bleed|prune|sand|paint|drill|screw|sew|knit|iron|vacuum|sweep|mop|dust|mow|rake|dig|harvest|brew|blend|whip|garnish',
    'crush|mince|dice|toast|chill|uncover|deselect|tick|hover|expand|collapse|bookmark|sync|lint|squash|ship|light|oil|grease|charge',
    'weigh|whisk|wipe|withdraw|work|wrap|write|zip'
  ].flatMap((line) => line.split('|'))
)

/** Verbs of feeling, knowing or wishing: never a step, and not a habit with `always` or `never`. */
export const STATE_VERBS: ReadonlySet<string> = new Set(
  [
    'be|have|know|think|feel|mean|guess|hope|wish|want|need|believe|suppose|imagine|seem|sound|look|hear|see|notice|realize',
    'understand|remember|forget|wonder|expect|get|miss|thank|love|like|hate|enjoy|bless|congratulate|say|tell|said|mind|matter',
    'stop|end|find|lose|win|fail|regret|dream|worry|fear|doubt|agree|happen|become|come|appear|manage|learn|cease|let'
  ].flatMap((line) => line.split('|'))
)

/** First words of wishes, greetings and proposals, which are not instructions. */
const NO_INSTRUCTIONS: ReadonlySet<string> = new Set(
  [
    'thank|hope|guess|love|miss|wish|have|enjoy|mean|feel|know|think|believe|like|hate|want|need|sound|seem|bless|imagine|suppose',
    'say|look|see|hear|forgive|excuse|pardon|welcome|congratulate|agree|understand|wonder|hold on|sleep|rest|hang|got|been'
  ].flatMap((line) => line.split('|'))
)
