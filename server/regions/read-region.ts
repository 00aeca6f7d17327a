import type { Selectable } from 'kysely'
import type { Region } from '#contract/regions.ts'
import { distanceUnit } from '#contract/units.ts'
import { cachePerStore } from '#server/stores/invalidating-cache.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/** Converts a stored region to the form of the API. */
export const readRegion = (row: Selectable<StateTables['region']>): Region => ({
  regionId: row.region_id,
  text: row.text,
  lat: row.lat,
  lon: row.lon,
  mapZoom: row.map_zoom,
  currencyCode: row.currency_code,
  organizationId: row.organization_id,
  timezone: row.timezone,
  isMetric: row.is_metric,
  distanceUnits: distanceUnit(row.is_metric),
  logoFilename: row.logo_filename,
  hasMdsData: row.has_mds_data,
  hasMonthlyZip: row.has_monthly_zip,
  allowedMaps: row.allowed_maps as Region['allowedMaps'],
  privacyMinimum: row.privacy_minimum,
  rawRetentionDays: row.raw_retention_days,
  lostAfterHours: row.lost_after_hours,
  countsUncertain: row.counts_uncertain,
  operatingHours: { from: row.operating_from, until: row.operating_until },
})

/** Nearly every call reads its region, so regions are cached until one changes. */
const getCache = cachePerStore<Region>(['region'])

/** Finds a region of the Scope. @throws Problem `not_found` for all other regions. */
export const findRegion = (state: State, scope: Scope, regionId: string): Promise<Region> =>
  getCache(state.changes).get(scope, regionId, async () =>
    Object.freeze(
      readRegion(
        await state
          .as(scope)
          .selectFrom('region')
          .selectAll()
          .where('region_id', '=', regionId)
          .executeTakeFirstOrThrow(() => new Problem('not_found', `There is no region '${regionId}'.`)),
      ),
    ),
  )
