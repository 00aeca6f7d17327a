import { UnstyledButton, useComputedColorScheme } from '@mantine/core'
import { useThrottledValue } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Operator } from '#contract/operators.ts'
import { operatorName } from '#contract/operators.ts'
import { vehicleTypeName } from '#web/filters/vehicle-type-name.ts'
import { formatNearDistance, formatInteger } from '#web/kit/format.ts'
import type { UserLocation } from '#web/map/layers/fleet-points.ts'
import { dataColors, type Scheme } from '#web/kit/theme.ts'
import { type Coloring, getBatteryBand, batteryColors, stateColors } from '../color-by.ts'
import { type FleetColumns, unknownBattery } from '../fleet-columns.ts'
import styles from './vehicle-list.module.css'

const earthRadiusMeters = 6_371_008.8
const radiansPerDegree = Math.PI / 180

/** Returns the distance in meters between two positions, on a plane. NaN if one is unknown. */
export const metersAway = (here: Pick<UserLocation, 'lon' | 'lat'>, lon: number, lat: number): number =>
  earthRadiusMeters *
  radiansPerDegree *
  Math.hypot((lon - here.lon) * Math.cos(((lat + here.lat) / 2) * radiansPerDegree), lat - here.lat)

/** Sorts vehicles by distance if the user's position is known, else by number. Unknown ones come last. */
export function orderVehicles(
  { lon, lat, vehicleIds }: FleetColumns,
  handles: Uint32Array,
  here: UserLocation | null,
): Uint32Array {
  const getName = (handle: number): string => vehicleIds[handle]!
  const byName = (a: number, b: number): number => {
    if (getName(a) === getName(b)) return a - b
    return getName(a) < getName(b) ? -1 : 1
  }
  if (!here) return handles.toSorted(byName)
  const distances = new Map<number, number>()
  for (const handle of handles) {
    const meters = metersAway(here, lon[handle]!, lat[handle]!)
    distances.set(handle, Number.isNaN(meters) ? Number.POSITIVE_INFINITY : meters)
  }
  return handles.toSorted((a, b) =>
    distances.get(a) === distances.get(b) ? byName(a, b) : distances.get(a)! - distances.get(b)!,
  )
}

/** Returns the color of a vehicle on the map. */
export function vehicleColor(
  columns: FleetColumns,
  handle: number,
  {
    coloring,
    operatorColors,
    scheme,
  }: { coloring: Coloring; operatorColors: ReadonlyMap<string, string>; scheme: Scheme },
): string {
  const { noData } = dataColors[scheme]
  if (coloring === 'state') return stateColors(scheme)[columns.getState(handle)]
  if (coloring === 'operator') return operatorColors.get(columns.getGroup(handle).operator) ?? noData
  const battery = columns.battery[handle]!
  return battery === unknownBattery ? noData : batteryColors(scheme)[getBatteryBand(battery)]!
}

interface Props {
  columns: FleetColumns
  /** The visible vehicles. */
  handles: Uint32Array
  operators: readonly Operator[]
  coloring: Coloring
  operatorColors: ReadonlyMap<string, string>
  here: UserLocation | null
  isMetric: boolean
  onSelect: (id: string) => void
}

/** Shortens ids of GBFS, which are UUIDs; their first characters are sufficiently distinct. */
export const shortenVehicleId = (id: string): string => (id.length > 12 ? `${id.slice(0, 8)}…` : id)

/** Minimum interval between two changes of the order, in ms: a list that jumps cannot be used. */
const reorderIntervalMs = 5000
const rowHeight = 60

/** The visible vehicles, nearest first: an accessible alternative to the map. Renders entries in view. */
export function VehicleList({
  columns,
  handles,
  operators,
  coloring,
  operatorColors,
  here,
  isMetric,
  onSelect,
}: Props) {
  const { t } = useTranslation()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const steadyHandles = useThrottledValue(handles, reorderIntervalMs)
  const origin = useThrottledValue(here, reorderIntervalMs)
  const rows = useMemo(() => orderVehicles(columns, steadyHandles, origin), [columns, steadyHandles, origin])
  const container = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => container.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    initialRect: { width: 360, height: 480 },
  })
  const formatLine = (handle: number): string => {
    const battery = columns.battery[handle]!
    const { operator, vehicle_type: type } = columns.getGroup(handle)
    return [
      operatorName(operator, operators),
      vehicleTypeName(type),
      t(`live:stateShort.${columns.getState(handle)}`),
      battery === unknownBattery ? null : t('live:card.percent', { percent: formatInteger(battery) }),
    ]
      .filter(Boolean)
      .join(' · ')
  }
  const formatDistance = (handle: number): string | null => {
    const meters = origin ? metersAway(origin, columns.lon[handle]!, columns.lat[handle]!) : Number.NaN
    return Number.isNaN(meters) ? null : formatNearDistance(meters, isMetric)
  }
  return (
    <div ref={container} className={styles['box']}>
      <ul
        className={styles['list']}
        style={{ height: virtualizer.getTotalSize() }}
        aria-label={t('live:table.label')}
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const handle = rows[index]!
          return (
            <li
              key={handle}
              className={styles['row']}
              style={{ transform: `translateY(${start}px)` }}
              aria-posinset={index + 1}
              aria-setsize={rows.length}
            >
              <UnstyledButton
                className={styles['vehicle'] ?? ''}
                onClick={() => onSelect(columns.getId(handle))}
              >
                <span
                  className={styles['dot']}
                  aria-hidden="true"
                  style={
                    {
                      '--swatch': vehicleColor(columns, handle, { coloring, operatorColors, scheme }),
                    } as CSSProperties
                  }
                />
                <span className={styles['text']}>
                  <span className={styles['name']} title={columns.vehicleIds[handle]}>
                    {shortenVehicleId(columns.vehicleIds[handle]!)}
                  </span>
                  <span className={styles['line']}>{formatLine(handle)}</span>
                </span>
                <span className={styles['away']}>{formatDistance(handle)}</span>
              </UnstyledButton>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
