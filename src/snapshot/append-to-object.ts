import type { Files } from '../ports.ts'
import { walkObject } from './object-form.ts'
import { replaceFile } from './replace-file.ts'
import { copyBytes } from './row-writer.ts'
import { openSource } from './source.ts'

/**
 * Puts records at the end of `records` in a file in the object form. That form cannot grow by lines: the whole file is
 * written anew, every byte before and after as it was. The caller holds the lock.
 */
export function appendToObject(files: Files, path: string, lines: Buffer): void {
  const source = openSource(files, path)
  try {
    const { records } = walkObject(source, () => undefined)
    const texts = lines.toString('utf8').trimEnd().split('\n')
    replaceFile(files, { path, mode: source.facts.mode }, (sink) => {
      copyBytes(source, sink, { start: 0, end: records.offset })
      sink.write(`${records.isEmpty ? '' : ','}${texts.join(',\n')}\n`)
      copyBytes(source, sink, { start: records.offset, end: source.facts.size })
    })
  } finally {
    source.close()
  }
}
