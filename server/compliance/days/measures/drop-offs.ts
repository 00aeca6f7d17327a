import { sql } from '#server/stores/sql.ts'
import { type DayFigure, type Measuring, spanOf } from '../measuring.ts'
import { dropOffRows } from '../queries/fact-rows.ts'
import { countEvents } from './count-events.ts'

/** Vehicles that an operator put down in each ground. */
export const measureDropOffs = (measuring: Measuring): Promise<DayFigure[]> =>
  countEvents(measuring, dropOffRows(measuring.asked, spanOf(measuring.windows)), sql`true`)
