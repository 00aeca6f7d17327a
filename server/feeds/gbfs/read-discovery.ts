import { toPlainText } from '#server/table-files/plain-text.ts'
import { isObject, type JsonObject } from '../adapters/response-body.ts'
import { UnreadableBody } from '../adapters/adapter.ts'

/** The URLs of a feed's files, or the URL of the file that lists them. */
export type Discovered = { feeds: { name: string; url: string }[] } | { next: string }

/** The names of files of GBFS 1.0 to 3.1. */
const fileNamePattern =
  /^(gbfs_versions|system_information|vehicle_types|station_information|station_status|free_bike_status|vehicle_status|vehicle_availability|system_hours|system_calendar|system_regions|system_pricing_plans|system_alerts|geofencing_zones)$/

/** Resolves a URL; null if it is invalid, too long, or neither http nor https. */
const toAbsoluteUrl = (url: unknown, base: string): string | null => {
  if (typeof url !== 'string' || url.length > 2000 || !URL.canParse(url, base)) return null
  const absolute = new URL(url, base)
  return /^https?:$/.test(absolute.protocol) ? absolute.href : null
}

function readFileList(list: unknown, base: string): { name: string; url: string }[] {
  if (!Array.isArray(list)) return []
  const urls = new Map<string, string>()
  for (const file of list) {
    if (!isObject(file) || typeof file['name'] !== 'string') continue
    const lowerCaseName = file['name'].trim().toLowerCase()
    const name = lowerCaseName.replace(/\.json$/, '')
    const url = toAbsoluteUrl(file['url'], base)
    if (fileNamePattern.test(name) && url && !urls.has(name)) urls.set(name, url)
  }
  // A feed that serves two versions lists its vehicles under both names.
  if (urls.has('vehicle_status')) urls.delete('free_bike_status')
  return [...urls].map(([name, url]) => ({ name, url }))
}

/** Chooses the URL of the preferred version, else of the newest one; null if no version has a URL. */
function chooseVersion(versions: unknown, preferred: string, base: string): string | null {
  const available = (Array.isArray(versions) ? versions : []).flatMap((entry) => {
    const url = isObject(entry) ? toAbsoluteUrl(entry['url'], base) : null
    return isObject(entry) && url && typeof entry['version'] === 'string'
      ? [{ version: entry['version'], url }]
      : []
  })
  // Drafts such as `3.1-RC` and versions that do not exist yet come last.
  const rank = ({ version }: { version: string }): number =>
    /^\d+(\.\d+)?$/.test(version) && Number(version) < 4 ? Number(version) : 0
  const preferredVersion = available.find(({ version }) => version === preferred)
  const [newestVersion] = available.toSorted((a, b) => rank(b) - rank(a))
  return (preferredVersion ?? newestVersion)?.url ?? null
}

/** Reads a gbfs.json of any version, or a manifest of several systems, of which `systemId` selects one. */
export function readDiscovery(
  data: JsonObject,
  {
    base,
    language,
    version,
    systemId,
  }: { base: string; language: string; version: string; systemId: string },
): Discovered {
  const datasets = data['datasets']
  if (Array.isArray(datasets)) {
    const systems = datasets.filter(isObject)
    const onlySystem = systems.length === 1 ? systems[0] : undefined
    const system = systemId ? systems.find((system) => system['system_id'] === systemId) : onlySystem
    const names = systems
      .slice(0, 20)
      .map((system) => toPlainText(system['system_id'], 200))
      .join(', ')
    if (!system)
      throw new UnreadableBody(
        systemId
          ? `The manifest has no system '${systemId}'. It has: ${names}.`
          : `The manifest has ${systems.length} systems; name one in the setting system_id: ${names}.`,
      )
    const next = chooseVersion(system['versions'], version, base)
    if (!next)
      throw new UnreadableBody(
        `The manifest names no version of the system '${toPlainText(system['system_id'], 200)}'.`,
      )
    return { next }
  }
  if (Array.isArray(data['feeds'])) return { feeds: readFileList(data['feeds'], base) }
  const languages = Object.entries(data).filter(
    (entry): entry is [string, JsonObject] => isObject(entry[1]) && Array.isArray(entry[1]['feeds']),
  )
  const findLanguage = (preferred: string): [string, JsonObject] | undefined =>
    languages.find(([name]) => name.toLowerCase() === preferred) ??
    languages.find(([name]) => name.toLowerCase().startsWith(preferred.slice(0, 2)))
  const languageFiles = findLanguage(language) ?? findLanguage('en') ?? languages[0]
  if (!languageFiles) throw new UnreadableBody('The response names no files: it is not a gbfs.json.')
  return { feeds: readFileList(languageFiles[1]['feeds'], base) }
}
