import { silentAfterHours } from '#contract/health-figures.ts'
import { hourMs } from '../span.ts'
import { lostRule } from '#server/regions/lost-vehicles.ts'
import { instant } from '#server/stores/instant.ts'
import { type Sql, sql } from '#server/stores/sql.ts'
import { rowColumns } from './row-columns.ts'
import { deployedVehicles } from './silent-vehicles.ts'

/** Deployed vehicles that are silent at a moment (ms), or lost; the value is hours. */
export function silentVehicleRows(
  regionId: string,
  at: number,
  lostAfterHours: number,
  operator?: string,
): Sql {
  const isLost = lostRule(lostAfterHours).isLost(sql`time`, instant(at))
  return sql`
    select ${rowColumns({ time: sql`time`, id: sql`device_id`, device: sql`device_id`, part: sql`if(${isLost}, 'lost', 'silent')`, value: sql`dateDiff('second', time, ${instant(at)}) / 3600`, details: sql`[toString(last_state)]` })}
    from (${deployedVehicles(regionId, at, operator)})
    where time < ${instant(at - silentAfterHours * hourMs)} or ${isLost}`
}
