import { createHash } from 'node:crypto'
import { type LocalDay, splitByMonth, startOfMonth } from '#contract/period.ts'
import { ComputedCache } from '#server/stores/computed-cache.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { CurbIndex } from '../store/curb-index.ts'
import { type FeeRequest, readSessionFees, type StayCounts, type StayFee } from './session-fees.ts'

/** Stays of an account that begin in a month and are charged by one rule in one zone. */
export interface StayFeeSum extends Pick<StayFee, 'accountId' | 'zoneId' | 'policyId' | 'rule'> {
  month: LocalDay
  stays: number
  /** Minor units. */
  amount: bigint
}

/** Counts of the stays in a period, with sums of their fees. */
export interface SessionFeeSums extends StayCounts {
  sums: StayFeeSum[]
}

/** Sums fees by month, account, zone and rule. */
export function sumFees(fees: readonly StayFee[]): StayFeeSum[] {
  const sums = new Map<string, StayFeeSum>()
  for (const { accountId, zoneId, policyId, rule, day, amount } of fees) {
    const month = startOfMonth(day)
    const key = JSON.stringify([month, accountId, zoneId, policyId, rule])
    const sum = sums.get(key)
    if (sum) {
      sum.stays++
      sum.amount += BigInt(amount)
    } else sums.set(key, { month, accountId, zoneId, policyId, rule, stays: 1, amount: BigInt(amount) })
  }
  return [...sums.values()]
}

/** Number of sums in the cache over all months; each month counts as one more. */
const maxCachedSums = 200_000

/** Caches sums of fees by month. Concurrent calls share a computation, even if one is aborted. */
export class SessionFeeCache extends ComputedCache<SessionFeeSums> {
  constructor() {
    super({ maxSize: maxCachedSums, getSize: ({ sums }) => sums.length + 1 })
  }

  /**
   * Returns the sums of fees for a period. A month is computed only once until its sessions, the rules or the
   * accounts change. `changes` contains, for each day with sessions, how often they changed.
   */
  async read(
    facts: Facts,
    index: CurbIndex,
    {
      place,
      days,
      accounts,
      changes,
    }: Omit<FeeRequest, 'signal'> & { changes: ReadonlyMap<LocalDay, bigint> },
  ): Promise<SessionFeeSums> {
    const { regionId, timezone } = place
    const total: SessionFeeSums = {
      sums: [],
      charged: 0,
      all: 0,
      noAccount: 0,
      noEnd: 0,
      noRule: 0,
      noRate: 0,
      reportedTwice: 0,
    }
    for (const { start_date, end_date } of splitByMonth(days)) {
      const period = { start_date, end_date }
      const changesOfMonth = [...changes]
        .filter(([day]) => day >= period.start_date && day <= period.end_date)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([day, count]) => [day, String(count)])
      // No session ever began in this month.
      if (!changesOfMonth.length) continue
      const key = createHash('sha256')
        .update(JSON.stringify([regionId, index.version, index.timezone, index.currency]))
        .update(JSON.stringify([period, timezone, accounts, changesOfMonth]))
        .digest('hex')
      const { sums, ...counts } = await this.get(key, async () => {
        const { fees, ...monthCounts } = await readSessionFees(facts, index, {
          place,
          days: period,
          accounts,
        })
        return { sums: sumFees(fees), ...monthCounts }
      })
      for (const sum of sums) total.sums.push(sum)
      for (const name of Object.keys(counts) as (keyof StayCounts)[]) total[name] += counts[name]
    }
    return total
  }
}
