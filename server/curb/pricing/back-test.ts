import type { PricingParameters } from '#contract/curb-pricing-parameters.ts'
import { type BackTest, getRowOutcome, type RowOutcome } from '#contract/curb-pricing.ts'
import { startOfDay } from '#contract/civil-clock.ts'
import { type LocalDay, addDays } from '#contract/period.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { CurbIndex } from '../store/curb-index.ts'
import { queryOccupancyTarget, type ReadBandOccupancy } from './propose-rates.ts'
import { toCellKey, listCells, ZoneRates } from './zone-rates.ts'

/** Compares what the rule would have proposed the day before its effective day with rates on `compared_day`. */
export async function runBackTests(
  readOccupancy: ReadBandOccupancy,
  index: CurbIndex,
  { scope, signal }: { scope: Scope; signal: AbortSignal },
  { parameters, compared_day: comparedDay }: { parameters: PricingParameters; compared_day: LocalDay },
): Promise<BackTest> {
  const proposalTime = startOfDay(addDays(parameters.effective_date, -1), index.timezone)
  const rows = await queryOccupancyTarget(
    readOccupancy,
    index,
    { scope, at: proposalTime, signal },
    parameters,
  )
  const comparedTime = startOfDay(comparedDay, index.timezone)
  const epoch = index.at(comparedTime)
  const rates = ZoneRates.forIndex(index, listCells(parameters.bands, parameters.day_types))
  const items = rows.map((row) => {
    const ruleSet = epoch.ruleSetByZone.get(row.curb_zone_id)
    const cellRates = ruleSet && rates.getRates(ruleSet.policies, comparedTime)
    return { ...row, actual_rate: cellRates?.get(toCellKey(row.band, row.day_type))?.rate ?? null }
  })
  const comparable = items.filter((item) => item.proposed_rate !== null && item.actual_rate !== null)
  const directions = new Map<string, { proposed: RowOutcome; actual: RowOutcome; rows: number }>()
  for (const item of comparable) {
    const proposed = getRowOutcome(item)
    const actual = getRowOutcome({ ...item, proposed_rate: item.actual_rate })
    const direction = directions.get(`${proposed} ${actual}`) ?? { proposed, actual, rows: 0 }
    direction.rows += 1
    directions.set(`${proposed} ${actual}`, direction)
  }
  return {
    compared_day: comparedDay,
    rows: comparable.length,
    refused: items.length - comparable.length,
    same_rate: comparable.filter((item) => item.proposed_rate === item.actual_rate).length,
    same_direction: [...directions.values()]
      .filter(({ proposed, actual }) => proposed === actual)
      .reduce((sum, direction) => sum + direction.rows, 0),
    directions: [...directions.values()],
    items,
  }
}
