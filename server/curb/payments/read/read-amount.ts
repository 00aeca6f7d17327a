/** Currency signs and codes, blanks and apostrophes. */
const ignoredSigns = /[\p{Sc}\s\u00a0\u202f']|^[A-Z]{3}\b|\b[A-Z]{3}$/gu

/**
 * Reads an amount as minor units. Accepts currency signs and codes, blanks, thousands separators, and
 * parentheses for negative amounts. A separator followed by one or two digits is a decimal separator. Null if
 * the text is not an amount.
 */
export function readAmount(text: string, digits: number, unit: 'major' | 'minor'): number | null {
  let plain = text.replace(ignoredSigns, '')
  let isNegative = false
  if (/^\(.*\)$/.test(plain)) [isNegative, plain] = [true, plain.slice(1, -1).replace(ignoredSigns, '')]
  const sign = /^[-+\u2212]|[-\u2212]$/.exec(plain)
  if (sign) {
    if (sign[0] !== '+') isNegative = !isNegative
    plain = plain.replace(sign[0], '').replace(ignoredSigns, '')
  }
  const number = readUnsignedNumber(plain)
  if (number === null) return null
  // 15 significant digits remove the rounding errors of the multiplication.
  const minor = unit === 'minor' ? number : Number((number * 10 ** digits).toPrecision(15))
  if (!Number.isFinite(minor) || minor > Number.MAX_SAFE_INTEGER) return null
  const rounded = Math.round(minor)
  return isNegative && rounded !== 0 ? -rounded : rounded
}

export const findCurrencySign = (currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency

/** Returns the sign or code of another currency in the text of an amount. Null if there is none. */
export function findOtherCurrency(
  text: string,
  { code, sign }: { code: string; sign: string },
): string | null {
  if (/^[\d\s.,()+-]*$/.test(text)) return null
  const foundCode = /^[A-Z]{3}\b|\b[A-Z]{3}$/.exec(text.trim())?.[0]
  if (foundCode !== undefined && foundCode !== code) return foundCode
  const foundSign = /\p{Sc}/u.exec(text)?.[0]
  return foundSign !== undefined && !sign.includes(foundSign) ? foundSign : null
}

function readUnsignedNumber(text: string): number | null {
  if (/^(\d+\.?\d*|\.\d+)$/.test(text)) return Number(text)
  if (/^\d{1,3}(,\d{3})+(\.\d*)?$/.test(text)) return Number(text.replaceAll(',', ''))
  if (/^\d{1,3}(\.\d{3})+,\d{1,2}$/.test(text)) return Number(text.replaceAll('.', '').replace(',', '.'))
  if (/^\d*,\d{1,2}$/.test(text)) return Number(text.replace(',', '.'))
  return null
}
