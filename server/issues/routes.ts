import * as contract from '#contract/issues.ts'
import { type Route, route } from '#server/http/route.ts'
import type { State } from '#server/stores/state.ts'
import { readIssueDays } from './issue-days.ts'
import { IssuesInShapes } from './issues-by-shape.ts'
import { listIssuePoints } from './list-issue-points.ts'
import { findIssue, listIssues, listIssueTypes } from './list-issues.ts'
import { writeIssuesCsv } from './write-issues-csv.ts'

export function issueRoutes(state: State): Route[] {
  const issuesInShapes = new IssuesInShapes(state)
  return [
    route(contract.listIssues, ({ viewer, params, query }) =>
      listIssues(state, viewer.scope, params.region_id, query),
    ),
    route(contract.listIssueTypes, async ({ viewer: { scope }, params, query }) => {
      const days = await readIssueDays(state, scope, params.region_id)
      return {
        items: await listIssueTypes(state, scope, params.region_id, query),
        first_day: days?.first ?? null,
        last_day: days?.last ?? null,
      }
    }),
    route(contract.listIssuePoints, ({ viewer, params, query }) =>
      listIssuePoints(state, viewer.scope, { regionId: params.region_id, filters: query }),
    ),
    route(contract.queryIssuesByShape, ({ viewer, params, query }) =>
      issuesInShapes.evaluate(viewer.scope, params.region_id, query),
    ),
    route(contract.queryIssuesByShapeAndDay, ({ viewer, params, query }) =>
      issuesInShapes.evaluateByDay(viewer.scope, params.region_id, query),
    ),
    route(contract.downloadIssues, ({ viewer, params, query }) =>
      writeIssuesCsv(state, viewer.scope, params.region_id, query),
    ),
    route(contract.getIssue, ({ viewer, params, query }) =>
      findIssue(state, viewer.scope, {
        regionId: params.region_id,
        issueId: params.issue_id,
        source: query.source,
      }),
    ),
  ]
}
