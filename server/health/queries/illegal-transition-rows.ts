import type { Span } from '../span.ts'
import { bind, type Sql, sql } from '#server/stores/sql.ts'
import { rowColumns } from './row-columns.ts'
import { judgedEvents } from './transitions.ts'

/** A transition as one text. */
export const transitionKey = (
  machine: string,
  before: string,
  types: readonly string[],
  state: string,
): string => `${machine} ${before} ${types.join('+')} ${state}`

/** Events of the span with one of these transitions. */
export const illegalTransitionRows = (
  span: Span,
  earlierFeeds: readonly string[],
  transitions: readonly string[],
): Sql => sql`
  select ${rowColumns({ feed: sql`feed`, time: sql`event_time`, id: sql`event_id`, device: sql`device_id`, part: 'illegal', details: sql`[toString(before), replaceAll(toString(types), '+', ', '), toString(state)]` })}
  from (${judgedEvents(span, earlierFeeds)})
  where concat(machine, ' ', before, ' ', types, ' ', state) in ${bind('Array(String)', transitions)}`
