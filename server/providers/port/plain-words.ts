/** Default maximum length of a provider's text, in characters. */
const CHARACTERS_MAX = 200

/**
 * Returns a provider's text as one printable line: without control characters or characters that change the text
 * direction, truncated to `charactersMax`, and with all `secrets` replaced.
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

/** Control characters, line separators, and invisible or direction-changing characters. */
const STEERING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu

function withoutSecret(text: string, secret: string): string {
  return [secret, encodeURIComponent(secret.toWellFormed())].reduce(
    (left, form) => left.replaceAll(form, '[secret]'),
    text
  )
}
