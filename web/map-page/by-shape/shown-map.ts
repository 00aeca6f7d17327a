import type { Layer, Shape } from '#contract/geography.ts'
import type { Comparison } from './compare/comparison.ts'
import type { Evaluation } from './evaluation.ts'
import type { MapMode } from './map-mode.ts'
import type { Playing } from '../time/use-playback.ts'

/** The content of a map: values by shape, optionally compared or played through time, but not both. */
export interface ShownMap {
  /** Null on maps that are not one of the modes. */
  mode: MapMode | null
  layers: readonly Layer[] | null
  layer: Layer | null
  shapes: readonly Shape[] | null
  evaluation: Evaluation | null
  comparison: Comparison | null
  playing: Playing | null
}

/** How changes are shown; null if values are. */
export const getShownChange = ({ comparison }: Pick<ShownMap, 'comparison'>): 'change' | 'percent' | null =>
  comparison === null || comparison.kind === 'side' ? null : comparison.kind
