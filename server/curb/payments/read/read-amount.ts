const signs = /[\p{Sc}\s\u00a0\u202f']|^[A-Z]{3}\b|\b[A-Z]{3}$/gu

/**
 * Minor units of an amount's text: signs and codes of currencies, blanks, thousands separators and parentheses for negative amounts are
 * understood. A separator with one or two digits behind it is a decimal one. Null: it is no amount.
 */
export function readAmount(text: string, digits: number, unit: 'major' | 'minor'): number | null {
  let plain = text.replace(signs, '')
  let isNegative = false
  if (/^\(.*\)$/.test(plain)) [isNegative, plain] = [true, plain.slice(1, -1).replace(signs, '')]
  const sign = /^[-+\u2212]|[-\u2212]$/.exec(plain)
  if (sign) {
    if (sign[0] !== '+') isNegative = !isNegative
    plain = plain.replace(sign[0], '').replace(signs, '')
  }
  const number = unsignedNumber(plain)
  if (number === null) return null
  const minor = unit === 'minor' ? number : Number((number * 10 ** digits).toPrecision(15))
  if (!Number.isFinite(minor) || minor > Number.MAX_SAFE_INTEGER) return null
  const rounded = Math.round(minor)
  return isNegative && rounded !== 0 ? -rounded : rounded
}

/** The sign of a currency, such as $. */
export const currencySign = (currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency

/** The sign or code of another currency that an amount's text has; null: it has none. */
export function otherCurrency(text: string, { code, sign }: { code: string; sign: string }): string | null {
  if (/^[\d\s.,()+-]*$/.test(text)) return null
  const named = /^[A-Z]{3}\b|\b[A-Z]{3}$/.exec(text.trim())?.[0]
  if (named !== undefined && named !== code) return named
  const shown = /\p{Sc}/u.exec(text)?.[0]
  return shown !== undefined && !sign.includes(shown) ? shown : null
}

function unsignedNumber(text: string): number | null {
  if (/^(\d+\.?\d*|\.\d+)$/.test(text)) return Number(text)
  if (/^\d{1,3}(,\d{3})+(\.\d*)?$/.test(text)) return Number(text.replaceAll(',', ''))
  if (/^\d{1,3}(\.\d{3})+,\d{1,2}$/.test(text)) return Number(text.replaceAll('.', '').replace(',', '.'))
  if (/^\d*,\d{1,2}$/.test(text)) return Number(text.replace(',', '.'))
  return null
}
