/** Words that tell a field (`Phone: 555 0199`) from prose that happens to have a colon (`Note: see you at five`). */

/** Openers of prose: what follows their colon is a sentence like any other. */
export const LABELS: ReadonlySet<string> = new Set(
  [
    'note|notes|nb|n.b|ps|p.s|pps|p.p.s|fyi|btw|imo|imho|tldr|tl;dr|edit|update|updates|reminder|remember|warning|caution',
    'attention|important|urgent|disclaimer|spoiler|spoilers|hint|tip|tips|pro tip|fun fact|fact|joke|quote|example|examples',
    'question|questions|quick question|answer|q|a|re|fw|fwd|aw|wg|hello|hi|hey|dear|dear all|hi all|hey all|all|everyone|guys',
    'ok|okay|yes|no|yep|nope|wow|oh|well|so|also|plus|first|second|third|firstly|secondly|thirdly|finally|lastly|next|then',
    'side note|on a side note|bottom line|good news|bad news|great news|big news|long story short|short version|one thing',
    'another thing|one more thing|last thing|the thing is|thing is|idea|thought|thoughts|confession|rant|result|conclusion',
    'in short|in summary|in other words|to sum up|summary|case in point|for example|for instance|e.g|i.e|eg|ie|namely',
    'correction|clarification|translation|meaning|reason|problem|solution|issue|fix|plan|todo|to do|to-do|task|then again',
    'hinweis|achtung|wichtig|frage|antwort|beispiel|übrigens|attention|remarque|nota|ojo|importante|pregunta|opmerking|let op'
  ].flatMap((line) => line.split('|'))
)

/** With a number behind them they count parts of a text: `Chapter 3: The storm`. */
export const PARTS: ReadonlySet<string> = new Set(
  (
    'chapter|section|part|figure|fig|table|appendix|day|week|month|lesson|episode|act|scene|season|phase|session|level|' +
    'point|option|exercise|round|page|book|verse|step|question|kapitel|teil|chapitre|capítulo|capitolo'
  ).split('|')
)

/** A key with one of them is the beginning of a sentence: `What I mean: …`, `He said: …`. */
export const SENTENCE_WORDS: ReadonlySet<string> = new Set(
  [
    'i|you|he|she|it|we|they|me|him|us|them|this|that|these|those|here|there|who|what|why|how|when|where|which|whose',
    'is|are|was|were|am|be|been|being|do|does|did|have|has|had|will|would|can|could|shall|should|may|might|must|let|lets',
    "i'm|i've|i'll|i'd|it's|that's|what's|here's|there's|let's|don't|can't|won't|he's|she's|we're|you're|they're|didn't",
    'said|says|say|asked|asks|told|tells|replied|wrote|writes|thought|think|thinks|know|mean|means|guess|went|got|made',
    'and|but|because|if|then|so|as|following|follows|like|just|not|please|thanks|thank|sorry|dear|hello|hi|hey|oh|well'
  ].flatMap((line) => line.split('|'))
)

/** Heads of keys that name a field wherever they stand, one word or the whole key. */
export const KEY_NAMES: ReadonlySet<string> = new Set(
  [
    'name|names|full name|first name|last name|nickname|username|user|login|password|passcode|passphrase|pin|code|token|key|id',
    'email|e-mail|mail|phone|telephone|tel|mobile|cell|fax|address|street|city|town|state|country|zip|postcode|website|web|url',
    'homepage|link|birthday|birthdate|born|date|time|day|start|end|begin|due|deadline|duration|length|location|place|venue|room',
    'where|when|who|status|priority|severity|owner|author|authors|assignee|reporter|reviewer|manager|lead|contact|organizer',
    'host|attendees|participants|team|company|employer|department|organization|organisation|job|occupation|profession|role',
    'position|title|subject|topic|type|kind|category|categories|tag|tags|label|language|languages|version|release|license',
    'licence|environment|os|platform|branch|commit|repository|repo|port|server|database|timezone|price|cost|total|subtotal|tax',
    'amount|quantity|budget|salary|currency|account|iban|bic|vat|invoice|order|reference|number|serial|model|make|brand|size',
    'color|colour|weight|height|width|depth|age|gender|sex|nationality|hometown|school|university|degree|hobbies|hobby|allergies',
    'allergy|diet|diagnosis|medication|dosage|dose|doctor|dentist|insurance|blood type|emergency contact|wifi|ssid|ip|flight',
    'gate|seat|airline|hotel|check-in|check-out|departure|arrival|destination|route|train|reservation|confirmation|booking',
    'ingredients|servings|yield|serves|calories|source|genre|director|publisher|isbn|edition|rating|score|distance|speed',
    'temperature|capacity|frequency|interval|schedule|hours|opening hours|decision|outcome|goal|scope|spouse|wife|husband',
    'vorname|nachname|telefon|handy|adresse|anschrift|straße|ort|plz|stadt|land|geburtstag|geburtsdatum|datum|uhrzeit|beginn',
    'ende|frist|zuständig|verantwortlich|autor|teilnehmer|firma|beruf|preis|summe|menge|kennwort|passwort|benutzer|farbe|größe',
    'nom|prénom|téléphone|adresse|ville|pays|anniversaire|heure|lieu|statut|responsable|auteur|entreprise|prix|montant|couleur',
    'nombre|apellido|teléfono|correo|dirección|ciudad|país|cumpleaños|fecha|hora|lugar|estado|responsable|precio|contraseña',
    'nome|cognome|telefono|indirizzo|città|paese|compleanno|ora|luogo|stato|prezzo|cor|telefone|endereço|cidade|senha|preço',
    'naam|telefoon|adres|plaats|verjaardag|tijd|prijs|wachtwoord|kleur|navn|telefon|namn|adress|imię|nazwisko|adres|miasto',
    'имя|фамилия|телефон|адрес|почта|город|страна|дата|время|место|статус|автор|цена|пароль|цвет|возраст|работа',
    '名前|氏名|電話|電話番号|住所|メール|誕生日|日時|日付|時間|場所|状態|担当|担当者|会社|価格|色|パスワード|件名',
    '姓名|名字|电话|電話|手机|地址|邮箱|生日|日期|时间|地点|状态|负责人|公司|价格|颜色|密码|年龄|职业|이름|전화|주소|생일|날짜|시간|장소'
  ].flatMap((line) => line.split('|'))
)
