import type { HelpBlock } from '../../output/draw-help.ts'

/** `memctl help offline`. */
export const OFFLINE_TEXT: readonly HelpBlock[] = [
  { heading: 'Offline use' },
  {
    text:
      "The 'memctl device' commands work without a network, because a snapshot is a local file and searching it needs nothing else. " +
      'Only export, import, and store and search with --remote contact a server. ' +
      "'memctl quickstart' demonstrates this: it searches in a process in which every use of the network throws."
  },
  {
    text:
      "A command uses the snapshot that is named by --snapshot FILE, else MEMCTL_SNAPSHOT, else the setting 'snapshot' (in the nearest " +
      'memctl.json upward, then in your user settings). Without one it uses ./memctl.mem.jsonl, else the default snapshot in the data ' +
      'folder, which the first store creates.'
  },
  {
    text:
      'The search index is a cache in the cache folder. The first search creates it, and later searches update it. You can delete it ' +
      "at any time. Only the snapshot matters: copy it, put it under version control, or merge it with 'memctl device merge'."
  },
  {
    text:
      'An acknowledged store survives a crash and a power failure. Several processes can store into one file at the same time. A store ' +
      'can be lost only if a program that ignores the lock, such as an editor or Git, rewrites the file at that moment.'
  }
]
