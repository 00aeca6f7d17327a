import type { MapName, NewRegion, Region } from '#contract/regions.ts'

/** A region as a form holds it: numbers may be texts while they are typed, such as `41.` */
export interface RegionDraft {
  regionId: string
  text: string
  timezone: string
  lat: number | string
  lon: number | string
  mapZoom: number | string
  isMetric: boolean
  currencyCode: string
  hasMdsData: boolean
  hasMonthlyZip: boolean
  /** Null: all. */
  allowedMaps: MapName[] | null
  /** Empty: none. */
  logoFilename: string
  privacyMinimum: number | string
  rawRetentionDays: number | string
  lostAfterHours: number | string
  countsUncertain: boolean
  /** HH:MM. */
  operatingHours: { from: string; until: string }
}

/** What a new region starts with: the zone of whoever makes it. */
export function emptyDraft(): RegionDraft {
  return {
    regionId: '',
    text: '',
    timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    lat: '',
    lon: '',
    mapZoom: 12,
    isMetric: false,
    currencyCode: 'USD',
    hasMdsData: false,
    hasMonthlyZip: false,
    allowedMaps: null,
    logoFilename: '',
    privacyMinimum: 10,
    rawRetentionDays: 30,
    lostAfterHours: 48,
    countsUncertain: false,
    operatingHours: { from: '06:00', until: '22:00' },
  }
}

export const draftOf = ({
  organizationId: _organization,
  distanceUnits: _units,
  logoFilename,
  ...rest
}: Region): RegionDraft => ({ ...rest, logoFilename: logoFilename ?? '' })

/** What the draft asks the server for; null while a number is missing. */
export function askOf({
  lat,
  lon,
  mapZoom,
  privacyMinimum,
  rawRetentionDays,
  lostAfterHours,
  ...rest
}: RegionDraft): NewRegion | null {
  const numbers = [lat, lon, mapZoom, privacyMinimum, rawRetentionDays, lostAfterHours]
  if (numbers.some((value) => String(value).trim() === '' || Number.isNaN(Number(value)))) return null
  return {
    ...rest,
    text: rest.text.trim(),
    currencyCode: rest.currencyCode.trim().toUpperCase(),
    lat: Number(lat),
    lon: Number(lon),
    mapZoom: Number(mapZoom),
    logoFilename: rest.logoFilename.trim() || null,
    privacyMinimum: Number(privacyMinimum),
    rawRetentionDays: Number(rawRetentionDays),
    lostAfterHours: Number(lostAfterHours),
  }
}

/** A name as a region's id: `Washington, D.C.` -> `washington-d-c` */
export const idOfName = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 40)
    .replace(/-$/, '')
