import type { Provider } from '../port/provider.ts'
import { changes, list } from './changes.ts'
import { FACTS } from './facts.ts'
import { lookUp, read } from './read.ts'

import { identify } from './requests.ts'

/** An item is one page, including rows of data sources. Comments are not read. */
export const notesProvider: Provider = { facts: FACTS, identify, changes, list, read, lookUp }
