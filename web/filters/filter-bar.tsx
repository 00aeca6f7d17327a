import { Button, Switch } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { VehicleType, vehicleTypeTexts } from '#contract/mobility.ts'
import type { LocalDay } from '#contract/period.ts'
import { DateRangePicker } from '#web/kit/dates/date-range-picker.tsx'
import type { DropdownOption } from '#web/kit/dropdown-parts.tsx'
import { MultiDropdown } from '#web/kit/multi-dropdown.tsx'
import { SearchField } from '#web/kit/search-field.tsx'
import { useSmallScreen } from '#web/kit/use-small-screen.ts'
import { CompareField } from './compare-field.tsx'
import type { ComparisonState } from './comparison.ts'
import styles from './filter-bar.module.css'
import { HoursField } from './hours-field.tsx'
import { chosenPeriod, periodState } from './period.ts'
import { PeriodField } from './period-field.tsx'
import { WeekdaysField } from './weekdays-field.tsx'

/** URL state that filters read and change; each uses the parameters that it names, or those of its kind. */
type FilterState = Record<string, unknown>

/** One filter of a bar. */
export type Filter =
  /** Text, searched once typing has paused; not a step of Back. */
  | { kind: 'search'; key: string; label: string }
  /** Any of some options; none means all. Values that no option has remain visible. */
  | { kind: 'choices'; key: string; label: string; all: string; options: readonly DropdownOption[] }
  | { kind: 'flag'; key: string; label: string }
  /** `vehicle_types`. */
  | { kind: 'vehicleTypes'; label: string; all: string }
  /** `period`, `start_date` and `end_date`. */
  | { kind: 'period'; today: LocalDay }
  /** A second period, with the parameters of comparison.ts. */
  | { kind: 'compare'; today: LocalDay }
  /** `start_date` and `end_date`, of which one or both may be absent. */
  | { kind: 'days'; label: string; today: LocalDay }
  /** `days`. */
  | { kind: 'weekdays' }
  /** `hours`. */
  | { kind: 'hours' }
  /** A field of the screen's own, as the layer and shape of a map. */
  | { kind: 'custom'; key: string; field: ReactNode }

interface Props {
  filters: readonly Filter[]
  state: FilterState
  /** A step that Back undoes. */
  onChange(part: FilterState): void
  /** Typing, which Back skips. */
  onType(part: FilterState): void
  /** Accessible name of the bar. */
  label?: string
}

/** Filters of a screen. On a phone all but the search are behind a button. */
export function FilterBar({ filters, state, onChange, onType, label }: Props) {
  const { t } = useTranslation()
  const isSmall = useSmallScreen()
  const [isOpen, setOpen] = useState(false)
  const searches = filters.filter(({ kind }) => kind === 'search')
  const others = filters.filter(({ kind }) => kind !== 'search')
  const count = others.filter((filter) => isSet(filter, state)).length
  const field = (filter: Filter): ReactNode => (
    <FilterField key={keyOf(filter)} filter={filter} state={state} onChange={onChange} onType={onType} />
  )
  return (
    <div className={styles['bar']} role="search" aria-label={label ?? t('map:page.filters')}>
      {searches.map(field)}
      {isSmall && others.length > 0 ? (
        <Button
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={18} />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {count > 0 ? t('filters:set', { count }) : t('map:page.filters')}
        </Button>
      ) : null}
      {isSmall && !isOpen ? null : others.map(field)}
    </div>
  )
}

const keyOf = (filter: Filter): string => ('key' in filter ? filter.key : filter.kind)

const paramsOf: Partial<Record<Filter['kind'], readonly string[]>> = {
  vehicleTypes: ['vehicle_types'],
  period: ['period', 'start_date'],
  compare: ['compare_start_date'],
  days: ['start_date', 'end_date'],
  weekdays: ['days'],
}
const isSet = (filter: Filter, state: FilterState): boolean =>
  (paramsOf[filter.kind] ?? [keyOf(filter)]).some((key) => state[key] !== undefined)

function FilterField({
  filter,
  state,
  onChange,
  onType,
}: Omit<Props, 'filters' | 'label'> & { filter: Filter }) {
  switch (filter.kind) {
    case 'search':
      return (
        <SearchField
          label={filter.label}
          value={(state[filter.key] as string | undefined) ?? ''}
          onSearch={(text) => onType({ [filter.key]: text || undefined })}
        />
      )
    case 'choices': {
      const value = (state[filter.key] as string[] | undefined) ?? []
      const unknown = value.filter((each) => !filter.options.some((option) => option.value === each))
      return (
        <MultiDropdown
          label={filter.label}
          placeholder={filter.all}
          options={[...filter.options, ...unknown.map((each) => ({ value: each, text: each }))]}
          value={value}
          onChange={(chosen) => onChange({ [filter.key]: chosen })}
        />
      )
    }
    case 'flag':
      return (
        <Switch
          className={styles['switch'] ?? ''}
          label={filter.label}
          checked={state[filter.key] === true}
          onChange={(event) => onChange({ [filter.key]: event.currentTarget.checked ? true : undefined })}
        />
      )
    case 'vehicleTypes':
      return (
        <MultiDropdown
          label={filter.label}
          placeholder={filter.all}
          options={VehicleType.options.map((value) => ({ value, text: vehicleTypeTexts[value] }))}
          value={(state['vehicle_types'] as VehicleType[] | undefined) ?? []}
          onChange={(chosen) => onChange({ vehicle_types: chosen })}
        />
      )
    case 'period':
      return (
        <PeriodField
          value={chosenPeriod(state, filter.today)}
          today={filter.today}
          onChange={(period) => onChange({ ...periodState(period, filter.today) })}
        />
      )
    case 'compare':
      return (
        <CompareField
          search={state as ComparisonState}
          period={chosenPeriod(state, filter.today)}
          today={filter.today}
          change={(part) => onChange({ ...part })}
        />
      )
    case 'days':
      return (
        <DateRangePicker
          label={filter.label}
          today={filter.today}
          range={{
            from: (state['start_date'] as LocalDay | undefined) ?? null,
            to: (state['end_date'] as LocalDay | undefined) ?? null,
          }}
          onChange={({ from, to }) => onChange({ start_date: from ?? undefined, end_date: to ?? undefined })}
        />
      )
    case 'weekdays':
      return (
        <WeekdaysField
          value={(state['days'] as number[] | undefined) ?? []}
          onChange={(days) => onChange({ days })}
        />
      )
    case 'hours':
      return (
        <HoursField
          value={(state['hours'] as [number, number] | undefined) ?? [0, 24]}
          onChange={(hours) => onChange({ hours })}
        />
      )
    case 'custom':
      return filter.field
  }
}
