import { NumberInput } from '@mantine/core'

interface Props {
  label: string
  description?: string | undefined
  value: number | null
  error: string | null
  suffix?: string
  onChange: (value: number | null) => void
}

/** A field for a non-negative integer; null if empty. */
export function IntegerInput({ value, onChange, suffix = '', ...props }: Props) {
  return (
    <NumberInput
      {...props}
      suffix={suffix}
      hideControls
      allowNegative={false}
      allowDecimal={false}
      clampBehavior="none"
      maxLength={9}
      value={value ?? ''}
      onChange={(next) => onChange(next === '' || !Number.isFinite(Number(next)) ? null : Number(next))}
    />
  )
}
