import * as z from 'zod'

/** developers.notion.com/reference/rich-text: pieces, each with what is read and, maybe, where it leads. */
const RichText = z.array(
  z.looseObject({ type: z.string().optional(), plain_text: z.string(), href: z.string().nullish() })
)

/** What a person reads there; anything that is no rich text reads as nothing. */
export function plainText(value: unknown): string {
  const parsed = RichText.safeParse(value)
  if (!parsed.success) return ''
  return parsed.data
    .map(({ type, plain_text: text, href }) => (type === 'text' ? withTarget(text, href ?? undefined) : text))
    .join('')
}

/** A text with where it leads, if that is elsewhere on the web and not what it says anyway. */
export function withTarget(text: string, target: string | undefined): string {
  if (target === undefined || !/^https?:\/\//i.test(target) || /^https:\/\/(www|app)\.notion\.(so|com)\//.test(target))
    return text
  return text.trim() === '' || target === text || target === `${text}/` ? text || target : `${text} (${target})`
}
