import type { ReactNode } from 'react'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { Layer, Shape } from '#contract/geography.ts'
import { vehicleTypeTexts, type VehicleType } from '#contract/mobility.ts'
import type { LocalDay } from '#contract/period.ts'
import type { getSpatialExtent, SpatialAggregation } from '#contract/spatial.ts'
import type { Scheme } from '#web/kit/theme.ts'
import { AggregationField } from './fields/aggregation-field.tsx'
import { BufferField } from './fields/buffer-field.tsx'
import { ColorField } from '#web/filters/color-field.tsx'
import { CompareField } from '#web/filters/compare-field.tsx'
import { HeatField } from './fields/heat-field.tsx'
import { HoursField } from '#web/filters/hours-field.tsx'
import { LayerField } from '#web/filters/layer-field.tsx'
import { ModeField } from './fields/mode-field.tsx'
import { OperatorField } from '#web/filters/operator-field.tsx'
import { ParkedDurationField } from './fields/parked-duration-field.tsx'
import { PeriodField } from '#web/filters/period-field.tsx'
import { ShapeField } from '#web/filters/shape-field.tsx'
import { VehicleTypeField } from '#web/filters/vehicle-type-field.tsx'
import { WeekdaysField } from '#web/filters/weekdays-field.tsx'
import type { MapSearch } from './map-search.ts'
import type { FieldName, MapMode } from './modes/map-mode.ts'
import { chosenPeriod, periodState } from '#web/filters/period.ts'

/** What a map can be asked of a layer: routes are known only to layers that support it. What was asked stays offered, so that it can be seen. */
export const offeredAggregations = (
  { aggregations }: MapMode,
  layer: Pick<Layer, 'intersect_route'> | null,
  asked: SpatialAggregation | undefined,
): SpatialAggregation[] =>
  aggregations.filter((each) => each !== 'intersect' || layer?.intersect_route === true || each === asked)

/** All that the fields of a panel show and change. */
export interface PanelGiven {
  mode: MapMode
  regionId: string
  isMetric: boolean
  today: LocalDay
  scheme: Scheme
  search: MapSearch
  change: (part: Partial<MapSearch>) => void
  /** Layers that can be chosen, the first one by default. */
  options: readonly Layer[]
  layer: Layer | null
  shapes: readonly Shape[]
  /** Name of the selected shape where it filters the map. */
  shapeName: string | null
  extent: EndpointOutput<typeof getSpatialExtent> | null
}

const isVehicleType = (type: string): type is VehicleType => Object.hasOwn(vehicleTypeTexts, type)

/** Every field that the panel of a map can have; a map lists those that it has. */
export const panelFields: Readonly<Record<FieldName, (given: PanelGiven) => ReactNode>> = {
  mode: ({ regionId, mode, search }) => <ModeField regionId={regionId} mode={mode} search={search} />,
  aggregation: ({ mode, layer, search, shapeName, change }) => (
    <AggregationField
      offered={offeredAggregations(mode, layer, search.aggregation)}
      value={search.aggregation ?? mode.aggregations[0]!}
      shapeName={shapeName}
      onChange={(aggregation) => change({ aggregation })}
    />
  ),
  layer: ({ options, layer, change }) => (
    <LayerField
      options={options}
      value={layer}
      onChange={(chosen) =>
        change({ layer: chosen === options[0]?.shape_layer_uuid ? undefined : chosen, shape: undefined })
      }
    />
  ),
  shape: ({ shapes, search, change }) => (
    <ShapeField shapes={shapes} value={search.shape} onChange={(shape) => change({ shape })} />
  ),
  period: ({ search, today, change }) => (
    <PeriodField
      value={chosenPeriod(search, today)}
      today={today}
      onChange={(period) => change(periodState(period, today))}
    />
  ),
  compare: ({ search, today, change }) => (
    <CompareField search={search} period={chosenPeriod(search, today)} today={today} change={change} />
  ),
  weekdays: ({ search, change }) => (
    <WeekdaysField value={search.days ?? []} onChange={(days) => change({ days })} />
  ),
  hours: ({ search, change }) => (
    <HoursField value={search.hours ?? [0, 24]} onChange={(hours) => change({ hours })} />
  ),
  parkedDuration: ({ layer, search, change }) => (
    <ParkedDurationField
      offered={layer?.parking_duration_filters ?? []}
      value={search.parked_duration}
      onChange={(parked_duration) => change({ parked_duration })}
    />
  ),
  operators: ({ regionId, search, change }) => (
    <OperatorField
      regionId={regionId}
      value={search.operators ?? []}
      onChange={(operators) => change({ operators })}
    />
  ),
  vehicleType: ({ extent, search, change }) => (
    <VehicleTypeField
      present={(extent?.vehicle_types ?? []).filter(isVehicleType)}
      value={search.vehicle_type}
      onChange={(vehicle_type) => change({ vehicle_type })}
    />
  ),
  buffer: ({ layer, isMetric, search, change }) => (
    <BufferField
      offered={layer?.buffers ?? []}
      value={search.buffer ?? 0}
      isMetric={isMetric}
      onChange={(buffer) => change({ buffer })}
    />
  ),
  heat: ({ mode, search, change }) => (
    <HeatField mode={mode} value={search.heat} onChange={(heat) => change({ heat })} />
  ),
  colors: ({ scheme, search, change }) => (
    <ColorField scheme={scheme} value={search.colors ?? 'tide'} onChange={(colors) => change({ colors })} />
  ),
}
