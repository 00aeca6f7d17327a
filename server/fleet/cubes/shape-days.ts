import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { CubeSum } from './cube-columns.ts'
import { shapeDaySums, type ShapeDaysQuestion } from './queries/shape-day-sums.ts'

/** Sums of a shape; `bucket` is its day or hour. Shapes without any facts have no row or zeros. */
export interface ShapeDays {
  key: string
  bucket?: string
  operator?: string
  sums: Partial<Record<CubeSum, number>>
}

/** Keys of one question: they travel in its address. */
const keysPerQuery = 4000

/** What happened in shapes on local days, out of the cubes. Which days they know: `knownDays`. */
export async function shapeDays(
  store: Facts,
  scope: Scope,
  question: ShapeDaysQuestion,
  signal: AbortSignal,
): Promise<ShapeDays[]> {
  const found: ShapeDays[] = []
  for (let at = 0; at < question.shapeKeys.length; at += keysPerQuery) {
    const rows = await store.rows<Record<string, string>>(
      scope,
      shapeDaySums({ ...question, shapeKeys: question.shapeKeys.slice(at, at + keysPerQuery) }),
      { limits: { seconds: 60 }, signal },
    )
    for (const { key = '', bucket, operator, ...row } of rows)
      found.push({
        key,
        ...(bucket === undefined ? {} : { bucket }),
        ...(operator === undefined ? {} : { operator }),
        sums: Object.fromEntries(question.sums.map((name) => [name, Number(row[name])])),
      })
  }
  return found
}
