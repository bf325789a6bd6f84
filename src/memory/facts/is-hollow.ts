import type { FactRecord } from '../../contract/snapshot.ts'
import { isJudgement } from '../clauses/clause.ts'
import { PARTICLES } from '../clauses/word-classes.ts'
import { isBroken } from './is-broken.ts'
import { isRemark, NAMED, type Talk } from './is-remark.ts'

const listed = (text: string): ReadonlySet<string> => new Set(text.split('|'))

/** Recognises subjects of talk that name no one outside it: another person (`she`), what is shown, the person addressed. */
export function isHollowSubject(subject: string): boolean {
  const about = toPlain(subject)
  return UNNAMED.has(about) || SHOWN.test(about) || ADDRESSED.test(about)
}

/**
 * Recognises facts that tell nothing outside their conversation: a value that only points somewhere (`this`, `there`),
 * and in talk also facts for the person addressed, moods and courtesies (`is doing well`),
 * opinions about what was just said, and general statements (`books are fun`).
 */
export function isHollow(fact: FactRecord, talk: Talk | undefined): boolean {
  const what = toPlain(fact.value).replace(/[.!,]+$/, '')
  if (
    POINTERS.has(what) ||
    /^a lot because\b/.test(what) ||
    (/^\d{1,3}$/.test(what) && !/^(?:is|was|are|were|turned|turns)\b/.test(fact.predicate))
  )
    return true
  if (talk === undefined) return false
  if (isForAddressed(fact.value, talk.speaker)) return true
  if (isBroken(fact, talk) || isUnresolved(fact, what) || isOfPerson(fact, what) || isOpinionOfTalk(fact, what))
    return true
  if (isOpen(fact, what) || isOfMoment(fact, what)) return true
  const isOwn = fact.subject === talk.speaker
  if (isMood(fact, what) && (isOwn || !talk.isNamed)) return true
  if (isRemark(fact, talk) || (isOwn && isAttitude(fact, what))) return true
  if (fact.value.endsWith(`${talk.speaker}'s`)) return true
  return MODAL.test(toPlain(fact.predicate)) || (fact.rule === 'speaker.shows' && MATERIAL.test(what))
}

/** Recognises what is not said yet or only supposed: `has the following code`, `got any tips`. */
function isOpen({ value, rule, negated }: FactRecord, what: string): boolean {
  if (/^(?:what|which) \p{L}+$/u.test(what) || FOLLOWING.test(what) || (negated !== true && /^any\b/.test(what)))
    return true
  if (rule !== 'clause.relative') return false
  if (/^(?:another|one(?! of)|it|something|someone|everytime)\b|\bthat \p{L}+$/u.test(what)) return true
  if (NAMED.test(value)) return false
  if (MATERIAL.test(what)) return true
  return /^(?:something|someone|each|every|(?:(?:one|some|most|all) of )?the \p{L}+$)/u.test(what)
}

const FOLLOWING = /^(?:the |a )?following\b|^like this$|\b(?:below|above)$/

/** Recognises how a day was: `had | quite a busy day at work`, `my evening | was | fun`. */
function isOfMoment({ subject, predicate }: FactRecord, what: string): boolean {
  if (/['’]s (?:day|evening|morning|night|week|weekend)$/.test(subject) && what.split(' ').length <= NEAR_WORDS + 1)
    return true
  return /\b(?:has|have|had|having)$/.test(predicate) && DAY.test(what)
}

const DAY =
  /^(?:(?:quite|such|kind of|kinda) )*an? (?:bit of an? )?(?:(?!last|next|this)[\p{L}-]+,? ){0,4}(?:day|evening|morning|night|week|weekend)(?: (?:so far|today|yesterday|too|as well|at work|at school|though|and|but|a|little|tired))*$/u

/** Recognises values with a pronoun for something that the fact does not name: `not sure how to do it`. */
function isUnresolved({ value, rule }: FactRecord, what: string): boolean {
  if (isJudgement(rule)) return false
  if (/^that (?:\p{L}+ ){0,3}\p{L}+$/u.test(what)) return true
  const pointer = what.includes('th') ? POINTER_AT_NOUN.exec(what) : null
  if (pointer !== null && (countTelling(what) < TELLING_WORDS_MIN || MATERIAL.test(pointer[1] ?? ''))) return true
  const pronoun = PRONOUN.exec(what)
  // "made **it** in the pottery class yesterday" tells enough without the thing.
  if (pronoun?.index === 0 && OBJECT.test(what) && countTelling(what.slice(0, OBJECT_UNITS)) >= OBJECT_WORDS)
    return false
  if (pronoun !== null && WITHIN.test(what.slice(0, pronoun.index)) && OWN_OBJECT.test(pronoun[0])) return false
  return pronoun !== null && (!NAMED.test(value) || what.slice(0, pronoun.index).split(' ').length <= NEAR_WORDS)
}

/** Recognises what is about a person whom the fact does not name: `agrees | she sings well`, `invited | her over`. */
function isOfPerson({ rule }: FactRecord, what: string): boolean {
  return !isJudgement(rule) && (OF_PERSON.test(what) || THEIRS.test(what))
}

/** `the sense of wonder they bring` */
const THEIRS = /^(?:the|an?) (?:\S*[^s ] ){1,6}they(?: (?:often|always|usually))? \p{L}+$/u
const OF_PERSON =
  /^(?:that )?(?:(?:he|she|they)(?:['’](?:s|re|d|ll|ve))? \p{L}|(?:her|him) (?:over|off|out|up|like|that|he|she|they|right|again|recently|so|if|how|what)\b)/u

/** Not `a feeling that it will snow`, `those who came` or `this weekend`. */
const PRONOUN =
  /(?<![\w'])(?:(?<!worth |made |make |makes |take |taking |give |giving )it(?! (?:will|would|is|was|has)\b)|them|him|there(?! (?:is|are|was|were)\b)|(?:these|those|this)(?! who\b| \p{L}{3})|this \p{L}*(?:[^s]s|ould|will|might|must|can|may|had)|'?em|her(?= (?:an?|the|some|up|out|off|over|in|on|to|for|with|back|that|so|again|if|about)\b|$)(?=(?: \S+){0,4}$))(?![\w-])/u
const NEAR_WORDS = 3
/** A thing to which a later pronoun refers: `a demo so others can try` before `it`. */
const WITHIN =
  /^(?:an?|the|some|two|three|several|\S+['’]s) (?!lot|bit)(?:\S+ ){2,}(?:so|and|because|when|but)(?: \S+){1,5} $|\b(?:others|people|kids|children|friends) (?:\S+ ){1,5}$/
const OWN_OBJECT = /^(?:it|them)$/
const OBJECT = /^(?:it (?:in|at|to|for|from|with|as)|them (?:with|from)) /
const OBJECT_UNITS = 80
const OBJECT_WORDS = 3

/** `this team`, but not `this weekend` or `these days`. */
const POINTER_AT_NOUN =
  /(?<![\w'])(?:these(?! days)|those(?! who)|this(?! (?:world|week|month|year|morning|afternoon|evening|spring|summer|autumn|fall|winter|time|mon|tues|wednes|thurs|fri|satur|sun))) (\p{L}{3,}(?: \p{L}+)?)/u

/** Counts the words that are neither function words nor pointers. */
function countTelling(what: string): number {
  return what.split(/[^\p{L}\p{N}'’-]+/u).filter((word) => word.length > 3 && !POINTING_WORDS.has(word)).length
}

const TELLING_WORDS_MIN = 4
const POINTING_WORDS = listed(
  'this|that|these|those|them|there|with|from|into|about|like|much|very|really|part|some|more|have|been'
)

/**
 * Recognises opinions about what was just said. Those about an experience (`found it fun to see the lake`) and about a
 * named thing are kept.
 */
function isOpinionOfTalk({ subject, predicate, value, rule }: FactRecord, what: string): boolean {
  if (rule?.startsWith('opinion.') !== true) return false
  // "this lamp **Ida keeps** on her desk"
  if (/^(?:this|these) /.test(what) && value.split(' ', THING_WORDS).includes(subject)) return false
  if (!ADDRESSED.test(what) && TOLD_OF_IT.test(what) && countTelling(what) >= TELLING_WORDS_MIN) return false
  if (ADDRESSED.test(what) || SHOWN.test(what) || SUGGESTION.test(what) || APPROVAL.test(what)) return true
  if (predicate === 'finds' && /^it (?:\p{L}+ly )?(?:such )?(?:an? )/u.test(what)) return true
  if (value.includes(subject))
    return /^it\b/.test(what) && !(EXPERIENCE.test(what) && (predicate === 'found' || OWN_EFFORT.test(value)))
  if (tellsThing(predicate, what)) return false
  return (
    !(predicate === 'found' && EXPERIENCE.test(what)) && !(isNaming(value.slice(1), subject) && !/^it\b/.test(what))
  )
}

/** The speaker's name among the first words follows the thing that the speaker speaks of. */
const THING_WORDS = 4

/** Recognises a judgement of a thing or activity that it names: `found the view stunning`, `finds oysters delicious`. */
function tellsThing(predicate: string, what: string): boolean {
  if (WAY.test(what) && countTelling(what) >= TELLING_WORDS_MIN) return true
  if (UNTOLD_THING.test(what) || MATERIAL.test(what)) return false
  // "**The** view is stunning" speaks of what is in sight.
  return countTelling(what) >= (predicate === 'found' || !/^the\b/.test(what) ? 2 : THING_WORDS_MIN)
}

const THING_WORDS_MIN = 3
const UNTOLD_THING =
  /^(?:it|this|that|these|those|there|one|ones|some|all|both|each|every|everything|something|anything|such|so|what|which|they|them|he|she)\b| [-–—] |\b(?:it|this|that|these|those)$/

/**
 * What a judgement of `it` tells: what people are doing (`it awesome seeing the children learn`), or how an occasion was,
 * with where, with whom or what it had (`it a great day at the park with Ida's aunt`).
 */
const TOLD_OF_IT =
  /^it (?:(?:(?:so|really|very|always|pretty) )?(?!an? )\p{L}+ (?!hearing|catching|chatting|talking|knowing|getting to know)\p{L}{2,}ing\b|an? (?:\p{L}+ ){1,2}(?:day|weekend|evening|night|season|trip|game|match|party|event|concert|hike|walk|holiday|vacation|wedding|lesson) (?:at|in|with|on|near|to) )/u

/** What an activity is good for: `finds baking bread a great way to unwind`. */
const WAY = /^(?!\S+thing|during)\p{L}{2,}ing\b.* way (?:for \S+ )?to /u
const EXPERIENCE =
  /\bto \p{L}{2}|^(?!\S+thing)\p{L}+ing\b|^it (?:(?:so|really|very|pretty|quite) )?(?:great|good|cool|fun|awesome|amazing|nice|hard|tough|wonderful|lovely|sweet|interesting|strange|difficult|easy) (?!catching|chatting|talking)\p{L}+ing (?!and\b)(?!.*\b(?:them|it|him)\b)/u
/** `finds it hard to keep Ida's bees`, but not `finds it a way to rest`, where `it` is something unnamed. */
const OWN_EFFORT = /^it (?!an? )(?:\S+ ){1,4}(?:to \p{Ll}|\p{Ll}+ing )/u
/** `a great choice`, `the best way` */
const APPROVAL =
  /\b(?:great|good|excellent|perfect|smart|fantastic|solid|wonderful|best) (?:choice|choices|idea|option|options|decision|move|way)\b/
const SUGGESTION = /\b(?:choice|choices|idea|ideas|suggestions?|options?|question|questions|point|plan)$/

/** Material for the conversation, which is not a picture or a belonging. */
export const MATERIAL =
  /\b(?:code|examples?|tips?|list|version|forms?|ideas?|snippets?|steps?|overview|summary|schema|outline|excerpt|implementation|comparison|current|initial|error|template|configuration|query|queries|function|draft|point|questions?|recommendations?|suggestions?|ways?|plan|link|checklist|breakdown|drafts?|attempt|sample|recipe)\b|^(?:an?|the|some) (?:photos?|pictures?|pics?|images?|videos?)(?: of (?:the|this|that) place)?$/

function toPlain(words: string): string {
  return words.toLowerCase().replaceAll('’', "'")
}

const UNNAMED = listed('he|she|they|you|him|her|them|someone|somebody|people')

const POINTERS = listed(
  'it|this|that|these|those|them|they|him|her|us|so|too|there|here|one|ones|both|either|all|each|neither|something|anything|everything|nothing|stuff|things|now|then|not|the best|the one|the only one|another|another one|the first|the last|why|it is|it was|will|would|can'
)

const MOODS = listed(
  [
    'well|good|fine|ok|okay|great|alright|all right|sure|right|true|fun|nice|cool|awesome|amazing|busy|back|done|ready|the same|same',
    'younger|older|young|old|so much|a lot|a bit|much|more|today|better|worse|excited|happy|glad|sorry|curious|hopeful|worried|overwhelmed',
    'sick|tired|exhausted|hungry|thirsty|bored|stressed|nervous|anxious|frustrated|confused|stuck|torn|sad|mad|upset|annoyed|proud|impressed',
    'interested|intrigued|fascinated|hooked|cozy|relaxed|grateful|thankful|unsure|not sure|cold|hot|warm|lucky|blessed|available|aware',
    'home|at home|awake|asleep|chilling|obsessed|surprised|shocked|thrilled|delighted|relieved|productive|weirded out|left|remaining|heard|known',
    'similar|different|hungover|drunk|cozy indoors|wrong|serious|honest|joking|kidding|speechless|jealous|shook|dead|dying|crying|guilty|embarrassed|clueless'
  ].join('|')
)

/** Recognises a mood or a whereabouts of the moment: `is doing | pretty well today`, `is | down`. */
function isMood({ predicate, value }: FactRecord, what: string): boolean {
  const uncalled = toPlain(value.replace(CALLED, ''))
  if (uncalled !== what && MOODS.has(stripMood(uncalled))) return true
  const mood = stripMood(what)
  return (
    MOODS.has(mood) || (PARTICLES.has(mood) && /\b(?:is|was|are|were|am|be|been|feels?|felt|feeling)$/.test(predicate))
  )
}

/** Removes from a mood its degree, its time and the person addressed: `good` of `pretty good today`. */
function stripMood(what: string): string {
  const mood = what.replace(/,.*/, '').replace(DEGREES, '')
  return MOMENT_ENDS.has(mood.slice(mood.lastIndexOf(' ') + 1)) ? mood.replace(MOMENTS, '') : mood
}

/** The last words of `MOMENTS`. */
const MOMENT_ENDS = listed(
  'today|now|tonight|moment|morning|lately|again|too|well|though|here|there|overall|thanks|you|far|already|also|myself'
)

/** A name behind a mood is that of the person addressed: `doing well Emily`. */
const CALLED = /,? \p{Lu}\p{Ll}+$/u

const DEGREES =
  /^(?:(?:so|very|really|pretty|quite|just|a bit|a little bit|a little|kinda|kind of|sort of|super|too|also|still|already|always|absolutely|totally|currently|now|feeling|doing|all|actually|literally|honestly|definitely|completely|sometimes|usually|probably|mostly|all right and) )+/
const MOMENTS =
  /(?: (?:today|now|right now|tonight|at the moment|this morning|lately|again|too|as well|though|here|there|overall|thanks|thank you|so far|for now|already|also|myself))+$/

/** Subjects that the speaker points at. `found it fun to see the lake` is an experience, `finds it important` a remark. */
const SHOWN = /^(?:this|that|these|those|there|here|his|her|their|its)\b/

const ADDRESSED = /(?<![\w'])(?:you|your|yours|yourself|u|ur|ya)(?![\w-])/

/**
 * Recognises values about the person addressed, such as announcements and wishes: `you know how it went`, `more about
 * your trip`. Those that name something first are kept: `the Luma cream you recommended`.
 */
function isForAddressed(value: string, speaker: string): boolean {
  const at = toPlain(value).search(ADDRESSED)
  return at >= 0 && !isNaming(value.slice(0, at), speaker)
}

/**
 * Recognises courtesies to a person who is addressed by name: `hopes | Ann is well`, `is here | for Ann`. What says more
 * is kept: `is proud of | Ann for finishing the marathon`, `values | Ann's support`.
 */
export function isCourtesyTo({ predicate, value }: FactRecord, addressed: string): boolean {
  const what = toPlain(value.replaceAll(addressed, ' ').trim())
  if (COURTEOUS.test(toPlain(predicate)) || COURTEOUS_STATE.test(what)) return true
  return countTelling(what) < (/\b(?:values?|appreciates?)$/.test(predicate) ? 1 : COURTESY_WORDS)
}

const COURTESY_WORDS = 3
const COURTEOUS =
  /\b(?:hop(?:es?|ing)|knows?|knew|hears?|heard|thanks?|says?|said|agrees?|guess(?:es)?|bets?|advises?|recommends?|suggests?|miss(?:es|ed)?|thinks?|thought|understands?|cheering|waiting|awaiting|^lets?)\b(?: (?:for|with|to|of|that))?$/
const COURTEOUS_STATE =
  /^(?:(?:so|very|really|just|also|always|pretty|super|truly|more|good) )*(?:glad|happy|sorry|sure|thankful|grateful|here|thank|delighted|thrilled|stoked|excited)\b/

/** A predicate that consists of a verb of mood only. */
const MODAL =
  /^(?:will|would|can|could|might|may|should|must)(?: (?:just|also|definitely|probably|still|even|always))*$/

/** Recognises courtesies, guesses and opinions of the speaker. */
function isAttitude({ subject, predicate, value, negated, rule }: FactRecord, what: string): boolean {
  const said = toPlain(predicate)
  const whole = `${said} ${what}`
  const told = { said, what, whole }
  if (isAside(told) || isCourtesy(told)) return true
  if (VAGUE_VALUE.test(what) || MUSING.test(whole) || REQUEST.test(whole) || PARTING.test(whole)) return true
  if (/^each other\b/.test(what)) return true
  if (/\beach other\b/.test(what) && rule !== 'belief.holds' && countTelling(what) < EACH_WORDS_MIN) return true
  if (isNaming(value, subject)) return false
  const isOfOthers = OTHERS.test(what) && countTelling(what) < OTHERS_WORDS_MIN
  const isAsked = /^if\b/.test(what) && !/\bdoubt(?:s|ed)?$/.test(said)
  if (isMomentary(told) || isAsked || isOfOthers || ADVICE.test(said)) return true
  if (/^(?:sure|not sure)(?: |$)/.test(what) && !/\bma(?:kes?|de)$/.test(said)) return true
  if (negated === true && (/\b(?:know|mind)$/.test(said) || UNTOLD.test(what))) return true
  return ATTITUDE.test(said)
}

/** `helping and supporting each other during the regatta` tells enough. */
const EACH_WORDS_MIN = 5

/** The predicate, the value and both, in lower case. */
type Told = { said: string; what: string; whole: string }

function isCourtesy({ said, what, whole }: Told): boolean {
  if (COURTESY.test(what) || /^(?:always )?here to\b|^(?:if|whether) (?:you|u)\b/.test(what)) return true
  return (/\b(?:appreciates?|gets?|gotcha)$/.test(said) && ABSTRACT.test(what)) || PROMISE.test(whole)
}

function isAside({ said, what, whole }: Told): boolean {
  if (COMPARED.test(whole)) return true
  if (ASIDE.test(said) || (SAYING.test(said) && SPEECHLESS.test(what))) return true
  if (QUOTED.test(what) && /\b(?:be|is|was)$/.test(said)) return true
  return (
    /(?:feels?|felt)$/.test(said) &&
    /^like (?!an?\b|my\b|\S+ (?:was|is) \S+ing\b|\S+ (?:was|is) (?:in|on|at|part) )/.test(what)
  )
}

/** `glad to hear you are well`, `sorry you had to wait`, `sure you will like it`. */
const COURTESY =
  /^(?:(?:so|very|really|just|also|always|pretty|super|truly|more|here) )*(?:glad|happy|sorry|sure|curious|certain|thankful|grateful|relieved|delighted|pleased|excited|looking forward|open|eager)\b(?:(?=.*(?<![\w'])(?:you|your|u)(?![\w-]))| to (?:hear|know|learn|see) (?:that|how|it|about)\b| (?:we|I|that|it|they)\b)/i

/** What is appreciated or understood in an answer: `appreciates the detailed breakdown`. */
const ABSTRACT =
  /^(?:the|all the|that|a) (?:\p{L}+ )*?(?:breakdown|importance|tips?|advice|help|suggestions?|thoughts?|support|offer|feedback|recommendations?|explanations?|clarification|feeling|point|appeal|idea|guidance|insights?|examples?|compliment|words|encouragement|reminder|luck|wishes|concern|chat)\b/u

/** Idioms that introduce a statement: `must say`, `is talking | 300 euros`. */
const ASIDE =
  /^(?:must|has to|had to|gotta|would have to) (?:say|admit|confess|agree)$|^(?:means?|meant|(?:is|was) (?:just )?(?:talking|saying|kidding|joking))$/
const SAYING = /\b(?:said|says|told|mentioned|asked|replied|did|does)$/
const SPEECHLESS = /^(?:earlier|before|later|already|so|yet|again|too|also|me|anyway|anyways|yesterday|today)$/
/** `kinda like what happened` compares. */
const COMPARED = /^(?:kinda|sorta) likes? what\b/
const QUOTED = /^like (?:hey|oh|i|ok|yeah|no|what|wow|why|bro|dude|girl)\b/

/** Requests to the person addressed: `needs | help with the roof`, `would like to know | how to sew`. */
const REQUEST =
  /^(?:is|was|has been|'m)(?: \S+)? wondering\b|^(?:is|was)(?: still| also| a bit| not| really| quite| kinda)* (?:not |un|un)?(?:sure|certain)(?: about)? (?:how|what|if|whether|why|which|where|when)\b|\b(?:needs?|wants?|would(?: \w+)? (?:like|love|appreciate)|could use|is(?: \w+)? (?:looking|asking) for|trying to (?:get|find))(?: to(?: \w+)? (?:know|see|hear|get|understand|find out|learn))? (?:(?:some|any|an?|more|the|your|specific|detailed) )*(?:help|advice|guidance|tips|ideas|suggestions|input|examples?|assistance|how|what|why|which|whether|if|clarification)\b/

/** Said at the end of a talk, or in reply: `enjoyed | our chat`, `couldn't agree | more`, `should get back to | work`. */
const PARTING =
  /^(?:has )?(?:\w+ )*(?:enjoy\w*|looks?(?:ing)? forward to|glad)\b.* (?:chats?|conversations?|catch-up|talked today)\b|^(?:can|could)(?:n't| not|not) agree\b|^(?:should|must|has to|needs to|is going to|is gonna|will|might)(?: \w+)? (?:get back to|head to bed|go to (?:bed|sleep)|get going|get some (?:sleep|rest)|rest a bit|take note)\b/

/** Recognises what a person does or feels while talking: `is watching | a film now`, `is worried about | work`. */
function isMomentary({ said, what, whole }: Told): boolean {
  // `is about to release a demo that others can try` tells enough.
  const isNext = /^is about to\b/.test(whole) && countTelling(what) >= TELLING_WORDS_MIN
  if ((MOMENT_VERB.test(whole) && !isNext) || WHEREABOUTS.test(whole) || /^(?:so |very |really )?sorry\b/.test(what))
    return true
  if (/^is (?:\S+ )?\p{L}+ing\b/u.test(said) && / right now$/.test(what)) return true
  if (PARTICLES.has(what)) return true
  const isWorry = WORRY.test(whole) && what.split(' ').length < WORRY_WORDS
  return isWorry && !(EAGER.test(whole) && countTelling(what) >= EAGER_WORDS)
}

const MOMENT_VERB =
  /^is (?:just |now |currently |still )*(?:resting|chilling|laying|lying|sitting|waiting|chatting|relaxing|heading|headin|getting ready|about to|going (?:home|to bed|to sleep)|gearing|hanging|eating|drinking|watching|cleaning|switching|laughing|crying|talking about)\b/
/** Where a person is at the moment: `is at | the cinema`, `is out | shopping`. */
const WHEREABOUTS =
  /^is (?:now |just |currently |still )*(?:at (?!the (?:top|point|age|end|start)\b|a )|outside |out |inside )\S+(?: \S+){0,3}$/
const WORRY =
  /^(?:is|was|am|feels?|is feeling)(?: \S+)? (?:worried|stressed|nervous|anxious|concerned|overwhelmed|curious|excited|thrilled|frustrated)\b/

/** What a person looks forward to: `is so excited to explore the islands`. */
const EAGER = /\b(?:excited|thrilled|stoked|eager) (?:to (?!hear|know|learn|see|be )|for my |about my )/
const EAGER_WORDS = 3

/** A longer value says what the worry is about. */
const WORRY_WORDS = 9

/** Promises and remarks to the person addressed: `will keep that in mind`, `wants to make sure`, `can imagine`. */
const PROMISE =
  /^(?:(?:will|can|also|just|really|definitely|certainly|always|wants? to|is (?:planning|going|hoping) to|hopes? to) )*(?:keep (?:\S+ )?in mind|make (?:sure|the most of)|see (?:if|how|what|whether)|check (?:it|that|them) out|wishing you|imagine|relate|picture|tell|be \S+$|feel \S+$)(?: |$)/

/** Advice that names nothing. */
const ADVICE = /^would (?:\S+ )?(?:appreciate|recommend|suggest)\b/

/** Nothing follows the verb of thinking or speaking: `is wondering`, `was joking`. */
const MUSING =
  /^(?:is|was|am|been|has been|just|'m| )*(?:wondering|thinking|hoping|joking|kidding|asking|saying|guessing|wondering if|wondering whether)$/

/** What is denied names nothing: `doesn't know`, `can't say`. */
const UNTOLD = /^(?:know|tried|try|say|tell|remember|think|see|wait|believe|complain|imagine|explain)(?: that)?$/

/** A noun that names nothing by itself: `is enjoying the experience`, `loves the idea`. */
const VAGUE_VALUE =
  /^(?:(?:the|a|an|some|every|all|more|such|lots of|a lot of|new|this|whole|many|other|these|great|good|amazing|big|absolute|incredible|huge|wonderful|lovely|nice|fun|real|certain|specific|own|personal|few|couple of|couple|various|different|several|past|similar|no|little|first|last|next|best|right|only|most of the|rest of the|\p{L}+ing) )+(?:experiences?|ideas?|ways?|things?|possibilit(?:y|ies)|challenges?|journey|process|moments?|time|adventures?|conversations?|opportunit(?:y|ies)|information|details|feelings?|difference|sense|ones?|rest|places?|blast|fun|tips?|stuff|bit|part|results?|something|options?|decisions?|changes?|topics?|suggestions?|questions?|thoughts|vibes?|try|spirit|basics|solutions?|best|turn|mind|favou?rites?|preferences|clue|day|problems?|format|pattern)$|^\p{L}+['’]s best$|^(?:the|that|this) (?:series|show|movie|film|book|article|song|story|app|dish|recipe|event|game|class|team|project|trip|view|atmosphere|energy|environment|change|course|picture|photo|video|material|topic|place)$/u

/** A value that begins with another person's or thing's possessive names nothing: `their achievements`. */
const OTHERS_WORDS_MIN = 2
const OTHERS =
  /^(?:(?:an?|some|one|the rest|part|a (?:big |huge )?fan) of |(?:being |also |all ))?(?:their|its|his|her) /

const ATTITUDE =
  /^(?:(?:will|would|can|can't|could|do|does|did|just|really|also|still|definitely|totally) )*(?:guess(?:es|ed)?|hopes?|hoped|wish(?:es)?|bets?|agrees?|agree with|means?|meant|apologizes?|wonders?|imagines?|thinks?|thought|feels? like|felt like|(?:is|was|am|been) wondering|wants? to know)$/

/** Checks for a name or a number besides the speaker's own name. */
function isNaming(value: string, speaker: string): boolean {
  return NAMED.test(value.replaceAll(speaker, ''))
}
