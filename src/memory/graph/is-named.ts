/** Written as a name, at least in its first letter. */
export function isNamed(value: string): boolean {
  return NAME.test(value)
}

const NAME = /^(?:[Tt]he )?["'“]?[\p{Lu}\p{N}]/u
