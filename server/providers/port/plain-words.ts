/** How much of what a provider says is shown, in characters, where nobody says otherwise. */
const CHARACTERS_MAX = 200

/**
 * What a provider says, as one line to be shown: without characters that steer a terminal or the direction of text, cut after
 * `charactersMax`, and without anything of `secrets`, should it repeat them.
 */
export function plainWords(
  text: string,
  secrets: readonly string[] = [],
  charactersMax: number = CHARACTERS_MAX
): string {
  const bare = secrets.filter((secret) => secret !== '').reduce(withoutSecret, text)
  const line = bare.toWellFormed().replace(STEERING, ' ').replace(/\s+/g, ' ').trim()
  return line.length > charactersMax ? `${line.slice(0, charactersMax - 1).toWellFormed()}…` : line
}

/** Controls, separators of lines, and all that is invisible or changes the direction. */
const STEERING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu

function withoutSecret(text: string, secret: string): string {
  return [secret, encodeURIComponent(secret.toWellFormed())].reduce(
    (left, form) => left.replaceAll(form, '[secret]'),
    text
  )
}
