import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { type CubeSum, cubeSums } from './cube-columns.ts'
import { shapeHourSums, type ShapeHoursQuestion } from './queries/shape-hour-sums.ts'

/** Sums of a shape. A shape, or a part of it, in which nothing happened has no row. */
export type ShapeHours = Record<CubeSum, number> & {
  key: string
  hour?: number
  day?: string
  operator?: string
  vehicle_type?: string
}

/** Keys of one question: they travel in its address. */
const keysAtOnce = 4000

/**
 * What happened in shapes, from their hourly cubes: sums by shape and, where asked, by hour, local day, operator and vehicle type. Only hours
 * that are over stand in the cubes: who needs the running hour asks the facts for it and adds. How far a layer's cubes are: `cubeStatus`.
 */
export async function shapeHours(
  store: Facts,
  scope: Scope,
  question: ShapeHoursQuestion,
): Promise<ShapeHours[]> {
  const found: ShapeHours[] = []
  if (!(question.until > question.from)) return found
  for (let at = 0; at < question.shapeKeys.length; at += keysAtOnce) {
    const rows = await store.rows<Record<string, string | number>>(
      scope,
      shapeHourSums({ ...question, shapeKeys: question.shapeKeys.slice(at, at + keysAtOnce) }),
      { limits: { seconds: 60 } },
    )
    for (const row of rows)
      found.push({
        ...row,
        ...('hour' in row ? { hour: Number(row['hour']) } : {}),
        ...Object.fromEntries(cubeSums.map((name) => [name, Number(row[name])])),
      } as ShapeHours)
  }
  return found
}
