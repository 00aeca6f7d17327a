import { Group, NumberInput, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { parseTypedNumber } from '#web/kit/typed-number.ts'
import type { Filter, FilterState } from './filter.ts'

interface Props {
  filter: Extract<Filter, { kind: 'range' }>
  state: FilterState
  onChange: (changes: FilterState) => void
}

/** A range of numbers; either end may be empty. Typed numbers are applied on blur or Enter. */
export function RangeField({ filter: { key, label, decimals = 0 }, state, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <div role="group" aria-label={label}>
      <Text size="sm" fw={600} aria-hidden="true">
        {label}
      </Text>
      <Group gap="xs" wrap="nowrap">
        {(['min', 'max'] as const).map((bound) => {
          const value = state[`${bound}_${key}`] as number | undefined
          return (
            <BoundInput
              // A value changed elsewhere replaces the typed text.
              key={`${bound} ${value}`}
              label={t(`filters:range.${bound}`, { label })}
              placeholder={t(`filters:range.${bound}Short`)}
              value={value}
              decimals={decimals}
              onChange={(next) => onChange({ [`${bound}_${key}`]: next })}
            />
          )
        })}
      </Group>
    </div>
  )
}

interface BoundInputProps {
  label: string
  placeholder: string
  value: number | undefined
  decimals: number
  onChange: (value: number | undefined) => void
}

/** One end of a range of numbers. */
function BoundInput({ label, placeholder, value, decimals, onChange }: BoundInputProps) {
  const [typed, setTyped] = useState<number | string>(value ?? '')
  const commit = () => {
    const nextValue = parseTypedNumber(typed) ?? undefined
    if (nextValue !== value) onChange(nextValue)
  }
  return (
    <NumberInput
      aria-label={label}
      placeholder={placeholder}
      flex={1}
      value={typed}
      decimalScale={decimals}
      hideControls
      onChange={setTyped}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit()
      }}
    />
  )
}
