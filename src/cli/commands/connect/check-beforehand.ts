import { Fault } from '../../../contract/faults.ts'
import type { ProviderId } from '../../../contract/provider-ids.ts'
import { SELECTION_KEYS } from '../../../contract/selection-keys.ts'
import { checkSelection } from '../../service/check-selection.ts'
import { SELECTION_WORDS, type Selection } from '../../service/selection-options.ts'

/**
 * Sees to it that a provider has what is chosen beforehand, and that its ids can be some. Of a word that is no provider the server
 * says so.
 *
 * @throws Fault `usage` that names the flag to give, or the id.
 */
export function checkBeforehand(provider: string, { key, ids }: Selection): void {
  if (!isProvider(provider)) return
  const own = SELECTION_KEYS[provider]
  const { flag, many, list } = SELECTION_WORDS[key]
  if (own === undefined)
    throw new Fault('usage', `${provider} has no ${many} to choose: all of it is synced`, {
      hint: `leave ${flag} out`
    })
  if (own !== key)
    throw new Fault('usage', `${provider} has ${SELECTION_WORDS[own].many} to choose, not ${many}`, {
      hint: `give ${SELECTION_WORDS[own].flag}`
    })
  checkSelection(key, ids, { added: ids, list: `memctl connections ${list} ID, once the account is connected` })
}

function isProvider(word: string): word is ProviderId {
  return Object.hasOwn(SELECTION_KEYS, word)
}
