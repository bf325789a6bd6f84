/**
 * Compiles a pattern of paths: `*` and `?` match within a folder, `**` matches any folders, and `{a,b}` either. A pattern
 * without a slash matches names in any folder, and one that names a folder matches all that is in it.
 */
export function compileGlob(pattern: string): (path: string) => boolean {
  const whole = pattern.includes('/') ? pattern.replace(/^\.?\/+/, '') : `**/${pattern}`
  const expression = new RegExp(`^${toExpression(whole.normalize('NFC').replace(/\/+$/, ''))}(?:/.*)?$`, 'u')
  return (path) => expression.test(path)
}

const TOKEN = /\*\*\/|\*\*|\*|\?|\{[^{}]*\}|[\s\S]/gu

function toExpression(pattern: string): string {
  return [...pattern.matchAll(TOKEN)]
    .map(([token]) => {
      if (token === '**/') return '(?:[^/]+/)*'
      if (token === '**') return '.*'
      if (token === '*') return '[^/]*'
      if (token === '?') return '[^/]'
      if (token.length > 1 && token.startsWith('{'))
        return `(?:${token.slice(1, -1).split(',').map(toExpression).join('|')})`
      return token.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    })
    .join('')
}
