import { permissionKeys, type PermissionKey } from '#contract/permission.ts'
import type { PublicRegion, Region } from '#contract/regions.ts'
import type { OrganizationSettings } from '#contract/settings.ts'

const organizationId = '8f14e45f-ceea-467f-a0e6-7a1d2b3c4d5e'

export const testRegion = (regionId: string, text: string): Region => ({
  regionId,
  text,
  lat: 32.7,
  lon: -79.9,
  mapZoom: 12,
  currencyCode: 'USD',
  organizationId,
  timezone: 'America/New_York',
  isMetric: false,
  distanceUnits: 'mi',
  logoFilename: null,
  hasMdsData: true,
  hasMonthlyZip: false,
  allowedMaps: null,
  privacyMinimum: 0,
  rawRetentionDays: 30,
  lostAfterHours: 48,
  countsUncertain: false,
  operatingHours: { from: '06:00', until: '22:00' },
})

const regions = [testRegion('port-meridian', 'Port Meridian'), testRegion('ashford', 'Ashford')]

/** A region as returned to public pages, for tests. */
export const testPublicRegion: PublicRegion = {
  regionId: 'port-meridian',
  text: 'Port Meridian',
  timezone: 'America/New_York',
  isMetric: false,
  lat: 32,
  lon: -79,
  mapZoom: 12,
  has_published_policies: true,
  has_public_routes: false,
  has_public_regulations: false,
  has_public_rates: false,
  basemap: [
    {
      shape_layer_uuid: '8f14e45f-ceea-467f-a0e6-000000000001',
      role: 'street',
      version: 'v1',
      attribution: '© Street makers',
    },
  ],
}

/** Replies for the public pages of `testPublicRegion`. */
export const publicResponses = (overrides: Partial<PublicRegion> = {}) => ({
  'GET /v2/public/regions': ({ query }: { query: URLSearchParams }) => ({
    items:
      query.get('region_id') === testPublicRegion.regionId ? [{ ...testPublicRegion, ...overrides }] : [],
  }),
})

/** Replies for a signed-in user with two regions. Flags that are missing in `settings` are on. */
export const signedIn = (
  keys: readonly PermissionKey[] = permissionKeys,
  settings: Partial<OrganizationSettings> = {},
) => ({
  'GET /v2/users/me': () => ({
    id: 'u1',
    email: 'ada@city.example',
    name: 'Ada',
    organizationId,
    acceptedTermsOfService: true,
    providerData: [{ providerId: 'password' }],
    enrolledFactors: [],
    operators: null,
    regionIds: null,
    mfaRequired: false,
    impersonatedBy: null,
  }),
  'GET /api/auth/list-sessions': () => [],
  'GET /api/auth/get-session': () => null,
  'GET /v2/users/me/permissions': () => permissionKeys.map((key) => ({ key, enabled: keys.includes(key) })),
  'GET /v2/feature_flags': () => [{ key: 'profileSettings', enabled: true }],
  [`GET /v2/organizations/${organizationId}`]: () => ({
    id: organizationId,
    name: 'Port Meridian',
    type: 'city',
    settings,
  }),
  'GET /v2/regions': ({ query }: { query: URLSearchParams }) => {
    const items = regions.filter((region) => region.text.toLowerCase().includes(query.get('text') ?? ''))
    return { items, total: items.length, page: 1, size: 10 }
  },
  'GET /v2/regions/port-meridian': () => regions[0],
  'GET /v2/regions/ashford': () => regions[1],
})
