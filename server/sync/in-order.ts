/**
 * What becomes of each input, in the order of the inputs, with at most `atOnce` under way. What rejects is thrown when its turn comes, after
 * what stood before it.
 */
export async function* inOrder<In, Out>(
  inputs: readonly In[],
  atOnce: number,
  work: (input: In) => Promise<Out>
): AsyncGenerator<Out> {
  const ahead: Promise<Out>[] = []
  for (const input of inputs) {
    const begun = work(input)
    // One whose turn never comes must not fall as an unhandled one.
    begun.catch(() => undefined)
    ahead.push(begun)
    const first = ahead.length < atOnce ? undefined : ahead.shift()
    if (first !== undefined) yield await first
  }
  for (const rest of ahead) yield await rest
}
