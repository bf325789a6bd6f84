const words = (...lines: string[]): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split('|')))

/** Words before the one that counts: `Well, honestly, I prefer …`, `Then carefully open …`. */
export const OPENERS = words(
  'and|but|so|or|well|oh|ok|okay|yes|yeah|yep|no|nope|nah|actually|honestly|personally|basically|also|plus|still|anyway|hey',
  'haha|lol|hmm|ah|wow|sure|right|now|please|just|simply|then|next|finally|lastly|first|firstly|second|secondly|third|thirdly',
  'afterwards|afterward|carefully|gently|slowly|quickly|usually|generally|normally|typically|again|meanwhile|kindly|ideally'
)

/** Adverbs that may stand between a subject and its verb. */
export const ADVERBS = words(
  'really|also|still|always|usually|generally|much|absolutely|just|personally|totally|definitely|truly|especially|simply|never',
  'actually|honestly|kinda|mostly|normally|particularly|strongly|only|rarely|seldom|often|typically|both|all|deeply|genuinely|hardly'
)

/** What somebody is said to do as a habit with one of them. */
export const HABIT_ADVERBS = words('never|always|usually|normally|typically|rarely|seldom|only|mostly')

/** Verbs of liking, base forms. */
export const LIKING_VERBS = words('like|love|hate|enjoy|dislike|adore|detest|loathe|despise|favor|favour')

/** With `don't`, these tell a habit: `I don't eat meat`. */
export const CONSUMING_VERBS = words(
  'eat|drink|smoke|use|wear|drive|fly|watch|buy|take|own|celebrate|consume|touch|vape|gamble'
)

/** What a liking that lasts does not begin its object with: `I like that!`, `I love your coat`, `I love how …`. */
export const PASSING_OBJECTS = words(
  "it|that|this|these|those|you|your|how|what|him|her|them|his|their|its|u|ya|'em|where|hearing|seeing|everything|us|she|he|they"
)

/** `not`, as it is written behind an auxiliary. */
export const NOTS = words("not|n't|n’t|nt|'t|never")

/** They tie an instruction to one day: no rule. */
export const ONE_OFF_WORDS = words('today|tonight|tomorrow|yesterday|now|tmrw|asap|soon|later')

/** Words of a condition that an instruction may follow. */
export const CONDITION_WORDS = words(
  'if|when|whenever|unless|before|after|once|until|while|wherever|in case|every time|each time'
)

/** After these, an instruction holds every time. */
export const TRAILING_CONDITIONS = words('whenever|unless|before|after|until|when|if|once|while|without')

/** `Check if …`, `see when …`: what follows them is asked, no condition. */
export const ASKING_VERBS = words(
  'check|see|ask|tell|wonder|know|find|decide|determine|test|verify|say|let|show|remember|confirm|guess'
)

/** Verbs of instructions to a friend: `call me when …`. */
export const FRIENDLY_OBJECTS = words('me|us|him|her|them')

/** What people are told not to feel: `you shouldn't worry`, `you must be tired`. */
export const COMFORTING_VERBS = words(
  'worry|feel|be|have|know|see|try|think|blame|believe|love|miss|come|go|look|watch|let|get|apologize'
)

/** Headings of rules, in several languages. */
export const RULE_HEADINGS = words(
  "rule|rules|guideline|guidelines|policy|policies|convention|conventions|dos|don'ts|regulations|principles|restrictions",
  'regeln|hausordnung|richtlinien|règles|reglas|normas|regole|regras|regels|regler|правила|规则|規則|ルール'
)

/** Headings of steps, in several languages. */
export const HOW_TO_HEADINGS = words(
  'how-to|howto|steps|instructions|procedure|recipe|directions|method|guide|setup|installation|installing|preparation|walkthrough',
  'runbook|checklist|quickstart|tutorial|usage|anleitung|schritte|rezept|zubereitung|installieren|étapes|recette|préparation',
  'instrucciones|pasos|receta|preparación|istruzioni|ricetta|preparazione|instruções|passos|receita|stappen|recept',
  'инструкция|рецепт|шаги|步骤|步驟|做法|手順|作り方|방법'
)

/** How steps go on when they are told one after another. */
export const NEXT_WORDS = words('then|next|second|secondly|third|thirdly|afterwards|afterward|finally|lastly')
