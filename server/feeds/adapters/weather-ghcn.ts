import Papa from 'papaparse'
import { maxRawLength, noRecords } from '#server/fleet/events/feed-records.ts'
import { fileReasons } from '#server/table-files/row-reasons.ts'
import { readWeatherTable } from '#server/weather/read-weather-table.ts'
import { type Adapter, type ReadResult, UnreadableBody } from './adapter.ts'
import { decodeBody } from './response-body.ts'

/** The maximum number of findings per file, which may cover a century of days. */
const maxFindings = 1000

function readFile(bytes: Uint8Array): ReadResult {
  const text = decodeBody(bytes)
  if (/^\s*</.test(text)) throw new UnreadableBody('The response is a web page, not a file of GHCN-Daily.')
  const table = readWeatherTable(text.split(/\r\n|\n|\r/), (line) => Papa.parse<string[]>(line).data[0] ?? [])
  if (!table)
    throw new UnreadableBody(
      'The response is not a file of GHCN-Daily: neither a .dly file, nor a list with station, date and element or PRCP, TMAX, TMIN.',
    )
  const records = noRecords()
  for (const { line, reason, detail, raw } of table.rejected)
    if (reason !== 'no_figures' && reason !== 'empty_row' && records.findings.length < maxFindings)
      records.findings.push({
        kind: 'schema',
        recordId: String(line),
        field: `line ${line}`,
        reason: `${fileReasons[reason]}${detail && ` (${detail})`}.`,
        raw: raw.slice(0, maxRawLength),
      })
  return { records, next: null, other: table.days }
}

/** GHCN-Daily of NOAA: the file of a station, in any layout that NOAA publishes. */
export const weatherGhcn: Adapter = {
  kind: 'weather',
  versions: ['ghcn_daily'],
  streams: () => [{ name: 'station', window: 'now', everySeconds: 6 * 3600 }],
  request: (feed) => ({ url: feed.url, headers: { accept: 'text/csv, text/plain, */*' } }),
  read: (_feed, _stream, body) => readFile(body),
}
