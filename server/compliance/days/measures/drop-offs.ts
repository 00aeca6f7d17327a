import { sql } from '#server/stores/sql.ts'
import { getSpan } from '../measure-input.ts'
import { dropOffRows } from '../queries/fact-rows.ts'
import { countEvents, placedEventRows } from './count-events.ts'
import { type MeasureType, noValue, valueRows } from './measure-type.ts'

/** Measures vehicles that an operator dropped off in each shape. */
export const dropOffs: MeasureType<'drop_offs'> = {
  name: () => 'drop_offs',
  measure: (input) => countEvents(input, dropOffRows(input.filter, getSpan(input.windows)), sql`true`),
  facts: (input) => ({
    kind: 'drop_off',
    rows: valueRows(
      placedEventRows(input, dropOffRows(input.filter, getSpan(input.windows))),
      noValue,
      sql`0`,
    ),
  }),
  isZeroWithoutFigure: true,
  cannotRecover: () => true,
}
