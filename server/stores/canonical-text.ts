/** Serializes a value as JSON with sorted keys, as jsonb reorders keys: equal values have equal texts. */
export const canonicalText = (value: unknown): string =>
  JSON.stringify(value, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  ) ?? ''
