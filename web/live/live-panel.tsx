import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Operator } from '#contract/operators.ts'
import { VehicleType } from '#contract/mobility.ts'
import { vehicleTypeName } from '#web/filters/vehicle-type-name.ts'
import type { Filter } from '#web/filters/filter.ts'
import { FilterFields } from '#web/filters/filter-fields.tsx'
import { colorings } from './color-by.ts'
import { batteryChoices, type LiveSearch, parkedChoices, seenChoices } from './live-search.ts'
import { LiveCounts } from './live-counts.tsx'
import { OperatorChecks } from './operator-checks.tsx'
import type { ShownVehicles } from './filter-vehicles.ts'
import { StateChecks } from './state-checks.tsx'

interface Props {
  search: LiveSearch
  change: (changes: Partial<LiveSearch>) => void
  shown: ShownVehicles | null
  operators: readonly Operator[]
  colors: ReadonlyMap<string, string>
  lostAfterHours: number
}

const allTypes = VehicleType.options

const formatMinutes = (t: TFunction, minutes: number): string =>
  minutes < 60 ? t('live:seen.minutes', { count: minutes }) : t('live:seen.hours', { count: minutes / 60 })

/** Filters and colors of the live map. */
export function LivePanel({ search, change, shown, operators, colors, lostAfterHours }: Props) {
  const { t } = useTranslation()
  const { vehicle_types: vehicleTypes, battery, seen, parked } = search
  const types = allTypes.filter((type) => vehicleTypes?.includes(type) || shown?.byType.has(type))
  /** Returns choices with the selected value, which may come from a link. */
  const withSelected = (choices: readonly number[], selected: number | undefined): number[] =>
    [...new Set([...choices, ...(selected === undefined ? [] : [selected])])].toSorted((a, b) => a - b)
  // Short filters are above the lists of checkboxes, which take many Tabs.
  const filters: Filter[] = [
    {
      kind: 'choice',
      key: 'color',
      label: t('live:color.label'),
      defaultValue: 'operator',
      options: colorings.map((value) => ({ value, text: t(`live:color.${value}`) })),
    },
    {
      kind: 'choices',
      key: 'vehicle_types',
      label: t('live:vehicleType.label'),
      all: t('live:vehicleType.all'),
      options: types.map((value) => ({
        value,
        text: vehicleTypeName(value),
        count: shown?.byType.get(value) ?? 0,
      })),
    },
    {
      kind: 'group',
      key: 'more',
      label: t('live:more'),
      filters: [
        {
          kind: 'choice',
          key: 'parked',
          label: t('live:parked.label'),
          none: t('live:parked.any'),
          options: withSelected(parkedChoices, parked).map((value) => ({
            value,
            text: formatMinutes(t, value),
          })),
        },
        {
          kind: 'choice',
          key: 'seen',
          label: t('live:seen.label'),
          none: t('live:seen.any'),
          options: withSelected(seenChoices, seen).map((value) => ({ value, text: formatMinutes(t, value) })),
        },
        {
          kind: 'choice',
          key: 'battery',
          label: t('live:battery.label'),
          none: t('live:battery.any'),
          options: withSelected(batteryChoices, battery).map((value) => ({
            value,
            text: t('live:battery.below', { percent: value }),
          })),
        },
      ],
    },
    {
      kind: 'custom',
      key: 'operators',
      field: (
        <OperatorChecks
          selected={search.operators}
          operators={operators}
          colors={colors}
          counts={shown?.byOperator ?? new Map()}
          showsColors={(search.color ?? 'operator') === 'operator'}
          onChange={(selected) => change({ operators: selected })}
        />
      ),
    },
    {
      kind: 'custom',
      key: 'states',
      field: (
        <StateChecks
          selected={search.states}
          counts={shown?.byState ?? new Map()}
          lostAfterHours={lostAfterHours}
          showsColors={search.color === 'state'}
          onChange={(states) => change({ states })}
        />
      ),
    },
  ]
  if (shown && shown.counts.length > 0)
    filters.push({
      kind: 'group',
      key: 'counts',
      label: t('live:counts.title'),
      filters: [
        {
          kind: 'custom',
          key: 'countTable',
          field: <LiveCounts counts={shown.counts} operators={operators} />,
        },
      ],
    })
  return <FilterFields filters={filters} state={search} onChange={change} />
}
