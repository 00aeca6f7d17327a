import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { Layer, Shape } from '#contract/geography.ts'
import { vehicleTypeTexts, type VehicleType } from '#contract/mobility.ts'
import type { LocalDay } from '#contract/period.ts'
import type { getSpatialExtent, SpatialAggregation } from '#contract/spatial.ts'
import type { Region } from '#contract/regions.ts'
import type { Operator } from '#contract/operators.ts'
import { dataColors, type Scheme } from '#web/kit/theme.ts'
import { selectedPeriod } from '#web/filters/period.ts'
import type { Filter } from '#web/filters/filter.ts'
import type { OptionCounts } from '#web/filters/option-counts.ts'
import { formatParkedDuration, parkedDurations } from '#web/filters/parked-durations.ts'
import { ByDayField } from '#web/map-page/time/by-day-field.tsx'
import type { MapSearch } from '#web/map-page/by-shape/map-search.ts'
import type { FieldName, MapMode } from '#web/map-page/by-shape/map-mode.ts'
import { aggregationName } from './aggregation-name.ts'
import { BufferField } from './fields/buffer-field.tsx'
import { HeatField } from './fields/heat-field.tsx'
import { ModeField } from './fields/mode-field.tsx'

/** The aggregations of a mode for a layer: trips through shapes require routes. A selected one is visible. */
export const offeredAggregations = (
  { aggregations }: MapMode,
  layer: Pick<Layer, 'intersect_route'> | null,
  selected: SpatialAggregation | undefined,
): SpatialAggregation[] =>
  aggregations.filter(
    (aggregation) =>
      aggregation !== 'intersect' || layer?.intersect_route === true || aggregation === selected,
  )

/** The input of all panel fields. */
interface PanelInput {
  t: TFunction
  mode: MapMode
  region: Region
  today: LocalDay
  scheme: Scheme
  search: MapSearch
  change: (changes: Partial<MapSearch>) => void
  /** The layers to choose from, the default one first; null while they load. */
  layerOptions: readonly Layer[] | null
  layer: Layer | null
  operators: readonly Operator[] | undefined
  operatorsError: string | undefined
  shapes: readonly Shape[]
  /** Name of the selected shape if it filters the map. */
  shapeName: string | null
  extent: EndpointOutput<typeof getSpatialExtent> | null
  counts: OptionCounts
}

const isVehicleType = (type: string): type is VehicleType => Object.hasOwn(vehicleTypeTexts, type)

/** All fields that the panel of a map can have. */
export const panelFields: Readonly<Record<FieldName, (input: PanelInput) => Filter>> = {
  mode: ({ region, mode, search }) =>
    custom('mode', <ModeField regionId={region.regionId} mode={mode} search={search} />),
  aggregation: ({ t, mode, layer, search, shapeName }) => ({
    kind: 'choice',
    key: 'aggregation',
    label: t('evaluation:aggregationLabel'),
    defaultValue: mode.aggregations[0]!,
    options: offeredAggregations(mode, layer, search.aggregation).map((value) => ({
      value,
      text: aggregationName(t, value, shapeName),
    })),
  }),
  layer: ({ layerOptions, layer }) => ({ kind: 'layer', layers: layerOptions, layer }),
  shape: ({ shapes }) => ({ kind: 'shape', shapes }),
  period: ({ today }) => ({ kind: 'period', today }),
  compare: ({ today, extent }) => ({ kind: 'compare', today, dataDays: extent, isMap: true }),
  parkedDuration: ({ t, layer, search }) => ({
    kind: 'choice',
    key: 'parked_duration',
    label: t('evaluation:parked.label'),
    none: t('evaluation:parked.none'),
    options: parkedDurations(layer?.parking_duration_filters ?? [], search.parked_duration).map((value) => ({
      value,
      text: formatParkedDuration(t, value),
    })),
  }),
  operators: ({ operators, operatorsError: error, counts }) => ({
    kind: 'operators',
    operators,
    error,
    counts,
  }),
  vehicleTypes: ({ extent, counts }) => ({
    kind: 'vehicleTypes',
    counts,
    present: (extent?.vehicle_types ?? []).filter(isVehicleType),
  }),
  times: ({ t }) => ({
    kind: 'group',
    key: 'times',
    label: t('filters:group.times'),
    filters: [{ kind: 'weekdays' }, { kind: 'hours' }],
  }),
  display: ({ t, mode, layer, region, scheme, today, search, change }) => ({
    kind: 'group',
    key: 'display',
    label: t('evaluation:display'),
    filters: [
      custom(
        'buffer',
        <BufferField
          offered={layer?.buffers ?? []}
          value={search.buffer ?? 0}
          isMetric={region.isMetric}
          onChange={(buffer) => change({ buffer })}
        />,
      ),
      ...(mode.heat
        ? [
            custom(
              'heat',
              <HeatField mode={mode} value={search.heat} onChange={(heat) => change({ heat })} />,
            ),
          ]
        : []),
      { kind: 'colors', palettes: dataColors[scheme].sequential },
      custom(
        'by_day',
        <ByDayField region={region} period={selectedPeriod(search, today)} search={search} change={change} />,
      ),
    ],
  }),
}

const custom = (key: string, field: ReactNode): Filter => ({ kind: 'custom', key, field })
