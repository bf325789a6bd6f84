/** Folders and files of systems and programs, which are not the user's content. */
const SYSTEM_NAMES = new Set(['__MACOSX', 'Thumbs.db', 'desktop.ini', '$RECYCLE.BIN', 'node_modules'])

/** Reports whether a file or folder with this name is left out: `.obsidian`, `.trash`, `.git`, `.DS_Store`, … */
export function isHiddenName(name: string): boolean {
  return name.startsWith('.') || SYSTEM_NAMES.has(name)
}

/**
 * Returns the outermost hidden part of a path, without what is below it; undefined if no part is hidden. A Maildir, whose
 * folders begin with a dot too, has its messages in `cur` and `new`.
 */
export function findHiddenPart(path: string): string | undefined {
  const parts = path.split('/')
  if (/^(cur|new)$/.test(parts.at(-2) ?? '') && !isHiddenName(parts.at(-1) ?? '')) return undefined
  const at = parts.findIndex(isHiddenName)
  return at < 0 ? undefined : parts.slice(0, at + 1).join('/')
}
