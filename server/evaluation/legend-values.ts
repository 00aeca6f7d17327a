import type { z } from 'zod'
import { quantileBins } from '#contract/bins.ts'
import { notInShape } from '#contract/evaluation.ts'
import type { LegendValues } from '#contract/layer-figures.ts'
import type { SpatialResult } from '#contract/spatial.ts'

/** The classes of an answer's shapes, as the map colours them: a zero is a real answer and stands apart from them and from "no data". */
export function legendValues(
  { shape_data, unit }: Pick<SpatialResult, 'shape_data' | 'unit'>,
  v: string | null,
): z.output<typeof LegendValues> {
  const values = Object.entries(shape_data).flatMap(([id, { value }]) => (id === notInShape ? [] : [value]))
  const known = values.filter((value) => value !== null)
  return {
    bins: quantileBins(known.filter((value) => value !== 0)),
    min: known.length ? known.reduce((lowest, value) => Math.min(lowest, value)) : null,
    max: known.length ? known.reduce((highest, value) => Math.max(highest, value)) : null,
    zeros: known.filter((value) => value === 0).length,
    none: values.length - known.length,
    unit,
    ...(v === null ? {} : { v }),
  }
}
