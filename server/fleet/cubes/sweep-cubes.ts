import { dayMs } from '#contract/period.ts'
import { bind, facts as factTable, sql } from '#server/stores/sql.ts'
import { listCubeLayers } from './cube-layers.ts'
import type { CubeRegion } from './cube-region.ts'
import type { CubeRun } from './cube-run.ts'
import { hashShapeList } from './layer-shapes.ts'

const sweepIntervalMs = dayMs

/** Once a day, removes sums of shapes that no layer of the region contains, and all lists of shapes. */
export async function sweepCubes(
  { state, facts, at }: CubeRun,
  { regionId, scope }: CubeRegion,
): Promise<void> {
  const row = await state
    .as(scope)
    .selectFrom('cube_region')
    .select('swept_time')
    .where('region_id', '=', regionId)
    .executeTakeFirst()
  if (!row || (row.swept_time && at.getTime() - row.swept_time.getTime() < sweepIntervalMs)) return
  const keys = [
    ...new Set((await listCubeLayers(state.as(scope), regionId)).flatMap((layer) => layer.keys)),
  ].sort()
  const shapes = keys.map((key, index) => ({
    shapeId: '',
    number: index + 1,
    key,
    box: [0, 0, 0, 0] as [number, number, number, number],
  }))
  const listId = hashShapeList(shapes)
  const region = bind('String', regionId)
  const list = bind('UUID', listId)
  if (shapes.length)
    await facts.insert(scope, 'cube_shapes', {
      columns: ['region_id', 'list_id', 'number', 'shape_key'],
      regionId,
      lines: Buffer.from(
        shapes.map(({ number, key }) => `${regionId}\t${listId}\t${number}\t${key}\n`).join(''),
      ),
    })
  const isUnused = sql`
    region_id = ${region}
    and shape_key not in (
      select shape_key
      from ${factTable('cube_shapes')}
      where region_id = ${region} and list_id = ${list}
    )`
  for (const table of ['shape_hours', 'shape_day_hours'] as const) {
    const [unused] = await facts.rows<{ n: string }>(
      scope,
      sql`select count() as n from ${factTable(table)} where ${isUnused}`,
      { limits: { seconds: 300 } },
    )
    if (Number(unused?.n)) await facts.remove(scope, table, isUnused)
  }
  await facts.remove(scope, 'cube_shapes', sql`region_id = ${region}`)
  await state
    .as(scope)
    .updateTable('cube_region')
    .set({ swept_time: at })
    .where('region_id', '=', regionId)
    .execute()
}
