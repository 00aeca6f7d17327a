import type { ShapeState } from '../map-layer.ts'
import type { ShapeClass } from './shape-values.ts'

/** What the states of shapes call a real zero, and nothing known. */
export const stateOfZero = -1
export const stateOfNone = -2

// One object a class: whoever compares states of thousands of shapes sees at once that they are the same.
const states = new Map<ShapeClass, ShapeState>()

/** The state of a class: always the same object. */
export function stateOf(each: ShapeClass): ShapeState {
  const known = states.get(each)
  if (known) return known
  const state = { bin: each === 'zero' ? stateOfZero : each === 'none' ? stateOfNone : each }
  states.set(each, state)
  return state
}

/** Classes of shapes as the states that the layer of values paints. */
export const shapeStates = (classes: ReadonlyMap<string, ShapeClass>): ReadonlyMap<string, ShapeState> =>
  new Map([...classes].map(([id, each]) => [id, stateOf(each)]))
