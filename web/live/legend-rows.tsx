import type { TFunction } from 'i18next'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import type { Operator } from '#contract/operators.ts'
import { operatorName } from '#contract/operators.ts'
import { dataColors, type Scheme } from '#web/kit/theme.ts'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { batteryBands, batteryColors, type Coloring, stateColors, stateOrder } from './color-by.ts'
import styles from './live-legend.module.css'
import type { LiveFilters } from './live-filters.ts'
import type { ShownVehicles } from './filter-vehicles.ts'

export interface LegendProps {
  by: Coloring
  filters: LiveFilters
  shown: ShownVehicles
  operators: readonly Operator[]
  colors: ReadonlyMap<string, string>
  hasStations: boolean
  isClustered: boolean
}

interface Row {
  key: string
  label: string
  color: string
}

const formatBand = (t: TFunction, index: number): string =>
  index === 0
    ? t('live:legend.low', { to: batteryBands[1] })
    : t('live:legend.band', { from: batteryBands[index], to: batteryBands[index + 1] ?? 100 })

function getRows(
  t: TFunction,
  scheme: Scheme,
  { by, filters, shown, operators, colors }: LegendProps,
): Row[] {
  if (by === 'operator')
    return [...colors]
      .filter(
        ([slug]) => shown.byOperator.has(slug) && (!filters.operators || filters.operators.includes(slug)),
      )
      .map(([slug, color]) => ({ key: slug, label: operatorName(slug, operators), color }))
  if (by === 'state')
    return stateOrder
      .filter((state) => (shown.byState.get(state) ?? 0) > 0 && filters.states.includes(state))
      .map((state) => ({
        key: state,
        label: t(`live:stateShort.${state}`),
        color: stateColors(scheme)[state],
      }))
  return [
    ...batteryColors(scheme)
      .map((color, index) => ({ key: String(index), label: formatBand(t, index), color }))
      .toReversed(),
    { key: 'unknown', label: t('live:legend.unknown'), color: dataColors[scheme].noData },
  ]
}

/** The colors and marks on the map with their meanings. */
export function LegendRows(props: LegendProps) {
  const { hasStations, isClustered } = props
  const { t } = useTranslation()
  const scheme = useMapScheme()
  return (
    <ul className={styles['rows']}>
      {getRows(t, scheme, props).map(({ key, label, color }) => (
        <li key={key}>
          <span className={styles['dot']} aria-hidden="true" style={{ '--swatch': color } as CSSProperties} />
          {label}
        </li>
      ))}
      {isClustered ? (
        <li>
          <span className={styles['cluster']} aria-hidden="true" />
          {t('live:legend.cluster')}
        </li>
      ) : null}
      {hasStations ? (
        <li>
          <span className={styles['station']} aria-hidden="true" />
          {t('live:legend.station')}
        </li>
      ) : null}
    </ul>
  )
}
