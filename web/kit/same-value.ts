/** Whether two JSON values are equal, regardless of the order of keys. */
export const isSameValue = (a: unknown, b: unknown): boolean =>
  JSON.stringify(sortKeys(a)) === JSON.stringify(sortKeys(b))

/** Returns a JSON value with the keys of all its objects sorted. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([key, member]) => [key, sortKeys(member)]),
  )
}
