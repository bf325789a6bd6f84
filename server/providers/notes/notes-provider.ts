import type { Provider } from '../port/provider.ts'
import { changes, list } from './changes.ts'
import { FACTS } from './facts.ts'
import { lookUp, read } from './read.ts'

import { identify } from './requests.ts'

/** An item is one page with its comments, including rows of data sources. */
export const notesProvider: Provider = { facts: FACTS, identify, changes, list, read, lookUp }
