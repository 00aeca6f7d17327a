import type { AliasableExpression, Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { IssuePoints } from '#contract/issues.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { State } from '#server/stores/state.ts'

type Row = ExpressionBuilder<StateTables, 'issue'>

/** How many issues of a region match on each day that has any, and of how many the place is known; the first day first. */
export async function countByDay(
  state: State,
  scope: Scope,
  regionId: string,
  matches: (is: Row) => Expression<SqlBool>,
  dayOf: (is: Row) => AliasableExpression<number>,
): Promise<IssuePoints['by_day']> {
  const dated = state
    .as(scope)
    .selectFrom('issue')
    .where('region_id', '=', regionId)
    .where(matches)
    .select((is) => [dayOf(is).as('day'), 'lat', 'lon'])
  const rows = await state
    .as(scope)
    .selectFrom(dated.as('dated'))
    .select((of) => [
      'day',
      of.fn.countAll<string>().as('total'),
      of.fn
        .countAll<string>()
        .filterWhere('lat', 'is not', null)
        .filterWhere('lon', 'is not', null)
        .as('placed'),
    ])
    .groupBy('day')
    .orderBy('day')
    .execute()
  return {
    day: rows.map(({ day }) => day),
    total: rows.map(({ total }) => Number(total)),
    placed: rows.map(({ placed }) => Number(placed)),
  }
}
