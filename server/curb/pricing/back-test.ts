import type { PricingParameters } from '#contract/curb-pricing-parameters.ts'
import { type BackTest, getRowOutcome, type RowOutcome } from '#contract/curb-pricing.ts'
import { startOfDay } from '#contract/civil-clock.ts'
import { dayFromNumber, dayNumber, type LocalDay } from '#contract/period.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { CurbIndex } from '../store/curb-index.ts'
import { queryOccupancyTarget, type ReadBandOccupancy } from './propose-rates.ts'
import { cellKey, cellsOf, ZoneRates } from './zone-rates.ts'

/** What the rule would have proposed before its effective day, beside the rates of zones on the compared day. */
export async function backTest(
  read: ReadBandOccupancy,
  index: CurbIndex,
  scope: Scope,
  { parameters, compared_day: compared }: { parameters: PricingParameters; compared_day: LocalDay },
  signal: AbortSignal,
): Promise<BackTest> {
  const before = startOfDay(dayFromNumber(dayNumber(parameters.effective_date) - 1), index.zone)
  const rows = await queryOccupancyTarget(read, index, scope, parameters, before, signal)
  const at = startOfDay(compared, index.zone)
  const epoch = index.at(at)
  const rates = ZoneRates.of(index, cellsOf(parameters.bands, parameters.day_types))
  const items = rows.map((row) => {
    const set = epoch.ruleSetOf.get(row.curb_zone_id)
    const actual = set && rates.ofPolicies(set.policies, at).get(cellKey(row.band, row.day_type))?.rate
    return { ...row, actual_rate: actual ?? null }
  })
  const compares = items.filter((item) => item.proposed_rate !== null && item.actual_rate !== null)
  const directions = new Map<string, { proposed: RowOutcome; actual: RowOutcome; rows: number }>()
  for (const item of compares) {
    const [proposed, actual] = [
      getRowOutcome(item),
      getRowOutcome({ ...item, proposed_rate: item.actual_rate }),
    ]
    const known = directions.get(`${proposed} ${actual}`) ?? { proposed, actual, rows: 0 }
    known.rows += 1
    directions.set(`${proposed} ${actual}`, known)
  }
  return {
    compared_day: compared,
    rows: compares.length,
    refused: items.length - compares.length,
    same_rate: compares.filter((item) => item.proposed_rate === item.actual_rate).length,
    same_direction: [...directions.values()]
      .filter(({ proposed, actual }) => proposed === actual)
      .reduce((sum, each) => sum + each.rows, 0),
    directions: [...directions.values()],
    items,
  }
}
