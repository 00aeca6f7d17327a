import type { Answer } from '#contract/endpoint.ts'
import type { getTripsExtent } from '#contract/evaluation.ts'
import type { Layer, Shape } from '#contract/geography.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Scheme } from '#web/kit/theme.ts'
import { AggregationField } from './fields/aggregation-field.tsx'
import { BufferField } from './fields/buffer-field.tsx'
import { ColorField } from './fields/color-field.tsx'
import { HeatField } from './fields/heat-field.tsx'
import { HoursField } from './fields/hours-field.tsx'
import { LayerField } from './fields/layer-field.tsx'
import { OperatorField } from './fields/operator-field.tsx'
import { PeriodField } from './fields/period-field.tsx'
import { ShapeField } from './fields/shape-field.tsx'
import { VehicleTypeField } from './fields/vehicle-type-field.tsx'
import { WeekdaysField } from './fields/weekdays-field.tsx'
import { chosenPeriod, rememberPeriod } from './period-presets.ts'
import type { TripsSearch } from './trips-search.ts'

interface Props {
  regionId: string
  today: LocalDay
  scheme: Scheme
  search: TripsSearch
  change: (part: Partial<TripsSearch>) => void
  options: readonly Layer[]
  layer: Layer | null
  shapes: readonly Shape[]
  shapeName: string | null
  extent: Answer<typeof getTripsExtent> | null
}

/** The filters of the trips map, from what is shown to whose trips they are. */
export function TripsPanel({ regionId, today, scheme, search, change, options, layer, shapes, shapeName, extent }: Props) {
  return (
    <>
      <AggregationField value={search.aggregation ?? 'origins'} shapeName={shapeName} onChange={(aggregation) => change({ aggregation })} />
      <LayerField options={options} value={layer} onChange={(chosen) => change({ layer: chosen === options[0]?.shape_layer_uuid ? undefined : chosen, shape: undefined })} />
      <ShapeField shapes={shapes} value={search.shape} onChange={(shape) => change({ shape })} />
      <PeriodField value={chosenPeriod(search, today)} today={today} onChange={(period) => change(rememberPeriod(period, today))} />
      <WeekdaysField value={search.days ?? []} onChange={(days) => change({ days })} />
      <HoursField value={search.hours ?? [0, 24]} onChange={(hours) => change({ hours })} />
      <OperatorField regionId={regionId} value={search.operators ?? []} onChange={(operators) => change({ operators })} />
      <VehicleTypeField present={extent?.vehicle_types ?? []} value={search.vehicleType} onChange={(vehicleType) => change({ vehicleType })} />
      <BufferField offered={layer?.buffers ?? []} value={search.buffer ?? 0} onChange={(buffer) => change({ buffer })} />
      <HeatField value={search.heat} onChange={(heat) => change({ heat })} />
      <ColorField scheme={scheme} value={search.colors ?? 'tide'} onChange={(colors) => change({ colors })} />
    </>
  )
}
