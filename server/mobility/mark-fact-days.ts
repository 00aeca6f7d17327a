import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/** Counts that facts of some hours (begins, ms) were derived again, by UTC day: what was measured of those days before is out of date. */
export async function markFactDaysDirty(
  state: State,
  scope: Scope,
  regionId: string,
  hours: readonly number[],
): Promise<void> {
  const days = [...new Set(hours.map((hour) => new Date(hour).toISOString().slice(0, 10)))].toSorted()
  for (let at = 0; at < days.length; at += 1000)
    await state
      .as(scope)
      .insertInto('fact_day')
      .values(days.slice(at, at + 1000).map((day) => ({ region_id: regionId, day, noted: '1' })))
      .onConflict((there) =>
        there
          .columns(['region_id', 'day'])
          .doUpdateSet((row) => ({ noted: row('fact_day.noted', '+', '1') })),
      )
      .execute()
}
