import type { ShapeState } from '../map-layer.ts'
import type { ShapeClass } from './shape-values.ts'

/** Values of the `bin` state for a real zero and for no data. */
export const zeroState = -1
export const noDataState = -2

// One object per class, so that states of thousands of shapes are compared by identity.
const stateCache = new Map<ShapeClass, ShapeState>()

/** Feature state of a class; always the same object. */
export function shapeState(shapeClass: ShapeClass): ShapeState {
  const cached = stateCache.get(shapeClass)
  if (cached) return cached
  const state = { bin: shapeClass === 'zero' ? zeroState : shapeClass === 'none' ? noDataState : shapeClass }
  stateCache.set(shapeClass, state)
  return state
}

/** Converts classes of shapes to the feature states that the values layer paints. */
export const shapeStates = (classes: ReadonlyMap<string, ShapeClass>): ReadonlyMap<string, ShapeState> =>
  new Map([...classes].map(([id, shapeClass]) => [id, shapeState(shapeClass)]))
