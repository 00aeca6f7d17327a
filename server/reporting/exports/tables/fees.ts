import { bind, joinSql, latest, sql } from '#server/stores/sql.ts'
import type { FactSource, Selection } from './export-source.ts'

const feeConditions = ({ regionId, period, operators, vehicleTypes }: Selection) =>
  joinSql(
    [
      sql`region_id = ${bind('String', regionId)}`,
      ...(period
        ? [sql`day >= ${bind('Date', period.first)}`, sql`day <= ${bind('Date', period.last)}`]
        : []),
      ...(operators.length ? [sql`operator in ${bind('Array(String)', operators)}`] : []),
      ...(vehicleTypes.length ? [sql`vehicle_type in ${bind('Array(String)', vehicleTypes)}`] : []),
    ],
    ' and ',
  )

/** Fees of policies by day, as summed for invoices (decision 040). Days without a charge have no row. */
export const fees: FactSource = {
  kind: 'facts',
  rows: (selection) => sql`
  select
    day as date,
    toString(policy_id) as policy_uuid,
    operator,
    vehicle_type,
    charge,
    unit,
    price as unit_price,
    numerator / denominator as quantity,
    numerator,
    denominator,
    facts
  from ${latest('fee_days')}
  where ${feeConditions(selection)}`,
}
