/**
 * Rich text on the wire (developers.notion.com/reference/rich-text), from text in which `**…**` is bold, `` `…` `` code, `[…](…)` a link and
 * `$…$` a formula.
 */
export function richText(text: string): RichText[] {
  return [...text.matchAll(PIECES)].map(({ groups = {} }) => {
    const { bold, code, label, target, formula, plain = '' } = groups
    if (formula !== undefined) return formulaPiece(formula)
    return textPiece(bold ?? code ?? label ?? plain, {
      bold: bold !== undefined,
      code: code !== undefined,
      target: target ?? null
    })
  })
}

export type RichText = {
  type: 'text' | 'equation'
  plain_text: string
  href: string | null
  annotations: Record<string, boolean | string>
  text?: { content: string; link: { url: string } | null }
  equation?: { expression: string }
}

const PIECES =
  /\*\*(?<bold>[^*]+)\*\*|`(?<code>[^`]+)`|\[(?<label>[^\]]+)\]\((?<target>[^)\s]+)\)|\$(?<formula>[^$\s][^$]*)\$|(?<plain>(?:(?!\*\*[^*]+\*\*|`[^`]+`|\[[^\]]+\]\([^)\s]+\)|\$[^$\s][^$]*\$)[\s\S])+)/g

/** What a person reads of it. */
export function plainOf(pieces: readonly RichText[]): string {
  return pieces.map(({ plain_text: text }) => text).join('')
}

function textPiece(
  content: string,
  { bold, code, target }: { bold: boolean; code: boolean; target: string | null }
): RichText {
  return {
    type: 'text',
    text: { content, link: target === null ? null : { url: target } },
    annotations: annotated(bold, code),
    plain_text: content,
    href: target
  }
}

function formulaPiece(expression: string): RichText {
  return {
    type: 'equation',
    equation: { expression },
    annotations: annotated(false, false),
    plain_text: expression,
    href: null
  }
}

function annotated(bold: boolean, code: boolean) {
  return { bold, italic: false, strikethrough: false, underline: false, code, color: 'default' }
}
