import { binOf, quantileBins, type Bin } from '#web/charts/bins.ts'
import type { ShapeClass } from '#web/map/layers/shape-values.ts'

export interface Classes {
  bins: Bin[]
  of: ReadonlyMap<string, ShapeClass>
  zeros: number
  none: number
}

/** Sorts shapes into bins. A zero is a real answer and stands apart from both the lowest bin and "no data". */
export function classify(values: ReadonlyMap<string, number | null>): Classes {
  const bins = quantileBins([...values.values()].filter((value): value is number => value !== null && value !== 0))
  const classOf = (value: number | null): ShapeClass => (value === null ? 'none' : value === 0 ? 'zero' : binOf(value, bins))
  const of = new Map([...values].map(([id, value]) => [id, classOf(value)]))
  const count = (which: ShapeClass): number => [...of.values()].filter((each) => each === which).length
  return { bins, of, zeros: count('zero'), none: count('none') }
}
