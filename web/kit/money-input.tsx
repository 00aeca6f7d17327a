import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDecimal } from './format-decimal.ts'
import { currencyDecimals, formatMoney, defaultCurrency } from './format.ts'

/** The mark between whole and part in a language. */
export const decimalMark = (language: string): string =>
  new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'

/** What is left of a typed amount: figures and the first decimal point; 0 where nothing is left, nothing where nothing was typed. */
export function cleanMoneyText(text: string, mark: string): string {
  if (text === '') return ''
  const digits = [...text].filter((one) => /\d/.test(one) || one === mark).join('')
  if (digits === '') return '0'
  const at = digits.indexOf(mark)
  return at === -1 ? digits : digits.slice(0, at + 1) + digits.slice(at + 1).replaceAll(mark, '')
}

/** The amount that a text means, rounded to the currency's decimals; null where nothing was typed. */
export function parseMoney(text: string, mark: string, decimals: number): number | null {
  const digits = cleanMoneyText(text, mark)
  if (digits === '') return null
  const amount = Number(digits.replace(mark, '.'))
  return Number.isFinite(amount) ? Number(amount.toFixed(decimals)) : 0
}

interface Props {
  label: string
  value: number | null
  onChange: (value: number | null) => void
  /** ISO code. */
  currency?: string
  description?: string
  error?: string | null
  required?: boolean
  disabled?: boolean
}

/** An amount of money: shown with its currency, typed as figures and the decimal point of the language. */
export function MoneyInput({
  label,
  value,
  onChange,
  currency = defaultCurrency,
  description,
  error,
  required,
  disabled,
}: Props) {
  const { i18n } = useTranslation()
  const [typed, setTyped] = useState<string | null>(null)
  const mark = decimalMark(i18n.language)
  const decimals = currencyDecimals(currency)
  const shown = value === null ? '' : formatMoney(value, currency, i18n.language)
  const edited =
    value === null ? '' : formatDecimal(value, { minimum: 0, maximum: decimals }, i18n.language, false)
  const change = (text: string): void => {
    const left = cleanMoneyText(text, mark)
    setTyped(left)
    onChange(parseMoney(left, mark, decimals))
  }
  return (
    <TextInput
      label={label}
      description={description}
      error={error}
      required={required}
      disabled={disabled}
      inputMode="decimal"
      autoComplete="off"
      placeholder={formatMoney(0, currency, i18n.language)}
      value={typed ?? shown}
      onFocus={() => setTyped(edited)}
      onBlur={() => setTyped(null)}
      onChange={(event) => change(event.currentTarget.value)}
    />
  )
}
