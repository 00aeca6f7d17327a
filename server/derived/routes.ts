import { getServerWork, listJobs, runJob } from '#contract/server-work.ts'
import { Problem } from '#server/http/problem.ts'
import { type Route, route } from '#server/http/route.ts'
import type { Jobs, JobState } from '#server/jobs/jobs.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Derivation } from './derivation.ts'

const toIso = (time: Date | null | undefined): string | null => time?.toISOString() ?? null

/** Returns what causes runs of a job: messages, a condition, or time. */
function getTrigger(every: JobState['job']['every']): 'when_sent' | 'when_due' | 'interval' {
  if (every === undefined) return 'when_sent'
  return 'isDue' in every && every.isDue ? 'when_due' : 'interval'
}

/** Converts the state of a job to the format of the API. */
const toJobItem = ({ job: { name, description, every }, isRunning, nextRun, summary }: JobState) => {
  const trigger = getTrigger(every)
  return {
    name,
    description,
    trigger,
    every_seconds: trigger === 'interval' ? (every?.seconds ?? null) : null,
    is_running: isRunning,
    last_run: toIso(summary?.lastStarted),
    last_ms: summary?.lastMs ?? null,
    next_run: toIso(nextRun),
    runs: summary?.runs ?? 0,
    failures: summary?.failures ?? 0,
    last_problem: summary?.lastProblem ?? null,
    last_problem_time: toIso(summary?.lastProblemTime),
  } as const
}

/** Returns the endpoints for derived data, queries and jobs of the server. */
export const serverWorkRoutes = (derivation: Derivation, jobs: Jobs, facts: Facts): Route[] => [
  route(getServerWork, async ({ viewer }) => ({
    derived: (await derivation.readProgress(viewer.scope)).map(({ product, description, regions }) => ({
      product,
      description,
      regions: regions.map(({ regionId, text, dirty, since, newest, portions, ms, lastProblem }) => ({
        region_id: regionId,
        text,
        dirty,
        dirty_since: since === null ? null : new Date(since).toISOString(),
        newest,
        portions,
        worked_ms: ms,
        last_problem: lastProblem,
      })),
    })),
    queries: facts.queryCounts().map(({ caller, queriesPerMinute, msPerMinute }) => ({
      caller,
      queries_per_minute: queriesPerMinute,
      ms_per_minute: msPerMinute,
    })),
  })),
  route(listJobs, async () => ({ items: (await jobs.list()).map(toJobItem) })),
  route(runJob, async ({ params }) => {
    if (!(await jobs.runNow(params.job))) throw new Problem('not_found', 'There is no such job.')
    return params
  }),
]
