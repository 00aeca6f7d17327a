import { aggregations } from '#contract/spatial.ts'
import type { MapMode } from './map-mode.ts'

/** Where operators put vehicles down. */
export const dropOffsMode: MapMode = {
  key: 'drop_offs',
  page: 'dropOffs',
  aggregations: aggregations.drop_offs,
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
  counts: ['count'],
  narrows: false,
  heat: null,
  targets: 'operator_drop_offs',
}
