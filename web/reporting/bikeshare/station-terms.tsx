import { NumberInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { stationDefaults } from '#contract/bikeshare.ts'
import type { Filter } from '#web/filters/filter.ts'
import { getDecimalMark } from '#web/kit/money-input.tsx'
import { formatClock } from '#web/kit/time/time-of-day.ts'
import { parseTime, TimeInput } from '#web/kit/time/time-input.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { readStationSearch } from './station-search.ts'

interface NumberFieldProps {
  label: string
  value: number | ''
  max: number
  decimals: number
  onCommit: (value: number | null) => void
}

/** A number field that commits when it loses focus or Enter is pressed. */
function NumberField({ label, value, max, decimals, onCommit }: NumberFieldProps) {
  const { i18n } = useTranslation()
  const [typed, setTyped] = useState<number | string | null>(null)
  const commit = (): void => {
    if (typed === null) return
    setTyped(null)
    const clamped = typed === '' ? null : Math.min(max, Math.max(0, Number(typed)))
    if (clamped !== (value === '' ? null : value)) onCommit(clamped)
  }
  return (
    <NumberInput
      label={label}
      value={typed ?? value}
      min={0}
      max={max}
      decimalScale={decimals}
      decimalSeparator={getDecimalMark(i18n.language)}
      allowNegative={false}
      hideControls
      onChange={setTyped}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit()
      }}
    />
  )
}

function WindowField({ name }: { name: 'window_from' | 'window_until' }) {
  const { t } = useTranslation()
  const { search, push } = useSearchState(readStationSearch)
  const [problem, setProblem] = useState<string | null>(null)
  const value = search[name] ?? stationDefaults[name]
  return (
    <TimeInput
      label={t(`bikeshare:filter.${name}`)}
      value={parseTime(value)}
      error={problem}
      onChange={(time) => {
        if (!time) return
        const clock = formatClock(time)
        const from = name === 'window_from' ? clock : (search.window_from ?? stationDefaults.window_from)
        const until = name === 'window_until' ? clock : (search.window_until ?? stationDefaults.window_until)
        setProblem(from < until ? null : t('bikeshare:filter.windowOrder'))
        if (from < until) push({ [name]: clock })
      }}
    />
  )
}

function ToleranceField() {
  const { t } = useTranslation()
  const { search, push } = useSearchState(readStationSearch)
  return (
    <NumberField
      label={t('bikeshare:filter.tolerance')}
      value={search.tolerance ?? stationDefaults.tolerance}
      max={1440}
      decimals={0}
      onCommit={(tolerance) => push({ tolerance: tolerance ?? undefined })}
    />
  )
}

function PriceField({ currency }: { currency: string }) {
  const { t } = useTranslation()
  const { search, push } = useSearchState(readStationSearch)
  return (
    <NumberField
      label={t('bikeshare:filter.price', { currency })}
      value={search.price === undefined ? '' : Number(search.price)}
      max={999_999}
      decimals={4}
      onCommit={(price) => push({ price: price === null ? undefined : String(price) })}
    />
  )
}

/** Returns filters for the terms of the contract with the operator: time window, tolerance and price. */
export const getTermFilters = (currency: string): Filter[] => [
  { kind: 'custom', key: 'window_from', field: <WindowField name="window_from" /> },
  { kind: 'custom', key: 'window_until', field: <WindowField name="window_until" /> },
  { kind: 'custom', key: 'tolerance', field: <ToleranceField /> },
  { kind: 'custom', key: 'price', field: <PriceField currency={currency} /> },
]
