import type { MapName, NewRegion, Region } from '#contract/regions.ts'

/** State of the region form. Numbers are text while they are incomplete, such as `41.` */
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
  /** Empty without a logo. */
  logoFilename: string
  privacyMinimum: number | string
  rawRetentionDays: number | string
  lostAfterHours: number | string
  countsUncertain: boolean
  /** HH:MM. */
  operatingHours: { from: string; until: string }
}

/** Returns the defaults of a new region; its time zone is that of the browser. */
export function createRegionDraft(): RegionDraft {
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

/** Returns the editable fields of a region. */
export const toRegionDraft = ({
  organizationId: _organization,
  distanceUnits: _units,
  logoFilename,
  ...fields
}: Region): RegionDraft => ({ ...fields, logoFilename: logoFilename ?? '' })

/** Returns the request body that saves the draft; null while a number is missing or invalid. */
export function toRegionBody({
  lat,
  lon,
  mapZoom,
  privacyMinimum,
  rawRetentionDays,
  lostAfterHours,
  ...fields
}: RegionDraft): NewRegion | null {
  const numericValues = [lat, lon, mapZoom, privacyMinimum, rawRetentionDays, lostAfterHours]
  if (numericValues.some((value) => String(value).trim() === '' || Number.isNaN(Number(value)))) return null
  return {
    ...fields,
    text: fields.text.trim(),
    currencyCode: fields.currencyCode.trim().toUpperCase(),
    lat: Number(lat),
    lon: Number(lon),
    mapZoom: Number(mapZoom),
    logoFilename: fields.logoFilename.trim() || null,
    privacyMinimum: Number(privacyMinimum),
    rawRetentionDays: Number(rawRetentionDays),
    lostAfterHours: Number(lostAfterHours),
  }
}

/** Returns an id for a region's name, at most 40 characters: `Washington, D.C.` becomes `washington-d-c`. */
export const suggestRegionId = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 40)
    .replace(/-$/, '')
