import type { ShapeState } from '../map-layer.ts'
import type { ShapeBin } from './shape-values.ts'

/** Values of the `bin` state for a real zero and for no data. */
export const zeroState = -1
export const noDataState = -2

// One object per bin, so that states of thousands of shapes are compared by identity.
const stateCache = new Map<ShapeBin, ShapeState>()

/** Returns the feature state of a bin; always the same object. */
export function shapeState(shapeBin: ShapeBin): ShapeState {
  const cached = stateCache.get(shapeBin)
  if (cached) return cached
  const state = { bin: shapeBin === 'zero' ? zeroState : shapeBin === 'none' ? noDataState : shapeBin }
  stateCache.set(shapeBin, state)
  return state
}

/** Converts bins of shapes to the feature states that the values layer paints. */
export const shapeStates = (binById: ReadonlyMap<string, ShapeBin>): ReadonlyMap<string, ShapeState> =>
  new Map([...binById].map(([id, shapeBin]) => [id, shapeState(shapeBin)]))
