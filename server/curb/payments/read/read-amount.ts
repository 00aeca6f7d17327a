/** Currency symbols and codes, spaces and apostrophes. */
const ignoredCharacters = /[\p{Sc}\s\u00a0\u202f']|^[A-Z]{3}\b|\b[A-Z]{3}$/gu

/**
 * Reads an amount as minor units; null if the text is not one. Accepts currency symbols and codes, spaces,
 * thousands separators, and parentheses for negative amounts. A single dot is a decimal point: `1.234` is 1.234. A
 * comma is a decimal comma before one or two digits, and a thousands separator before three.
 * @param currencyDigits decimal digits of the currency
 * @param unit whether the text is in major units (dollars) or already in minor ones (cents)
 */
export function readAmount(text: string, currencyDigits: number, unit: 'major' | 'minor'): number | null {
  let amountText = text.replace(ignoredCharacters, '')
  let isNegative = false
  if (/^\(.*\)$/.test(amountText)) {
    isNegative = true
    amountText = amountText.slice(1, -1).replace(ignoredCharacters, '')
  }
  const plusOrMinus = /^[-+\u2212]|[-\u2212]$/.exec(amountText)?.[0]
  if (plusOrMinus !== undefined) {
    if (plusOrMinus !== '+') isNegative = !isNegative
    amountText = amountText.replace(plusOrMinus, '').replace(ignoredCharacters, '')
  }
  const number = readUnsignedNumber(amountText)
  if (number === null) return null
  // 15 significant digits remove the rounding errors of the multiplication.
  const minor = unit === 'minor' ? number : Number((number * 10 ** currencyDigits).toPrecision(15))
  if (!Number.isFinite(minor) || minor > Number.MAX_SAFE_INTEGER) return null
  const rounded = Math.round(minor)
  return isNegative && rounded !== 0 ? -rounded : rounded
}

/** Returns the symbol of a currency, such as `$`; its code if it has none. */
export const findCurrencySymbol = (currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency

/** Returns the symbol or code of another currency in the text of an amount. Null if there is none. */
export function findOtherCurrency(
  text: string,
  { code, symbol }: { code: string; symbol: string },
): string | null {
  const hasNoCurrency = /^[\d\s.,()+-]*$/.test(text)
  if (hasNoCurrency) return null
  const foundCode = /^[A-Z]{3}\b|\b[A-Z]{3}$/.exec(text.trim())?.[0]
  if (foundCode !== undefined && foundCode !== code) return foundCode
  const foundSymbol = /\p{Sc}/u.exec(text)?.[0]
  return foundSymbol !== undefined && !symbol.includes(foundSymbol) ? foundSymbol : null
}

function readUnsignedNumber(text: string): number | null {
  if (/^(\d+\.?\d*|\.\d+)$/.test(text)) return Number(text)
  if (/^\d{1,3}(,\d{3})+(\.\d*)?$/.test(text)) return Number(text.replaceAll(',', ''))
  if (/^\d{1,3}(\.\d{3})+,\d{1,2}$/.test(text)) return Number(text.replaceAll('.', '').replace(',', '.'))
  if (/^\d*,\d{1,2}$/.test(text)) return Number(text.replace(',', '.'))
  return null
}
