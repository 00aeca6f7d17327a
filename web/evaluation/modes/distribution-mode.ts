import { aggregations } from '#contract/spatial.ts'
import type { MapMode } from './map-mode.ts'

/** Where the fleet stands, of all operators and of each. */
export const distributionMode: MapMode = {
  key: 'distribution',
  page: 'distribution',
  aggregations: aggregations.distribution,
  fields: [
    'mode',
    'aggregation',
    'layer',
    'shape',
    'period',
    'compare',
    'weekdays',
    'hours',
    'operators',
    'vehicleType',
    'buffer',
    'colors',
  ],
  counts: ['available', 'reserved', 'non_operational', 'non_contactable'],
  narrows: false,
  heat: null,
  targets: 'distribution',
}
