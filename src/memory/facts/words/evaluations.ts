/** Words that say how somebody finds a thing, not how it is. */
export const EVALUATIONS: ReadonlySet<string> = new Set(
  `amazing amazingly awesome awful bad beautiful best better boring brilliant challenging cool crazy crucial delicious difficult easy
  encouraging enjoyable essential exciting exhausting fantastic fascinating favorite favourite fine frustrating fulfilling fun funny
  good gorgeous great hard heartbreaking heartwarming helpful hilarious impressive incredible inspiring interesting intense
  key lovely magical meaningful memorable motivating necessary nice overwhelming peaceful perfect powerful precious refreshing
  relaxing rewarding sad satisfying scary special stressful stunning surreal terrible terrific thrilling tough tricky
  unforgettable unique useful valuable vital weird wild wonderful worthwhile therapeutic calming soothing important comforting
  busy hectic rough sweet cute adorable neat thoughtful empowering energizing uplifting enlightening humbling devastating upsetting
  annoying disappointing surprising strange odd magnificent breathtaking charming cozy lively vibrant tasty yummy mesmerizing
  captivating gripping immersive healthy worth fresh lovely underrated priceless
  blast blessing joy pleasure relief shame reminder`
    .trim()
    .split(/\s+/)
)
