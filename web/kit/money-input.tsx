import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDecimal } from './format-decimal.ts'
import { decimalsOf, formatMoney, usualCurrency } from './format-money.ts'
import { cleanMoneyText, decimalMark, readMoney } from './read-money.ts'

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
  currency = usualCurrency,
  description,
  error,
  required,
  disabled,
}: Props) {
  const { i18n } = useTranslation()
  const [typed, setTyped] = useState<string | null>(null)
  const mark = decimalMark(i18n.language)
  const decimals = decimalsOf(currency)
  const shown = value === null ? '' : formatMoney(value, currency, i18n.language)
  const edited =
    value === null ? '' : formatDecimal(value, { minimum: 0, maximum: decimals }, i18n.language, false)
  const change = (text: string): void => {
    const left = cleanMoneyText(text, mark)
    setTyped(left)
    onChange(readMoney(left, mark, decimals))
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
