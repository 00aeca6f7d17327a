import type { Layer, Shape } from '#contract/geography.ts'
import type { Comparison } from './compare/comparison.ts'
import type { Evaluation } from './evaluation.ts'
import type { MapMode } from './modes/map-mode.ts'
import type { Playing } from './time/use-playback.ts'

/** What a map has to show: numbers of shapes, perhaps against others, perhaps through time; never both. */
export interface ShownMap {
  /** Null where the map is none of the modes. */
  mode: MapMode | null
  layers: readonly Layer[] | null
  layer: Layer | null
  shapes: readonly Shape[] | null
  evaluation: Evaluation | null
  comparison: Comparison | null
  playing: Playing | null
}

/** Whether values or what became of them are shown. */
export const changeShown = ({ comparison }: Pick<ShownMap, 'comparison'>): 'change' | 'percent' | null =>
  comparison === null || comparison.kind === 'side' ? null : comparison.kind
