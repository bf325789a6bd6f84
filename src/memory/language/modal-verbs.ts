/** Modal verbs, also as they are cut from what is glued to them: `ca` of "can't", `'ll`. A bare form follows. */
export const MODAL_VERBS: ReadonlySet<string> = new Set(
  "will would can could may might must should shall ca wo 'll 'd ought".split(' ')
)
