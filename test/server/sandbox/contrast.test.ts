import { expect, test } from 'vitest'
import { SANDBOX_STYLE } from '../../../server/sandbox/consent/sandbox-style.ts'

const [light, dark] = SANDBOX_STYLE.split('@media (prefers-color-scheme: dark)').map(coloursIn)

/** Pairs of text and background in the style. */
const TEXTS = [
  ['text', 'card'],
  ['quiet', 'card'],
  ['quiet', 'ground'],
  ['text', 'chosen'],
  ['quiet', 'chosen'],
  ['on-accent', 'accent'],
  ['sign-text', 'sign'],
  ['wrong', 'card']
] as const

test.for(TEXTS)(
  'shows %s on %s with enough contrast in light and dark mode (WCAG 2.2, 1.4.3: at least 4.5)',
  ([text, ground]) => {
    for (const colours of [light, dark])
      expect(contrast(colours?.[text], colours?.[ground])).toBeGreaterThanOrEqual(4.5)
  }
)

test.for(['card', 'ground', 'chosen'] as const)(
  'shows focus and the chosen account on %s with enough contrast (1.4.11: at least 3)',
  (ground) => {
    for (const colours of [light, dark]) expect(contrast(colours?.accent, colours?.[ground])).toBeGreaterThanOrEqual(3)
  }
)

function coloursIn(style: string): Record<string, string> {
  const pairs = [...style.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, name = '', value = '']) => [name, value])
  return Object.fromEntries(pairs) as Record<string, string>
}

function contrast(one: string | undefined, other: string | undefined): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(colour = ''): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
