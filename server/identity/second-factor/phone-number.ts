/** A phone number with its country code, by E.164; a plus that is missing is put before it. Null where it is none. */
export function phoneNumber(text: string): string | null {
  const digits = text.replace(/[\s().\-/\u00a0\u2010-\u2015]/g, '').replace(/^(?=\d)/, '+')
  return /^\+[1-9]\d{7,14}$/.test(digits) ? digits : null
}
