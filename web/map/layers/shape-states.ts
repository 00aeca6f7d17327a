import type { ShapeState } from '../map-layer.ts'
import type { ShapeBin } from './shape-values.ts'

/** Value of the `bin` state for a real zero. */
export const zeroState = -1
/** Value of the `bin` state for a shape without data. */
export const noDataState = -2

// One object per bin, so that states of thousands of shapes are compared by identity.
const stateCache = new Map<ShapeBin, ShapeState>()

/** Returns the feature state of a bin; always the same object. */
export function shapeState(shapeBin: ShapeBin): ShapeState {
  const cached = stateCache.get(shapeBin)
  if (cached) return cached
  const state = { bin: toBinState(shapeBin) }
  stateCache.set(shapeBin, state)
  return state
}

function toBinState(shapeBin: ShapeBin): number {
  if (shapeBin === 'zero') return zeroState
  return shapeBin === 'none' ? noDataState : shapeBin
}

/** Converts bins of shapes to the feature states that the values layer paints. */
export const shapeStates = (binById: ReadonlyMap<string, ShapeBin>): ReadonlyMap<string, ShapeState> =>
  new Map([...binById].map(([id, shapeBin]) => [id, shapeState(shapeBin)]))
