import type { Provider } from '../port/provider.ts'
import { changes, list } from './changes.ts'
import { FACTS } from './facts.ts'
import { lookUp, read } from './read.ts'

import { identify } from './requests.ts'

/** An item is one page, be it a row of a data source or not. Comments are not read. */
export const notesProvider: Provider = { facts: FACTS, identify, changes, list, read, lookUp }
