/** An array with room for `size` items: the same one, or a copy in one at least twice as large. */
export function withRoom<A extends Uint8Array | Uint32Array | Float64Array>(array: A, size: number): A {
  if (size <= array.length) return array
  const Kind = array.constructor as new (size: number) => A
  const grown = new Kind(Math.max(array.length * 2, size, 64))
  grown.set(array)
  return grown
}
