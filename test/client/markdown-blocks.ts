import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Returns the code blocks of a language in a Markdown file of the project, in order. */
export function markdownBlocks(path: string, language: string): string[] {
  const text = readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block)
}
