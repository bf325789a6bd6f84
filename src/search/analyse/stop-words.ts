/**
 * English function words, which say nothing about the subject. Contractions are listed without their apostrophe. Words
 * with another meaning are not listed: may, will, might, us, own, same.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  [
    'a an the this that these those',
    'i me my mine myself we our ours ourselves you your yours yourself yourselves',
    'he him his himself she her hers herself it its itself they them their theirs themselves',
    'who whom whose which what when where why how',
    'am is are was were be been being do does did doing done have has had having',
    'can could shall should would must ought',
    'and or but nor so if then else than because as until while although though unless whether since',
    'of at by for with about against between into through during before after above below to from up down in out on off',
    'over under again further once upon onto within without toward towards among via per',
    'here there all any both each few more most other some such no not only too very just also ever',
    'im ive ill id youre youve youll youd hes shes weve theyre theyve theyll theyd thats whats wheres theres lets',
    'dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt wont wouldnt cant cannot couldnt shouldnt mustnt aint',
    'neednt mightnt shant'
  ].flatMap((line) => line.split(' '))
)
