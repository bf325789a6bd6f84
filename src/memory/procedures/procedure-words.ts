const words = (...lines: string[]): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split('|')))

/** Words before the first significant one: `Well, honestly, I prefer …`, `Then carefully open …`. */
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

/** Adverbs that mark a habit. */
export const HABIT_ADVERBS = words('never|always|usually|normally|typically|rarely|seldom|only|mostly')

/** Verbs of liking, in base form. */
export const LIKING_VERBS = words('like|love|hate|enjoy|dislike|adore|detest|loathe|despise|favor|favour')

/** Verbs that state a habit after `don't`: `I don't eat meat`. */
export const CONSUMING_VERBS = words(
  'eat|drink|smoke|use|wear|drive|fly|watch|buy|take|own|celebrate|consume|touch|vape|gamble'
)

/** Openings of an object that show a passing remark: `I like that!`, `I love your coat`, `I love how …`. */
export const PASSING_OBJECTS = words(
  "it|that|this|these|those|you|your|how|what|him|her|them|his|their|its|u|ya|'em|where|hearing|seeing|everything|us|she|he|they"
)

/** `not`, in its spellings after an auxiliary. */
export const NOTS = words("not|n't|n’t|nt|'t|never")

/** Words that tie an instruction to one day, so that it is not a rule. */
export const ONE_OFF_WORDS = words('today|tonight|tomorrow|yesterday|now|tmrw|asap|soon|later')

/** Words that open a condition before an instruction. */
export const CONDITION_WORDS = words(
  'if|when|whenever|unless|before|after|once|until|while|wherever|in case|every time|each time'
)

/** Words that open a condition after an instruction and make it general. */
export const TRAILING_CONDITIONS = words('whenever|unless|before|after|until|when|if|once|while|without')

/** Verbs before an indirect question, which is not a condition: `Check if …`, `see when …`. */
export const ASKING_VERBS = words(
  'check|see|ask|tell|wonder|know|find|decide|determine|test|verify|say|let|show|remember|confirm|guess'
)

/** Objects of requests to a friend: `call me when …`. */
export const FRIENDLY_OBJECTS = words('me|us|him|her|them')

/** Verbs of comfort and sympathy: `you shouldn't worry`, `you must be tired`. */
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

/** Words that begin a further step. */
export const NEXT_WORDS = words('then|next|second|secondly|third|thirdly|afterwards|afterward|finally|lastly')
