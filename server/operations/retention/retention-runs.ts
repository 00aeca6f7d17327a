import type { RetentionRun, RetentionStep } from '#contract/retention.ts'
import type { Region } from '#contract/regions.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import type { Job } from '#server/jobs/job.ts'
import type { Log } from '#server/jobs/log.ts'
import { readRegion } from '#server/regions/read-region.ts'
import type { Store } from '#server/stores/state.ts'
import { applyToRegion, type RetentionOptions } from './apply-retention.ts'

/** Outcomes of steps, most important first. The outcome of a run is that of its most important step. */
const outcomesByImportance = ['failed', 'waits', 'held', 'removed', 'nothing'] as const

/** Returns the most important outcome of the steps of a run. */
export const getOutcome = (steps: readonly RetentionStep[]): RetentionRun['outcome'] =>
  outcomesByImportance.find((outcome) => steps.some((step) => step.outcome === outcome)) ?? 'nothing'

/** The number of runs that are stored for each region. */
const maxStoredRuns = 400

async function storeRun(
  store: Store,
  regionId: string,
  run: { started: Date; ended: Date; startedBy: string | null; steps: readonly RetentionStep[] },
): Promise<void> {
  await store
    .insertInto('retention_run')
    .values({
      region_id: regionId,
      started_time: run.started,
      ended_time: run.ended,
      started_by: run.startedBy,
      outcome: getOutcome(run.steps),
      steps: JSON.stringify(run.steps),
    })
    .execute()
  const firstSurplusRun = await store
    .selectFrom('retention_run')
    .select('started_time')
    .where('region_id', '=', regionId)
    .orderBy('started_time', 'desc')
    .offset(maxStoredRuns)
    .limit(1)
    .executeTakeFirst()
  if (firstSurplusRun)
    await store
      .deleteFrom('retention_run')
      .where('region_id', '=', regionId)
      .where('started_time', '<=', firstSurplusRun.started_time)
      .execute()
}

/** Lists the runs of a region, newest first. */
export async function listRuns(store: Store, regionId: string, limit: number): Promise<RetentionRun[]> {
  const rows = await store
    .selectFrom('retention_run')
    .selectAll()
    .where('region_id', '=', regionId)
    .orderBy('started_time', 'desc')
    .orderBy('ended_time', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    run_id: row.run_id,
    started_time: row.started_time.toISOString(),
    ended_time: row.ended_time.toISOString(),
    started_by: row.started_by,
    outcome: row.outcome as RetentionRun['outcome'],
    steps: row.steps as RetentionStep[],
  }))
}

/** The job that an administrator starts for one region. */
export const runNowJob = 'remove-old-rows-now'

/** The input of `runNowJob`. `by`: the email address of the administrator. */
export interface RunNow {
  regionId: string
  by: string | null
}

/** Removes old rows of regions and records what was removed. */
export class RetentionRuns {
  readonly #options: RetentionOptions & { log: Log }
  /** Regions with a run in this process. */
  readonly #running = new Map<string, Promise<void>>()

  constructor(options: RetentionOptions & { log: Log }) {
    this.#options = options
  }

  /** Returns the jobs for scheduled and manual runs. */
  jobs(): Job[] {
    return [
      {
        name: 'remove-old-rows',
        description: 'Removes rows that are older than their region stores, twice a day',
        every: { seconds: 12 * 3600, on: 'one server' },
        run: (stop) => this.runAll(stop),
      },
      {
        name: runNowJob,
        description: 'Removes old rows of one region, when an administrator starts it',
        run: async (_stop, data) => {
          const { regionId, by: startedBy } = data as Partial<RunNow>
          if (regionId === undefined || startedBy === undefined) return
          for (const region of await this.#findRegions([regionId])) await this.run(region, startedBy)
        },
      },
    ]
  }

  async runAll(stop?: AbortSignal): Promise<void> {
    const rows = await this.#options.compliance.state
      .as(systemScope)
      .selectFrom('retention_days')
      .select('region_id')
      .distinct()
      .execute()
    for (const region of await this.#findRegions(rows.map((row) => row.region_id))) {
      if (stop?.aborted) return
      await this.run(region, null)
    }
  }

  /** Removes old rows of a region, once its running run has ended. */
  async run(region: Region, startedBy: string | null): Promise<void> {
    const previous = this.#running.get(region.regionId) ?? Promise.resolve()
    const run = previous.catch(() => undefined).then(() => this.#run(region, startedBy))
    this.#running.set(region.regionId, run)
    await run.finally(
      () => this.#running.get(region.regionId) === run && this.#running.delete(region.regionId),
    )
  }

  async #run(region: Region, startedBy: string | null): Promise<void> {
    const { compliance, now, log } = this.#options
    const started = now()
    const steps = await applyToRegion(this.#options, region)
    if (!steps.length && startedBy === null) return
    const scope = regionScope(region.organizationId, region.regionId)
    await storeRun(compliance.state.as(scope), region.regionId, { started, ended: now(), startedBy, steps })
    log('old rows', {
      regionId: region.regionId,
      outcome: getOutcome(steps),
      rows: steps.flatMap(({ tables }) => tables).reduce((sum, { rows }) => sum + rows, 0),
    })
  }

  async #findRegions(regionIds: readonly string[]): Promise<Region[]> {
    if (!regionIds.length) return []
    const rows = await this.#options.compliance.state
      .as(systemScope)
      .selectFrom('region')
      .selectAll()
      .where('region_id', 'in', regionIds)
      .orderBy('region_id')
      .execute()
    return rows.map(readRegion)
  }
}
