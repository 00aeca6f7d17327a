/** What became of an older list's shapes. */
export interface ListChange {
  /** New number of each shape of the older list, by its number less one; 0: it is gone. */
  numbers: number[]
  /** Numbers of the shapes that are new. */
  added: Set<number>
}

/** Shapes are the same where their keys are. Null where that does not tell, as a key is there twice. */
export function compareLists(before: readonly string[], now: readonly string[]): ListChange | null {
  const places = new Map(now.map((key, at) => [key, at + 1]))
  const old = new Set(before)
  if (places.size !== now.length || old.size !== before.length) return null
  return {
    numbers: before.map((key) => places.get(key) ?? 0),
    added: new Set(now.flatMap((key, at) => (old.has(key) ? [] : [at + 1]))),
  }
}
