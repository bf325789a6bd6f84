/**
 * Verbs of which one happening changes how things are, by their base form: told of in the past tense, they are events
 * even where nobody says when (Vendler's achievements). A second word must follow where one stands after a blank.
 */
export const CHANGE_VERBS: ReadonlySet<string> = new Set([
  ...['accept', 'achieve', 'acquire', 'adopt', 'announce', 'appoint', 'arrive', 'award', 'bear', 'break', 'buy'],
  ...['cancel', 'complete', 'crash', 'deliver', 'deploy', 'die', 'discover', 'divorce', 'donate', 'elect', 'enroll'],
  ...['finish', 'fire', 'found', 'graduate', 'hire', 'immigrate', 'emigrate', 'injure', 'inherit', 'install'],
  ...['invent', 'join', 'launch', 'lose', 'marry', 'merge', 'migrate', 'move', 'open', 'organize', 'pass', 'patent'],
  ...['promote', 'propose', 'publish', 'purchase', 'quit', 'receive', 'recover', 'release', 'rescue', 'resign'],
  ...['retire', 'sell', 'ship', 'sign', 'sprain', 'start', 'steal', 'submit', 'win', 'witness'],
  ...[
    'begin taking',
    'gave birth',
    'get accepted',
    'get back',
    'get divorced',
    'get engaged',
    'get fired',
    'get hired'
  ],
  ...[
    'get injured',
    'get into',
    'get laid',
    'get married',
    'get promoted',
    'give birth',
    'pick up',
    'set up',
    'sign up'
  ],
  ...['take up', 'break up', 'find out', 'give up', 'hand in', 'move in', 'move out', 'run into', 'settle down']
])
