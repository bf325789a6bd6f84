/** How sure a fact of each rule is: the share of such facts that are true of what the text says. */
export const FACT_CONFIDENCE = {
  'mail.header': 0.95,
  'mail.address': 0.95,
  'front-matter.key-value': 0.9,
  'field.named-key': 0.9,
  'field.key-value': 0.75,
  'field.assignment': 0.8,
  'table.cell': 0.85,
  'table.key-value': 0.85,
  'list.member': 0.65,
  'list.value': 0.75,
  'list.part': 0.6,
  'heading.value': 0.7,
  'annotation.shared': 0.9
} as const

export type FactRule = keyof typeof FACT_CONFIDENCE
