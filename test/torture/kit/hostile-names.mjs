/** Names of folders and channels as people and programs choose them. */
export const NAMES = [
  '\u001b[31mred\u001b[0m',
  '\u001b]0;title\u0007',
  '\u001b]8;;http://evil.example\u0007link\u001b]8;;\u0007',
  'two\nlines\rand\ttabs',
  '\u202egnp.exe\u202c',
  'nul\u0000inside',
  '\u009b2J',
  'x'.repeat(10_000),
  '𝔘𝔫𝔦𝔠𝔬𝔡𝔢 👩‍👩‍👧‍👦 ٱلْعَرَبِيَّة',
  '"; drop table connections; --',
  '$(touch /tmp/owned) `id`',
  '<script>alert(1)</script>',
  '../../../etc/passwd',
  '--yes'
]

/** Other tests limit the number of a table's lines; here no line may control a terminal. */
const RAW = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u

/** Returns what is wrong with output that contains hostile names, or undefined if it is harmless. */
export function breakNames(text, mode) {
  if (text === '') return 'nothing is listed'
  const raw = RAW.exec(text)
  // JSON contains every character unchanged except those that it forbids.
  if (raw !== null && !(mode === '--json' && raw[0] >= '\u007f')) return `raw ${escape(raw[0])} at ${raw.index}`
  return undefined
}
