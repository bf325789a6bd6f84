/**
 * The commonest small words of languages in Latin script, by which a sentence shows what it is written in. A word may
 * stand in several: what counts is which language has the most.
 */
export const FUNCTION_WORDS: Readonly<Record<string, string>> = {
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

/**
 * Small words of other languages that are everyday words or first names in English, as they are written there: `met`,
 * `Ben`. After a name or an English word one of them shows little.
 */
export const AMBIGUOUS_WORDS: ReadonlySet<string> = new Set(
  'met die ale care men min mint plus pro till Ada Al Ale Ben Come Dan Meg Men Mia Mint Per Plus Pro Sen Till Van War'.split(
    ' '
  )
)

/** What stands between the parts of a name: `Juan de la Cruz`, `Vincent van den Berg`. */
export const NAME_PARTICLES: ReadonlySet<string> = new Set(
  'da das de del della den der des di do dos du el la las le les los ten ter van von zu'.split(' ')
)

/** What a name may begin with in languages that write no other nouns with capitals: `El Greco`, `Las Vegas`. */
export const NAME_OPENERS: ReadonlySet<string> = new Set('da de del di du el la las le los van'.split(' '))
