import type { Block } from './block.ts'
import { mailHeaderMeaning } from './mail-header-reader.ts'
import { headerText, peopleIn } from './mail-people.ts'

/** Who wrote the mail that a text is: the name in its `From`, else the address; undefined where it has no head. */
export function mailWriter(text: string, blocks: readonly Block[]): string | undefined {
  for (const block of blocks) {
    if (block.kind !== 'field' || block.form !== 'mail') return undefined
    if (mailHeaderMeaning(text.slice(block.key.start, block.key.end)) !== 'from') continue
    const [person] = peopleIn(headerText(text, block.value))
    return person?.name ?? person?.address
  }
  return undefined
}
