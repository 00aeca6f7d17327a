import { TextInput } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getCurrencyDecimals, defaultCurrency, formatDecimal, formatMoney } from './format.ts'

/** Returns the decimal separator of a language. */
export const getDecimalMark = (language: string): string =>
  new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'

/** Reduces typed text to digits and the first decimal separator; 0 if nothing remains, empty for empty input. */
export function cleanMoneyText(text: string, mark: string): string {
  if (text === '') return ''
  const digits = [...text].filter((character) => /\d/.test(character) || character === mark).join('')
  if (digits === '') return '0'
  const markIndex = digits.indexOf(mark)
  return markIndex === -1
    ? digits
    : digits.slice(0, markIndex + 1) + digits.slice(markIndex + 1).replaceAll(mark, '')
}

/** Drops decimals that the currency does not have, so that a typed amount is never rounded afterward. */
function limitDecimals(text: string, mark: string, decimals: number): string {
  const markIndex = text.indexOf(mark)
  return markIndex === -1 ? text : text.slice(0, markIndex + 1 + decimals)
}

/** Parses an amount, rounded to the decimals of the currency; null for empty input, 0 if it is not a number. */
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
  /** ISO 4217 code. */
  currency?: string
  description?: string
  error?: string | null
  /** Shown in an empty field; by default an amount of zero. */
  placeholder?: string
  required?: boolean
  disabled?: boolean
}

/** An amount of money, shown with its currency and edited as a plain number in the language of the user. */
export function MoneyInput({
  label,
  value,
  onChange,
  currency = defaultCurrency,
  description,
  error,
  placeholder,
  required,
  disabled,
}: Props) {
  const { i18n } = useTranslation()
  const [typedText, setTypedText] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const isEdited = typedText !== null
  // Replacing the text drops the selection made by the Tab key: digits would follow the old amount.
  useLayoutEffect(() => {
    if (isEdited) field.current?.select()
  }, [isEdited])
  const mark = getDecimalMark(i18n.language)
  const decimals = getCurrencyDecimals(currency)
  const amountText = value === null ? '' : formatMoney(value, currency, i18n.language)
  const editableText =
    value === null ? '' : formatDecimal(value, { minimum: 0, maximum: decimals }, i18n.language, false)
  const handleChange = (text: string): void => {
    const amountDigits = limitDecimals(cleanMoneyText(text, mark), mark, decimals)
    setTypedText(amountDigits)
    onChange(parseMoney(amountDigits, mark, decimals))
  }
  return (
    <TextInput
      ref={field}
      label={label}
      description={description}
      error={error}
      required={required}
      disabled={disabled}
      inputMode="decimal"
      autoComplete="off"
      placeholder={placeholder ?? formatMoney(0, currency, i18n.language)}
      value={typedText ?? amountText}
      onFocus={() => setTypedText(editableText)}
      onBlur={() => setTypedText(null)}
      onChange={(event) => handleChange(event.currentTarget.value)}
    />
  )
}
