import type { Entry } from '../command.ts'
import { addMemory } from '../commands/memories/add-memory.ts'
import { searchMemories } from '../commands/memories/search-memories.ts'

/** What stands below `memctl memories`. */
export const MEMORIES_COMMANDS: readonly Entry[] = [addMemory, searchMemories]
