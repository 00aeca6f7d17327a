/**
 * What a NumberInput holds, as a number; null if there is none yet. The value is a text while it is typed: "5.", "5.0". A zero with a sign is
 * none either: replacing it would drop the sign.
 */
export function typedNumber(value: number | string): number | null {
  const number = value === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) && !Object.is(number, -0) ? number : null
}
