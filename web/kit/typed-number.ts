/**
 * Returns the value of a NumberInput as a number; null if it is incomplete. The value is a text while it is typed:
 * "5.", "5.0". "-0" is incomplete too, because replacing it by 0 would drop the sign.
 */
export function parseTypedNumber(value: number | string): number | null {
  const number = value === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) && !Object.is(number, -0) ? number : null
}
