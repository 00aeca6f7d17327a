/** A phone number as it is sent: what stands between the digits is gone, a missing plus is there. Null where it has no country code, or is none. */
export function tidyPhone(typed: string): string | null {
  const number = typed.replace(/[\s().\-/\u00a0\u2010-\u2015]/g, '').replace(/^(?=\d)/, '+')
  return /^\+[1-9]\d{7,14}$/.test(number) ? number : null
}
