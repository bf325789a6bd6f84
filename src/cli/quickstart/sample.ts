/** One turn of a conversation, as a line of a batch. */
export type SampleTurn = { raw_text: string; at: string; speaker: string; conversation: string; position: number }

/** A small family business over two months: enough to ask questions about, short enough to read. */
export const SAMPLE_TURNS: readonly SampleTurn[] = [
  ...session('kitchen-table', '2026-02-01T18:30:00.000Z', [
    ['Mira', 'The landlord called. We can have the corner shop on Almond Street from the first of April.'],
    ['Jonas', 'Finally! Then the bakery gets a real oven and not my two home ones.'],
    ['Mira', 'The rent is 1,450 a month, heating not included. I told her we would sign on Thursday.'],
    ['Jonas', 'Aunt Tilda offered to lend us eight thousand for the oven, without interest, over three years.'],
    ['Mira', 'Then please write that down properly. Family and money, you know how it went with the boat.'],
    ['Jonas', 'I will. And remember that I am allergic to hazelnuts, so no nut corner in my half of the kitchen.']
  ]),
  ...session('oven-hunt', '2026-02-12T09:05:00.000Z', [
    ['Jonas', 'I looked at the used deck oven in Harwick. Three decks, nine years old, 5,200 with delivery.'],
    ['Mira', 'Does it fit through the back door? The door is only 92 centimetres wide.'],
    ['Jonas', 'The seller, Mr. Okafor, says it comes apart. He would install it on the 20th of March.'],
    ['Mira', 'Ask him about the electrics. The shop has three-phase power, but only 32 amperes.'],
    ['Jonas', 'He says 32 is enough if we never heat all three decks at once. First the bottom one, then the others.'],
    ['Mira', 'Good. Buy it, then. I would rather have a used oven that somebody knows than a new one nobody does.']
  ]),
  ...session('recipes', '2026-03-03T20:15:00.000Z', [
    ['Mira', 'The rye starter is called Bertha and she eats at seven in the morning: equal parts flour and water.'],
    ['Lea', 'And if I forget? I am at school until two on Wednesdays.'],
    ['Mira', 'Then put her in the fridge the night before. In the cold she can go five days without food.'],
    ['Lea', 'I want to make the lemon rolls for the opening. Grandma’s recipe, but with half the sugar.'],
    ['Jonas', 'Lemon rolls sell. Cinnamon rolls everybody has. Let us make forty and see.'],
    ['Lea', 'I also drew a sign. A fox with a loaf under its arm. The bakery should be called The Fox and Loaf.'],
    ['Mira', 'I love it. I will ask the painter, Ines, whether she can do it on the window before the opening.']
  ]),
  ...session('suppliers', '2026-03-15T07:40:00.000Z', [
    ['Jonas', 'The mill in Brook delivers on Tuesdays and Fridays before six. Minimum order is 200 kilos.'],
    ['Mira', 'Where do we put 200 kilos? The cellar floods when it rains for more than two days.'],
    ['Jonas', 'On the pallets from the old stable, half a metre above the floor. Ned will bring them on Saturday.'],
    ['Mira', 'Eggs come from the Hallorans, and they only take cash. Butter from the dairy, paid monthly.'],
    ['Jonas', 'I opened an account with the cooperative bank. Their card reader costs 19 a month.']
  ]),
  ...session('after-opening', '2026-04-07T21:00:00.000Z', [
    ['Mira', 'Day one: 212 customers, sold out at half past eleven. We need at least sixty more loaves on Saturdays.'],
    ['Lea', 'The lemon rolls were gone after forty minutes! Somebody bought twelve for an office.'],
    ['Jonas', 'The middle deck trips the fuse when the dough mixer starts. Mr. Okafor comes on Monday to look at it.'],
    ['Mira', 'Until then: never run the mixer while the middle deck heats up. I put a note on the switch.'],
    ['Jonas', 'And the man from the newspaper, Pavel Duras, wants to write about us. I said Thursday after four.'],
    ['Mira', 'Then Lea should be there too, the fox is her idea. I am tired and I have not been this happy in years.']
  ])
]

/** What the quickstart asks: no question shares all its words with the answer. */
export const SAMPLE_QUESTIONS: readonly string[] = [
  'when does Mr. Okafor repair the fuse of the oven?',
  'how do I feed the rye starter?',
  'who lends the money for the oven?'
]

function session(conversation: string, at: string, turns: readonly (readonly [string, string])[]): SampleTurn[] {
  return turns.map(([speaker, text], index) => ({ raw_text: text, at, speaker, conversation, position: index + 1 }))
}
