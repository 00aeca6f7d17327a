import { sql } from '#server/stores/sql.ts'
import { getSpanOfWindows } from '../measuring.ts'
import { dropOffRows } from '../queries/fact-rows.ts'
import { countEvents, placedEvents } from './count-events.ts'
import { type MeasureType, noValue, withValue } from './measure-type.ts'

/** Measures vehicles that an operator dropped off in each shape. */
export const dropOffs: MeasureType<'drop_offs'> = {
  name: () => 'drop_offs',
  measure: (measuring) =>
    countEvents(measuring, dropOffRows(measuring.filter, getSpanOfWindows(measuring.windows)), sql`true`),
  facts: (measuring) => ({
    kind: 'drop_off',
    rows: withValue(
      placedEvents(measuring, dropOffRows(measuring.filter, getSpanOfWindows(measuring.windows))),
      noValue,
      sql`0`,
    ),
  }),
  isZeroWithoutFigure: true,
  cannotRecover: () => true,
}
