import type { Sql } from '#server/stores/sql.ts'
import { type Counting, countWays } from './count-ways.ts'
import type { FeedChecks } from './day-facts.ts'
import { latenessCounts, type LatenessRow } from './queries/lateness.ts'
import { moveCounts, type MoveRow } from './queries/moves.ts'
import type { Span } from './span.ts'

/** What is to be said about the events of a span, by feed. */
export async function countEvents(counting: Counting, span: Span): Promise<FeedChecks[]> {
  const ask = <Row>(question: Sql): Promise<Row[]> =>
    counting.facts.rows<Row>(counting.region.scope, question, { limits: { seconds: 120 } })
  const feeds = new Map<string, FeedChecks>()
  const of = (operator: string, feed: string): FeedChecks => {
    const key = `${operator} ${feed}`
    let each = feeds.get(key)
    if (!each)
      feeds.set(
        key,
        (each = { operator, feed, judged: 0, illegal: 0, ways: [], late: [], ahead: 0, moves: 0, jumps: 0 }),
      )
    return each
  }
  const [ways, moves, late] = await Promise.all([
    countWays(counting, span),
    ask<MoveRow>(moveCounts(span)),
    ask<LatenessRow>(latenessCounts(span)),
  ])
  for (const each of ways) Object.assign(of(each.operator, each.feed), each)
  for (const row of moves)
    Object.assign(of(row.operator, row.feed_id), { moves: Number(row.moves), jumps: Number(row.impossible) })
  for (const row of late) {
    const each = of(row.operator, row.feed_id)
    each.late.push([Number(row.late), Number(row.count)])
    each.ahead += Number(row.ahead)
  }
  return [...feeds.values()]
}
