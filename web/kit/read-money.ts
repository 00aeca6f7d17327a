/** The mark between whole and part in a language. */
export const decimalMark = (language: string): string =>
  new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'

/** What is left of a typed amount: figures and the first decimal point; 0 where nothing is left, nothing where nothing was typed. */
export function cleanMoneyText(text: string, mark: string): string {
  if (text === '') return ''
  const left = [...text].filter((one) => /\d/.test(one) || one === mark).join('')
  if (left === '') return '0'
  const at = left.indexOf(mark)
  return at === -1 ? left : left.slice(0, at + 1) + left.slice(at + 1).replaceAll(mark, '')
}

/** The amount that a text means, rounded to the currency's decimals; null where nothing was typed. */
export function readMoney(text: string, mark: string, decimals: number): number | null {
  const left = cleanMoneyText(text, mark)
  if (left === '') return null
  const amount = Number(left.replace(mark, '.'))
  return Number.isFinite(amount) ? Number(amount.toFixed(decimals)) : 0
}
