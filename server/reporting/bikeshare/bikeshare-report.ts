import type { z } from 'zod'
import {
  type getBikeshare,
  type getBikeshareDownloadUrl,
  type getBikeshareStations,
  knownMinutes,
  stationColumnNames,
  stationColumns,
  stationDefaults,
  type StationReport,
} from '#contract/bikeshare.ts'
import { csvLine } from '#contract/csv.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { Region } from '#contract/regions.ts'
import { RawResponse } from '#server/http/route.ts'
import { requireFeature } from '#server/identity/feature-flags.ts'
import { listStationSystems } from '#server/fleet/stations/read-station-figures.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { checkStationQuestion, type StationCaller, readStationReport } from './station-report.ts'

/** Finds a region. @throws Problem `not_found` unless its organization has the report. */
export async function findBikeshareRegion(state: State, scope: Scope, regionId: string): Promise<Region> {
  const region = await findRegion(state, scope, regionId)
  await requireFeature(state, scope, region.organizationId, 'bikeshareStationReport')
  return region
}

/** Reads the systems of a region, and the columns and default parameters of the report. */
export async function readBikeshareMetadata(
  facts: Facts,
  scope: Scope,
  { regionId, currencyCode }: Region,
): Promise<EndpointOutput<typeof getBikeshare>> {
  const systems = await listStationSystems(facts, scope, regionId)
  return {
    systems: systems.map(({ operator, feedId, stations, first, last }) => ({
      operator,
      feed_id: feedId,
      stations,
      first_time: new Date(first).toISOString(),
      last_time: new Date(last).toISOString(),
    })),
    columns: stationColumnNames.map((name) => ({ name, ...stationColumns[name] })),
    parameters: { ...stationDefaults, known_minutes: knownMinutes, currency: currencyCode },
    formats: ['csv', 'json'],
  }
}

const makeFileName = ({ regionId }: Region, start: string, end: string, format: string): string =>
  `bikeshare-stations_${regionId}_${start}_${end}.${format}`

/** Returns the URL at which the report can be downloaded. @throws Problem if the question is invalid. */
export function makeBikeshareUrl(
  region: Region,
  query: z.output<(typeof getBikeshareDownloadUrl)['request']['query']>,
  publicUrl: string,
  at: Date,
): EndpointOutput<typeof getBikeshareDownloadUrl> {
  checkStationQuestion(query, region.timezone, at.getTime())
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const path = `/v2/regions/${encodeURIComponent(region.regionId)}/reports/bikeshare/stations`
  return {
    url: `${publicUrl.replace(/\/+$/, '')}${path}?${new URLSearchParams(parameters)}`,
    file_name: makeFileName(region, query.start_date, query.end_date, query.format),
  }
}

/** Returns the report as JSON or CSV. */
export async function writeBikeshareFile(
  facts: Facts,
  caller: StationCaller,
  { format, ...question }: z.output<(typeof getBikeshareStations)['request']['query']>,
): Promise<StationReport | RawResponse> {
  const report = await readStationReport(facts, caller, question)
  if (format === 'json') return report
  const lines = report.stations.map((station) => csvLine(stationColumnNames.map((name) => station[name])))
  return new RawResponse(Buffer.from([csvLine(stationColumnNames), ...lines, ''].join('\n')), {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${makeFileName(caller.region, question.start_date, question.end_date, 'csv')}"`,
  })
}
