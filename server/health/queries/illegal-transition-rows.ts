import type { Span } from '#server/health/span.ts'
import { bind, type Sql, sql } from '#server/stores/sql.ts'
import { rowColumns } from './row-columns.ts'
import { judgedEvents } from './transitions.ts'

/** A way from state to state as one text. */
export const wayKey = (machine: string, before: string, types: readonly string[], state: string): string =>
  `${machine} ${before} ${types.join('+')} ${state}`

/** Events of the span that went one of these ways. */
export const illegalTransitionRows = (
  span: Span,
  earlierFeeds: readonly string[],
  ways: readonly string[],
): Sql => sql`
  select ${rowColumns({ feed: sql`feed`, time: sql`event_time`, id: sql`event_id`, device: sql`device_id`, part: 'illegal', details: sql`[toString(before), replaceAll(toString(types), '+', ', '), toString(state)]` })}
  from (${judgedEvents(span, earlierFeeds)})
  where concat(machine, ' ', before, ' ', types, ' ', state) in ${bind('Array(String)', ways)}`
