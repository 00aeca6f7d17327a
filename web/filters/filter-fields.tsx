import { Select, Switch } from '@mantine/core'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { VehicleType } from '#contract/mobility.ts'
import { unknownOperatorText } from '#contract/operators.ts'
import type { LocalDay } from '#contract/period.ts'
import { DateRangePicker } from '#web/kit/dates/date-range-picker.tsx'
import { MultiDropdown } from '#web/kit/multi-dropdown.tsx'
import { SearchField } from '#web/kit/search-field.tsx'
import { vehicleTypeName } from './vehicle-type-name.ts'
import { ColorField, type ColorScheme } from './color-field.tsx'
import { CompareField } from './compare-field.tsx'
import type { ComparisonState } from './comparison.ts'
import { type Filter, type FilterState, isSet, getFilterKey } from './filter.ts'
import styles from './filter-bar.module.css'
import { FilterGroup } from './filter-group.tsx'
import { HoursField } from './hours-field.tsx'
import { LayerField } from './layer-field.tsx'
import { selectedPeriod, periodState } from './period.ts'
import { PeriodField } from './period-field.tsx'
import { RangeField } from './range-field.tsx'
import { RemovedDays } from './removed-days.tsx'
import { ShapeField } from './shape-field.tsx'
import { WeekdaysField } from './weekdays-field.tsx'

interface FilterHandlers {
  state: FilterState
  /** Changes the URL with a history entry. */
  onChange(changes: FilterState): void
  /** Changes the URL without a history entry, for typed text. */
  onType?(changes: FilterState): void
}

interface Props extends FilterHandlers {
  filters: readonly Filter[]
}

/** The fields of filters, one below the other. */
export function FilterFields({ filters, state, onChange, onType = onChange }: Props) {
  return filters.map((filter) => (
    <Fragment key={getFilterKey(filter)}>
      <FilterField filter={filter} state={state} onChange={onChange} onType={onType} />
    </Fragment>
  ))
}

interface FieldProps<Kind extends Filter['kind']> {
  filter: Extract<Filter, { kind: Kind }>
  state: FilterState
  onChange: (changes: FilterState) => void
}

function FilterField({ filter, state, onChange, onType }: Required<FilterHandlers> & { filter: Filter }) {
  switch (filter.kind) {
    case 'search':
      return (
        <SearchField
          label={filter.label}
          value={(state[filter.key] as string | undefined) ?? ''}
          onSearch={(text) => onType({ [filter.key]: text || undefined })}
        />
      )
    case 'choices':
      return <ChoicesField filter={filter} state={state} onChange={onChange} />
    case 'choice':
      return <ChoiceField filter={filter} state={state} onChange={onChange} />
    case 'operators':
      return <OperatorsField filter={filter} state={state} onChange={onChange} />
    case 'layer':
      return (
        <LayerField
          options={filter.layers}
          value={filter.layer}
          onChange={(selected) =>
            onChange({
              layer: selected === filter.layers?.[0]?.shape_layer_uuid ? undefined : selected,
              shape: undefined,
            })
          }
        />
      )
    case 'shape':
      return (
        <ShapeField
          shapes={filter.shapes}
          value={state['shape'] as string | undefined}
          onChange={(shape) => onChange({ shape })}
        />
      )
    case 'colors':
      return (
        <ColorField
          palettes={filter.palettes}
          value={(state['colors'] as ColorScheme | undefined) ?? 'tide'}
          onChange={(colors) => onChange({ colors })}
        />
      )
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
      return <VehicleTypesField filter={filter} state={state} onChange={onChange} />
    case 'period':
      return <PeriodFilterField filter={filter} state={state} onChange={onChange} />
    case 'compare':
      return (
        <CompareField
          search={state as ComparisonState}
          period={selectedPeriod(state, filter.today, filter.getDefault)}
          today={filter.today}
          dataDays={filter.dataDays}
          isMap={filter.isMap}
          change={(changes) => onChange({ ...changes })}
        />
      )
    case 'days':
      return <DaysField filter={filter} state={state} onChange={onChange} />
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
    case 'range':
      return <RangeField filter={filter} state={state} onChange={onChange} />
    case 'custom':
      return filter.field
    case 'group':
      return (
        <FilterGroup
          label={filter.label}
          setCount={filter.filters.filter((member) => isSet(member, state)).length}
        >
          <FilterFields filters={filter.filters} state={state} onChange={onChange} onType={onType} />
        </FilterGroup>
      )
  }
}

function ChoicesField({ filter, state, onChange }: FieldProps<'choices'>) {
  const value = (state[filter.key] as string[] | undefined) ?? []
  const unknownValues = value.filter((name) => !filter.options.some((option) => option.value === name))
  return (
    <MultiDropdown
      label={filter.label}
      placeholder={filter.all}
      options={[...filter.options, ...unknownValues.map((name) => ({ value: name, text: name }))]}
      value={value}
      onChange={(selected) => onChange({ [filter.key]: selected })}
    />
  )
}

/** Value of the "none" option. No parameter can have it. */
const noValue = '\u0000'

function ChoiceField({
  filter: { key, label, options, defaultValue, none, description },
  state,
  onChange,
}: FieldProps<'choice'>) {
  const value = state[key]
  return (
    <Select
      label={label}
      description={description}
      allowDeselect={false}
      maxDropdownHeight={360}
      value={value === undefined ? (defaultValue ?? noValue) : String(value)}
      data={[
        ...(none === undefined ? [] : [{ value: noValue, label: none }]),
        ...options.map((option) => ({ value: String(option.value), label: option.text })),
      ]}
      onChange={(selected) =>
        onChange({
          [key]:
            selected === defaultValue
              ? undefined
              : options.find((option) => String(option.value) === selected)?.value,
        })
      }
    />
  )
}

/** Returns the number shown beside an option; undefined while the numbers load. */
const getCount = (
  counts: ReadonlyMap<string, number> | null | undefined,
  option: string,
): number | undefined => (counts ? (counts.get(option) ?? 0) : undefined)

function OperatorsField({ filter: { operators, error, counts }, state, onChange }: FieldProps<'operators'>) {
  const { t } = useTranslation()
  const value = (state['operators'] as string[] | undefined) ?? []
  const knownOptions = (operators ?? []).map(({ slug, name }) => ({
    value: slug,
    text: name || slug,
    count: getCount(counts?.operators, slug),
  }))
  const unknownSlugs = value.filter((slug) => !knownOptions.some((option) => option.value === slug))
  return (
    <MultiDropdown
      label={t('filters:operators.label')}
      placeholder={t('filters:operators.all')}
      options={[
        ...knownOptions,
        ...unknownSlugs.map((slug) => ({ value: slug, text: operators ? unknownOperatorText : slug })),
      ]}
      value={value}
      error={error ?? null}
      onOpen={counts?.load}
      onChange={(selected) => onChange({ operators: selected })}
    />
  )
}

function VehicleTypesField({ filter, state, onChange }: FieldProps<'vehicleTypes'>) {
  const { t } = useTranslation()
  const value = (state['vehicle_types'] as VehicleType[] | undefined) ?? []
  const { present = [], counts } = filter
  const offeredTypes = VehicleType.options.filter(
    (type) => present.length === 0 || present.includes(type) || value.includes(type),
  )
  return (
    <MultiDropdown
      label={filter.label ?? t('filters:vehicleType.label')}
      placeholder={filter.all ?? t('filters:vehicleType.all')}
      options={offeredTypes.map((type) => ({
        value: type,
        text: vehicleTypeName(type),
        count: getCount(counts?.vehicleTypes, type),
      }))}
      value={value}
      onOpen={counts?.load}
      onChange={(selected) => onChange({ vehicle_types: selected })}
    />
  )
}

function PeriodFilterField({ filter, state, onChange }: FieldProps<'period'>) {
  const period = selectedPeriod(state, filter.today, filter.getDefault)
  return (
    <>
      <PeriodField
        value={period}
        today={filter.today}
        maxDays={filter.maxDays}
        onChange={(selected) => onChange({ ...periodState(selected, filter.today, filter.getDefault) })}
      />
      <RemovedDays subject={filter.subject ?? 'fleet'} from={period.start_date} />
    </>
  )
}

function DaysField({
  filter: { label, today, defaultValue, maxDays, subject = 'none' },
  state,
  onChange,
}: FieldProps<'days'>) {
  const isDefault = (from: LocalDay | null, to: LocalDay | null): boolean =>
    from === defaultValue?.from && to === defaultValue.to
  const range = {
    from: (state['start_date'] as LocalDay | undefined) ?? defaultValue?.from ?? null,
    to: (state['end_date'] as LocalDay | undefined) ?? defaultValue?.to ?? null,
  }
  return (
    <>
      <DateRangePicker
        label={label}
        today={today}
        range={range}
        {...(defaultValue
          ? { maxDate: today, requireDates: true, dropdownOptions: ['custom', 'singleDay'] }
          : {})}
        {...(maxDays === undefined ? {} : { rangeLimit: maxDays })}
        onChange={({ from, to }) =>
          onChange(
            isDefault(from, to)
              ? { start_date: undefined, end_date: undefined }
              : { start_date: from ?? undefined, end_date: to ?? undefined },
          )
        }
      />
      <RemovedDays subject={subject} from={range.from} />
    </>
  )
}
