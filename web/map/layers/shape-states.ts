import type { ShapeState } from '../map-layer.ts'
import type { ShapeClass } from './shape-values.ts'

/** What the states of shapes call a real zero, and nothing known. */
export const zeroState = -1
export const noDataState = -2

// One object a class: whoever compares states of thousands of shapes sees at once that they are the same.
const stateCache = new Map<ShapeClass, ShapeState>()

/** The state of a class: always the same object. */
export function shapeState(each: ShapeClass): ShapeState {
  const cached = stateCache.get(each)
  if (cached) return cached
  const state = { bin: each === 'zero' ? zeroState : each === 'none' ? noDataState : each }
  stateCache.set(each, state)
  return state
}

/** Classes of shapes as the states that the layer of values paints. */
export const shapeStates = (classes: ReadonlyMap<string, ShapeClass>): ReadonlyMap<string, ShapeState> =>
  new Map([...classes].map(([id, each]) => [id, shapeState(each)]))
