/** A line that begins with one of them greets or takes leave: no title. */
export const NO_TITLE_WORDS: ReadonlySet<string> = new Set(
  [
    'hi|hello|hey|dear|good|greetings|thanks|thank|cheers|regards|best|kind|warm|love|sincerely|yours|congratulations|congrats',
    'happy|merry|welcome|sorry|ok|okay|yes|no|wow|bye|goodbye|hallo|liebe|lieber|viele|bonjour|hola|ciao|merci|gracias|re|fwd'
  ].flatMap((line) => line.split('|'))
)

/** Words that stay small in a title. */
export const SMALL_TITLE_WORDS: ReadonlySet<string> = new Set(
  [
    'a|an|the|of|for|to|in|on|at|by|with|and|or|from|vs|via|per|as|&|-|–|—|/|+',
    'der|die|das|und|für|von|im|am|zur|zum|de|la|le|les|du|des|et|el|los|las|y|del|en|di|e|il|da|do|van|het|een'
  ].flatMap((line) => line.split('|'))
)
