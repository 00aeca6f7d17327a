import type { TFunction } from 'i18next'
import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Operator } from '#contract/operators.ts'
import { vehicleTypeTexts, type VehicleType } from '#contract/mobility.ts'
import { formatInteger } from '#web/kit/format.ts'
import { type Coloring, colorings } from './color-by.ts'
import { batteryChoices, type LiveSearch, seenChoices } from './live-search.ts'
import { OperatorChecks } from './operator-checks.tsx'
import type { Shown } from './pick-shown.ts'
import { StateChecks } from './state-checks.tsx'

interface Props {
  search: LiveSearch
  change: (part: Partial<LiveSearch>) => void
  shown: Shown | null
  operators: readonly Operator[]
  colors: ReadonlyMap<string, string>
  lostAfterHours: number
}

const every = 'any'
const everyType = Object.keys(vehicleTypeTexts) as VehicleType[]

const seenText = (t: TFunction, minutes: number): string =>
  minutes < 60
    ? t('mobility:live.seen.minutes', { count: minutes })
    : t('mobility:live.seen.hours', { count: minutes / 60 })

/** What of the fleet is shown, and what its colours tell. */
export function LivePanel({ search, change, shown, operators, colors, lostAfterHours }: Props) {
  const { t } = useTranslation()
  const { vehicle_type: vehicleType, battery, seen, color = 'operator' } = search
  const types = everyType.filter((type) => type === vehicleType || shown?.byType.has(type))
  const choice = (value: string | null): number | undefined =>
    value === null || value === every ? undefined : Number(value)
  const choices = (offered: readonly number[], chosen: number | undefined): number[] =>
    [...new Set([...offered, ...(chosen === undefined ? [] : [chosen])])].toSorted((a, b) => a - b)
  return (
    <>
      <Select
        label={t('mobility:live.color.label')}
        allowDeselect={false}
        value={color}
        data={colorings.map((each) => ({ value: each, label: t(`mobility:live.color.${each}`) }))}
        onChange={(chosen) => change({ color: colorings.find((each): each is Coloring => each === chosen) })}
      />
      <OperatorChecks
        chosen={search.operators}
        operators={operators}
        colors={colors}
        counts={shown?.byOperator ?? new Map()}
        onChange={(chosen) => change({ operators: chosen })}
      />
      <Select
        label={t('mobility:live.vehicleType.label')}
        allowDeselect={false}
        value={vehicleType ?? every}
        data={[
          { value: every, label: t('mobility:live.vehicleType.all') },
          ...types.map((type) => ({
            value: type,
            label: `${vehicleTypeTexts[type]} (${formatInteger(shown?.byType.get(type) ?? 0)})`,
          })),
        ]}
        onChange={(chosen) => change({ vehicle_type: everyType.find((type) => type === chosen) })}
      />
      <StateChecks
        chosen={search.states}
        counts={shown?.byState ?? new Map()}
        lostAfterHours={lostAfterHours}
        onChange={(states) => change({ states })}
      />
      <Select
        label={t('mobility:live.battery.label')}
        allowDeselect={false}
        value={battery === undefined ? every : String(battery)}
        data={[
          { value: every, label: t('mobility:live.battery.any') },
          ...choices(batteryChoices, battery).map((percent) => ({
            value: String(percent),
            label: t('mobility:live.battery.below', { percent }),
          })),
        ]}
        onChange={(chosen) => change({ battery: choice(chosen) })}
      />
      <Select
        label={t('mobility:live.seen.label')}
        allowDeselect={false}
        value={seen === undefined ? every : String(seen)}
        data={[
          { value: every, label: t('mobility:live.seen.any') },
          ...choices(seenChoices, seen).map((minutes) => ({
            value: String(minutes),
            label: seenText(t, minutes),
          })),
        ]}
        onChange={(chosen) => change({ seen: choice(chosen) })}
      />
    </>
  )
}
