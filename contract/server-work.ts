import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Progress of one kind of derived data in one region. */
const RegionProgress = z.object({
  region_id: z.string(),
  text: z.string().meta({ description: 'Name of the region' }),
  dirty: z.number().int().meta({ description: 'Hours, days or runs that wait to be derived' }),
  dirty_since: z.iso.datetime().nullable(),
  newest: z.string().nullable().meta({ description: 'The newest hour or day that is derived' }),
  portions: z.number().int().meta({ description: 'Portions derived since the server started' }),
  worked_ms: z.number().int(),
  last_problem: z.string().nullable(),
})

/** Progress of one kind of derived data in the regions that the viewer may see. */
const DerivedProgress = z.object({
  product: z.string(),
  description: z.string(),
  regions: z.array(RegionProgress),
})

/** Queries of one caller to the fact store, averaged over the last ten minutes. */
const CallerQueries = z.object({
  caller: z.string().meta({ description: 'An endpoint, a derived product or a job' }),
  queries_per_minute: z.number(),
  ms_per_minute: z.number().int(),
})

/** Background work of the server, for administrators. */
export const getServerWork = endpoint({
  route: 'GET /health/work',
  permission: 'is_admin',
  wholeOrganization: true,
  summary: 'Progress of derived data and queries to the fact store by caller',
  request: {},
  response: z
    .object({ derived: z.array(DerivedProgress), queries: z.array(CallerQueries) })
    .meta({ id: 'ServerWork' }),
})
export type ServerWork = z.infer<(typeof getServerWork)['response']>

/** `interval`: every `every_seconds`. `when_due`: when there is work to do. `when_sent`: on request. */
export const jobTriggers = ['interval', 'when_due', 'when_sent'] as const

/** A background job of the server and its runs of the last seven days, on all servers. */
export const BackgroundJob = z
  .object({
    name: z.string(),
    description: z.string(),
    trigger: z.enum(jobTriggers),
    every_seconds: z.number().nullable(),
    is_running: z.boolean().meta({ description: 'On the server that responds' }),
    last_run: z.iso.datetime().nullable(),
    last_ms: z.number().int().nullable(),
    next_run: z.iso.datetime().nullable(),
    runs: z.number().int(),
    failures: z.number().int(),
    last_problem: z.string().nullable(),
    last_problem_time: z.iso.datetime().nullable(),
  })
  .meta({ id: 'BackgroundJob' })
export type BackgroundJob = z.infer<typeof BackgroundJob>

export const listJobs = endpoint({
  route: 'GET /health/jobs',
  permission: 'is_admin',
  wholeOrganization: true,
  summary: 'Background jobs with their last and next run and their failures of the last seven days',
  request: {},
  response: z.object({ items: z.array(BackgroundJob) }),
})
/** Returns before the run ends. */
export const runJob = endpoint({
  route: 'POST /health/jobs/{job}/run',
  prefixes: ['/v2'],
  permission: 'is_admin',
  wholeOrganization: true,
  summary: 'Run a background job now',
  request: { params: z.object({ job: z.string().max(60) }) },
  response: z.object({ job: z.string() }),
})
